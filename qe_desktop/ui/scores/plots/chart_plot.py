"""Plots of charts: bars, error bars, lines and dots on two axes, and heat maps."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QModelIndex, QObject, QPointF, QSize, Signal
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QFontMetricsF
from PySide6.QtWidgets import QGraphicsItem, QGraphicsSimpleTextItem, QWidget

from qe_desktop.corpus.columns import Floats
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import (
    MAX_DOT_LABELS,
    AxisChart,
    ChartBars,
    ChartLine,
    ChartPoints,
    ErrorBars,
    HeatMap,
    LegendKey,
    PairGoal,
    dot_keys,
    place_dot_labels,
)
from qe_desktop.ui import theme
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.widgets.legends import LINES, PATTERNS, key_colour
from qe_desktop.ui.widgets.matrix_model import AbstractMatrixModel, MatrixCell
from qe_desktop.ui.widgets.matrix_painter import MatrixPainter
from qe_desktop.ui.widgets.matrix_view import MatrixTableView
from qe_desktop.ui.widgets.plots.interactive_plot import InteractivePlotWidget
from qe_desktop.ui.widgets.plots.plot_base import AXIS_PADDING, PatternBarItem, XYPlot, integer_ticks

LINE_PIECES = 64
"""Number of pieces into which a straight line is divided when labels are placed."""
LINE_MARGIN = 0.5
"""Margin around lines when labels are placed, in pixels on each side."""


class PointLabels:
    """Labels of the points of a plot; their graphics items are reused."""

    def __init__(self, plot: Any) -> None:
        self._box: Any = plot.getPlotItem().getViewBox()
        self._items: list[QGraphicsSimpleTextItem] = []
        self._points: ChartPoints | None = None
        self._crosses: Sequence[ErrorBars] = ()
        self._lines: Sequence[ChartLine] = ()
        self._radius = 0.0
        self._box.sigResized.connect(self._lay_out)
        self._box.sigRangeChanged.connect(self._lay_out)

    def show_names(
        self,
        points: ChartPoints | None,
        crosses: Sequence[ErrorBars],
        lines: Sequence[ChartLine],
        font: QFont,
        size: float,
    ) -> None:
        """Label the first `MAX_DOT_LABELS` points; if `points` is None, remove all labels.

        Dots are `size` pixels wide. If possible, labels avoid the error bars (`crosses`) and the straight lines among
        `lines`. A label is hidden if there is no room for it next to its dot.
        """
        self._points, self._crosses, self._lines, self._radius = points, crosses, lines, size / 2
        names = [] if points is None else [escape_label(name) for name in points.labels[:MAX_DOT_LABELS]]
        while len(self._items) < len(names):
            item = QGraphicsSimpleTextItem()
            # text size does not depend on the plot's units
            item.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
            item.setZValue(6)
            self._box.addItem(item, ignoreBounds=True)
            self._items.append(item)
        for item, name in zip(self._items, names, strict=False):
            item.setText(name)
            item.setFont(font)
            item.setBrush(pg.mkBrush(theme.current().text))
        for item in self._items[len(names) :]:
            item.setText("")
        self._lay_out()

    def _lay_out(self, *changed: object) -> None:
        points = self._points
        if points is None or not points.labels:
            return
        named = [item for item in self._items if item.text()][: len(points.labels)]
        metrics = QFontMetricsF(named[0].font()) if named else QFontMetricsF(QFont())
        widths = [metrics.horizontalAdvance(item.text()) for item in named]
        x, y = self._pixels(points.x, points.y)
        arms = [_boxes(*self._pixels(*cross.bar_ends())) for cross in self._crosses]
        arms += [_boxes(*_pieces(*self._pixels(line.x, line.y))) for line in self._lines if len(line.x) == 2]
        corners = place_dot_labels(
            x, y, widths, metrics.height(), (self._box.width(), self._box.height()), self._radius,
            np.concatenate(arms) if arms else None,
        )  # fmt: skip
        for item, corner in zip(named, corners, strict=True):
            item.setVisible(corner is not None)
            if corner is not None:
                item.setPos(self._box.mapToView(QPointF(*corner)))

    def _pixels(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """Return plot coordinates x and y converted to pixels from the top left corner of the view box."""
        (low, high), (bottom, top) = self._box.viewRange()
        return (x - low) / (high - low) * self._box.width(), (top - y) / (top - bottom) * self._box.height()


def _boxes(x: Floats, y: Floats) -> Floats:
    """Return the bounding boxes (left, top, right, bottom) of lines, enlarged by `LINE_MARGIN`, shape (lines, 4).

    The points at indices 2i and 2i + 1 are the ends of line i.
    """
    ends = np.stack([x, y], axis=1).reshape(-1, 2, 2)
    return np.concatenate([ends.min(axis=1) - LINE_MARGIN, ends.max(axis=1) + LINE_MARGIN], axis=1)


def _pieces(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return the x and y coordinates of the ends of equal pieces of a line, each of shape (2 × `LINE_PIECES`,).

    The bounding boxes of short pieces cover little more than the line, so that labels can be close to it.
    """
    share = np.repeat(np.linspace(0.0, 1.0, LINE_PIECES + 1), 2)[1:-1]
    return x[0] + share * (x[1] - x[0]), y[0] + share * (y[1] - y[0])


MAX_OPAQUE_POINTS = 500
"""Maximum number of dots that are drawn opaque; if there are more, all dots are translucent."""
FAINT_ALPHA = 90
"""Alpha value (0–255) of translucent dots."""
CURVE_WIDTH_PX, INTERVAL_WIDTH_PX = 2, 1.3
"""Line widths of curves and error bars, in pixels."""


class ChartPlot(XYPlot[AxisChart]):
    """Plot of an `AxisChart`."""

    def __init__(self, content: Callable[[], AxisChart | str]) -> None:
        self.view = InteractivePlotWidget()
        super().__init__(content, self.view)
        self._bars: list[Any] = []
        self._lines: list[Any] = []
        self._crosses: list[Any] = []
        self._base = pg.PlotCurveItem()
        self._dots = pg.ScatterPlotItem()
        self._base.setZValue(2)
        self._dots.setZValue(5)
        self.add(self._base, self._dots)
        self._names = PointLabels(self.view)

    def _draw(self, content: AxisChart, font: QFont) -> str:
        low, high, bottom, top = content.bounds
        self._draw_bars(content.bars)
        self._draw_lines(content.lines)
        self._draw_crosses(content.error_bars)
        self._draw_dots(content, font)
        mirrored, padding = bottom < 0 < top and bool(content.bars), AXIS_PADDING * (high - low)
        # the line ends at the visible range, because exported files also show what is beyond it
        ends = [low - padding, high + padding] if mirrored else []
        self._base.setData(x=ends, y=[0.0] * len(ends), pen=pg.mkPen(theme.current().muted))
        ticks = _percents(bottom, top) if content.is_percent else [] if content.hides_y_ticks else None
        below = integer_ticks(low, high) if content.has_integer_x else list(content.x_ticks) or None
        self.set_axis_titles(content.x_label, content.y_label, font, ticks=below, side_ticks=ticks)
        self.set_ranges(low, high, bottom, top)
        self.view.show_points(content.points)
        return content.description

    def _draw_bars(self, bars: tuple[ChartBars, ...]) -> None:
        items = self.reuse_items(self._bars, len(bars), lambda: PatternBarItem(x=[], height=[], width=1))
        for item, bar in zip(items, bars, strict=True):
            colour = key_colour(bar.key)
            item.setOpts(
                x=bar.middles, height=bar.heights, width=2 * bar.half_width, brush=QBrush(colour,
                PATTERNS[bar.key.mark]),
                pen=pg.mkPen(colour),
            )  # fmt: skip

    def _draw_lines(self, lines: tuple[ChartLine, ...]) -> None:
        items = self.reuse_items(self._lines, len(lines), pg.PlotCurveItem)
        for item, line in zip(items, lines, strict=True):
            item.setZValue(3)
            item.setData(x=line.x, y=line.y, pen=_pen(line.key))

    def _draw_crosses(self, crosses: tuple[ErrorBars, ...]) -> None:
        items = self.reuse_items(self._crosses, len(crosses), lambda: pg.PlotCurveItem(connect="pairs", antialias=True))
        for item, cross in zip(items, crosses, strict=True):
            x, y = cross.bar_ends()
            item.setZValue(2)
            item.setData(x=x, y=y, connect="pairs", pen=pg.mkPen(key_colour(cross.key), width=INTERVAL_WIDTH_PX))

    def _draw_dots(self, content: AxisChart, font: QFont) -> None:
        points, keys = content.points, content.dots
        if points is None or not keys:
            self._dots.setData(x=[], y=[])
            self._names.show_names(None, (), (), font, 0.0)
            return
        is_dense = len(points) > MAX_OPAQUE_POINTS
        size = max(4.0 if is_dense else 6.0, QFontMetrics(font).height() * (0.3 if is_dense else 0.42))
        kinds = dot_keys(points).tolist()
        brushes, edges = ([of(key, is_dense) for key in keys] for of in (_brush, _edge))
        self._dots.setData(
            x=points.x, y=points.y, size=size, brush=[brushes[kind] for kind in kinds],
            pen=[edges[kind] for kind in kinds],
        )  # fmt: skip
        self._names.show_names(points, content.error_bars, content.lines, font, size)


def _brush(key: LegendKey, is_dense: bool) -> Any:
    """Return the fill of a dot; rings are filled with the background colour."""
    colour = QColor(theme.current().surface if key.mark == "ring" else key_colour(key))
    if is_dense:
        colour.setAlpha(FAINT_ALPHA)
    return pg.mkBrush(colour)


def _edge(key: LegendKey, is_dense: bool) -> Any:
    if key.mark == "ring":
        return pg.mkPen(key_colour(key), width=INTERVAL_WIDTH_PX)
    return pg.mkPen(None) if is_dense else pg.mkPen(theme.current().surface)


def _pen(key: LegendKey) -> Any:
    return pg.mkPen(key_colour(key), width=CURVE_WIDTH_PX, style=LINES[key.mark])


def _percents(bottom: float, top: float) -> list[tuple[float, str]]:
    """Return positions and labels of ticks at round percentages; labels of negative values have no minus sign."""
    max_value = max(-bottom, top)
    step = next(
        candidate for candidate in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if max_value / candidate <= 4 or candidate == 0.5
    )
    marks = np.arange(np.ceil(bottom / step), np.floor(top / step) + 1) * step
    return [(float(mark), f"{abs(mark) * 100:.0f} %") for mark in marks]


DECIMALS = 2
"""Number of decimals of the value in a cell; the description of the cell may have more."""
MAX_LINES = 30
"""Upper limit of the minimum height of a heat map, in lines of text."""


class HeatMapModel(AbstractMatrixModel):
    """Model of a `HeatMap`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.heat: HeatMap | None = None

    def show_heat(self, heat: HeatMap) -> None:
        """Show another heat map."""
        self.heat = heat
        self.show_names(heat.names)

    def _cell(self, row: int, column: int) -> MatrixCell:
        if self.heat is None:
            return MatrixCell("", "")
        value = float(self.heat.values[row, column])
        return MatrixCell(format_score(value, DECIMALS), "", scaled_value=None if math.isnan(value) else value)

    def _exact_value(self, row: int, column: int) -> float | None:
        return None if self.heat is None else float(self.heat.values[row, column])

    def _corner(self) -> str:
        return "system"

    def _sentence(self, row: int, column: int) -> str:
        return "" if self.heat is None else self.heat.describe(row, column)

    def _header_tooltip(self, index: int) -> str:
        return self._sentence(index, index)


class HeatMapPainter(MatrixPainter):
    """Painter of narrow cells that contain only numbers."""

    def full_size(self, metrics: QFontMetrics) -> QSize:
        """Return the smallest size of a cell in which a number fits."""
        return QSize(metrics.horizontalAdvance(format_score(-0.88, DECIMALS)), metrics.height() + 1)

    def line_size(self, metrics: QFontMetrics) -> QSize:
        """Return the same size as `full_size`, because cells contain no symbols."""
        return self.full_size(metrics)


class HeatMapView(MatrixTableView):
    """View of a heat map; Enter or a double click requests the segments behind the difference between two systems."""

    goal_requested = Signal(object)
    """`PairGoal` of the cell that was double-clicked or on which Enter was pressed."""

    def __init__(self, content: Callable[[], HeatMap | str], parent: QWidget | None = None) -> None:
        self._content = content
        self.heat = HeatMapModel()
        super().__init__(self.heat, tr("Correlation matrix"), parent)
        self._painter = HeatMapPainter()
        for signal in (self.doubleClicked, self.cell_activated):
            signal.connect(self._request_pair)

    @property
    def widget(self) -> QWidget:
        """Widget that displays the heat map: the view itself."""
        return self

    def refresh(self, font: QFont) -> str:
        """Show the current content and return an empty string; without content, return a text to show instead."""
        content = self._content()
        if isinstance(content, str):
            return content
        self.heat.show_heat(content)
        line, cell = self.fontMetrics().height(), self._painter.full_size(self.fontMetrics())
        needed = self.names_width() + len(content.names) * cell.height() + 8
        self.setMinimumHeight(min(needed, line * MAX_LINES))
        self.fit()
        return ""

    def finish(self) -> None:
        """Do nothing, because the matrix is drawn immediately."""

    def _request_pair(self, index: QModelIndex) -> None:
        heat = self.heat.heat
        if heat is not None and index.isValid() and index.row() != index.column():
            self.goal_requested.emit(PairGoal(heat.subjects[index.row()], heat.subjects[index.column()]))
