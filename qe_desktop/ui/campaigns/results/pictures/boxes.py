"""How the values of each system spread: a line from p10 to p90, a box around the middle half, a tick at the median."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QFont

from qe_desktop.ui import theme
from qe_desktop.ui.campaigns.results.pictures.contents import Boxes
from qe_desktop.ui.parts.plots import RowsPlot
from qe_desktop.wording import tr

THICK = 0.5


class BoxesPlot(RowsPlot[Boxes]):
    """Lines, boxes and ticks, one a system."""

    def __init__(self, content: Callable[[], Boxes | str]) -> None:
        super().__init__(content)
        self._lines = pg.PlotCurveItem(connect="pairs")
        self._boxes = pg.BarGraphItem(x0=[], y=[], width=[], height=THICK)
        self._medians = pg.PlotCurveItem(connect="pairs")
        self.add(self._lines, self._boxes, self._medians)

    def _draw(self, content: Boxes, font: QFont) -> str:
        colours, rows = theme.current(), np.arange(len(content.names), dtype=float)
        p10, p25, median, p75, p90 = content.quantiles.T
        ends, line = np.stack([p10, p90], 1).ravel(), pg.mkPen(colours.accent, width=2)
        self._lines.setData(x=ends, y=np.repeat(rows, 2), connect="pairs", pen=line)
        brush, pen = pg.mkBrush(colours.ok_fill), pg.mkPen(colours.accent)
        self._boxes.setOpts(x0=p25, y=rows, width=p75 - p25, height=THICK, brush=brush, pen=pen)
        upright = np.stack([rows - THICK / 2, rows + THICK / 2], 1).ravel()
        middle = pg.mkPen(colours.text, width=3)
        self._medians.setData(x=np.repeat(median, 2), y=upright, connect="pairs", pen=middle)
        self.style(content.names, content.title, font)
        self.ticks()
        self.bound(*content.bounds, len(content.names))
        said = [
            tr(
                "{system}: median {median:.4g}, the middle half from {low:.4g} to {high:.4g}",
                system=name, median=row[2], low=row[1], high=row[3],
            )
            for name, row in zip(content.names, content.quantiles, strict=True)
        ]  # fmt: skip
        return ". ".join(said)
