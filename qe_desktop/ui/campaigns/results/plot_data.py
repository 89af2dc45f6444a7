"""What the pictures draw, as plain values: no plotting library, no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.i18n.messages import tr
from qe_desktop.report import Table
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData, interval_table

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class ValueCounts:
    """How often each row got each of a few values: `counts` has shape (rows, values)."""

    title: str
    names: tuple[str, ...]
    values: tuple[str, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, eq=False)
class BoxPlotData:
    """How many values spread: `quantiles` of shape (rows, 5) are p10, p25, median, p75, p90."""

    title: str
    names: tuple[str, ...]
    quantiles: Floats
    bounds: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Counts of values in the bins between `edges`; `ticks` are written below."""

    title: str
    edges: Floats
    counts: Counts
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class PaceSeries:
    """Seconds each item took, in the order of rating, with their median."""

    title: str
    seconds: Floats
    median: float


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedPairs:
    """The same items rated twice: `first` and `second` values, within `bounds`."""

    title: str
    first: Floats
    second: Floats
    bounds: tuple[float, float]
    sides: tuple[str, str] = (tr("first time"), tr("second time"))


def content_table(content: PlotContent) -> Table:
    """The numbers that are drawn."""
    if isinstance(content, IntervalPlotData):
        return interval_table(content)
    rows: list[tuple[Any, ...]]
    if isinstance(content, ValueCounts):
        rows = [(name, *row) for name, row in zip(content.names, content.counts.tolist(), strict=True)]
        return Table("", ("name", *content.values), tuple(rows))
    if isinstance(content, BoxPlotData):
        rows = [(name, *row) for name, row in zip(content.names, content.quantiles.tolist(), strict=True)]
        return Table("", ("name", "p10", "p25", "median", "p75", "p90"), tuple(rows))
    if isinstance(content, Histogram):
        rows = list(
            zip(*(one.tolist() for one in (content.edges[:-1], content.edges[1:], content.counts)), strict=True)
        )
        return Table("", ("from", "to", "count"), tuple(rows))
    if isinstance(content, PaceSeries):
        return Table("", ("item", "seconds"), tuple(enumerate(content.seconds.tolist(), start=1)))
    return Table("", ("first", "second"), tuple(zip(content.first.tolist(), content.second.tolist(), strict=True)))


PlotContent = IntervalPlotData | ValueCounts | BoxPlotData | Histogram | PaceSeries | RepeatedPairs
