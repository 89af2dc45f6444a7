"""Recorded work on a segment, as used by the post-editing study."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from qe_desktop.corpus.highlight_spans import NO_HIGHLIGHTS, DisplayedHighlights

KEY_KINDS = (
    "letter", "digit", "space", "symbol", "navigation", "erase", "copy", "cut", "paste", "undo", "command",
)  # fmt: skip
"""Kinds of keystrokes, by the names stored in projects."""


class RecordedChange(Protocol):
    """Recorded change of the text."""

    @property
    def after(self) -> float:
        """Seconds since the segment was opened."""

    @property
    def place(self) -> int:
        """Character offset of the change."""

    @property
    def removed(self) -> str:
        """Removed text."""

    @property
    def inserted(self) -> str:
        """Inserted text."""


@dataclass(frozen=True, slots=True)
class RecordedVisit:
    """Recorded visit of `person` to the segment at index `segment`.

    `seconds` is working time, without `pauses` over `limit` seconds and without time in other windows (`away`).

    `gaps_300` and `gaps_1000` count pauses of at least 300 and 1,000 ms between two keystrokes. `keys` are counts by
    kind (`KEY_KINDS`), `opened` is Unix time, and `displayed` are the highlights displayed.
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
