"""A plot whose points can be pointed at, walked along and gone to. It needs the plotting library."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip

from qe_desktop.levels.drawings import Points
from qe_desktop.ui import theme
from qe_desktop.ui.parts.announcing import announce
from qe_desktop.ui.parts.labels import tip
from qe_desktop.ui.parts.walking import Walk

KEY = Qt.Key
_WALKING = {KEY.Key_Left, KEY.Key_Right, KEY.Key_Up, KEY.Key_Down, KEY.Key_Home, KEY.Key_End}
_WALKING |= {KEY.Key_PageUp, KEY.Key_PageDown}
_GOING = {KEY.Key_Return, KEY.Key_Enter}


class PointingView(pg.PlotWidget):  # type: ignore[misc]  # the library has no types
    """Arrows walk from point to point, Page Up and Page Down a tenth of the way, Enter and a click go where it leads.

    The point under the mouse, or that the keyboard is at, has a ring around it.
    """

    said = Signal(str)
    """What the point says that is pointed at; nothing where there is none."""
    wanted = Signal(object)
    """The `Goal` that a person wants to see."""

    def __init__(self) -> None:
        super().__init__(enableMenu=False)
        self._points: Points | None = None
        self._walk: Walk | None = None
        self._place: int | None = None
        self._under: int | None = None
        self._downwards = False
        self._ring = pg.ScatterPlotItem(pxMode=True)
        self._ring.setZValue(20)
        self.addItem(self._ring)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def show_points(self, points: Points | None, *, downwards: bool = False) -> None:
        """Point at other points; `downwards`: the second axis counts from the top."""
        self._points = points if points is not None and len(points) else None
        self._walk = None if self._points is None else Walk(self._points)
        self._downwards = downwards
        self._place = self._under = None
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus if self._points is None else Qt.FocusPolicy.StrongFocus)
        self._tell()

    @property
    def place(self) -> int | None:
        """The point that is pointed at, by the mouse or else by the keyboard."""
        return self._under if self._under is not None else self._place

    def _tell(self) -> None:
        points, place, colours = self._points, self.place, theme.current()
        self._ring.setVisible(points is not None and place is not None)
        if points is None or place is None:
            self.said.emit("")
            return
        size = QFontMetrics(self.font()).height()
        self._ring.setData(
            x=[points.x[place]], y=[points.y[place]], size=size, brush=None, pen=pg.mkPen(colours.text, width=2)
        )
        self.said.emit(points.say(place))

    # --- keyboard

    def event(self, event: QEvent) -> bool:
        """Take the keys that walk here before they are shortcuts of the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._walk is not None:
            plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
            if plain and KEY(event.key()) in _WALKING | _GOING | {KEY.Key_Escape}:
                event.accept()
                return True
        return bool(super().event(event))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk, go, or point at nothing."""
        key, walk = KEY(event.key()), self._walk
        if walk is None or key not in _WALKING | _GOING | {KEY.Key_Escape}:
            # the view would scroll, where there is nothing to scroll
            event.ignore()
        elif key in _GOING:
            self._go(self.place)
        elif key == KEY.Key_Escape:
            self._place = self._under = None
            self._tell()
        else:
            self._place = _walked(walk, key, self.place, -1 if self._downwards else 1)
            self._under = None
            self._tell()
            if self._points is not None and self._place is not None:
                announce(self, self._points.say(self._place))

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Whoever comes by keyboard stands at the first point."""
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason and self._walk is not None and self._place is None:
            self._place = self._walk.first()
            self._tell()

    def _go(self, place: int | None) -> None:
        goal = self._points.goal(place) if self._points is not None and place is not None else None
        if goal is not None:
            self.wanted.emit(goal)

    # --- mouse

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what is under the mouse."""
        under = self._at(event.position())
        if under != self._under:
            self._under = under
            self._tell()
        points = self._points
        if points is not None and under is not None:
            QToolTip.showText(event.globalPosition().toPoint(), tip(points.say(under)), self)
            goes = points.goal(under) is not None
            self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if goes else Qt.CursorShape.ArrowCursor)
        else:
            QToolTip.hideText()
            self.viewport().unsetCursor()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Stand where it is pressed; the plotting library need not know."""
        self._place = self._at(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Go where it leads what was clicked."""
        if event.button() == Qt.MouseButton.LeftButton and self._place == self._at(event.position()):
            self._go(self._place)

    def leaveEvent(self, event: QEvent) -> None:
        """Back to where the keyboard is."""
        self._under = None
        self._tell()

    def _at(self, position: QPointF) -> int | None:
        if self._walk is None:
            return None
        box: Any = self.getPlotItem().getViewBox()
        corner, room = box.mapSceneToView(self.mapToScene(position.toPoint())), box.viewPixelSize()
        width, height = (float(size) or 1.0 for size in np.abs(room))
        return self._walk.at(float(corner.x()), float(corner.y()), width, height)

    def pixel_of(self, place: int) -> QPointF:
        """Where a point is in the widget."""
        assert self._points is not None
        box: Any = self.getPlotItem().getViewBox()
        where = QPointF(float(self._points.x[place]), float(self._points.y[place]))
        return QPointF(self.mapFromScene(box.mapViewToScene(where)))


def _walked(walk: Walk, key: Qt.Key, place: int | None, upwards: int) -> int:
    if key in (KEY.Key_Left, KEY.Key_Right):
        return walk.along(place, 1 if key == KEY.Key_Right else -1)
    if key in (KEY.Key_Up, KEY.Key_Down):
        return walk.up(place, upwards if key == KEY.Key_Up else -upwards)
    if key in (KEY.Key_PageUp, KEY.Key_PageDown):
        return walk.page(place, 1 if key == KEY.Key_PageDown else -1)
    return walk.end(place, -1 if key == KEY.Key_Home else 1)
