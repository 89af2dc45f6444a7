"""Recording of a person's work on a segment: time, keystrokes and typed changes."""

from __future__ import annotations

import enum
from collections import Counter
from dataclasses import dataclass

from qe_desktop.corpus.text_spans import NO_HIGHLIGHTS, DisplayedHighlights


class KeyKind(enum.Enum):
    """Kinds of keys (as in DivEMT, Sarti et al. 2022, section 3); their values are stored in projects."""

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
    """Any other key that triggered an action."""


@dataclass(frozen=True, slots=True)
class TypedChange:
    """Change to the target: `removed` was replaced by `inserted` at character offset `place` of the line with codes.

    `after` is the time of the change, in seconds since the segment was opened.
    """

    after: float
    place: int
    removed: str
    inserted: str


@dataclass(frozen=True, slots=True)
class Visit:
    """Visit to a segment, from opening it (`opened`, Unix time) to leaving it (`closed`).

    `seconds` is working time. It excludes `pauses` (the total seconds of pauses longer than `limit` seconds) and `away`
    (the seconds in which another window had the focus). `gaps_300` counts the pauses of at least 300 ms between two
    keystrokes, and `gaps_1000` those of at least 1 s (as in DivEMT); pauses longer than `limit` are not counted. `keys`
    counts the keystrokes of each kind, and `typed` are the changes in order. `shown` are the highlights displayed in
    the MT. `before` and `after` are the target when the segment was opened and when it was left.
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
"""Default of `Recorder.limit`, in seconds: longer pauses do not count as work, as in QE4PE (Sarti et al. 2025)."""
SHORT_PAUSE_SECONDS, LONG_PAUSE_SECONDS = 0.3, 1.0
"""Minimum length, in seconds, of the pauses that `Visit.gaps_300` and `Visit.gaps_1000` count (Sarti et al. 2022)."""


class Recorder:
    """Recorder of visits to segments. The times of events are in seconds of a monotonic clock.

    If the time of an event is before that of the previous event, the time of the previous event is used. `limit` is the
    length, in seconds, of the longest pause that counts as work. Raises ValueError unless `limit` is greater than 0.
    """

    def __init__(self, limit: float = IDLE_LIMIT_SECONDS) -> None:
        if not limit > 0:
            raise ValueError("`limit` must be greater than 0")
        self.limit = limit
        self.segment: int | None = None
        """Open segment; None if no segment is open."""
        self._is_away = False
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

    def open_segment(
        self, time: float, segment: int, text: str = "", *, at: float, highlights: DisplayedHighlights = NO_HIGHLIGHTS
    ) -> None:
        """Start a visit at Unix time `at`; `text` is the target, and `highlights` are those displayed in the MT.

        Raises ValueError if a segment is still open.
        """
        if self.segment is not None:
            raise ValueError("another segment is still open")
        self._begin()
        self.segment = segment
        self._opened = self._last = time
        self._at = at
        self._before, self._shown = text, highlights

    def record_key(self, time: float, kind: KeyKind) -> None:
        """Record a keystroke; no effect if no segment is open."""
        if self.segment is None:
            return
        now = self._advance_time(time)
        if self._last_key is not None:
            gap = now - self._last_key
            self._short += SHORT_PAUSE_SECONDS <= gap <= self.limit
            self._long += LONG_PAUSE_SECONDS <= gap <= self.limit
        self._last_key = now
        self._keys[kind] += 1

    def record_change(self, time: float, offset: int, removed: str, inserted: str) -> None:
        """Record a change of the target unless `removed` and `inserted` are empty; no effect if no segment is open."""
        if self.segment is None:
            return
        now = self._advance_time(time)
        if removed or inserted:
            self._typed.append(TypedChange(now - self._opened, offset, removed, inserted))

    def leave_window(self, time: float) -> None:
        """Record that another window has received the focus."""
        self._advance_time(time)
        self._is_away = True

    def enter_window(self, time: float) -> None:
        """Record that the window has received the focus again."""
        self._advance_time(time)
        if self._is_away:
            self._is_away = False
            # time between keys in different windows is not a typing pause
            self._last_key = None

    def close_segment(self, time: float, text: str = "") -> tuple[int, Visit] | None:
        """End the visit with the target `text`; return the segment and its visit, or None if no segment is open."""
        if self.segment is None:
            return None
        now = self._advance_time(time)
        segment, self.segment = self.segment, None
        keys = tuple((kind, self._keys[kind]) for kind in KeyKind if self._keys[kind])
        visit = Visit(
            self._at, self._at + (now - self._opened), self._work, self._pauses, self._away, self.limit, self._short,
            self._long, keys, tuple(self._typed), self._shown, self._before, text,
        )  # fmt: skip
        return segment, visit

    # --- time

    def _advance_time(self, time: float) -> float:
        """Count the time since the last event as work, pause or absence; return the current time."""
        now = max(time, self._last)
        if self.segment is None:
            return now
        passed, self._last = now - self._last, now
        if self._is_away:
            self._away += passed
        elif passed > self.limit:
            self._pauses += passed
        else:
            self._work += passed
        return now
