"""Plot of stacked horizontal bars, distinguished by colour and pattern."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QBrush, QFont

from qe_desktop.levels.chart_model import StackedBars
from qe_desktop.ui.widgets.plots.plot_base import PatternBarItem, RowPlot
from qe_desktop.ui.widgets.plots.plot_legend import PATTERNS, key_colour

BAR_THICKNESS = 0.62
MIN_ROWS = 4


class StackedBarPlot(RowPlot[StackedBars]):
    """Plot of `StackedBars`, with one stacked bar per row."""

    def __init__(self, content: Callable[[], StackedBars | str]) -> None:
        super().__init__(content)
        self._bars: list[Any] = []

    def _draw(self, content: StackedBars, font: QFont) -> str:
        while len(self._bars) < len(content.keys):
            self._bars.append(PatternBarItem(x0=[], y=[], width=[], height=BAR_THICKNESS))
            self.add(self._bars[-1])
        begins = np.cumsum(content.counts, axis=1) - content.counts
        rows = np.arange(len(content.counts), dtype=float)
        for place, (bar, key) in enumerate(zip(self._bars, content.keys, strict=True)):
            colour = key_colour(key)
            bar.setOpts(
                x0=begins[:, place], y=rows, width=content.counts[:, place], height=BAR_THICKNESS,
                brush=QBrush(colour, PATTERNS[key.mark]), pen=pg.mkPen(colour),
            )  # fmt: skip
        self.style(content.names, content.title, font)
        # limits the thickness of bars if there are few rows
        self.bound(0.0, float(content.counts.sum(axis=1).max()), max(MIN_ROWS, len(content.counts)))
        return ". ".join(content.descriptions)
