"""Data of an interval plot, one value with an interval per row; independent of Qt and the plotting library."""

from __future__ import annotations

from dataclasses import dataclass

from qe_desktop.report import Table


@dataclass(frozen=True, slots=True)
class IntervalRow:
    """Row of an interval plot: a value, its interval if any, and a sentence that describes them.

    `label` is shown above the value, and `baseline` is a value to compare it with.
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
    """Rows from top to bottom; a line follows each row whose 0-based index is in `group_ends`.

    `bounds` is the range of the axis, or None to derive it from the values. `has_zero_line` draws a line at zero;
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
