"""What the plots share: systems down the side, numbers along the bottom, no surprises under the mouse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QGraphicsView

from qe_desktop.outgoing import LABEL, html_text, label
from qe_desktop.ui import theme
from qe_desktop.ui.parts.grid_header import LONGEST, shortened

ROW = 1.0


class Frame:
    """A plot widget with one row a system, the first at the top; made once and restyled in place."""

    def __init__(self) -> None:
        self._plot: Any = pg.PlotWidget(enableMenu=False)
        # a menu that nobody opens, but without an owner it would outlive the plot
        menu = self._plot.getPlotItem().ctrlMenu
        menu.setParent(self._plot, menu.windowFlags())
        self._plot.setMouseEnabled(x=False, y=False)
        self._plot.hideButtons()
        self._plot.setInteractive(False)
        self._plot.setAntialiasing(True)
        self._plot.setFrameShape(QGraphicsView.Shape.NoFrame)
        # the menu belongs to the place around the plot
        self._plot.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._plot.invertY(True)
        self._plot.getAxis("bottom").enableAutoSIPrefix(False)
        # the grid belongs behind the bars
        self._plot.getAxis("bottom").setZValue(-1)
        self._plot.showGrid(x=True, y=False, alpha=0.15)

    @property
    def widget(self) -> QGraphicsView:
        """The plot on screen."""
        view: QGraphicsView = self._plot
        return view

    def add(self, item: Any) -> None:
        """Put an item into the plot, for good."""
        self._plot.addItem(item)

    def style(self, names: Sequence[str], title: str, font: QFont) -> None:
        """Names at the side, a title below, all in the theme's colours."""
        colours = theme.current()
        self._plot.setBackground(colours.surface)
        metrics = QFontMetrics(font)
        limit = metrics.averageCharWidth() * LONGEST
        shown = [shortened(label(name), metrics, limit) for name in names]
        side, bottom = self._plot.getAxis("left"), self._plot.getAxis("bottom")
        for axis in (side, bottom):
            axis.setPen(pg.mkPen(colours.border))
            axis.setTextPen(pg.mkPen(colours.text))
            axis.setStyle(tickFont=font, tickLength=0 if axis is side else 4)
        side.setTicks([[(place * ROW, name) for place, name in enumerate(shown)]])
        side.setWidth(max([0, *map(metrics.horizontalAdvance, shown)]) + 16)
        bottom.setHeight(round(metrics.height() * 2.6))
        # many systems are scrolled rather than written over each other
        self._plot.setMinimumHeight(round(metrics.height() * (1.1 * len(shown) + 3)))
        size = f"{font.pointSizeF():g}pt"
        # the plotting library reads its labels as HTML
        self._plot.setLabel("bottom", html_text(title, LABEL), **{"color": colours.muted.name(), "font-size": size})

    def bound(self, low: float, high: float, rows: int) -> None:
        """Show this range and all rows."""
        self._plot.setRange(xRange=(low, high), yRange=(-0.6 * ROW, (rows - 0.4) * ROW), padding=0.05)
