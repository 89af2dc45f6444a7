"""What was recorded of somebody's work on a segment, as this study takes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from qe_desktop.corpus.highlight_spans import NO_HIGHLIGHTS, DisplayedHighlights

KEY_KINDS = (
    "letter", "digit", "space", "symbol", "navigation", "erase", "copy", "cut", "paste", "undo", "command",
)  # fmt: skip
"""Keys by what they do; the names that projects keep."""


class RecordedChange(Protocol):
    """A change of the text, as whoever records it keeps it."""

    @property
    def after(self) -> float:
        """Seconds from when the segment was opened."""

    @property
    def place(self) -> int:
        """The character of the text at which it was made."""

    @property
    def removed(self) -> str:
        """What gave way."""

    @property
    def inserted(self) -> str:
        """What came in its place."""


@dataclass(frozen=True, slots=True)
class RecordedVisit:
    """One visit to a segment, numbered from 0.

    `seconds` are those of work, without pauses over `limit` seconds and without time out of the window.

    `keys` are counts by their kind (`KEY_KINDS`), `opened` is Unix time, `shown` what was highlighted.
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
    typed: tuple[RecordedChange, ...] = ()
    shown: DisplayedHighlights = NO_HIGHLIGHTS
