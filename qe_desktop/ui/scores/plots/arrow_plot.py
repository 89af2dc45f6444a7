"""Plot of two values per row, connected by a line."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QFont, QFontMetrics

from qe_desktop.levels.chart_model import ChangeChart, ChartPoints
from qe_desktop.ui import theme
from qe_desktop.ui.widgets.plots.interactive_plot import InteractivePlotWidget
from qe_desktop.ui.widgets.plots.plot_base import RowPlot
from qe_desktop.ui.widgets.plots.plot_legend import key_colour


class ArrowPlot(RowPlot[ChangeChart]):
    """Plot of a `ChangeChart`: dots are current values, rings changed values."""

    def __init__(self, content: Callable[[], ChangeChart | str]) -> None:
        self.view = InteractivePlotWidget()
        super().__init__(content, self.view)
        self._ways = pg.PlotCurveItem(connect="pairs")
        self._ends = pg.ScatterPlotItem()
        self._starts = pg.ScatterPlotItem()
        self.add(self._ways, self._ends, self._starts)

    def _draw(self, content: ChangeChart, font: QFont) -> str:
        colours, rows = theme.current(), np.arange(len(content.names), dtype=float)
        first, second = (key_colour(key) for key in content.keys)
        there = np.isfinite(content.second)
        ways = np.stack([content.first, content.second], 1)[there].ravel()
        self._ways.setData(x=ways, y=np.repeat(rows[there], 2), connect="pairs", pen=pg.mkPen(colours.muted, width=2))
        size = max(7.0, QFontMetrics(font).height() * 0.6)
        hollow, ring = pg.mkBrush(colours.surface), pg.mkPen(second, width=2)
        self._ends.setData(x=content.second[there], y=rows[there], size=size, brush=hollow, pen=ring)
        edge = pg.mkPen(colours.surface, width=1.5)
        self._starts.setData(x=content.first, y=rows, size=size, brush=pg.mkBrush(first), pen=edge)
        values = np.concatenate([content.first, content.second[there]])
        values = values[np.isfinite(values)]
        low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
        self.style(content.names, content.title, font)
        self.bound(*((low, high) if high > low else (low - 0.5, high + 0.5)), len(rows))
        self.view.show_points(ChartPoints(content.first, rows, content.descriptions.__getitem__), downwards=True)
        return ". ".join(content.descriptions)
