"""Values with the ranges around them, one a row, as a plot draws them: no plotting library, no Qt."""

from __future__ import annotations

from dataclasses import dataclass

from qe_desktop.report import Table


@dataclass(frozen=True, slots=True)
class IntervalRow:
    """One row: a value with the range around it, where there is one, and the sentence that says so."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class IntervalPlotData:
    """Rows from top to bottom; a line stands below each of the rows in `breaks` (places counted from 0).

    `bounds` is the range of the axis where it is not that of the values; `zero` draws a line at zero; `whole` puts
    ticks at whole numbers only.
    """

    title: str
    rows: tuple[IntervalRow, ...]
    breaks: tuple[int, ...] = ()
    bounds: tuple[float, float] | None = None
    zero: bool = False
    whole: bool = False


def interval_table(dots: IntervalPlotData) -> Table:
    """The numbers that are drawn; nothing where a row has no range."""
    rows = tuple((row.name, row.value, row.low, row.high) for row in dots.rows)
    return Table("", ("name", "value", "low", "high"), rows)
