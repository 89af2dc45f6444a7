"""What is recorded while a person works on a segment: its time, its keys, and what was typed."""

from __future__ import annotations

import enum
from dataclasses import dataclass

from qe_desktop.corpus.highlighted import NOTHING, Highlighted


class KeyKind(enum.Enum):
    """Keys by what they do (as DivEMT counts them, Sarti et al. 2022, section 3); the value is kept in projects."""

    LETTER = "letter"
    DIGIT = "digit"
    SPACE = "space"
    SYMBOL = "symbol"
    NAVIGATION = "navigation"
    ERASE = "erase"
    COPY = "copy"
    CUT = "cut"
    PASTE = "paste"
    UNDO = "undo"
    COMMAND = "command"
    """Anything else that the program did something on."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A change of the target: `after` seconds from when the segment was opened, `removed` gave way to `inserted` at
    character `place` of the target as a line with codes.
    """

    after: float
    place: int
    removed: str
    inserted: str


@dataclass(frozen=True, slots=True)
class Visit:
    """From when a segment was opened until it was left, in Unix time.

    `seconds` is the time of work: without `pauses`, the seconds of pauses that were longer than `limit`, and without
    `away`, the seconds in which another window had the keyboard. `gaps_300` and `gaps_1000` count pauses between two
    keys of at least 300 ms and 1 s (as DivEMT counts them) up to the limit. `keys` are counts by kind, `typed` is what
    changed in order. `shown` is what was highlighted in the MT when it was opened; `before` and `after` are the target
    when it was opened and left.
    """

    opened: float
    closed: float
    seconds: float
    pauses: float = 0.0
    away: float = 0.0
    limit: float = 300.0
    gaps_300: int = 0
    gaps_1000: int = 0
    keys: tuple[tuple[KeyKind, int], ...] = ()
    typed: tuple[Typed, ...] = ()
    shown: Highlighted = NOTHING
    before: str = ""
    after: str = ""
