"""Chart data as plain values, without the plotting library or Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.report import Table
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData, interval_table


@dataclass(frozen=True, slots=True, eq=False)
class ValueCounts:
    """Frequency of each value per row; `counts` has shape (rows, values).

    `labels` are `values`; the lowest and highest are followed by their names on the scale, if they have names.
    """

    title: str
    names: tuple[str, ...]
    values: tuple[str, ...]
    labels: tuple[str, ...]
    counts: Ints


@dataclass(frozen=True, slots=True, eq=False)
class BoxPlotData:
    """Distribution per row; `quantiles` has shape (rows, 5): p10, p25, median, p75, p90."""

    title: str
    names: tuple[str, ...]
    quantiles: Floats
    bounds: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Counts of values in bins between consecutive `edges`; `ticks` are positions and labels on the axis."""

    title: str
    edges: Floats
    counts: Ints
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class PaceSeries:
    """Seconds per item in rating order, and their median."""

    title: str
    seconds: Floats
    median: float


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedPairs:
    """Pairs of ratings of items rated twice, or of original and degraded outputs; `bounds` limit both axes."""

    title: str
    first: Floats
    second: Floats
    bounds: tuple[float, float]
    axis_titles: tuple[str, str] = (tr("first rating"), tr("second rating"))


def content_table(content: PlotContent) -> Table:
    """Return the numbers of a chart as a table."""
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
            zip(*(column.tolist() for column in (content.edges[:-1], content.edges[1:], content.counts)), strict=True)
        )
        return Table("", ("from", "to", "count"), tuple(rows))
    if isinstance(content, PaceSeries):
        return Table("", ("item", "seconds"), tuple(enumerate(content.seconds.tolist(), start=1)))
    return Table("", ("first", "second"), tuple(zip(content.first.tolist(), content.second.tolist(), strict=True)))


PlotContent = IntervalPlotData | ValueCounts | BoxPlotData | Histogram | PaceSeries | RepeatedPairs
