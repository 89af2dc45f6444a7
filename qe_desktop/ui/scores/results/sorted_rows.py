"""Order of the rows of a result table by the column whose header was clicked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from PySide6.QtCore import Qt

from qe_desktop.ui.widgets.tables.table_model import TableCell, TableData

Target = TypeVar("Target")
SortKey = tuple[float, str]
_DESCENDING = Qt.SortOrder.DescendingOrder


def next_order(sheet: TableData[Target], section: int, order: Qt.SortOrder | None) -> Qt.SortOrder:
    """Return the sort order after a click on a column header; `order` is the current order of the column, if any.

    The first click sorts numbers in descending order and other values in ascending order.
    """
    first = _DESCENDING if sheet.columns[section].is_right_aligned else Qt.SortOrder.AscendingOrder
    if order != first:
        return first
    return Qt.SortOrder.AscendingOrder if first == _DESCENDING else _DESCENDING


def sort_rows(sheet: TableData[Target], section: int, order: Qt.SortOrder) -> TableData[Target]:
    """Return the table sorted by a column, with the header of the column marked; undefined values come last.

    Lines between groups of rows are removed.
    """
    if sheet.resort is not None:
        sheet = replace(sheet.resort(section, order == _DESCENDING), resort=sheet.resort)
    keys = [_key(row[section]) for row in sheet.rows]
    indices = sorted_indices(keys, descending=order == _DESCENDING)
    columns = tuple(
        replace(column, is_current=index == section, sort_order=order if index == section else None)
        for index, column in enumerate(sheet.columns)
    )
    rows = tuple(
        tuple(replace(cell, ends_group=False) if cell.ends_group else cell for cell in sheet.rows[index])
        for index in indices
    )
    return replace(sheet, columns=columns, rows=rows, targets=tuple(sheet.targets[index] for index in indices))


def sorted_indices(keys: Sequence[SortKey | None], *, descending: bool) -> list[int]:
    """Return the indices that sort the keys; equal keys keep their relative order, and None comes last."""
    with_key = [index for index, key in enumerate(keys) if key is not None]
    with_key.sort(key=lambda index: keys[index] or (), reverse=descending)
    return [*with_key, *(index for index, key in enumerate(keys) if key is None)]


def sort_key(value: str | float | None) -> SortKey | None:
    """Return the sort key of a value: numbers are sorted by size, texts case-insensitively. None has the key None."""
    if value is None:
        return None
    return (0.0, value.casefold()) if isinstance(value, str) else (float(value), "")


def find_row(sheet: TableData[Target], row: Sequence[TableCell]) -> int | None:
    """Return the index of the row in `sheet` with the same texts and exact values as `row`; None if there is none."""
    values = _values(row)
    return next((index for index, cells in enumerate(sheet.rows) if _values(cells) == values), None)


def _values(row: Sequence[TableCell]) -> list[object]:
    return [(cell.text, cell.exact_values) for cell in row]


def _key(cell: TableCell) -> SortKey | None:
    return sort_key(cell.exact_values[0] if cell.exact_values else cell.text)
