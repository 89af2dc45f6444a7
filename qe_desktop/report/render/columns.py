"""Columns of reports, each with its names in JSON, in tables for scripts and in tables for display."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import attrgetter
from typing import Any

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.report.render.tables import Cell, Table

ColumnNames = str | Sequence[str]


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """Column of a report: its value in each row, and its names in the outputs.

    `value` is a function of the row or the name of an attribute of the row. `title` is the column's name in tables for
    display, `key` in JSON, and `name` in tables for scripts; if the name for an output is empty, the output omits the
    column. If `key` or `name` is None, the name of the attribute is used, if any. If a column has several names, its
    value is a sequence or mapping with one item per name; if there are no items, the table cells are empty. A table
    that is split keeps these columns together. `json`,
    `script` and `display` convert the value for one output each. `best` returns the indices of the rows whose value is
    bold in tables for display.
    """

    value: str | Callable[[Any], Any]
    title: ColumnNames = ""
    key: ColumnNames | None = None
    name: ColumnNames | None = None
    json: Callable[[Any], Any] | None = None
    script: Callable[[Any], Any] | None = None
    display: Callable[[Any], Any] | None = None
    best: Callable[[list[Any]], Iterable[int]] | None = None

    def row_value(self, row: Any) -> Any:
        """Return the value of the column in a row."""
        return (attrgetter(self.value) if isinstance(self.value, str) else self.value)(row)

    @property
    def attribute(self) -> str:
        """Name of the row's attribute that has the value; empty if `value` is a function."""
        return self.value if isinstance(self.value, str) else ""


def json_row(columns: Iterable[ReportColumn], row: Any) -> dict[str, Any]:
    """Return a row as a JSON object; NaN becomes null."""
    content: dict[str, Any] = {}
    for column in columns:
        key = column.attribute if column.key is None else column.key
        if key:
            value = to_json(_convert(column.json, column.row_value(row)))
            content |= {key: value} if isinstance(key, str) else zip(key, _items(value), strict=True)
    return content


def json_rows(columns: Sequence[ReportColumn], rows: Iterable[Any], name: str = "name") -> dict[str, dict[str, Any]]:
    """Return rows as JSON objects, keyed by the value of the row attribute that `name` specifies."""
    return {attrgetter(name)(row): json_row(columns, row) for row in rows}


def script_table(title: str, columns: Iterable[ReportColumn], rows: Iterable[Any]) -> Table:
    """Return the table for scripts, with one value per cell."""
    names = [
        (column.attribute.replace("_", " ") if column.name is None else column.name, column, column.script)
        for column in columns
    ]
    return _table(title, names, rows)


def display_table(
    title: str,
    columns: Iterable[ReportColumn],
    rows: Sequence[Any],
    decimals: int = 4,
    notes: Sequence[str] = (),
    rules: Sequence[int] = (),
) -> Table:
    """Return the table for display, without columns that have no title."""
    names = [(column.title, column, column.display) for column in columns if column.title]
    sizes = [1 if isinstance(title, str) else len(title) for title, *_ in names]
    starts = list(accumulate(sizes, initial=0))
    best = frozenset(
        (row, column_index)
        for column_index, (_, column, _) in zip(starts, names, strict=False)
        if column.best is not None
        for row in column.best([column.row_value(row) for row in rows])
    )
    attached = frozenset(
        start + offset for start, size in zip(starts, sizes, strict=False) for offset in range(1, size)
    )
    return _table(title, names, rows, decimals, tuple(notes), tuple(rules), best, attached)


def _table(
    title: str,
    columns: Sequence[tuple[ColumnNames, ReportColumn, Callable[[Any], Any] | None]],
    rows: Iterable[Any],
    *options: Any,
) -> Table:
    used = [column for column in columns if column[0]]
    header = tuple(name for names, *_ in used for name in ([names] if isinstance(names, str) else names))
    cells = tuple(
        tuple(cell for names, column, change in used for cell in _cells(names, _convert(change, column.row_value(row))))
        for row in rows
    )
    return Table(title, header, cells, *options)


def _convert(change: Callable[[Any], Any] | None, value: Any) -> Any:
    return value if change is None else change(value)


def _cells(names: ColumnNames, value: Any) -> Sequence[Cell]:
    return (value,) if isinstance(names, str) else _items(value) or (None,) * len(names)


def _items(value: Any) -> tuple[Any, ...]:
    if isinstance(value, np.ndarray):
        return tuple(value.tolist())
    return tuple(value.values() if isinstance(value, Mapping) else value or ())


def to_json(value: Any) -> Any:
    """Convert a value to JSON types: arrays and tuples to lists, NaN to None; also inside lists, tuples and dicts."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float):
        return json_number(value)
    if isinstance(value, dict):
        return {name: to_json(item) for name, item in value.items()}
    return [to_json(item) for item in value] if isinstance(value, list | tuple) else value


def json_number(value: float) -> float | None:
    """Return a number for JSON; None for NaN."""
    return None if math.isnan(value) else float(value)


def interval_json(interval: Sequence[float] | np.ndarray) -> list[float] | None:
    """Return [low, high] for JSON; None if either end is NaN."""
    return None if any(math.isnan(end) for end in interval) else [float(end) for end in interval]


def square_json(
    names: Sequence[str], values: Floats, order: Sequence[int] | None = None
) -> dict[str, dict[str, float | None]]:
    """Return a square matrix for JSON, keyed by row name, then column name; NaN becomes None.

    The diagonal is omitted. `order` is the order of rows and columns, as indices into `names`.
    """
    indices = range(len(names)) if order is None else order
    return {names[a]: {names[b]: json_number(values[a, b]) for b in indices if b != a} for a in indices}
