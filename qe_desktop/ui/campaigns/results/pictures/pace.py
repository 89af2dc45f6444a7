"""How long each item took a rater, one after the other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics

from qe_desktop.ui import theme
from qe_desktop.ui.campaigns.results.pictures.contents import Pace
from qe_desktop.ui.parts.plots import Canvas
from qe_desktop.wording import tr

SHORTEST = 0.5
"""Seconds; what took less is drawn at the lower edge."""
_TICKS = (
    (1, tr("1 s")),
    (5, tr("5 s")),
    (15, tr("15 s")),
    (60, tr("1 min")),
    (300, tr("5 min")),
    (1800, tr("30 min")),
    (7200, tr("2 h")),
)
MANY = 20_000
"""More items than this are thinned out: no screen has so many columns."""


class PacePlot(Canvas[Pace]):
    """Times stand on a logarithmic axis, since a pause is a hundred times an item."""

    def __init__(self, content: Callable[[], Pace | str]) -> None:
        super().__init__(content)
        self._dots = pg.ScatterPlotItem()
        self._median = pg.PlotCurveItem()
        self.add(self._dots, self._median)

    def _draw(self, content: Pace, font: QFont) -> str:
        colours, count = theme.current(), len(content.seconds)
        heights = np.log10(np.maximum(content.seconds, SHORTEST))
        places = np.arange(1, count + 1)[:: max(1, count // MANY)]
        size = max(4, QFontMetrics(font).height() * 0.3)
        self._dots.setData(x=places, y=heights[places - 1], size=size, brush=pg.mkBrush(colours.accent), pen=None)
        middle = float(np.log10(max(content.median, SHORTEST)))
        line = pg.mkPen(colours.text, width=2, style=Qt.PenStyle.DashLine)
        self._median.setData(x=[0.0, count + 1.0], y=[middle, middle], pen=line)
        ticks = [(float(np.log10(seconds)), text) for seconds, text in _TICKS]
        self.style(content.title, "", font, side_ticks=ticks)
        # half a power of ten around the median at least, so that there is a tick in sight
        low, high = min(float(heights.min()), middle - 0.5), max(float(heights.max()), middle + 0.5)
        self.bound(0.0, count + 1.0, low - 0.1, high + 0.1)
        return tr("{n:,} items, median {median:.3g} seconds", "", count, median=content.median)
