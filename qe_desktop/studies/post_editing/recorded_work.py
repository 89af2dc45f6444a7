"""Recorded work on a segment, as used by the post-editing study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from qe_desktop.corpus.text_spans import NO_HIGHLIGHTS, DisplayedHighlights

KEY_KINDS = (
    "letter", "digit", "space", "symbol", "navigation", "erase", "copy", "cut", "paste", "undo", "command",
)  # fmt: skip
"""Kinds of keystrokes, as named in projects."""


class RecordedChange(Protocol):
    """Recorded change of the text."""

    @property
    def after(self) -> float:
        """Time of the change, in seconds since the segment was opened."""

    @property
    def place(self) -> int:
        """Character offset of the change in the text."""

    @property
    def removed(self) -> str:
        """Removed text."""

    @property
    def inserted(self) -> str:
        """Inserted text."""


@dataclass(frozen=True, slots=True)
class RecordedVisit:
    """Recorded visit of `person` to the segment at index `segment`.

    `seconds` is the working time. It excludes `pauses`, the total seconds of pauses longer than `limit` seconds, and
    `away`, the seconds in which another window had the focus.

    `gaps_300` and `gaps_1000` are the numbers of pauses of at least 300 ms and at least 1,000 ms between two
    keystrokes, excluding pauses longer than `limit`. `keys` maps each kind of keystroke (`KEY_KINDS`) to a count.
    `opened` is the Unix time at which the segment was opened, and `displayed` are the highlights that were displayed.
    """

    segment: int
    person: str
    seconds: float
    pauses: float = 0.0
    away: float = 0.0
    limit: float = 300.0
    opened: float = 0.0
    gaps_300: int = 0
    gaps_1000: int = 0
    keys: Mapping[str, int] = field(default_factory=dict)
    changes: tuple[RecordedChange, ...] = ()
    displayed: DisplayedHighlights = NO_HIGHLIGHTS
