"""Plot with one value and its interval per row, such as a mean and its confidence interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics

from qe_desktop.ui import theme
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData
from qe_desktop.ui.widgets.plots.plot_base import ROW_AXIS_PADDING, RowPlot, integer_ticks

MIN_LABELLED_LINES = 2.8
"""Minimum height of a row, in lines of text, at which labels are shown above the values."""


class IntervalPlot(RowPlot[IntervalPlotData]):
    """Plot of dots with intervals, lines between groups of rows, and an optional line at zero."""

    def __init__(self, content: Callable[[], IntervalPlotData | str]) -> None:
        super().__init__(content)
        self._plot.getPlotItem().getViewBox().sigResized.connect(lambda *changed: self._show_labels())
        no_values = np.zeros(0)
        self._breaks = pg.PlotCurveItem(connect="pairs")
        self._zero = pg.PlotCurveItem()
        self._bars = pg.ErrorBarItem(x=no_values, y=no_values, left=no_values, right=no_values, beam=0.3)
        self._dots = pg.ScatterPlotItem()
        self._links = pg.PlotCurveItem(connect="pairs")
        self._rings = pg.ScatterPlotItem()
        self._labels: list[Any] = []
        self._line = 0
        self.add(self._breaks, self._zero, self._links, self._rings, self._bars, self._dots)

    def _draw(self, content: IntervalPlotData, font: QFont) -> str:
        rows = content.rows
        values = np.asarray([row.value for row in rows], float)
        lows = np.asarray([row.value if row.low is None else row.low for row in rows], float)
        highs = np.asarray([row.value if row.high is None else row.high for row in rows], float)
        baselines = [row.baseline for row in rows if row.baseline is not None]
        low, high = content.bounds or _padded_range(*_extremes([*lows, *highs, *baselines]))
        self.set_names_and_title([row.name for row in rows], content.title, font)
        self.set_ticks(integer_ticks(low, high) if content.has_integer_ticks else None)
        self.set_range(low, high, len(rows))
        self._draw_dots(values, lows, highs, font)
        self._draw_baselines(content, font)
        self._draw_lines(content, low, high)
        self._draw_labels(content, font)
        return ". ".join(row.description for row in rows if row.description)

    def _draw_dots(self, values: np.ndarray, lows: np.ndarray, highs: np.ndarray, font: QFont) -> None:
        colours, rows = theme.current(), np.arange(len(values), dtype=float)
        pen = pg.mkPen(colours.accent, width=2)
        # the end cap of an empty interval would look like a bar
        has_width = highs > lows
        ends = {"left": (values - lows)[has_width], "right": (highs - values)[has_width]}
        self._bars.setData(x=values[has_width], y=rows[has_width], pen=pen, **ends)
        size = max(7, QFontMetrics(font).height() * 0.6)
        outline = pg.mkPen(colours.surface, width=1.5)
        self._dots.setData(x=values, y=rows, size=size, brush=pg.mkBrush(colours.accent), pen=outline)

    def _draw_baselines(self, content: IntervalPlotData, font: QFont) -> None:
        """Draw a ring at each baseline, and a dotted line from the ring to the value."""
        colours = theme.current()
        pairs = [(index, row.baseline, row.value) for index, row in enumerate(content.rows) if row.baseline is not None]
        x = np.asarray([[baseline, value] for _, baseline, value in pairs], float).ravel()
        y = np.repeat([float(index) for index, _, _ in pairs], 2)
        dotted = pg.mkPen(colours.muted, width=1.5, style=Qt.PenStyle.DotLine)
        self._links.setData(x=x, y=y, connect="pairs", pen=dotted)
        size = max(6, QFontMetrics(font).height() * 0.5)
        ring = pg.mkPen(colours.muted, width=1.5)
        self._rings.setData(x=x[::2], y=y[::2], size=size, brush=pg.mkBrush(colours.surface), pen=ring)

    def _draw_labels(self, content: IntervalPlotData, font: QFont) -> None:
        self._line = QFontMetrics(font).height()
        labels = self.reuse_items(self._labels, len(content.rows), lambda: pg.TextItem(anchor=(0.5, 1.1)))
        for index, (label, row) in enumerate(zip(labels, content.rows, strict=True)):
            label.setText(row.label, theme.current().text)
            label.setFont(font)
            label.setPos(row.value, index)
        self._show_labels()

    def _show_labels(self) -> None:
        """Show the labels if the rows are tall enough; otherwise, hide them."""
        box = self._plot.getPlotItem().getViewBox()
        fits = self._rows > 0 and box.height() / self._rows >= self._line * MIN_LABELLED_LINES
        for label in self._labels[: self._rows]:
            label.setVisible(fits)

    def _draw_lines(self, content: IntervalPlotData, low: float, high: float) -> None:
        colours, padding = theme.current(), ROW_AXIS_PADDING * ((high - low) or 1.0)
        ends = [row + 0.5 for row in content.group_ends]
        across = np.tile([low - padding, high + padding], len(ends))
        pen = pg.mkPen(colours.muted, width=1, style=Qt.PenStyle.DashLine)
        self._breaks.setData(x=across, y=np.repeat(ends, 2), connect="pairs", pen=pen)
        zero_line = [0.0, 0.0] if content.has_zero_line and low < 0 < high else []
        self._zero.setData(
            x=zero_line, y=[-1.0, float(len(content.rows))][: len(zero_line)], pen=pg.mkPen(colours.border)
        )


def _extremes(values: Sequence[float]) -> tuple[float, float]:
    return float(min(values)), float(max(values))


def _padded_range(low: float, high: float) -> tuple[float, float]:
    """Return the range from `low` to `high`, widened to a length of 1 if `low` and `high` are equal."""
    return (low, high) if high > low else (low - 0.5, high + 0.5)
