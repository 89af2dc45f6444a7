"""Base classes of plots: axes in the colours of the theme, without the mouse interaction of pyqtgraph."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTransform
from PySide6.QtWidgets import QGraphicsView

from qe_desktop.escaping import MAX_LABEL_CHARS, escape_html, escape_label
from qe_desktop.ui import theme
from qe_desktop.ui.widgets.labels import elide_names, plain_tooltip
from qe_desktop.ui.widgets.matrix_view import MAX_NAME_CHARS

Content = TypeVar("Content")
Ticks = Sequence[tuple[float, str]]
TITLE_MARGIN_PX = 8
"""Number of pixels by which an axis must be longer than its title."""
AXIS_PADDING, ROW_AXIS_PADDING = 0.04, 0.05
"""Padding at each end of an axis, relative to its range: minimum in an `XYPlot`, and fixed in a `RowPlot`.

Lines must end at the padding, because exported files also show what is beyond it.
"""
GRID_OPACITY = 0.5
"""Opacity of grid lines, which have the colour of the axes; pyqtgraph makes minor grid lines fainter."""
DOT_MARGIN_PX = 8.0
"""Minimum space in pixels beyond each end of an axis, so that dots at the limits are not cut off."""
MIN_LINES = 5
"""Minimum height of a plot in lines of text."""
AXIS_LINES = 2.3
"""Height of the bottom axis of a plot, including its title, in lines of text."""


class NumberAxis(pg.AxisItem):  # type: ignore[misc]
    """Axis with tick labels in the format of scores: without a zero before the decimal point.

    If `has_integer_ticks` is set, as for counts, the axis has no ticks between whole numbers.
    """

    has_integer_ticks = False

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list[tuple[float, list[float]]]:
        """Return the spacing and the values of the ticks of each level, from major to minor."""
        levels: list[tuple[float, list[float]]] = super().tickValues(minVal, maxVal, size)
        if not self.has_integer_ticks:
            return levels
        integer_levels = [
            (max(1.0, step), [value for value in values if float(value).is_integer()]) for step, values in levels
        ]
        return [(step, values) for step, values in integer_levels if values]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        """Return the labels of ticks."""
        return [without_leading_zero(label) for label in super().tickStrings(values, scale, spacing)]


def number_axes() -> dict[str, NumberAxis]:
    """Return new axes for a plot, keyed by their positions in pyqtgraph: “left” and “bottom”."""
    return {position: NumberAxis(position) for position in ("left", "bottom")}


def without_leading_zero(label: str) -> str:
    """Return a tick label without a zero before the decimal point, and with a minus sign instead of a hyphen.

    >>> [without_leading_zero(label) for label in ("0.25", "-0.5", "0", "0.0", "1.0")]
    ['.25', '−.5', '0', '0.0', '1.0']
    """
    sign, number = ("−", label[1:]) if label.startswith("-") else ("", label)
    return sign + (number[1:] if number.startswith("0.") and float(number) else number)


def integer_ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Return at most 13 evenly spaced whole numbers from `low` to `high` as ticks."""
    first, last = math.ceil(low), math.floor(high)
    step = max(1, math.ceil((last - first) / 12))
    return [(float(number), f"{number}") for number in range(first, last + 1, step)]


class PlotBase(Generic[Content]):
    """Base class of plots that are created once, then redrawn and restyled in place.

    `content` returns the data to draw, or a text to show instead of the plot. `plot` replaces the default plot widget.
    """

    def __init__(self, content: Callable[[], Content | str] = str, plot: Any = None) -> None:
        self._content = content
        self._plot: Any = pg.PlotWidget(enableMenu=False, axisItems=number_axes()) if plot is None else plot
        # numbers grow to the right in every language
        self._plot.getPlotItem().setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        # never opened, but without an owner the menu would outlive the plot
        menu = self._plot.getPlotItem().ctrlMenu
        menu.setParent(self._plot, menu.windowFlags())
        self._plot.setMouseEnabled(x=False, y=False)
        self._plot.hideButtons()
        self._plot.setInteractive(False)
        # keys are handled by the container, unless a plot needs them
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.setAntialiasing(True)
        self._plot.setFrameShape(QGraphicsView.Shape.NoFrame)
        # the container provides the context menu
        self._plot.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        self._titles: dict[str, tuple[str, QFont, str]] = {}
        """Maps the name of each axis to its title, the font, and the last displayed title and style as one string."""
        self._plot.getPlotItem().getViewBox().sigResized.connect(self._fit_titles)
        for axis in self._axes():
            axis.enableAutoSIPrefix(False)
            # draw the grid behind the bars
            axis.setZValue(-1)

    @property
    def widget(self) -> QGraphicsView:
        """Widget that displays the plot."""
        view: QGraphicsView = self._plot
        return view

    def refresh(self, font: QFont) -> str:
        """Draw the current content and return ``""``; if there is no content, return a text to show instead."""
        content = self._content()
        if isinstance(content, str):
            return content
        self.widget.setAccessibleDescription(self._draw(content, font))
        return ""

    def finish(self) -> None:
        """Do nothing, because plots are drawn immediately."""

    def _draw(self, content: Content, font: QFont) -> str:
        """Draw the content; return the accessible description."""
        raise NotImplementedError

    def add(self, *items: Any) -> None:
        """Add permanent items to the plot."""
        for item in items:
            self._plot.addItem(item)

    def reuse_items(self, items: list[Any], count: int, create: Callable[[], Any]) -> list[Any]:
        """Return the first `count` items and hide the others; missing items are created and added to the plot.

        Items are reused, because removing them is slow in pyqtgraph.
        """
        while len(items) < count:
            items.append(create())
            self.add(items[-1])
        for index, item in enumerate(items):
            item.setVisible(index < count)
        return items[:count]

    def _axes(self) -> tuple[Any, Any]:
        return self._plot.getAxis("left"), self._plot.getAxis("bottom")

    def _apply_theme_and_font(self, font: QFont) -> QFontMetrics:
        """Apply the theme to the background and the axes, and a font to the axes; return the metrics of the font."""
        colours = theme.current()
        self._plot.setBackground(colours.surface)
        for axis in self._axes():
            axis.setPen(pg.mkPen(colours.border))
            axis.setTextPen(pg.mkPen(colours.text))
            axis.setStyle(tickFont=font, tickLength=4)
        metrics = QFontMetrics(font)
        self._plot.getAxis("bottom").setHeight(round(metrics.height() * AXIS_LINES))
        return metrics

    def _name_axis(self, name: str, title: str, font: QFont) -> None:
        self._titles[name] = title, font, ""
        self._fit_title(name)

    def _fit_titles(self, *_: object) -> None:
        for name in self._titles:
            self._fit_title(name)

    def _fit_title(self, name: str) -> None:
        """Show the title of an axis. If the left axis is shorter than its title, show the title above the plot.

        A title that still does not fit is elided, because pyqtgraph would cut off both of its ends.
        """
        title, font, before = self._titles[name]
        box = self._plot.getPlotItem().getViewBox()
        length = int(box.height() if name == "left" else box.width()) - TITLE_MARGIN_PX
        metrics = QFontMetrics(font)
        # the title may be written before the plot has a size
        unsized = box.width() < metrics.height() * 3 or length < metrics.height()
        is_above = name == "left" and not unsized and metrics.horizontalAdvance(title) > length
        if is_above:
            length = int(box.width()) - TITLE_MARGIN_PX
        elided = title if unsized else metrics.elidedText(title, Qt.TextElideMode.ElideMiddle, length)
        style = {"color": theme.current().muted.name(), "font-size": f"{font.pointSizeF():g}pt"}
        if (now := f"{elided}{style}{is_above}") != before:
            self._titles[name] = title, font, now
            # the plotting library reads its labels as HTML
            text = escape_html(elided, MAX_LABEL_CHARS)
            self._plot.setLabel(name, "" if is_above else text, **style)
            self._plot.getAxis(name).setToolTip("" if elided == title else plain_tooltip(title))
            # pyqtgraph centres a title only when its axis is resized
            self._plot.getAxis(name).resizeEvent()
            if name == "left":
                self._show_above(text if is_above else "", style, metrics.height())

    def _show_above(self, text: str, style: Mapping[str, str], height: int) -> None:
        """Show `text`, the title of the left axis as HTML, above the plot; an empty text removes the title."""
        item = self._plot.getPlotItem()
        item.setTitle(text or None, color=style["color"], size=style["font-size"], justify="left")
        if text:
            # pyqtgraph reserves 30 pixels
            item.titleLabel.setMaximumHeight(height)
            item.layout.setRowFixedHeight(0, height)


class RowPlot(PlotBase[Content]):
    """Plot with one row per system or rater from top to bottom, and a numeric axis at the bottom."""

    def __init__(self, content: Callable[[], Content | str] = str, plot: Any = None) -> None:
        super().__init__(content, plot)
        self._plot.invertY(True)
        self._plot.showGrid(x=True, y=False, alpha=GRID_OPACITY)
        self._rows = 0
        self._aligned: tuple[int, int] | None = None

    def set_names_and_title(self, names: Sequence[str], title: str, font: QFont) -> None:
        """Set the names of the rows and the title of the bottom axis."""
        metrics = self._apply_theme_and_font(font)
        limit = metrics.horizontalAdvance("0") * MAX_NAME_CHARS
        escaped = [escape_label(name) for name in names]
        elided = elide_names(escaped, metrics, limit)
        labels = [elided[name] for name in escaped]
        side = self._plot.getAxis("left")
        side.setStyle(tickLength=0)
        side.setTicks([list(enumerate(labels))])
        side.setWidth(max([0, *map(metrics.horizontalAdvance, labels)]) + 16)
        # many systems are scrolled rather than drawn over each other
        self._plot.setMinimumHeight(round(metrics.height() * (len(labels) + AXIS_LINES)) + 2)
        self._name_axis("bottom", title, font)

    def set_ticks(self, ticks: Ticks | None = None) -> None:
        """Set the ticks of the bottom axis; None restores automatic ticks."""
        self._plot.getAxis("bottom").setTicks(None if ticks is None else [list(ticks)])

    def set_range(self, low: float, high: float, rows: int) -> None:
        """Set the range of values from `low` to `high` and the number of rows; show all rows."""
        self._rows = rows
        self._plot.setRange(xRange=(low, high), yRange=(-0.6, rows - 0.4), padding=ROW_AXIS_PADDING)
        self._align()

    def align_rows(self, aligned: tuple[int, int] | None) -> None:
        """Align the rows of the plot with the rows of another view.

        `aligned` consists of the offset of the first row from the top of the plot, and the row height, in pixels. If
        `aligned` is None, or if the aligned rows do not fit, the rows fill the plot.
        """
        # the plot may have a different height, even if the rows have not moved
        self._aligned = aligned
        self._align()

    def _align(self) -> None:
        top = bottom = 1
        if self._aligned is not None and self._rows:
            offset, height = self._aligned
            remaining = self.widget.height() - offset - self._rows * height - self._plot.getAxis("bottom").height()
            if offset >= 0 and remaining >= 0:
                top, bottom = offset, round(remaining)
                self._plot.setRange(yRange=(-0.5, self._rows - 0.5), padding=0)
        if (top, bottom) == (1, 1) and self._rows:
            self._plot.setRange(yRange=(-0.6, self._rows - 0.4), padding=ROW_AXIS_PADDING)
        self._plot.getPlotItem().layout.setContentsMargins(1, top, 1, bottom)


class XYPlot(PlotBase[Content]):
    """Plot with two numeric axes."""

    def __init__(self, content: Callable[[], Content | str] = str, plot: Any = None) -> None:
        super().__init__(content, plot)
        self._plot.showGrid(x=False, y=True, alpha=GRID_OPACITY)
        self._bounds = (0.0, 1.0), (0.0, 1.0)
        self._side_margin_px = DOT_MARGIN_PX
        self._plot.getPlotItem().getViewBox().sigResized.connect(self._pad)

    def set_axis_titles(
        self, bottom: str, left: str, font: QFont, *, ticks: Ticks | None = None, side_ticks: Ticks | None = None
    ) -> None:
        """Set the titles of both axes; `ticks` (bottom) and `side_ticks` (left) replace automatic ticks."""
        metrics = self._apply_theme_and_font(font)
        for name, title, axis_ticks in (("bottom", bottom, ticks), ("left", left, side_ticks)):
            self._plot.getAxis(name).setTicks(None if axis_ticks is None else [list(axis_ticks)])
            self._name_axis(name, title, font)
        self._plot.getAxis("left").setWidth(metrics.horizontalAdvance("0,000") + metrics.height() + 12)
        # pyqtgraph hides labels that extend beyond the axis, such as the label of the limit 1.0
        self._side_margin_px = max(DOT_MARGIN_PX, metrics.horizontalAdvance("0.0") / 2 + 2)
        self._plot.setMinimumHeight(metrics.height() * MIN_LINES)

    def set_ranges(self, low: float, high: float, bottom: float, top: float) -> None:
        """Set the range of the horizontal axis (`low`, `high`) and of the vertical axis (`bottom`, `top`)."""
        self._bounds = (low, high), (bottom, top)
        self._pad()

    def _pad(self, *_: object) -> None:
        """Leave space around the ranges, even in a small plot, so that dots and labels at the ends are not clipped."""
        box = self._plot.getPlotItem().getViewBox()
        sizes = (self._side_margin_px, box.width()), (DOT_MARGIN_PX, box.height())
        x_padding, y_padding = (max(AXIS_PADDING, min(0.5, margin / max(1.0, size))) for margin, size in sizes)
        self._plot.setRange(xRange=self._bounds[0], padding=x_padding)
        self._plot.setRange(yRange=self._bounds[1], padding=y_padding)


class PatternBarItem(pg.BarGraphItem):  # type: ignore[misc]  # the library has no types
    """Bar item whose fill patterns are not scaled in exported files; pyqtgraph would scale them with the bars."""

    def paint(self, painter: QPainter, *arguments: Any) -> None:
        """Draw the bars. In exported files, use page coordinates, so that the fill patterns are not scaled."""
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
