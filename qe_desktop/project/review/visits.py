"""What is recorded while a person works on a segment: its time, its keys, and what was typed."""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass

from qe_desktop.corpus.highlight_spans import NO_HIGHLIGHTS, DisplayedHighlights


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
class TypedChange:
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
    typed: tuple[TypedChange, ...] = ()
    shown: DisplayedHighlights = NO_HIGHLIGHTS
    before: str = ""
    after: str = ""


IDLE_LIMIT_SECONDS = 300.0
"""Seconds beyond which no event is a pause that is no work, as in QE4PE (Sarti et al. 2025)."""
SHORT_PAUSE_SECONDS, LONG_PAUSE_SECONDS = 0.3, 1.0
"""Gaps between two keys that are counted, in seconds (Sarti et al. 2022)."""


class Recorder:
    """Records one visit after the other. Each event comes with its time in seconds of a clock that never goes back; of
    a time before that of the last event nothing counts but the event.

    `limit` is that of pauses, in seconds.
    """

    def __init__(self, limit: float = IDLE_LIMIT_SECONDS) -> None:
        if not limit > 0:
            raise ValueError("pauses have a limit above 0")
        self.limit = limit
        self.segment: int | None = None
        """The segment that is being worked on; None while none is."""
        self._away_now = False
        self._begin()

    def _begin(self) -> None:
        self._opened = self._last = self._at = 0.0
        self._work = self._pauses = self._away = 0.0
        self._last_key: float | None = None
        self._short = self._long = 0
        self._keys: Counter[KeyKind] = Counter()
        self._typed: list[TypedChange] = []
        self._before, self._shown = "", NO_HIGHLIGHTS

    # --- events

    def opened(
        self, time: float, segment: int, text: str = "", *, at: float, shown: DisplayedHighlights = NO_HIGHLIGHTS
    ) -> None:
        """A segment is worked on from now: `text` is its target, `at` Unix time, `shown` what is highlighted in its MT.

        ValueError where another one is still open.
        """
        if self.segment is not None:
            raise ValueError("one segment is closed before the next is opened")
        self._begin()
        self.segment = segment
        self._opened = self._last = time
        self._at = at
        self._before, self._shown = text, shown

    def key(self, time: float, kind: KeyKind) -> None:
        """A key was pressed."""
        if self.segment is None:
            return
        now = self._pass(time)
        if self._last_key is not None:
            gap = now - self._last_key
            self._short += SHORT_PAUSE_SECONDS <= gap <= self.limit
            self._long += LONG_PAUSE_SECONDS <= gap <= self.limit
        self._last_key = now
        self._keys[kind] += 1

    def typed(self, time: float, place: int, removed: str, inserted: str) -> None:
        """The target changed, by keys or otherwise."""
        if self.segment is None:
            return
        now = self._pass(time)
        if removed or inserted:
            self._typed.append(TypedChange(now - self._opened, place, removed, inserted))

    def left_window(self, time: float) -> None:
        """Another window has the keyboard from now on."""
        self._pass(time)
        self._away_now = True

    def entered_window(self, time: float) -> None:
        """The keyboard is back."""
        self._pass(time)
        if self._away_now:
            self._away_now = False
            # time between keys in two windows is no gap in typing
            self._last_key = None

    def closed(self, time: float, text: str = "") -> tuple[int, Visit] | None:
        """The segment is left, its target being `text`: gives it with its visit; None where none is open."""
        if self.segment is None:
            return None
        now = self._pass(time)
        segment, self.segment = self.segment, None
        keys = tuple((kind, self._keys[kind]) for kind in KeyKind if self._keys[kind])
        visit = Visit(
            self._at, self._at + (now - self._opened), self._work, self._pauses, self._away, self.limit, self._short,
            self._long, keys, tuple(self._typed), self._shown, self._before, text,
        )  # fmt: skip
        return segment, visit

    # --- time

    def _pass(self, time: float) -> float:
        """Count the time since the last event for what it was, and give the time that it is."""
        now = max(time, self._last)
        if self.segment is None:
            return now
        passed, self._last = now - self._last, now
        if self._away_now:
            self._away += passed
        elif passed > self.limit:
            self._pauses += passed
        else:
            self._work += passed
        return now
