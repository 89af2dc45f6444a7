"""Small campaigns for tests: texts, setups and simulated raters."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np

from qe_desktop.corpus import ItemRole
from qe_desktop.ratings.assignment.design import design_campaign
from qe_desktop.ratings.campaign import (
    Campaign,
    CampaignDesign,
    CampaignSetup,
    EvaluationBasis,
    Passage,
    Screen,
    ScreenKey,
)
from qe_desktop.ratings.rater_session import RaterSession


def make_campaign(
    protocol: str = "adequacy-fluency", basis: EvaluationBasis = EvaluationBasis.SOURCE, **changes
) -> Campaign:
    """Return a campaign from English to German."""
    fields = {"source_language": "en", "target_language": "de", **changes}
    return Campaign("c1", "A campaign", protocol, basis, **fields)


def make_translations(systems: int, segments: int, *, same: float = 0.0, seed: int = 1) -> dict[str, list[str]]:
    """Return numbered words; a share of the segments of each system equals those of the previous system."""
    rng = np.random.default_rng(seed)
    texts: dict[str, list[str]] = {}
    for index in range(systems):
        lengths = rng.integers(1, 25, segments)
        lines = [" ".join(f"w{word}" for word in rng.integers(0, 5000, length)) for length in lengths]
        before = texts.get(f"system-{index}")
        if before is not None:
            lines = [old if rng.random() < same else new for old, new in zip(before, lines, strict=True)]
        texts[f"system-{index + 1}"] = lines
    return texts


def make_passages(segments: int, document: Sequence[int] | None = None) -> list[Passage]:
    """Return the texts of all segments; `document` contains the number of the document of each."""
    return [
        Passage(index, f"source {index}", f"reference {index}", f"d{document[index]}" if document is not None else "")
        for index in range(segments)
    ]


def make_setup(systems: int, segments: int, raters: int, **changes) -> CampaignSetup:
    """Return a setup with numbered systems and raters."""
    return CampaignSetup(
        tuple(f"system-{index + 1}" for index in range(systems)), tuple(range(segments)),
        tuple(f"rater-{index + 1}" for index in range(raters)), **changes,
    )  # fmt: skip


def make_random_design(
    protocol: str, systems: int, segments: int, raters: int, *, same: float = 0.0, **changes
) -> CampaignDesign:
    """Return a design over numbered words in documents of five segments."""
    campaign_fields = {
        name: changes.pop(name) for name in ("basis", "context", "by_document", "simulated") if name in changes
    }
    return design_campaign(
        make_campaign(protocol, **campaign_fields), make_setup(systems, segments, raters, **changes),
        make_passages(segments, [index // 5 for index in range(segments)]),
        make_translations(systems, segments, same=same),
    )  # fmt: skip


class BlindingKey:
    """The blind key of a design, by uid."""

    def __init__(self, design: CampaignDesign) -> None:
        self.design = design
        self.screen: dict[str, ScreenKey] = {key.screen: key for key in design.screen_keys}
        self.output = {key.output: key for key in design.output_keys}
        self.text = {output.uid: output.text for output in design.outputs}
        self.screens: dict[str, list[Screen]] = defaultdict(list)
        for screen in design.screens:
            self.screens[screen.rater].append(screen)

    def role(self, screen: Screen) -> ItemRole:
        return self.screen[screen.uid].role

    def systems(self, screen: Screen) -> list[str]:
        return [name for output in screen.outputs for name in self.output[output].systems]

    def core(self, rater: str) -> list[Screen]:
        return [screen for screen in self.screens[rater] if self.role(screen) is ItemRole.SYSTEM]


class TickingClock:
    """A clock that advances by a second at each reading, and sequential uids."""

    def __init__(self, begin: float = 1000.0, prefix: str = "e") -> None:
        self._times = itertools.count()
        self._numbers = itertools.count()
        self._begin, self._prefix = begin, prefix

    def clock(self) -> float:
        return self._begin + next(self._times)

    def uid(self) -> str:
        return f"{self._prefix}{next(self._numbers):06d}"


def make_rater_session(
    design: CampaignDesign, rater: str, events=(), clock: TickingClock | None = None
) -> RaterSession:
    """Return the session of a rater with a clock that advances at each reading."""
    clock = clock or TickingClock()
    return RaterSession(
        design.campaign,
        design.screens,
        design.passages,
        design.outputs,
        events,
        rater=rater,
        clock=clock.clock,
        new_uid=clock.uid,
    )


def simulate_events(design: CampaignDesign, answer: Callable[[Screen, str], object]) -> list:
    """Return the events of raters who rate every field of every screen with `answer`, one second each."""
    events = []
    for index, rater in enumerate(design.setup.raters):
        rater_session = make_rater_session(design, rater, clock=TickingClock(1000.0 * (index + 1), rater))
        for screen in rater_session.screens:
            for field in rater_session.protocol.fields:
                if not rater_session.is_revealed(screen.uid) and field != rater_session.protocol.fields[0]:
                    rater_session.reveal(screen.uid)
                rater_session.rate(screen.uid, field, answer(screen, field), 1.0)
        events += rater_session.events
    return events
