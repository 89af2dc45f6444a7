"""Ratings: what people said about translations, as read-only columns: values on scales, and pairs from rankings."""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import count
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int32]
Floats = NDArray[np.float64]
BLIND = " (blind)"
"""Stands behind a campaign's uid where systems go by letters."""
TOGETHER = "+"
"""Stands between the names of systems whose identical outputs were shown as one."""


class ItemRole(enum.IntEnum):
    """Why an item was shown to a rater."""

    SYSTEM = 0
    """A system's output, shown for the first time."""
    REPEAT = 1
    """Shown to the same rater once more, for intra-rater agreement."""
    BAD = 2
    """A system's output that was degraded on purpose: a control item."""
    REFERENCE = 3
    """A human translation among the outputs."""
    TRAINING = 4
    """From the training round; part of no result."""


class RatingFlag(enum.IntFlag):
    """Remarks about one rating."""

    CHANGED_AFTER_REVEAL = 1
    """Fluency that was changed once the source or reference had been seen."""
    SOURCE_NOT_SEEN = 2
    """Given with only the translation in view."""


class Score(NamedTuple):
    """One rating on a scale, as `ScoreRatings.of` takes it; `started` is Unix time, both times NaN where unknown.

    `campaign` and `uid` are empty where a rating is of no campaign.
    """

    rater: str
    system: str
    segment: str
    scale: str
    value: float
    role: ItemRole = ItemRole.SYSTEM
    started: float = float("nan")
    seconds: float = float("nan")
    flags: int = 0
    campaign: str = ""
    uid: str = ""


class Pair(NamedTuple):
    """One pairwise judgement, the two as they were listed; a lower rank is better, equal ranks are a tie."""

    rater: str
    segment: str
    first: str
    second: str
    first_rank: int
    second_rank: int
    screen: str = ""
    role: ItemRole = ItemRole.SYSTEM
    started: float = float("nan")
    seconds: float = float("nan")
    campaign: str = ""
    uid: str = ""


_NOTHING: tuple[str, ...] = ("",)
_NONE: Any = None
"""Stands for columns of zeros, until the number of rows is known."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRatings:
    """Ratings on scales, one a row; every column has shape (ratings,).

    `rater`, `system`, `segment` and `scale` are places in the tuples of names. Scales are called "adequacy" and
    "fluency" (1..5 or 0..100), "score" (direct assessment, 0..100) or "z" (already standardised by its source).

    `campaign` is a place in `campaigns`: the uid of the campaign that a rating is of, "" for none, with the mark
    `BLIND` behind it where systems go by letters that only that campaign can tell. `uid` is a place in `uids`: what the
    rating itself is called in its campaign. Ratings of systems with identical outputs share one.
    """

    raters: tuple[str, ...]
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    scales: tuple[str, ...]
    rater: Codes
    system: Codes
    segment: Codes
    scale: Codes
    value: Floats
    role: NDArray[np.uint8]
    started: Floats
    seconds: Floats
    flags: NDArray[np.uint8]
    campaigns: tuple[str, ...] = _NOTHING
    campaign: Codes = _NONE
    uids: tuple[str, ...] = _NOTHING
    uid: Codes = _NONE

    def __post_init__(self) -> None:
        _freeze(self)

    def __len__(self) -> int:
        return len(self.value)

    @classmethod
    def of(cls, rows: Sequence[Score]) -> ScoreRatings:
        """The columns of literal rows; names keep the order in which they first appear."""
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(Score._fields)
        raters, rater = codes_of(columns[0])
        systems, system = codes_of(columns[1])
        segments, segment = codes_of(columns[2])
        scales, scale = codes_of(columns[3])
        return cls(
            raters, systems, segments, scales, rater, system, segment, scale,
            np.asarray(columns[4], np.float64), np.asarray(columns[5], np.uint8), np.asarray(columns[6], np.float64),
            np.asarray(columns[7], np.float64), np.asarray(columns[8], np.uint8), *codes_of(columns[9]),
            *codes_of(columns[10]),
        )  # fmt: skip

    def rows(self) -> list[Score]:
        """The ratings one by one."""
        return [
            Score(
                self.raters[rater], self.systems[system], self.segments[segment], self.scales[scale],
                float(value), ItemRole(role), float(started), float(seconds), int(flags), self.campaigns[campaign],
                self.uids[uid],
            )
            for rater, system, segment, scale, value, role, started, seconds, flags, campaign, uid in zip(
                self.rater, self.system, self.segment, self.scale, self.value, self.role, self.started, self.seconds,
                self.flags, self.campaign, self.uid, strict=True,
            )
        ]  # fmt: skip

    def take(self, keep: NDArray[Any]) -> ScoreRatings:
        """The ratings that a mask or places choose; the names stay."""
        return _take(self, keep)

    def of_scale(self, name: str) -> ScoreRatings:
        """The ratings on one scale; none where there is no such scale."""
        place = self.scales.index(name) if name in self.scales else -1
        return self.take(self.scale == place)


@dataclass(frozen=True, slots=True, eq=False)
class PairRatings:
    """Pairwise judgements, one a row; every column has shape (judgements,).

    A unit is what was shown as one: a system, or systems with identical outputs joined by `TOGETHER`. `first` and
    `second` are places in `units` in the order in which they were listed; `screen` in `screens` groups the judgements
    of one ranking. A lower rank is better, equal ranks are a tie. A unit beside itself says that a screen showed
    nothing else, its systems' outputs being all the same. `campaign` and `uid` are as in `ScoreRatings`.
    """

    raters: tuple[str, ...]
    segments: tuple[str, ...]
    units: tuple[str, ...]
    screens: tuple[str, ...]
    rater: Codes
    segment: Codes
    first: Codes
    second: Codes
    first_rank: NDArray[np.int16]
    second_rank: NDArray[np.int16]
    screen: Codes
    role: NDArray[np.uint8]
    started: Floats
    seconds: Floats
    campaigns: tuple[str, ...] = _NOTHING
    campaign: Codes = _NONE
    uids: tuple[str, ...] = _NOTHING
    uid: Codes = _NONE

    def __post_init__(self) -> None:
        _freeze(self)

    def __len__(self) -> int:
        return len(self.first)

    @classmethod
    def of(cls, rows: Sequence[Pair]) -> PairRatings:
        """The columns of literal rows; names keep the order in which they first appear."""
        columns = list(zip(*rows, strict=True)) if rows else [()] * len(Pair._fields)
        raters, rater = codes_of(columns[0])
        segments, segment = codes_of(columns[1])
        units, both = codes_of([name for row in rows for name in (row.first, row.second)])
        screens, screen = codes_of(columns[6])
        return cls(
            raters, segments, units, screens, rater, segment, both[::2].copy(), both[1::2].copy(),
            np.asarray(columns[4], np.int16), np.asarray(columns[5], np.int16), screen,
            np.asarray(columns[7], np.uint8), np.asarray(columns[8], np.float64), np.asarray(columns[9], np.float64),
            *codes_of(columns[10]), *codes_of(columns[11]),
        )  # fmt: skip

    def rows(self) -> list[Pair]:
        """The judgements one by one."""
        return [
            Pair(
                self.raters[rater], self.segments[segment], self.units[first], self.units[second],
                int(first_rank), int(second_rank), self.screens[screen], ItemRole(role), float(started), float(seconds),
                self.campaigns[campaign], self.uids[uid],
            )
            for rater, segment, first, second, first_rank, second_rank, screen, role, started, seconds, campaign, uid
            in zip(
                self.rater, self.segment, self.first, self.second, self.first_rank, self.second_rank, self.screen,
                self.role, self.started, self.seconds, self.campaign, self.uid, strict=True,
            )
        ]  # fmt: skip

    def take(self, keep: NDArray[Any]) -> PairRatings:
        """The judgements that a mask or places choose; the names stay."""
        return _take(self, keep)

    def outcome(self) -> NDArray[np.int8]:
        """1 where the first is better, -1 where the second is, 0 for a tie; shape (judgements,)."""
        return np.asarray(np.sign(self.second_rank - self.first_rank), np.int8)

    def expanded(self) -> PairRatings:
        """The judgements between single systems: one for each system of the first unit and each of the second.

        Systems within one unit are tied with each other, once a screen, as in WMT15 and WMT16.
        """
        members = [tuple(unit.split(TOGETHER)) for unit in self.units]
        if all(len(unit) == 1 for unit in members):
            return self
        systems, flat = codes_of([name for unit in members for name in unit])
        sizes = np.asarray([len(unit) for unit in members])
        begins = np.cumsum(sizes) - sizes
        across = np.flatnonzero(self.first != self.second)
        row, one, other = _grid(across, sizes[self.first[across]], sizes[self.second[across]])
        first, second = flat[begins[self.first[row]] + one], flat[begins[self.second[row]] + other]
        apart = replace(self.take(row), units=systems, first=first, second=second)
        within, unit, rank = self._shown_together(sizes)
        row, one, other = _grid(np.arange(len(within)), sizes[unit], sizes[unit])
        row, one, other = (column[one < other] for column in (row, one, other))
        first, second, ranks = flat[begins[unit[row]] + one], flat[begins[unit[row]] + other], rank[row]
        tied = replace(
            self.take(within[row]), units=systems, first=first, second=second, first_rank=ranks, second_rank=ranks
        )
        return PairRatings(**columns_joined([apart, tied], PairRatings, PAIR_NAMES))

    def _shown_together(self, sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], Codes, NDArray[np.int16]]:
        """Each unit of several systems once a screen: a row where it stands, the unit, its rank."""
        rows = np.tile(np.arange(len(self)), 2)
        unit = np.concatenate([self.first, self.second])
        rank = np.concatenate([self.first_rank, self.second_rank])
        several = sizes[unit] > 1
        rows, unit, rank = rows[several], unit[several], rank[several]
        keys = np.stack([self.rater[rows], self.segment[rows], self.screen[rows], unit])
        places = np.unique(keys, axis=1, return_index=True)[1]
        return rows[places], unit[places], rank[places]


@dataclass(frozen=True, slots=True, eq=False)
class Comment:
    """What a rater wrote about an item, or why it was skipped (`skipped`)."""

    rater: str
    segment: str
    text: str
    systems: tuple[str, ...] = ()
    skipped: bool = False
    started: float = float("nan")
    campaign: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """All that one source of ratings holds: values on scales, rankings as pairs, comments and skipped items."""

    scores: ScoreRatings
    pairs: PairRatings
    comments: tuple[Comment, ...] = ()
    origin: str = ""
    notes: tuple[str, ...] = field(default=())
    ranges: tuple[tuple[str, float, float], ...] = ()
    """Scales with their least and greatest value, where these are told: by a protocol, by the file, by a person."""

    @classmethod
    def of(
        cls,
        scores: Sequence[Score] = (),
        pairs: Sequence[Pair] = (),
        comments: Sequence[Comment] = (),
        *,
        origin: str = "",
        notes: Sequence[str] = (),
        ranges: Sequence[tuple[str, float, float]] = (),
    ) -> Ratings:
        """Ratings of literal rows."""
        columns = ScoreRatings.of(scores), PairRatings.of(pairs)
        return cls(*columns, tuple(comments), origin, tuple(notes), tuple(ranges))


_MARKS = {"campaign": "campaigns", "uid": "uids"}
SCORE_NAMES = {"rater": "raters", "system": "systems", "segment": "segments", "scale": "scales"} | _MARKS
PAIR_NAMES = {
    "rater": "raters", "segment": "segments", "first": "units", "second": "units", "screen": "screens", **_MARKS
}  # fmt: skip
"""Which columns are places in which names."""


def codes_of(names: Iterable[object]) -> tuple[tuple[str, ...], Codes]:
    """The different names in order of appearance, and the place of each given name among them."""
    places: defaultdict[str, int] = defaultdict(count().__next__)
    codes = np.fromiter(map(places.__getitem__, map(str, names)), np.int32)
    return tuple(places), codes


def _grid(
    rows: NDArray[np.int64], first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Each row `first * second` times, with all places below those two sizes."""
    copies = first * second
    place = np.repeat(np.arange(len(rows)), copies)
    within = np.arange(len(place)) - np.repeat(np.cumsum(copies) - copies, copies)
    return rows[place], within // second[place], within % second[place]


def columns_joined(parts: Sequence[Any], kind: type[Any], coded: dict[str, str]) -> dict[str, Any]:
    """The columns of several tables as those of one; `coded` says which columns are places in which names."""
    names: dict[str, dict[str, int]] = {held: {} for held in coded.values()}
    values: dict[str, list[NDArray[Any]]] = {one.name: [] for one in fields(kind) if one.name not in names}
    for part in parts:
        new = {}
        for held, places in names.items():
            old = getattr(part, held)
            new[held] = np.fromiter((places.setdefault(name, len(places)) for name in old), np.int32, len(old))
        for name, columns in values.items():
            column = getattr(part, name)
            columns.append(new[coded[name]][column] if name in coded else column)
    return {held: tuple(places) for held, places in names.items()} | {
        name: np.concatenate(columns) for name, columns in values.items()
    }


Table = TypeVar("Table", ScoreRatings, PairRatings)


def _take(table: Table, keep: NDArray[Any]) -> Table:
    columns = {one.name: getattr(table, one.name) for one in fields(table)}
    return replace(table, **{name: held[keep] for name, held in columns.items() if isinstance(held, np.ndarray)})


def _freeze(table: ScoreRatings | PairRatings) -> None:
    sizes = set()
    for name in _MARKS:
        if getattr(table, name) is None:
            object.__setattr__(table, name, np.zeros(len(table.rater), np.int32))
    for one in fields(table):
        column = getattr(table, one.name)
        if isinstance(column, np.ndarray):
            view = column.view()
            view.flags.writeable = False
            object.__setattr__(table, one.name, view)
            sizes.add(len(column))
    if len(sizes) != 1:
        raise ValueError("all columns must have one length")
