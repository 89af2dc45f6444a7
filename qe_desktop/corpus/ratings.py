"""Human ratings of translations as read-only columns: values on scales, and pairs from rankings."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import chain
from operator import itemgetter
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr

NameCodes = NDArray[np.int32]
BLIND_SUFFIX = " (blind)"
"""Suffix of the uid of a campaign whose ratings identify systems only by letters."""
CAMPAIGN_JOINER = "+"
"""Separator between the names of systems whose identical outputs were shown as one output."""


class ItemRole(enum.IntEnum):
    """Role of a rated item: system output, repeated or degraded item, reference, or training item."""

    SYSTEM = 0
    """Output of a system, shown for the first time."""
    REPEAT = 1
    """Repeated item, for intra-annotator agreement."""
    BAD = 2
    """Deliberately degraded output: a quality-control item."""
    REFERENCE = 3
    """Human translation among the outputs."""
    TRAINING = 4
    """Training item, excluded from results."""


class RatingFlag(enum.IntFlag):
    """Bit flags that state how a rating on the first scale was made."""

    CHANGED_AFTER_REVEAL = 1
    """Rating on the first scale, such as fluency, made or changed after the source or reference was revealed."""
    SOURCE_NOT_SEEN = 2
    """Rating on the first scale, made while only the translation was visible."""


class Score(NamedTuple):
    """Rating on a scale, as input for `ScoreRatings.of`.

    `started` (Unix time) and `seconds` (time spent) are NaN if unknown. `campaign` and `uid` are empty for ratings
    outside of campaigns.
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


class PairwiseJudgement(NamedTuple):
    """Pairwise judgement of outputs in display order, except that a degraded output always comes second.

    Lower ranks are better, and equal ranks are ties.
    """

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


_CAMPAIGN_COLUMNS = {"campaign": "campaigns", "uid": "uids"}
_NO_NAMES: tuple[str, ...] = ("",)
_UNSET_COLUMN: Any = None
"""Placeholder for columns of zeros until the number of rows is known."""
_COLUMN_TYPES = {"role": np.uint8, "flags": np.uint8, "first_rank": np.int16, "second_rank": np.int16}
"""Types of numeric columns that are not floats."""
Row = TypeVar("Row", Score, PairwiseJudgement)


@dataclass(frozen=True, slots=True, eq=False)
class RatingTable(Generic[Row]):
    """Read-only columns, some of them indices into tuples of names. Raises ValueError if columns differ in length."""

    NAMES: ClassVar[Mapping[str, str]]
    """Attribute names: maps each column of indices to the tuple of names to which its indices refer."""
    ROW: ClassVar[Any]
    """Type of a row."""

    def __post_init__(self) -> None:
        sizes = set()
        for column_field in fields(self):
            column = getattr(self, column_field.name)
            if column is None:
                column = np.zeros(len(self), np.int32)
            if isinstance(column, np.ndarray):
                view = column.view()
                view.flags.writeable = False
                object.__setattr__(self, column_field.name, view)
                sizes.add(len(column))
        if len(sizes) != 1:
            raise ValueError("all columns must have the same length")

    def __len__(self) -> int:
        return len(getattr(self, self.ROW._fields[0]))

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Self:
        """Build columns from rows; names are in order of first appearance."""
        # one column at a time: zip over all rows would create an iterator per column
        values_by_name = {name: list(map(itemgetter(index), rows)) for index, name in enumerate(cls.ROW._fields)}
        columns: dict[str, Any] = {
            name: np.asarray(column, _COLUMN_TYPES.get(name, np.float64))
            for name, column in values_by_name.items()
            if name not in cls.NAMES
        }
        for tuple_name in set(cls.NAMES.values()):
            coded = [name for name, names in cls.NAMES.items() if names == tuple_name]
            coded_columns = [values_by_name[name] for name in coded]
            columns[tuple_name], codes = encode_names(
                chain.from_iterable(zip(*coded_columns, strict=True)) if coded[1:] else coded_columns[0]
            )
            columns |= zip(coded, codes.reshape(-1, len(coded)).T.copy(), strict=True)
        return cls(**columns)

    @classmethod
    def concatenate(cls, parts: Sequence[Self]) -> Self:
        """Concatenate one or more tables; equal names are merged."""
        names: dict[str, dict[str, int]] = {tuple_name: {} for tuple_name in cls.NAMES.values()}
        values: dict[str, list[NDArray[Any]]] = {
            column_field.name: [] for column_field in fields(cls) if column_field.name not in names
        }
        for part in parts:
            new = {}
            for tuple_name, code_by_name in names.items():
                old = getattr(part, tuple_name)
                new[tuple_name] = np.fromiter(
                    (code_by_name.setdefault(name, len(code_by_name)) for name in old), np.int32, len(old)
                )
            for name, columns in values.items():
                column = getattr(part, name)
                columns.append(new[cls.NAMES[name]][column] if name in cls.NAMES else column)
        joined: dict[str, Any] = {tuple_name: tuple(code_by_name) for tuple_name, code_by_name in names.items()}
        return cls(**joined | {name: np.concatenate(columns) for name, columns in values.items()})

    def rows(self) -> list[Row]:
        """Convert the columns to rows, with names instead of indices."""
        columns = {name: getattr(self, name).tolist() for name in self.ROW._fields}
        columns |= {name: self.texts(name) for name in self.NAMES}
        columns["role"] = map(ItemRole, columns["role"])
        return [self.ROW(*cells) for cells in zip(*columns.values(), strict=True)]

    def texts(self, column: str) -> list[str]:
        """Names that the indices in a column refer to, one per row."""
        texts: list[str] = name_array(getattr(self, self.NAMES[column]))[getattr(self, column)].tolist()
        return texts

    def take(self, keep: NDArray[Any]) -> Self:
        """Select rows by a mask or by indices; the tuples of names stay unchanged."""
        columns = {column_field.name: getattr(self, column_field.name) for column_field in fields(self)}
        return replace(
            self, **{name: column[keep] for name, column in columns.items() if isinstance(column, np.ndarray)}
        )


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRatings(RatingTable[Score]):
    """Ratings on scales, one per row; every column has shape (ratings,).

    `rater`, `system`, `segment` and `scale` are indices into the tuples of names. Scales are usually "adequacy" and
    "fluency" (1..5 or 0..100), "score" (direct assessment, 0..100) or "z" (already standardized in the file).

    `campaign` is an index into `campaigns`: campaign uids, or "" for ratings outside of campaigns. A campaign uid has
    the suffix `BLIND_SUFFIX` if its ratings identify systems by letters, which only the campaign can resolve. `uid` is
    an index into `uids`: ids of ratings within a campaign. Ratings of systems with identical outputs share an id.
    """

    NAMES: ClassVar = {
        "rater": "raters",
        "system": "systems",
        "segment": "segments",
        "scale": "scales",
        **_CAMPAIGN_COLUMNS,
    }
    ROW = Score

    raters: tuple[str, ...]
    systems: tuple[str, ...]
    segments: tuple[str, ...]
    scales: tuple[str, ...]
    rater: NameCodes
    system: NameCodes
    segment: NameCodes
    scale: NameCodes
    value: Floats
    role: NDArray[np.uint8]
    started: Floats
    seconds: Floats
    flags: NDArray[np.uint8]
    campaigns: tuple[str, ...] = _NO_NAMES
    campaign: NameCodes = _UNSET_COLUMN
    uids: tuple[str, ...] = _NO_NAMES
    uid: NameCodes = _UNSET_COLUMN


@dataclass(frozen=True, slots=True, eq=False)
class PairRatings(RatingTable[PairwiseJudgement]):
    """Pairwise judgements, one per row; every column has shape (judgements,).

    A unit is one system, or several systems with identical outputs whose names are joined by `CAMPAIGN_JOINER`. `first`
    and `second` are indices into `units`, in display order except that a degraded output always comes second. `screen`
    is an index into `screens`; the judgements of one ranking have the same screen. Lower ranks are better, and equal
    ranks are ties. A unit paired with itself stands for a screen whose systems all had the same output. `campaign` and
    `uid` are as in `ScoreRatings`.
    """

    NAMES: ClassVar = {
        "rater": "raters", "segment": "segments", "first": "units", "second": "units", "screen": "screens",
        **_CAMPAIGN_COLUMNS
    }  # fmt: skip
    ROW = PairwiseJudgement

    raters: tuple[str, ...]
    segments: tuple[str, ...]
    units: tuple[str, ...]
    screens: tuple[str, ...]
    rater: NameCodes
    segment: NameCodes
    first: NameCodes
    second: NameCodes
    first_rank: NDArray[np.int16]
    second_rank: NDArray[np.int16]
    screen: NameCodes
    role: NDArray[np.uint8]
    started: Floats
    seconds: Floats
    campaigns: tuple[str, ...] = _NO_NAMES
    campaign: NameCodes = _UNSET_COLUMN
    uids: tuple[str, ...] = _NO_NAMES
    uid: NameCodes = _UNSET_COLUMN

    def outcome(self) -> NDArray[np.int8]:
        """Return 1 if the first unit is better, -1 if the second is, 0 for a tie; shape (judgements,)."""
        return np.asarray(np.sign(self.second_rank - self.first_rank), np.int8)

    def expand_units(self) -> PairRatings:
        """Judgements between single systems: each system of the first unit is paired with each of the second.

        The systems of one unit are tied with one another; each tie counts once per screen, as in WMT15 and WMT16.
        """
        members = [tuple(unit.split(CAMPAIGN_JOINER)) for unit in self.units]
        if all(len(unit) == 1 for unit in members):
            return self
        systems, flat = encode_names([name for unit in members for name in unit])
        sizes = np.asarray([len(unit) for unit in members])
        begins = np.cumsum(sizes) - sizes
        across = np.flatnonzero(self.first != self.second)
        row, left, right = _grid(across, sizes[self.first[across]], sizes[self.second[across]])
        first, second = flat[begins[self.first[row]] + left], flat[begins[self.second[row]] + right]
        between_units = replace(self.take(row), units=systems, first=first, second=second)
        tied_rows, unit, rank = self._multi_system_units(sizes)
        row, left, right = _grid(np.arange(len(tied_rows)), sizes[unit], sizes[unit])
        row, left, right = (column[left < right] for column in (row, left, right))
        first, second, ranks = flat[begins[unit[row]] + left], flat[begins[unit[row]] + right], rank[row]
        tied = replace(
            self.take(tied_rows[row]), units=systems, first=first, second=second, first_rank=ranks, second_rank=ranks
        )
        return PairRatings.concatenate([between_units, tied])

    def _multi_system_units(self, sizes: Ints) -> tuple[Ints, NameCodes, NDArray[np.int16]]:
        """Return the row index, unit index and rank of each unit with several systems, once per screen."""
        rows = np.tile(np.arange(len(self)), 2)
        unit = np.concatenate([self.first, self.second])
        rank = np.concatenate([self.first_rank, self.second_rank])
        several = sizes[unit] > 1
        rows, unit, rank = rows[several], unit[several], rank[several]
        keys = np.stack([self.rater[rows], self.segment[rows], self.screen[rows], unit])
        first_indices = np.unique(keys, axis=1, return_index=True)[1]
        return rows[first_indices], unit[first_indices], rank[first_indices]


@dataclass(frozen=True, slots=True, eq=False)
class Comment:
    """Comment of a rater on an item or, if `skipped` is true, the reason why the rater skipped the item."""

    rater: str
    segment: str
    text: str
    systems: tuple[str, ...] = ()
    skipped: bool = False
    started: float = float("nan")
    campaign: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Ratings from one or more sources: values on scales, rankings as pairs, comments and skipped items."""

    scores: ScoreRatings = field(default_factory=lambda: ScoreRatings.of(()))
    pairs: PairRatings = field(default_factory=lambda: PairRatings.of(()))
    comments: tuple[Comment, ...] = ()
    origin: str = ""
    notes: tuple[str, ...] = ()
    ranges: tuple[tuple[str, float, float], ...] = ()
    """Scales with their minimum and maximum, if known from the protocol, the file or the user."""

    @classmethod
    def of(
        cls,
        scores: Sequence[Score] = (),
        pairs: Sequence[PairwiseJudgement] = (),
        comments: Sequence[Comment] = (),
        *,
        origin: str = "",
        notes: Sequence[str] = (),
        ranges: Sequence[tuple[str, float, float]] = (),
    ) -> Ratings:
        """Build ratings from single scores, judgements and comments."""
        columns = ScoreRatings.of(scores), PairRatings.of(pairs)
        return cls(*columns, tuple(comments), origin, tuple(notes), tuple(ranges))


def join_ratings(parts: Sequence[Ratings]) -> Ratings:
    """Merge ratings from one or more sources; equal names are merged.

    If sources state different ranges of a scale, the first range is used, and notes state the other ranges.
    """
    if len(parts) == 1:
        return parts[0]
    comments = tuple(comment for part in parts for comment in part.comments)
    notes = dict.fromkeys(note for part in parts for note in part.notes)
    ranges: dict[str, tuple[float, float]] = {}
    for part in parts:
        for scale, low, high in part.ranges:
            if ranges.setdefault(scale, (low, high)) != (low, high):
                notes[_range_conflict_message(scale, *ranges[scale], part.origin, low, high)] = None
    origin = ", ".join(dict.fromkeys(part.origin for part in parts if part.origin))
    return Ratings(
        ScoreRatings.concatenate([part.scores for part in parts]),
        PairRatings.concatenate([part.pairs for part in parts]),
        comments,
        origin,
        tuple(notes),
        tuple((scale, *ends) for scale, ends in ranges.items()),
    )


def _range_conflict_message(scale: str, minimum: float, maximum: float, file: str, low: float, high: float) -> str:
    return tr(
        "{scale} ranges from {low:g} to {high:g} in {file}, but the range {least:g} to {most:g} is used",
        scale=scale, least=minimum, most=maximum, file=file, low=low, high=high,
    )  # fmt: skip


def encode_names(names: Iterable[object]) -> tuple[tuple[str, ...], NameCodes]:
    """Return the distinct names in order of appearance, and the index of each input name."""
    name_list = list(map(str, names))
    index_by_name: dict[str, Any] = dict.fromkeys(name_list)
    if len(index_by_name) == len(name_list):
        return tuple(index_by_name), np.arange(len(name_list), dtype=np.int32)
    index_by_name = dict(zip(index_by_name, range(len(index_by_name)), strict=True))
    return tuple(index_by_name), np.fromiter(map(index_by_name.__getitem__, name_list), np.int32, len(name_list))


def _grid(rows: Ints, first: Ints, second: Ints) -> tuple[Ints, Ints, Ints]:
    """Repeat row i once for each pair of an index below `first[i]` and an index below `second[i]`.

    Returns the repeated rows, the first indices and the second indices.
    """
    copies = first * second
    indices = np.repeat(np.arange(len(rows)), copies)
    offsets = np.arange(len(indices)) - np.repeat(np.cumsum(copies) - copies, copies)
    return rows[indices], offsets // second[indices], offsets % second[indices]


def name_array(names: Sequence[str]) -> NDArray[np.object_]:
    """Convert names to an object array, shape (names,), which can be indexed with an array of indices."""
    array = np.empty(len(names), object)
    array[:] = names
    return array
