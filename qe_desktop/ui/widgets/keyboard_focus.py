"""Keyboard focus: a frame for widgets whose content hides Qt's frame, and focus movement by Tab and Shift+Tab."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from qe_desktop.ui import theme

if TYPE_CHECKING:
    _Widget = QWidget
else:
    # a mixin next to the Qt class, because a class can have only one Qt base class
    _Widget = object


def paint_focus_frame(painter: QPainter, rect: QRect) -> None:
    """Draw a focus frame just inside a rectangle, such as the rectangle of the current cell."""
    painter.setPen(QPen(theme.current().accent, 2))
    painter.drawRect(rect.adjusted(1, 1, -1, -1))


def tabular_font(font: QFont) -> QFont:
    """Return a copy of a font with digits of equal width, so that numbers are aligned."""
    result = QFont(font)
    result.setFeature(QFont.Tag("tnum"), 1)
    return result


class FocusFrame(QWidget):
    """Child widget that frames its parent while the parent has the focus; transparent to mouse events."""

    def __init__(self, container: QWidget) -> None:
        super().__init__(container)
        self._container = container
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        container.installEventFilter(self)
        theme.themes.theme_changed.connect(self.update)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the frame while the parent has the focus, and fit the frame to the size of the parent."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.setVisible(event.type() == QEvent.Type.FocusIn)
            self.raise_()
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.Resize):
            self.setGeometry(self._container.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame."""
        painter = QPainter(self)
        paint_focus_frame(painter, self.rect())
        painter.end()


class TabKey:
    """State of the Tab key: whether Qt calls `focusNextPrevChild` because Tab or Shift+Tab was pressed.

    Qt also calls it when the control with the focus is hidden, disabled or deleted. Python code must not access the
    controls at that time: a Python reference to a control that is being deleted crashes the program later.
    """

    def __init__(self) -> None:
        self._is_pressed = False

    def handle_event(self, event: QEvent) -> None:
        """Update the state from an event of a window, which receives ShortcutOverride before a control gets the key."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            self._is_pressed = event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)

    def consume(self) -> bool:
        """Return whether the last key was Tab or Shift+Tab; reset the state, so that a key is reported only once."""
        is_pressed, self._is_pressed = self._is_pressed, False
        return is_pressed


TAB_KEY = TabKey()
"""State of the Tab key, shared by all windows."""


def move_focus(window: QWidget, *, forward: bool, wraps: bool = True) -> bool:
    """Move the focus to the next or previous control of a window; return False if there is no such control.

    With `wraps`, the first control follows the last. Widgets with a focus proxy are skipped; their proxies are used
    only when the program sets the focus. Qt would stop at such a widget and pass the focus to its proxy, so that Tab
    could not leave some controls.
    """
    start = window.focusWidget() or window
    widget = _neighbour(start, forward)
    while widget is not None and widget is not start and (wraps or widget is not window):
        if _is_tab_stop(widget, window):
            widget.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
            return True
        widget = _neighbour(widget, forward)
    return False


class TabFocusMixin(_Widget):
    """Mixin for a window in which Tab and Shift+Tab call `move_focus`; list the mixin before the Qt base class."""

    def event(self, event: QEvent) -> bool:
        """Record whether Tab or Shift+Tab is pressed."""
        TAB_KEY.handle_event(event)
        return super().event(event)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Move the focus: with `move_focus` if Tab or Shift+Tab was pressed, otherwise as in Qt."""
        return move_focus(self, forward=next) if TAB_KEY.consume() else super().focusNextPrevChild(next)


def _neighbour(widget: QWidget, forward: bool) -> QWidget | None:
    return widget.nextInFocusChain() if forward else widget.previousInFocusChain()


def _is_tab_stop(widget: QWidget, window: QWidget) -> bool:
    return (
        bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        and widget.focusProxy() is None
        and widget.isEnabled()
        and widget.isVisibleTo(window)
        and widget.window() is window
    )
