"""Data of an interval plot, with one value and its interval per row; independent of Qt and pyqtgraph."""

from __future__ import annotations

from dataclasses import dataclass

from qe_desktop.report import Table


@dataclass(frozen=True, slots=True)
class IntervalRow:
    """Row of an interval plot: a value, its interval if any, and a sentence that describes both.

    `label` is shown above the value; `baseline` is a second value, for comparison.
    """

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    description: str = ""
    label: str = ""
    baseline: float | None = None


@dataclass(frozen=True, slots=True)
class IntervalPlotData:
    """Rows of an interval plot from top to bottom; a line follows each row whose 0-based index is in `group_ends`.

    `bounds` is the range of the axis; if None, it is derived from the rows. `has_zero_line` draws a line at zero;
    `has_integer_ticks` restricts ticks to whole numbers.
    """

    title: str
    rows: tuple[IntervalRow, ...]
    group_ends: tuple[int, ...] = ()
    bounds: tuple[float, float] | None = None
    has_zero_line: bool = False
    has_integer_ticks: bool = False


def interval_table(data: IntervalPlotData) -> Table:
    """Return the names, values and intervals as a table; missing intervals are empty cells."""
    rows = tuple((row.name, row.value, row.low, row.high) for row in data.rows)
    return Table("", ("name", "value", "low", "high"), rows)
