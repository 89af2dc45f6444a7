"""Result charts: charts with one row per system, and charts of a rater's values, pace or value pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics

from qe_desktop.i18n.messages import tr
from qe_desktop.report.format_values import format_duration
from qe_desktop.ui import theme
from qe_desktop.ui.campaigns.results.plot_data import BoxPlotData, Histogram, PaceSeries, RepeatedPairs, ValueCounts
from qe_desktop.ui.campaigns.results.value_legend import value_colours
from qe_desktop.ui.widgets.plots.interval_plot import IntervalPlot
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData
from qe_desktop.ui.widgets.plots.plot_base import RowPlot, XYPlot

BAR_THICKNESS = 0.7
MIN_LABELLED_FRACTION = 0.045
"""Minimum length of a bar that has a label, as a proportion of the length of a row."""
TICK_LABEL_ROOM = 0.04
"""Space after the end of the bars for the label of the last tick, as a proportion of the length of a row."""
BOX_THICKNESS = 0.5
MIN_SECONDS = 0.5
"""Lower limit of plotted times, in seconds; shorter times are drawn at this limit."""
_TICKS = (
    (1, tr("1 s")),
    (5, tr("5 s")),
    (15, tr("15 s")),
    (60, tr("1 min")),
    (300, tr("5 min")),
    (1800, tr("30 min")),
    (7200, tr("2 h")),
)
MIN_THINNED_POINTS = 20_000
"""Minimum number of points in a thinned series; a series with fewer than twice as many points is drawn in full."""
MAX_TICKED_VALUES = 12
"""Maximum difference between the ends of an axis that has a tick at every integer."""


class ValueCountsPlot(RowPlot[ValueCounts]):
    """Chart of stacked bars, one per row, with labels in percent."""

    def __init__(self, content: Callable[[], ValueCounts | str]) -> None:
        super().__init__(content)
        self._bars: list[pg.BarGraphItem] = []
        self._texts: list[pg.TextItem] = []

    def _draw(self, content: ValueCounts, font: QFont) -> str:
        totals = content.counts.sum(axis=1, keepdims=True)
        shares = content.counts / np.maximum(totals, 1)
        begins = np.cumsum(shares, axis=1) - shares
        colours = value_colours(len(content.values))
        rows = np.arange(len(content.names), dtype=float)
        edge = pg.mkPen(theme.current().surface)
        for index, bar in enumerate(self.reuse_items(self._bars, len(content.values), _empty_bars)):
            begin, width, brush = begins[:, index], shares[:, index], colours[index]
            bar.setOpts(x0=begin, y=rows, width=width, height=BAR_THICKNESS, brush=brush, pen=edge)
        self._write(content, shares, begins, colours, font)
        self.set_names_and_title(content.names, content.title, font)
        self.set_ticks([(share / 4, f"{share * 25} %") for share in range(5)])
        self.set_range(0.0, 1.0 + TICK_LABEL_ROOM, len(content.names))
        return _bar_description(content)

    def _write(
        self, content: ValueCounts, shares: np.ndarray, begins: np.ndarray, colours: list[QColor], font: QFont
    ) -> None:
        labelled = np.argwhere(shares >= MIN_LABELLED_FRACTION)
        texts = self.reuse_items(self._texts, len(labelled), lambda: pg.TextItem(anchor=(0.5, 0.5)))
        for text, (row, value) in zip(texts, labelled, strict=True):
            text.setZValue(5)
            text.setFont(font)
            text.setText(f"{100 * shares[row, value]:.0f}", theme.current().text_colour_on(colours[value]))
            text.setPos(float(begins[row, value] + shares[row, value] / 2), float(row))


def _empty_bars() -> pg.BarGraphItem:
    return pg.BarGraphItem(x0=[], y=[], width=[], height=BAR_THICKNESS)


def _bar_description(content: ValueCounts) -> str:
    descriptions = []
    for name, row in zip(content.names, content.counts, strict=True):
        times = [
            tr("{value}: {n:,} {n:time|times}", "", int(n), value=value)
            for n, value in zip(row, content.values, strict=True)
        ]
        descriptions.append(f"{name}: {', '.join(times)}")
    return ". ".join(descriptions)


class BoxPlot(RowPlot[BoxPlotData]):
    """Box plot, one row per system."""

    def __init__(self, content: Callable[[], BoxPlotData | str]) -> None:
        super().__init__(content)
        self._lines = pg.PlotCurveItem(connect="pairs")
        self._boxes = pg.BarGraphItem(x0=[], y=[], width=[], height=BOX_THICKNESS)
        self._medians = pg.PlotCurveItem(connect="pairs")
        self.add(self._lines, self._boxes, self._medians)

    def _draw(self, content: BoxPlotData, font: QFont) -> str:
        colours, rows = theme.current(), np.arange(len(content.names), dtype=float)
        p10, p25, median, p75, p90 = content.quantiles.T
        ends, line = np.stack([p10, p90], 1).ravel(), pg.mkPen(colours.accent, width=2)
        self._lines.setData(x=ends, y=np.repeat(rows, 2), connect="pairs", pen=line)
        brush, pen = pg.mkBrush(colours.ok_fill), pg.mkPen(colours.accent)
        self._boxes.setOpts(x0=p25, y=rows, width=p75 - p25, height=BOX_THICKNESS, brush=brush, pen=pen)
        upright = np.stack([rows - BOX_THICKNESS / 2, rows + BOX_THICKNESS / 2], 1).ravel()
        middle = pg.mkPen(colours.text, width=3)
        self._medians.setData(x=np.repeat(median, 2), y=upright, connect="pairs", pen=middle)
        self.set_names_and_title(content.names, content.title, font)
        self.set_ticks()
        self.set_range(*content.bounds, len(content.names))
        descriptions = [
            tr(
                "{system}: median {median:.4g}, middle 50 % from {low:.4g} to {high:.4g}",
                system=name, median=row[2], low=row[1], high=row[3],
            )
            for name, row in zip(content.names, content.quantiles, strict=True)
        ]  # fmt: skip
        return ". ".join(descriptions)


class HistogramPlot(XYPlot[Histogram]):
    """Bar chart of a histogram."""

    def __init__(self, content: Callable[[], Histogram | str]) -> None:
        super().__init__(content)
        self._bars = pg.BarGraphItem(x0=[], x1=[], height=[])
        self.add(self._bars)
        self._plot.getAxis("left").has_integer_ticks = True

    def _draw(self, content: Histogram, font: QFont) -> str:
        colours = theme.current()
        left, right = content.edges[:-1], content.edges[1:]
        gap = 0.08 * (right - left)
        brush, pen = pg.mkBrush(colours.accent), pg.mkPen(colours.accent)
        self._bars.setOpts(x0=left + gap, x1=right - gap, y0=0, height=content.counts, brush=brush, pen=pen)
        self.set_axis_titles(content.title, tr("ratings"), font, ticks=content.ticks)
        top = max(1.0, float(content.counts.max(initial=0)))
        self.set_ranges(float(left[0]), float(right[-1]), 0.0, top)
        descriptions = [
            tr("{low:g} to {high:g}: {n:,}", "", int(count), low=low, high=high)
            for low, high, count in zip(left, right, content.counts, strict=True)
        ]
        return ", ".join(descriptions)


class PacePlot(XYPlot[PaceSeries]):
    """Plot of seconds per item on a log scale.

    An item during which the rater paused can take 100 times as long as other items.
    """

    def __init__(self, content: Callable[[], PaceSeries | str]) -> None:
        super().__init__(content)
        self._dots = pg.ScatterPlotItem()
        self._median = pg.PlotCurveItem()
        self.add(self._dots, self._median)

    def _draw(self, content: PaceSeries, font: QFont) -> str:
        colours, count = theme.current(), len(content.seconds)
        heights = np.log10(np.maximum(content.seconds, MIN_SECONDS))
        positions = np.arange(1, count + 1)[:: max(1, count // MIN_THINNED_POINTS)]
        size = max(4, QFontMetrics(font).height() * 0.3)
        self._dots.setData(x=positions, y=heights[positions - 1], size=size, brush=pg.mkBrush(colours.accent), pen=None)
        middle = float(np.log10(max(content.median, MIN_SECONDS)))
        line = pg.mkPen(colours.text, width=2, style=Qt.PenStyle.DashLine)
        self._median.setData(x=[0.0, count + 1.0], y=[middle, middle], pen=line)
        ticks = [(float(np.log10(seconds)), text) for seconds, text in _TICKS]
        self.set_axis_titles(content.title, "", font, side_ticks=ticks)
        # at least half a decade around the median, so that a tick is visible
        low, high = min(float(heights.min()), middle - 0.5), max(float(heights.max()), middle + 0.5)
        self.set_ranges(0.0, count + 1.0, low - 0.1, high + 0.1)
        return tr("{n:,} {n:item|items}, median {median}", "", count, median=format_duration(content.median))


class RepeatedPairsPlot(XYPlot[RepeatedPairs]):
    """Scatter plot of value pairs.

    The area of a point is proportional to the number of equal pairs, but points have a minimum size.
    """

    def __init__(self, content: Callable[[], RepeatedPairs | str]) -> None:
        super().__init__(content)
        self._diagonal = pg.PlotCurveItem()
        self._dots = pg.ScatterPlotItem()
        self.add(self._diagonal, self._dots)

    def _draw(self, content: RepeatedPairs, font: QFont) -> str:
        colours, (low, high) = theme.current(), content.bounds
        points, times = np.unique(np.stack([content.first, content.second], 1), axis=0, return_counts=True)
        padding = 0.1 * (high - low)
        self._diagonal.setData(
            x=[low - padding, high + padding],
            y=[low - padding, high + padding],
            pen=pg.mkPen(colours.muted, style=Qt.PenStyle.DashLine),
        )
        sizes = np.maximum(5.0, QFontMetrics(font).height() * 1.6 * np.sqrt(times / times.max()))
        fill = pg.mkBrush(colours.accent.red(), colours.accent.green(), colours.accent.blue(), 150)
        self._dots.setData(x=points[:, 0], y=points[:, 1], size=sizes, brush=fill, pen=pg.mkPen(colours.accent))
        integer_ticks = [(float(value), f"{value}") for value in range(round(low), round(high) + 1)]
        ticks = integer_ticks if high - low <= MAX_TICKED_VALUES else None
        self.set_axis_titles(*content.axis_titles, font, ticks=ticks, side_ticks=ticks)
        self.set_ranges(low - padding, high + padding, low - padding, high + padding)
        identical = int(np.sum(content.first == content.second))
        return tr("{n:,} {n:pair|pairs}, {same:,} with equal values", "", len(content.first), same=identical)


PLOT_CLASSES: dict[type, Callable[[Callable[[], Any]], XYPlot[Any] | RowPlot[Any]]] = {
    BoxPlotData: BoxPlot,
    IntervalPlotData: IntervalPlot,
    Histogram: HistogramPlot,
    PaceSeries: PacePlot,
    RepeatedPairs: RepeatedPairsPlot,
    ValueCounts: ValueCountsPlot,
}
"""Maps each class of chart data to its plot class."""
