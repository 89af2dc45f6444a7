"""What the plots share: plain axes in the theme's colours, no surprises under the mouse."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTransform
from PySide6.QtWidgets import QGraphicsView

from qe_desktop.escaping import MAX_LABEL_CHARS, escape_html, escape_label
from qe_desktop.ui import theme
from qe_desktop.ui.widgets.matrix.matrix_header import MAX_NAME_CHARS

Content = TypeVar("Content")
Ticks = Sequence[tuple[float, str]]
AXIS_PADDING, ROW_AXIS_PADDING = 0.04, 0.05
"""The share of a range that is seen beyond it; what lies further on a file would show."""
MIN_LINES = 6
"""The least height of a canvas, in lines of its text."""


class PlotBase(Generic[Content]):
    """A plot widget, made once and then drawn and restyled in place: it shows what `content` gives.

    A text that `content` gives instead is shown in the plot's place. `plot` is the plot widget, where it is one of a
    kind of its own.
    """

    def __init__(self, content: Callable[[], Content | str] = str, plot: Any = None) -> None:
        self._content = content
        self._plot: Any = pg.PlotWidget(enableMenu=False) if plot is None else plot
        # a menu that is never opened, but without an owner it would outlive the plot
        menu = self._plot.getPlotItem().ctrlMenu
        menu.setParent(self._plot, menu.windowFlags())
        self._plot.setMouseEnabled(x=False, y=False)
        self._plot.hideButtons()
        self._plot.setInteractive(False)
        # keys are for the place around it, unless a plot has something to do with them
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.setAntialiasing(True)
        self._plot.setFrameShape(QGraphicsView.Shape.NoFrame)
        # the menu belongs to the place around the plot
        self._plot.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        for axis in self._axes():
            axis.enableAutoSIPrefix(False)
            # the grid belongs behind the bars
            axis.setZValue(-1)

    @property
    def widget(self) -> QGraphicsView:
        """The plot on screen."""
        view: QGraphicsView = self._plot
        return view

    def refresh(self, font: QFont) -> str:
        """Draw what there is now; where there is nothing, say so instead."""
        content = self._content()
        if isinstance(content, str):
            return content
        self.widget.setAccessibleDescription(self._draw(content, font))
        return ""

    def finish(self) -> None:
        """Everything is drawn at once."""

    def _draw(self, content: Content, font: QFont) -> str:
        """Draw this; it gives what a screen reader says."""
        raise NotImplementedError

    def add(self, *items: Any) -> None:
        """Put items into the plot, for good."""
        for item in items:
            self._plot.addItem(item)

    def _axes(self) -> tuple[Any, Any]:
        return self._plot.getAxis("left"), self._plot.getAxis("bottom")

    def _dress(self, font: QFont) -> QFontMetrics:
        """The theme's colours and this font for ground and axes."""
        colours = theme.current()
        self._plot.setBackground(colours.surface)
        for axis in self._axes():
            axis.setPen(pg.mkPen(colours.border))
            axis.setTextPen(pg.mkPen(colours.text))
            axis.setStyle(tickFont=font, tickLength=4)
        metrics = QFontMetrics(font)
        self._plot.getAxis("bottom").setHeight(round(metrics.height() * 2.6))
        return metrics

    def _name_axis(self, name: str, title: str, font: QFont) -> None:
        size = f"{font.pointSizeF():g}pt"
        # the plotting library reads its labels as HTML
        shown = escape_html(title, MAX_LABEL_CHARS)
        self._plot.setLabel(name, shown, **{"color": theme.current().muted.name(), "font-size": size})


class RowPlot(PlotBase[Content]):
    """One row a system or rater, the first at the top, and numbers along the bottom."""

    def __init__(self, content: Callable[[], Content | str] = str, plot: Any = None) -> None:
        super().__init__(content, plot)
        self._plot.invertY(True)
        self._plot.showGrid(x=True, y=False, alpha=0.15)

    def style(self, names: Sequence[str], title: str, font: QFont) -> None:
        """Names at the side, a title below."""
        metrics = self._dress(font)
        limit = metrics.horizontalAdvance("0") * MAX_NAME_CHARS
        shown = [metrics.elidedText(escape_label(name), Qt.TextElideMode.ElideMiddle, limit) for name in names]
        side = self._plot.getAxis("left")
        side.setStyle(tickLength=0)
        side.setTicks([list(enumerate(shown))])
        side.setWidth(max([0, *map(metrics.horizontalAdvance, shown)]) + 16)
        # many systems are scrolled rather than written over each other
        self._plot.setMinimumHeight(round(metrics.height() * (1.1 * len(shown) + 3)))
        self._name_axis("bottom", title, font)

    def ticks(self, own: Ticks | None = None) -> None:
        """Write these along the bottom; without any, numbers wherever they are round."""
        self._plot.getAxis("bottom").setTicks(None if own is None else [list(own)])

    def whole_ticks(self, low: float, high: float) -> None:
        """Whole numbers only, not more than a dozen of them."""
        first, last = math.ceil(low), math.floor(high)
        step = max(1, math.ceil((last - first) / 12))
        self.ticks([(float(number), f"{number}") for number in range(first, last + 1, step)])

    def bound(self, low: float, high: float, rows: int) -> None:
        """Show this range and all rows."""
        self._plot.setRange(xRange=(low, high), yRange=(-0.6, rows - 0.4), padding=ROW_AXIS_PADDING)


class XYPlot(PlotBase[Content]):
    """Numbers along both axes."""

    def __init__(self, content: Callable[[], Content | str] = str, plot: Any = None) -> None:
        super().__init__(content, plot)
        self._plot.showGrid(x=False, y=True, alpha=0.15)

    def style(
        self, bottom: str, left: str, font: QFont, *, ticks: Ticks | None = None, side_ticks: Ticks | None = None
    ) -> None:
        """Titles along both axes; `ticks` take the place of the usual ones."""
        metrics = self._dress(font)
        for name, title, own in (("bottom", bottom, ticks), ("left", left, side_ticks)):
            self._plot.getAxis(name).setTicks(None if own is None else [list(own)])
            self._name_axis(name, title, font)
        self._plot.getAxis("left").setWidth(metrics.horizontalAdvance("0,000") + metrics.height() + 12)
        self._plot.setMinimumHeight(metrics.height() * MIN_LINES)

    def bound(self, low: float, high: float, bottom: float, top: float) -> None:
        """Show these ranges."""
        self._plot.setRange(xRange=(low, high), yRange=(bottom, top), padding=AXIS_PADDING)


class PatternBarItem(pg.BarGraphItem):  # type: ignore[misc]  # the library has no types
    """The library draws bars in their own units, in which the pattern of a file would be as large as a unit."""

    def paint(self, painter: QPainter, *arguments: Any) -> None:
        """Draw the bars; for a file in units of the page."""
        if self._exportOpts is False:
            super().paint(painter, *arguments)
            return
        to_page = painter.worldTransform()
        painter.save()
        painter.setWorldTransform(QTransform())
        painter.setPen(self._sharedPen)
        painter.setBrush(self._sharedBrush)
        for bar in self._rectarray.instances():
            painter.drawRect(to_page.mapRect(bar))
        painter.restore()
