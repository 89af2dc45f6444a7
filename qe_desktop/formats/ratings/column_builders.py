"""Incremental builders of columns: names (stored as indices), numbers, times, and rankings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Comment, PairRatings, QeError
from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.ratings import NameCodes
from qe_desktop.escaping import unescape_csv_cell
from qe_desktop.formats.ratings.cell_parsing import (
    MAX_LISTED_VALUES,
    NAN,
    SkippedValueError,
    parse_timestamp,
    parse_timestamps,
)
from qe_desktop.formats.text_files import TextFile
from qe_desktop.i18n.messages import tr

MAX_CACHED_CELLS = 1 << 16
"""Number of distinct cells above which the cache of a numeric column is cleared."""


class BadCellError(Exception):
    """Error for an invalid cell; `row` is the 0-based row of the cell in the chunk."""

    def __init__(self, row: int, message: str) -> None:
        super().__init__(message)
        self.row = row
        self.message = message


class ColumnBuilder(Protocol):
    """Builder of one column, to which cells are added in chunks."""

    def add(self, cells: Sequence[str]) -> None:
        """Add a chunk of cells. Raises BadCellError if a cell cannot be parsed."""


class _NameCodes(dict[str, int]):
    """Cache of the index of each cell's name; cells with the same name share an index."""

    def __init__(self, names: NameColumn) -> None:
        super().__init__()
        self._names = names

    def __missing__(self, cell: str) -> int:
        index = self[cell] = self._names.name_index(cell)
        return index


class NameColumn:
    """Column of names: the distinct names in order of appearance, and the index of each cell's name.

    Unless `exact` is set, spaces around a name are removed, and so is an apostrophe added by `escape_csv_cell`; empty
    cells have the name `empty` or, if that is None, are errors.
    """

    def __init__(self, empty: str | None = None, *, exact: bool = False) -> None:
        self.index_by_name: dict[str, int] = {}
        self._cells = _NameCodes(self)
        self._parts: list[NameCodes] = []
        self._empty = empty
        self._exact = exact

    def add(self, cells: Sequence[str]) -> None:
        """Add a chunk of cells. Raises BadCellError if a cell is empty, unless `empty` or `exact` is set."""
        try:
            # one dictionary look-up per cell in C: only new cells reach Python
            self._parts.append(np.fromiter(map(self._cells.__getitem__, cells), np.int32, len(cells)))
        except ValueError as error:
            index = next(index for index, cell in enumerate(cells) if not cell.strip())
            raise BadCellError(index, str(error)) from None

    def name_index(self, cell: str) -> int:
        """Index of a cell's name. Raises ValueError if the cell is empty, unless `empty` or `exact` is set."""
        name = cell if self._exact else unescape_csv_cell(cell.strip())
        if not name and not self._exact:
            if self._empty is None:
                raise ValueError(tr("the name of a rater, system or segment is missing"))
            name = self._empty
        return self.index_by_name.setdefault(name, len(self.index_by_name))

    @property
    def names(self) -> tuple[str, ...]:
        """Distinct names, in order of appearance."""
        return tuple(self.index_by_name)

    @property
    def codes(self) -> NameCodes:
        """Index into `names` for each cell, shape (rows,)."""
        return np.concatenate([np.zeros(0, np.int32), *self._parts])


class _CellValues(dict[str, float]):
    """Cache of the number in each distinct cell; NaN for cells in `skipped_cells`."""

    def __init__(self, parse: Callable[[str], float]) -> None:
        super().__init__()
        self._parse = parse
        self.skipped_cells: set[str] = set()

    def __missing__(self, cell: str) -> float:
        try:
            value = self._parse(cell)
        except SkippedValueError:
            self.skipped_cells.add(cell)
            value = NAN
        self[cell] = value
        return value


class NumericColumn:
    """Numeric column; `parse` converts a cell or raises ValueError. `is_time` is true for times and durations.

    Cells for which `parse` raises SkippedValueError become NaN. `skipped_count` is the number of these cells, and
    `skipped_cells` lists the rows and contents of the first few.
    """

    def __init__(self, parse: Callable[[str], float], *, is_time: bool = False) -> None:
        self.is_time = is_time
        self._values = _CellValues(parse)
        self._parse = parse
        self._parts: list[Floats] = []
        self._rows = 0
        self.skipped_cells: list[tuple[int, str]] = []
        self.skipped_count = 0

    def add(self, cells: Sequence[str]) -> None:
        """Add a chunk of cells. Raises BadCellError if `parse` raises a ValueError other than SkippedValueError."""
        if len(self._values) > MAX_CACHED_CELLS:
            self._values.clear()
        try:
            self._parts.append(np.fromiter(map(self._values.__getitem__, cells), np.float64, len(cells)))
        except ValueError:
            for index, cell in enumerate(cells):
                try:
                    self._parse(cell)
                except SkippedValueError:
                    continue
                except ValueError as error:
                    raise BadCellError(index, str(error)) from None
        if self._values.skipped_cells:
            skipped = [
                (self._rows + index, cell) for index, cell in enumerate(cells) if cell in self._values.skipped_cells
            ]
            self.skipped_count += len(skipped)
            self.skipped_cells += skipped[: MAX_LISTED_VALUES - len(self.skipped_cells)]
        self._rows += len(cells)

    @property
    def values(self) -> Floats:
        """Numbers of the column, shape (rows,)."""
        return np.concatenate([np.zeros(0), *self._parts])


class TimestampColumn(NumericColumn):
    """Column of times, as Unix times."""

    def __init__(self) -> None:
        super().__init__(parse_timestamp, is_time=True)

    def add(self, cells: Sequence[str]) -> None:
        """Add a chunk of cells. Raises BadCellError if a cell does not contain a time."""
        times = parse_timestamps(cells)
        if times is None:
            super().add(cells)
        else:
            self._parts.append(times)
            self._rows += len(cells)


def join_name_columns(first: NameColumn, second: NameColumn, mark: str) -> tuple[tuple[str, ...], NameCodes]:
    """Join two columns of names into one, with `mark` between them.

    Returns the joined names in order of appearance, and the index of each row's name.
    """
    first_names, second_names = first.names, second.names
    size = len(second_names)
    combined = first.codes.astype(np.int64) * size + second.codes
    distinct, first_rows, inverse = np.unique(combined, return_index=True, return_inverse=True)
    order = np.argsort(first_rows)
    rank = np.empty(len(distinct), np.int32)
    rank[order] = np.arange(len(distinct))
    names = (f"{first_names[code // size]}{mark}{second_names[code % size]}" for code in distinct[order].tolist())
    return tuple(names), rank[inverse]


MAX_SCREEN_OUTPUTS = 100
"""Maximum number of outputs on one screen."""
MAX_PAIR_CELLS = 1 << 22
"""Maximum number of cells (rows × pairs of outputs) that are processed in one step."""


def check_screen_size(opened: TextFile, count: int, line: int | None = None) -> None:
    """Raise QeError if a ranking has so many outputs (`count`) that their pairs may not fit into memory."""
    if count > MAX_SCREEN_OUTPUTS:
        message = tr(
            "the ranking has {n:,} {n:output|outputs}; the maximum is {most}", "", count, most=MAX_SCREEN_OUTPUTS
        )
        hint = tr("Put only outputs that were ranked together into one ranking.")
        raise QeError(message, hint=hint, place=opened.location(line))


@dataclass(frozen=True, slots=True, eq=False)
class RankingScreens:
    """Rankings, one per row. `displayed_units` and `ranks` have shape (rows, systems), the other columns (rows,).

    A unit is a system, or several systems with identical outputs. `displayed_units` are indices into `units`, in
    display order, and `ranks` are the ranks of these units. A rank of 0 or less means that the unit is unranked. Rows
    with fewer units are filled with the unit whose name is empty.
    """

    raters: tuple[str, ...]
    segments: tuple[str, ...]
    units: tuple[str, ...]
    screens: tuple[str, ...]
    rater: NameCodes
    segment: NameCodes
    screen: NameCodes
    displayed_units: NameCodes
    ranks: NDArray[np.int16]
    role: NDArray[np.uint8]
    started: Floats
    seconds: Floats
    campaigns: tuple[str, ...]
    campaign: NameCodes
    uids: tuple[str, ...]
    uid: NameCodes

    def _shown_mask(self) -> NDArray[np.bool_]:
        nameless = self.units.index("") if "" in self.units else -1
        return np.asarray(self.displayed_units != nameless)

    def pairs(self) -> PairRatings:
        """All pairs of ranked units in each row, in display order; the only unit of a row is paired with itself."""
        is_shown = self._shown_mask()
        ranked = is_shown & (self.ranks > 0)
        first, second = np.array([*combinations(range(self.displayed_units.shape[1]), 2), (0, 0)]).T
        is_single = is_shown.sum(axis=1) == 1
        rows, pairs = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        step = max(1, MAX_PAIR_CELLS // len(first))
        for start in range(0, len(ranked), step):
            some = ranked[start : start + step]
            is_pair = some[:, first] & some[:, second]
            is_pair[:, -1] &= is_single[start : start + step]
            row, pair = np.nonzero(is_pair)
            rows.append(row + start)
            pairs.append(pair)
        row, pair = np.concatenate(rows), np.concatenate(pairs)
        left, right = first[pair], second[pair]
        return PairRatings(
            self.raters, self.segments, self.units, self.screens, self.rater[row], self.segment[row],
            self.displayed_units[row, left], self.displayed_units[row, right], self.ranks[row, left], self.ranks[row,
            right],
            self.screen[row], self.role[row], self.started[row], self.seconds[row],
            self.campaigns, self.campaign[row], self.uids, self.uid[row],
        )  # fmt: skip

    def skipped_screens(self) -> tuple[Comment, ...]:
        """One comment per screen without ranks; it marks the screen as skipped and lists all systems of the screen."""
        is_shown = self._shown_mask()
        ranked = (is_shown & (self.ranks > 0)).any(axis=1)
        screens = np.stack([self.rater, self.segment, self.screen])
        # a screen with one row per pair has rows without ranks if several of its systems are unranked
        _, inverse = np.unique(screens, axis=1, return_inverse=True)
        empty = np.flatnonzero(np.bincount(inverse.ravel(), ranked)[inverse.ravel()] == 0)
        comment_by_screen: dict[tuple[str, str, str], Comment] = {}
        for row in empty.tolist():
            key = (self.raters[self.rater[row]], self.segments[self.segment[row]], self.screens[self.screen[row]])
            names = [self.units[unit] for unit in self.displayed_units[row][is_shown[row]]]
            previous_systems = comment_by_screen[key].systems if key in comment_by_screen else ()
            systems = tuple(dict.fromkeys((*previous_systems, *names)))
            campaign = self.campaigns[self.campaign[row]]
            comment_by_screen[key] = Comment(key[0], key[1], "", systems, True, float(self.started[row]), campaign)
        return tuple(comment_by_screen.values())
