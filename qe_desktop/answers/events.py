"""Events: the things that raters do, each kept as it happened."""

from __future__ import annotations

import enum
from dataclasses import dataclass

COMMENT, SKIP, RANKS, REVEAL, SEEN, PROFILE = "comment", "skip", "ranks", "reveal", "seen", "profile"
"""Fields of events that are no scale; see `RatingEvent`."""


class Action(enum.StrEnum):
    """What an event does."""

    RATE = "rate"
    UNDO = "undo"
    REDO = "redo"


Value = float | str | tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class RatingEvent:
    """One thing that a rater did; events are only ever added.

    `field` is a scale ("adequacy", "fluency", "score"), "ranks" (`value`: a rank of each output of the screen, in the
    order shown, 0 for one that has none yet), "skip" (`value`: the reason; empty takes the skip back), "comment",
    "reveal" (the source came into view), "seen" (the screen was left; only time counts), or, with no screen, "profile"
    (JSON text of languages and expertise). `seconds` is active time since the screen was shown or since its last
    event, idle time left out. UNDO and REDO name in `refers` the event they take back or bring again, and repeat its
    screen and field. `at` is Unix time.
    """

    uid: str
    campaign: str
    screen: str
    rater: str
    at: float
    field: str
    value: Value = None
    seconds: float = 0.0
    action: Action = Action.RATE
    refers: str = ""
