"""What was recorded of somebody's work on a segment, as this study takes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

KEY_KINDS = (
    "letter", "digit", "space", "symbol", "navigation", "erase", "copy", "cut", "paste", "undo", "command",
)  # fmt: skip
"""Keys by what they do; the names that projects keep."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A change of the text: `after` seconds, at character `place`, `removed` gave way to `inserted`."""

    after: float
    place: int
    removed: str
    inserted: str


@dataclass(frozen=True, slots=True)
class Work:
    """One visit to a segment, numbered from 0.

    `seconds` are those of work, without pauses over `limit` seconds and without time out of the window.


    `keys` are counts by their kind (`KEY_KINDS`), `opened` is Unix time, `marks` whose highlights were shown.
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
    typed: tuple[Typed, ...] = ()
    marks: str = ""
