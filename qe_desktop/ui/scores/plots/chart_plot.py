"""Bars, crosses, lines and dots on two axes, drawn; its points can be gone to."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics

from qe_desktop.levels.dot_names import kinds_of
from qe_desktop.levels.drawings import Bars, Chart, Crosses, Key, Line
from qe_desktop.ui import theme
from qe_desktop.ui.parts.key_legend import LINES, PATTERNS, colour_of
from qe_desktop.ui.parts.pattern_bars import PatternBars
from qe_desktop.ui.parts.plots import ROOM, Canvas
from qe_desktop.ui.parts.pointing import PointingView
from qe_desktop.ui.scores.pictures.dot_names import DotNames

FEW = 500
"""Up to so many dots are drawn in full; more of them let each other through."""
FAINT = 90
"""How much of its colour (of 255) a dot among many has."""
WIDE, THIN = 2, 1.3
"""Pixels of a curve, and of what says how sure a dot is."""


class ChartPlot(Canvas[Chart]):
    """Items are made once and used again: the plotting library is slow to take them away."""

    def __init__(self, content: Callable[[], Chart | str]) -> None:
        self.view = PointingView()
        super().__init__(content, self.view)
        self._bars: list[Any] = []
        self._lines: list[Any] = []
        self._crosses: list[Any] = []
        self._base = pg.PlotCurveItem()
        self._dots = pg.ScatterPlotItem()
        self._base.setZValue(2)
        self._dots.setZValue(5)
        self.add(self._base, self._dots)
        self._names = DotNames(self.view)

    def _draw(self, content: Chart, font: QFont) -> str:
        low, high, bottom, top = content.bounds
        self._draw_bars(content.bars)
        self._draw_lines(content.lines)
        self._draw_crosses(content.crosses)
        self._draw_dots(content, font)
        mirrored, room = bottom < 0 < top and bool(content.bars), ROOM * (high - low)
        # no further than can be seen: a file would show it all
        ends = [low - room, high + room] if mirrored else []
        self._base.setData(x=ends, y=[0.0] * len(ends), pen=pg.mkPen(theme.current().muted))
        ticks = _percents(bottom, top) if content.percent else [] if content.unnumbered else None
        below = _whole(low, high) if content.whole else None
        self.style(content.bottom, content.left, font, ticks=below, side_ticks=ticks)
        self.bound(low, high, bottom, top)
        self.view.show_points(content.points)
        return content.said

    def _draw_bars(self, bars: tuple[Bars, ...]) -> None:
        while len(self._bars) < len(bars):
            self._bars.append(PatternBars(x=[], height=[], width=1))
            self.add(self._bars[-1])
        for place, item in enumerate(self._bars):
            item.setVisible(place < len(bars))
            if place < len(bars):
                one, colour = bars[place], colour_of(bars[place].key)
                item.setOpts(x=one.middles, height=one.heights, width=2 * one.half,
                             brush=QBrush(colour, PATTERNS[one.key.mark]), pen=pg.mkPen(colour))  # fmt: skip

    def _draw_lines(self, lines: tuple[Line, ...]) -> None:
        while len(self._lines) < len(lines):
            self._lines.append(pg.PlotCurveItem())
            self._lines[-1].setZValue(3)
            self.add(self._lines[-1])
        for place, item in enumerate(self._lines):
            item.setVisible(place < len(lines))
            if place < len(lines):
                one = lines[place]
                item.setData(x=one.x, y=one.y, pen=_pen(one.key))

    def _draw_crosses(self, crosses: tuple[Crosses, ...]) -> None:
        while len(self._crosses) < len(crosses):
            self._crosses.append(pg.PlotCurveItem(connect="pairs", antialias=True))
            self._crosses[-1].setZValue(2)
            self.add(self._crosses[-1])
        for place, item in enumerate(self._crosses):
            item.setVisible(place < len(crosses))
            if place < len(crosses):
                x, y = crosses[place].arms()
                item.setData(x=x, y=y, connect="pairs", pen=pg.mkPen(colour_of(crosses[place].key), width=THIN))

    def _draw_dots(self, content: Chart, font: QFont) -> None:
        points, keys = content.points, content.dots
        if points is None or not keys:
            self._dots.setData(x=[], y=[])
            self._names.show_names(None, (), font, 0.0)
            return
        many = len(points) > FEW
        size = max(4.0 if many else 6.0, QFontMetrics(font).height() * (0.3 if many else 0.42))
        kinds = kinds_of(points).tolist()
        brushes, edges = ([of(key, many) for key in keys] for of in (_brush, _edge))
        self._dots.setData(
            x=points.x, y=points.y, size=size, brush=[brushes[kind] for kind in kinds],
            pen=[edges[kind] for kind in kinds],
        )  # fmt: skip
        self._names.show_names(points, content.crosses, font, size)


def _brush(key: Key, many: bool) -> Any:
    """What a dot is filled with; a ring is the ground."""
    colour = QColor(theme.current().surface if key.mark == "ring" else colour_of(key))
    if many:
        colour.setAlpha(FAINT)
    return pg.mkBrush(colour)


def _edge(key: Key, many: bool) -> Any:
    if key.mark == "ring":
        return pg.mkPen(colour_of(key), width=THIN)
    return pg.mkPen(None) if many else pg.mkPen(theme.current().surface)


def _pen(key: Key) -> Any:
    return pg.mkPen(colour_of(key), width=WIDE, style=LINES[key.mark])


def _percents(bottom: float, top: float) -> list[tuple[float, str]]:
    """Round shares on both sides of the line, as many as there is room for."""
    reach = max(-bottom, top)
    step = next(one for one in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if reach / one <= 4 or one == 0.5)
    marks = np.arange(np.ceil(bottom / step), np.floor(top / step) + 1) * step
    return [(float(mark), f"{abs(mark) * 100:.0f} %") for mark in marks]


def _whole(low: float, high: float) -> list[tuple[float, str]]:
    """Whole numbers, a dozen of them at the most."""
    first, last = math.ceil(low), math.floor(high)
    return [(float(mark), f"{mark}") for mark in range(first, last + 1, max(1, math.ceil((last - first) / 12)))]
