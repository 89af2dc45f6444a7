"""Plot whose points can be selected and activated with the mouse and the keyboard. Requires pyqtgraph."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip

from qe_desktop.corpus.columns import Floats
from qe_desktop.levels.chart_model import ChartPoints
from qe_desktop.ui import theme
from qe_desktop.ui.widgets.labels import announce, plain_tooltip
from qe_desktop.ui.widgets.plots.plot_base import number_axes

MAX_POINT_DISTANCE_PX = 14.0
"""Maximum distance in pixels between the mouse pointer and the dot that it selects."""
BAR_MARGIN_PX = 4.0
"""Maximum distance in pixels beyond the end of a bar at which the mouse pointer still selects the bar."""
PAGE_DIVISOR = 10
"""Page Up and Page Down move by the number of points in a series, divided by this number."""


class PointNavigator:
    """Keyboard navigation between points, in the order of their coordinates.

    Points are identified by 0-based indices. From None, which means no point, arrow and page keys lead to the first
    point.
    """

    def __init__(self, points: ChartPoints) -> None:
        self._points = points
        self._series = np.zeros(len(points), np.int64) if points.series is None else points.series
        self._order_by_x = np.lexsort((points.y, points.x, self._series))
        self._order_by_y = np.lexsort((points.x, points.y))

    def first_point(self) -> int:
        """Return the leftmost point of the first series."""
        return int(self._order_by_x[0])

    def step_right(self, index: int | None, steps: int) -> int:
        """Return the point `steps` points to the right of `index` in its series, or to the left if `steps` is negative.

        If the series has too few points, return its last or first point.
        """
        if index is None:
            return self.first_point()
        series_points = self._order_by_x[self._series[self._order_by_x] == self._series[index]]
        return _step_index(series_points, index, steps)

    def page_right(self, index: int | None, pages: int) -> int:
        """Return the point `pages` pages to the right of `index` in its series, or to the left if `pages` is negative.

        A page is a tenth of the points of the series, but at least one point.
        """
        count = int((self._series == self._series[0 if index is None else index]).sum())
        return self.step_right(index, pages * max(1, count // PAGE_DIVISOR))

    def series_end(self, index: int | None, side: int) -> int:
        """Return the first (`side` = −1) or last (`side` = 1) point of the series that contains `index`."""
        return self.step_right(self.first_point() if index is None else index, side * len(self._points))

    def step_up(self, index: int | None, steps: int) -> int:
        """Return the point `steps` steps above `index`, or below it if `steps` is negative.

        If the points have series, a step leads to the adjacent series; the result is its point with the nearest x
        coordinate, or `index` if there is no such series. Otherwise, a step leads to the next higher or lower point,
        if any.
        """
        if index is None:
            return self.first_point()
        if self._points.series is None:
            return _step_index(self._order_by_y, index, steps)
        # the first series is above the others
        candidates = np.flatnonzero(self._series == self._series[index] - steps)
        if not len(candidates):
            return index
        return int(candidates[np.argmin(np.abs(self._points.x[candidates] - self._points.x[index]))])

    def point_at(self, x: float, y: float, width: float, height: float) -> int | None:
        """Return the point nearest to the position (`x`, `y`), or the point whose bar is there; None if none is close.

        `width` and `height` are the size of a pixel. All arguments are in the units of the axes.
        """
        points = self._points
        if not len(points):
            return None
        if points.half_width is None:
            distances: Floats = np.hypot((points.x - x) / width, (points.y - y) / height)
            index = int(np.argmin(distances))
            return index if distances[index] <= MAX_POINT_DISTANCE_PX else None
        # positions just above a bar count as on it, because low bars are hard to click
        is_hit = (np.abs(points.x - x) <= points.half_width) & (np.abs(y) <= np.abs(points.y) + BAR_MARGIN_PX * height)
        is_hit &= y * points.y >= 0
        return int(np.flatnonzero(is_hit)[0]) if is_hit.any() else None


def _step_index(order: np.ndarray, index: int, steps: int) -> int:
    position = int(np.flatnonzero(order == index)[0]) + steps
    return int(order[min(max(0, position), len(order) - 1)])


KEY = Qt.Key
_NAVIGATION_KEYS = {KEY.Key_Left, KEY.Key_Right, KEY.Key_Up, KEY.Key_Down, KEY.Key_Home, KEY.Key_End}
_NAVIGATION_KEYS |= {KEY.Key_PageUp, KEY.Key_PageDown}
_ACTIVATION_KEYS = {KEY.Key_Return, KEY.Key_Enter}


class InteractivePlotWidget(pg.PlotWidget):  # type: ignore[misc]  # the library has no types
    """Plot with keyboard navigation: arrow and page keys move between points, and Enter or a click activates a point.

    Page Up and Page Down move by a tenth of a series. The point under the mouse pointer, or else the current point,
    is marked with a ring.
    """

    described = Signal(str)
    """Emitted with the description of the indicated point; the text is empty if no point is indicated."""
    goal_requested = Signal(object)
    """Emitted with the link target of an activated point; not emitted for points without a link."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False, axisItems=number_axes())
        self._points: ChartPoints | None = None
        self._navigator: PointNavigator | None = None
        self._index: int | None = None
        self._hovered: int | None = None
        self._downwards = False
        self._ring = pg.ScatterPlotItem(pxMode=True)
        self._ring.setZValue(20)
        self.addItem(self._ring)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_points(self, points: ChartPoints | None, *, downwards: bool = False) -> None:
        """Replace the points; None removes them. `downwards` means that the vertical axis increases downwards."""
        self._points = points if points is not None and len(points) else None
        self._navigator = None if self._points is None else PointNavigator(self._points)
        self._downwards = downwards
        self._index = self._hovered = None
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if self._points is None else Qt.FocusPolicy.StrongFocus)
        self._show_indicated_point()

    @property
    def indicated_point(self) -> int | None:
        """Index of the point under the mouse pointer or, without one, of the current point; None if neither exists."""
        return self._hovered if self._hovered is not None else self._index

    def _show_indicated_point(self) -> None:
        points, index, colours = self._points, self.indicated_point, theme.current()
        self._ring.setVisible(points is not None and index is not None)
        if points is None or index is None:
            self.described.emit("")
            return
        size = QFontMetrics(self.font()).height()
        self._ring.setData(
            x=[points.x[index]], y=[points.y[index]], size=size, brush=None, pen=pg.mkPen(colours.text, width=2)
        )
        self.described.emit(points.describe(index))

    # --- keyboard

    def event(self, event: QEvent) -> bool:
        """Override shortcuts of the window for the keys that the plot handles."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._navigator is not None
        ):
            is_unmodified = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
            if is_unmodified and KEY(event.key()) in _NAVIGATION_KEYS | _ACTIVATION_KEYS | {KEY.Key_Escape}:
                event.accept()
                return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move to another point, activate the indicated point (Enter), or remove the indication (Escape)."""
        key, walk = KEY(event.key()), self._navigator
        if walk is None or key not in _NAVIGATION_KEYS | _ACTIVATION_KEYS | {KEY.Key_Escape}:
            # the base class would scroll, although there is nothing to scroll
            event.ignore()
        elif key in _ACTIVATION_KEYS:
            self._request_goal(self.indicated_point)
        elif key == KEY.Key_Escape:
            self._index = self._hovered = None
            self._show_indicated_point()
        else:
            self._index = _navigate(walk, key, self.indicated_point, -1 if self._downwards else 1)
            self._hovered = None
            self._show_indicated_point()
            if self._points is not None and self._index is not None:
                announce(self, self._points.describe(self._index))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select the first point if no point is current and the plot did not receive the focus by a mouse click."""
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason and self._navigator is not None and self._index is None:
            self._index = self._navigator.first_point()
            self._show_indicated_point()

    def _request_goal(self, index: int | None) -> None:
        goal = self._points.goal(index) if self._points is not None and index is not None else None
        if goal is not None:
            self.goal_requested.emit(goal)

    # --- mouse

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Describe the point under the mouse pointer."""
        hovered = self._point_at(event.position())
        if hovered != self._hovered:
            self._hovered = hovered
            self._show_indicated_point()
        points = self._points
        if points is not None and hovered is not None:
            QToolTip.showText(event.globalPosition().toPoint(), plain_tooltip(points.describe(hovered)), self)
            has_goal = points.goal(hovered) is not None
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if has_goal else Qt.CursorShape.ArrowCursor)
        else:
            QToolTip.hideText()
            self.viewport().unsetCursor()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the point under the mouse pointer; pyqtgraph does not receive the event."""
        self._index = self._point_at(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Activate the point that was clicked."""
        if event.button() == Qt.MouseButton.LeftButton and self._index == self._point_at(event.position()):
            self._request_goal(self._index)

    def leaveEvent(self, event: QEvent) -> None:
        """Indicate the current point when the mouse pointer leaves the plot."""
        self._hovered = None
        self._show_indicated_point()

    def _point_at(self, position: QPointF) -> int | None:
        if self._navigator is None:
            return None
        box: Any = self.getPlotItem().getViewBox()
        corner, pixel_size = box.mapSceneToView(self.mapToScene(position.toPoint())), box.viewPixelSize()
        width, height = (float(size) or 1.0 for size in np.abs(pixel_size))
        return self._navigator.point_at(float(corner.x()), float(corner.y()), width, height)

    def pixel_of(self, index: int) -> QPointF:
        """Return the position of a point in widget coordinates, in pixels."""
        assert self._points is not None
        box: Any = self.getPlotItem().getViewBox()
        where = QPointF(float(self._points.x[index]), float(self._points.y[index]))
        return QPointF(self.mapFromScene(box.mapViewToScene(where)))


def _navigate(navigator: PointNavigator, key: Qt.Key, index: int | None, upwards: int) -> int:
    if key in (KEY.Key_Left, KEY.Key_Right):
        return navigator.step_right(index, 1 if key == KEY.Key_Right else -1)
    if key in (KEY.Key_Up, KEY.Key_Down):
        return navigator.step_up(index, upwards if key == KEY.Key_Up else -upwards)
    if key in (KEY.Key_PageUp, KEY.Key_PageDown):
        return navigator.page_right(index, 1 if key == KEY.Key_PageDown else -1)
    return navigator.series_end(index, -1 if key == KEY.Key_Home else 1)
