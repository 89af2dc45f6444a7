"""Columns, cells and rows shared by the tables of results."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from qe_desktop.metrics import Metric
from qe_desktop.ui.scores.number_format import format_interval
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn, TableData

Target = TypeVar("Target")
TableRow = tuple[tuple[TableCell, ...], tuple[Target | None, ...]]
"""Cells of a row and their targets."""


def table_of_rows(
    columns: Sequence[TableColumn], rows: Sequence[TableRow[Target]], heads: tuple[str | None, ...] = ()
) -> TableData[Target]:
    """Table of rows; `heads`: sort keys of the columns."""
    return TableData(tuple(columns), tuple(cells for cells, _ in rows), tuple(targets for _, targets in rows), heads)


def name_column(title: str, exported: str, about: str = "") -> TableColumn:
    """Column of names."""
    return TableColumn(title, about, exported=(exported,))


def value_column(title: str, about: str, *exported: str) -> TableColumn:
    """Column of numbers; a copy has a column per exported name."""
    return TableColumn(title, about, right=True, exported=exported)


def name_cell(name: str, description: str = "", *, last: bool = False) -> TableCell:
    """Cell of a name."""
    return TableCell(name, description or name, last=last, exact=(name,))


def metric_cell(metric: Metric, *, last: bool = False) -> TableCell:
    """Cell of a metric's name."""
    return name_cell(metric.name, f"{metric.name}. {metric.help()}", last=last)


def exact_values(*values: float) -> tuple[float | None, ...]:
    """Exported values; None if undefined."""
    return tuple(None if math.isnan(value) else value for value in values)


def interval_text(low: float, high: float, decimals: int) -> str:
    """Interval as shown; empty if there is none."""
    return "" if math.isnan(low) else format_interval(low, high, decimals)
