"""Order of the rows of a result table by the column whose header was clicked."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from PySide6.QtCore import Qt

from qe_desktop.ui.widgets.tables.table_model import TableCell, TableData

Target = TypeVar("Target")
_DESCENDING = Qt.SortOrder.DescendingOrder


def next_order(sheet: TableData[Target], section: int, order: Qt.SortOrder | None) -> Qt.SortOrder:
    """Return the order after a click on a header whose column has an order: numbers begin with the largest."""
    first = _DESCENDING if sheet.columns[section].right else Qt.SortOrder.AscendingOrder
    if order != first:
        return first
    return Qt.SortOrder.AscendingOrder if first == _DESCENDING else _DESCENDING


def sort_rows(sheet: TableData[Target], section: int, order: Qt.SortOrder) -> TableData[Target]:
    """Return the table with its rows sorted by a column and its header marked; undefined values come last."""
    keys = [_key(row[section]) for row in sheet.rows]
    known = [place for place, key in enumerate(keys) if key is not None]
    known.sort(key=lambda place: keys[place] or (), reverse=order == _DESCENDING)
    places = [*known, *(place for place, key in enumerate(keys) if key is None)]
    columns = tuple(
        replace(column, chosen=place == section, order=order if place == section else None)
        for place, column in enumerate(sheet.columns)
    )
    rows, targets = (tuple(parts[place] for place in places) for parts in (sheet.rows, sheet.targets))
    return replace(sheet, columns=columns, rows=rows, targets=targets)  # type: ignore[arg-type]


def _key(cell: TableCell) -> tuple[float, str] | None:
    value = cell.exact[0] if cell.exact else cell.text
    if value is None:
        return None
    return (0.0, value.casefold()) if isinstance(value, str) else (float(value), "")
