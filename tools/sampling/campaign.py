"""A small finished campaign: three simulated raters judge adequacy and fluency of the sample's MT systems."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.corpus import ItemRole
from qe_desktop.formats.ratings import write_journal
from qe_desktop.ratings.assignment.design import design_campaign
from qe_desktop.ratings.blinding import journal_header, journal_lines
from qe_desktop.ratings.campaign import Campaign, CampaignDesign, CampaignSetup, EvaluationBasis, Passage
from qe_desktop.ratings.rater_session import RaterSession

SEED = 7
BEGINS = 1768208400.0
"""Unix time at which the first rater starts: 2026-01-12, 09:00 UTC."""
PAUSE = 86400.0
"""Seconds from the start of one rater to the start of the next: each rater works on another day."""
DOCUMENTS = ("news-harbour", "leaflet-tablets")


@dataclass(frozen=True)
class Rater:
    """Simulated rater: `bias` is added to each rating, `noise` is the standard deviation of random errors."""

    name: str
    bias: float
    noise: float


RATERS = (
    Rater("simulated-anna", 0.1, 0.35),
    Rater("simulated-ben", -0.35, 0.45),
    Rater("simulated-chloe", 0.3, 0.75),
)
QUALITY = {"MT": (3.9, 3.6), "fluent": (4.3, 4.8), "literal": (3.1, 1.8)}
"""Mean adequacy and fluency of each system, as an unbiased rater would rate it."""
SPREAD = 0.8
"""Standard deviation of the quality of a system's outputs, which is normally distributed."""
DEGRADED = (2.2, 1.2)
"""Points of adequacy and fluency that a degraded output loses."""


def simulated_ratings(
    sources: Sequence[str], documents: Sequence[str], translations: Mapping[str, Sequence[str]]
) -> str:
    """Return the journal of the campaign as text; it is deterministic for the given texts."""
    planned = _design(sources, documents, translations)
    events = [event for place, rater in enumerate(RATERS) for event in _rated(planned, rater, BEGINS + place * PAUSE)]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "ratings.jsonl"
        write_journal(path, journal_lines(planned, events), journal_header(planned.campaign))
        return path.read_text(encoding="utf-8")


def _design(
    sources: Sequence[str], documents: Sequence[str], translations: Mapping[str, Sequence[str]]
) -> CampaignDesign:
    segments = tuple(segment for segment, name in enumerate(documents) if name in DOCUMENTS)
    campaign = Campaign(
        "sample-campaign",
        "Adequacy and fluency (simulated raters)",
        "adequacy-fluency",
        EvaluationBasis.SOURCE,
        "en",
        "de",
        simulated=True,
        source_original=True,
        created=BEGINS - PAUSE,
    )
    setup = CampaignSetup(
        tuple(translations), segments, tuple(rater.name for rater in RATERS), repeats=0.1, controls=0.1, seed=SEED
    )
    passages = [
        Passage(segment, source, "", document)
        for segment, (source, document) in enumerate(zip(sources, documents, strict=True))
    ]
    return design_campaign(campaign, setup, passages, translations)


def _rated(planned: CampaignDesign, rater: Rater, begins: float) -> Sequence[RatingEvent]:
    chance = random.Random(f"{SEED} {rater.name}")
    clock = _Clock(begins)
    work = RaterSession(
        planned.campaign,
        planned.screens,
        planned.passages,
        planned.outputs,
        (),
        rater=rater.name,
        clock=clock.now,
        new_uid=lambda: f"{chance.getrandbits(64):016x}",
    )
    keys = {key.output: key for key in planned.output_keys}
    for screen in work.screens:
        key = keys[screen.outputs[0]]
        system = key.systems[0]
        loss = DEGRADED if key.role is ItemRole.BAD else (0.0, 0.0)
        wanted = [
            quality + seen_alike(system, screen.segment, field) + rater.bias - lost + chance.gauss(0, rater.noise)
            for field, quality, lost in zip(("adequacy", "fluency"), QUALITY[system], loss, strict=True)
        ]
        adequacy, fluency = (float(min(5, max(1, round(value)))) for value in wanted)
        seconds = [round(math.exp(chance.gauss(mean, 0.5)), 1) for mean in (1.9, 0.6, 2.2)]
        for field, value, spent in zip(
            ("fluency", "reveal", "adequacy"), (fluency, None, adequacy), seconds, strict=True
        ):
            clock.time = round(clock.time + spent, 3)
            work.rate(screen.uid, field, value, spent)
    return work.events


def seen_alike(system: str, segment: int, field: str) -> float:
    """Return how much better or worse an output is than its system on average; it is the same for all raters."""
    return random.Random(f"{SEED} {system} {segment} {field}").gauss(0, SPREAD)


@dataclass
class _Clock:
    time: float

    def now(self) -> float:
        return self.time
