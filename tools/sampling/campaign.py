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
from qe_desktop.ratings.campaign import Campaign, CampaignDesign, CampaignSetup, EvaluationBasis, Passage
from qe_desktop.ratings.campaign_journal import journal_header, journal_lines
from qe_desktop.ratings.rater_session import RaterSession

SEED = 7
BEGINS = 1768208400.0
"""The first rater's first item, as Unix time: 2026-01-12, 9 o'clock UTC."""
PAUSE = 86400.0
"""The raters work on three days, one after the other."""
DOCUMENTS = ("news-harbour", "leaflet-tablets")


@dataclass(frozen=True)
class Rater:
    """A simulated rater: how lenient, how steady (the spread of what is added to what a rater would say)."""

    name: str
    bias: float
    noise: float


RATERS = (
    Rater("simulated-anna", 0.1, 0.35),
    Rater("simulated-ben", -0.35, 0.45),
    Rater("simulated-chloe", 0.3, 0.75),
)
QUALITY = {"MT": (3.9, 3.6), "fluent": (4.3, 4.8), "literal": (3.1, 1.8)}
"""Adequacy and fluency that a rater without bias would give a system on average."""
SPREAD = 0.8
"""How far a segment lies from its system's average, as the deviation of a normal distribution."""
DEGRADED = (2.2, 1.2)
"""What a degraded output loses of adequacy and fluency."""


def simulated_ratings(
    sources: Sequence[str], documents: Sequence[str], translations: Mapping[str, Sequence[str]]
) -> str:
    """The journal of the campaign, as text; always the same for the same texts."""
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
    """What all raters see alike in this output: how much better or worse it is than its system on average."""
    return random.Random(f"{SEED} {system} {segment} {field}").gauss(0, SPREAD)


@dataclass
class _Clock:
    time: float

    def now(self) -> float:
        return self.time
