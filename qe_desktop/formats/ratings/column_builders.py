"""Incremental column builders: names as indices, numbers, times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

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
from qe_desktop.i18n.messages import tr

MAX_CACHED_CELLS = 1 << 16
"""Maximum number of distinct numeric cells that are cached."""


class BadCellError(Exception):
    """Error for an invalid cell, with its row in the chunk and the error message."""

    def __init__(self, row: int, message: str) -> None:
        super().__init__(message)
        self.row = row
        self.message = message


class ColumnBuilder(Protocol):
    """Builder of one column, chunk by chunk."""

    def add(self, cells: Sequence[str]) -> None:
        """Add cells. Raises BadCellError if a cell cannot be parsed."""


class _NameCodes(dict[str, int]):
    """Index of each cell's name, cached; cells with the same name share an index."""

    def __init__(self, names: NameColumn) -> None:
        super().__init__()
        self._names = names

    def __missing__(self, cell: str) -> int:
        index = self[cell] = self._names.name_index(cell)
        return index


class NameColumn:
    """Column of names: the distinct names in order of appearance, and the index of each cell's name.

    Spaces around a name are removed, as is the apostrophe that marks text in spreadsheets (see `escape_csv_cell`),
    unless `exact` is set.
    """

    def __init__(self, empty: str | None = None, *, exact: bool = False) -> None:
        self.index_by_name: dict[str, int] = {}
        self._cells = _NameCodes(self)
        self._parts: list[NameCodes] = []
        self._empty = empty
        self._exact = exact

    def add(self, cells: Sequence[str]) -> None:
        """Add cells. Raises BadCellError if a cell is empty, unless `empty` replaces it or names are exact."""
        try:
            # one dictionary look-up per cell in C: only new cells reach Python
            self._parts.append(np.fromiter(map(self._cells.__getitem__, cells), np.int32, len(cells)))
        except ValueError as error:
            index = next(index for index, cell in enumerate(cells) if not cell.strip())
            raise BadCellError(index, str(error)) from None

    def name_index(self, cell: str) -> int:
        """Index of a cell's name. Raises ValueError if it is empty, unless there is a default or names are exact."""
        name = cell if self._exact else unescape_csv_cell(cell.strip())
        if not name and not self._exact:
            if self._empty is None:
                raise ValueError(tr("a name is missing"))
            name = self._empty
        return self.index_by_name.setdefault(name, len(self.index_by_name))

    @property
    def names(self) -> tuple[str, ...]:
        """Distinct names."""
        return tuple(self.index_by_name)

    @property
    def codes(self) -> NameCodes:
        """Index of each cell in `names`, shape (rows,)."""
        return np.concatenate([np.zeros(0, np.int32), *self._parts])


class _CellValues(dict[str, float]):
    """Number in each cell, parsed once per distinct cell; NaN for cells in `skipped_cells`."""

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
    """Numeric column; `parse` converts a cell, or raises ValueError with a message.

    Cells that raise SkippedValueError count as empty: `skipped_cells` lists the rows and contents of the first few, and
    `skipped_count` is their total number.
    """

    def __init__(self, parse: Callable[[str], float]) -> None:
        self._values = _CellValues(parse)
        self._parse = parse
        self._parts: list[Floats] = []
        self._rows = 0
        self.skipped_cells: list[tuple[int, str]] = []
        self.skipped_count = 0

    def add(self, cells: Sequence[str]) -> None:
        """Add cells. Raises BadCellError if `parse` rejects a cell."""
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
        super().__init__(parse_timestamp)

    def add(self, cells: Sequence[str]) -> None:
        """Add cells. Raises BadCellError if a cell is not a time."""
        times = parse_timestamps(cells)
        if times is None:
            super().add(cells)
        else:
            self._parts.append(times)
            self._rows += len(cells)


def join_name_columns(first: NameColumn, second: NameColumn, mark: str) -> tuple[tuple[str, ...], NameCodes]:
    """Join two columns of names into one, with `mark` between them.

    Returns the names in order of appearance, and the index of each row's name.
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
