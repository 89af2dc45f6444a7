"""How often a rater used each value."""

from __future__ import annotations

from collections.abc import Callable

import pyqtgraph as pg
from PySide6.QtGui import QFont

from qe_desktop.ui import theme
from qe_desktop.ui.campaigns.results.pictures.contents import Histogram
from qe_desktop.ui.parts.plots import Canvas
from qe_desktop.wording import tr


class HistogramPlot(Canvas[Histogram]):
    """A bar for each bin."""

    def __init__(self, content: Callable[[], Histogram | str]) -> None:
        super().__init__(content)
        self._bars = pg.BarGraphItem(x0=[], x1=[], height=[])
        self.add(self._bars)

    def _draw(self, content: Histogram, font: QFont) -> str:
        colours = theme.current()
        left, right = content.edges[:-1], content.edges[1:]
        gap = 0.08 * (right - left)
        brush, pen = pg.mkBrush(colours.accent), pg.mkPen(colours.accent)
        self._bars.setOpts(x0=left + gap, x1=right - gap, y0=0, height=content.counts, brush=brush, pen=pen)
        self.style(content.title, content.side, font, ticks=content.ticks)
        top = max(1.0, float(content.counts.max(initial=0)))
        self.bound(float(left[0]), float(right[-1]), 0.0, top)
        said = [
            tr("{low:g} to {high:g}: {n:,}", "", int(count), low=low, high=high)
            for low, high, count in zip(left, right, content.counts, strict=True)
        ]
        return ", ".join(said)
