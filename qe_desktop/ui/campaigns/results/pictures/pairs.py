"""The same items rated twice, the second value over the first: on the diagonal nothing changed."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics

from qe_desktop.ui import theme
from qe_desktop.ui.campaigns.results.pictures.contents import Pairs
from qe_desktop.ui.parts.plots import Canvas
from qe_desktop.wording import tr

SHORT = 12
"""A scale no longer than this has a tick at every whole value."""


class PairsPlot(Canvas[Pairs]):
    """Pairs of the same values are one dot, whose area is their number."""

    def __init__(self, content: Callable[[], Pairs | str]) -> None:
        super().__init__(content)
        self._same = pg.PlotCurveItem()
        self._dots = pg.ScatterPlotItem()
        self.add(self._same, self._dots)

    def _draw(self, content: Pairs, font: QFont) -> str:
        colours, (low, high) = theme.current(), content.bounds
        places, times = np.unique(np.stack([content.first, content.second], 1), axis=0, return_counts=True)
        room = 0.1 * (high - low)
        self._same.setData(
            x=[low - room, high + room],
            y=[low - room, high + room],
            pen=pg.mkPen(colours.muted, style=Qt.PenStyle.DashLine),
        )
        sizes = np.maximum(5.0, QFontMetrics(font).height() * 1.6 * np.sqrt(times / times.max()))
        fill = pg.mkBrush(colours.accent.red(), colours.accent.green(), colours.accent.blue(), 150)
        self._dots.setData(x=places[:, 0], y=places[:, 1], size=sizes, brush=fill, pen=pg.mkPen(colours.accent))
        whole = [(float(value), f"{value}") for value in range(round(low), round(high) + 1)]
        ticks = whole if high - low <= SHORT else None
        self.style(*content.sides, font, ticks=ticks, side_ticks=ticks)
        self.bound(low - room, high + room, low - room, high + room)
        same = int(np.sum(content.first == content.second))
        return tr("{n:,} pairs, {same:,} of them the same", "", len(content.first), same=same)
