"""What the pictures share: plain axes in the theme's colours, nothing that moves."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtGui import QFont, QFontMetrics

from qe_desktop.outgoing import LABEL, html_text
from qe_desktop.ui import theme
from qe_desktop.ui.scores.plot_frame import Frame

LEAST_LINES = 6
"""The least height of a picture, in lines of its text."""


class Rows(Frame):
    """A plot widget with one row a system or rater, and a choice of what is written along the bottom."""

    def usual_ticks(self) -> None:
        """Numbers wherever they are round."""
        self._plot.getAxis("bottom").setTicks(None)

    def whole_ticks(self, low: float, high: float) -> None:
        """Whole numbers only, not more than a dozen of them."""
        first, last = math.ceil(low), math.floor(high)
        step = max(1, math.ceil((last - first) / 12))
        self.own_ticks([(float(number), f"{number}") for number in range(first, last + 1, step)])

    def own_ticks(self, ticks: Sequence[tuple[float, str]]) -> None:
        """These."""
        self._plot.getAxis("bottom").setTicks([list(ticks)])


class Canvas(Frame):
    """A plot widget with numbers along both axes; made once and restyled in place."""

    def __init__(self) -> None:
        super().__init__()
        self._plot.invertY(False)
        side = self._plot.getAxis("left")
        side.enableAutoSIPrefix(False)
        side.setZValue(-1)
        self._plot.showGrid(x=False, y=True, alpha=0.15)

    def style_axes(
        self,
        bottom: str,
        left: str,
        font: QFont,
        *,
        ticks: Sequence[tuple[float, str]] | None = None,
        side_ticks: Sequence[tuple[float, str]] | None = None,
    ) -> None:
        """Titles along both axes; `ticks` take the place of the usual ones."""
        colours = theme.current()
        self._plot.setBackground(colours.surface)
        metrics = QFontMetrics(font)
        size = f"{font.pointSizeF():g}pt"
        for name, title, own in (("bottom", bottom, ticks), ("left", left, side_ticks)):
            axis = self._plot.getAxis(name)
            axis.setPen(pg.mkPen(colours.border))
            axis.setTextPen(pg.mkPen(colours.text))
            axis.setStyle(tickFont=font, tickLength=4)
            axis.setTicks(None if own is None else [list(own)])
            self._plot.setLabel(name, html_text(title, LABEL), **{"color": colours.muted.name(), "font-size": size})
        self._plot.getAxis("bottom").setHeight(round(metrics.height() * 2.6))
        self._plot.getAxis("left").setWidth(metrics.horizontalAdvance("0,000") + metrics.height() + 12)
        self._plot.setMinimumHeight(metrics.height() * LEAST_LINES)

    def bound_both(self, low: float, high: float, bottom: float, top: float) -> None:
        """Show these ranges."""
        self._plot.setRange(xRange=(low, high), yRange=(bottom, top), padding=0.04)
