"""Keyboard focus: its frame for widgets whose content would cover it, and its movement by Tab and Shift+Tab."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from qe_desktop.ui import theme


def paint_focus_frame(painter: QPainter, rect: QRect) -> None:
    """Draw a focus frame just inside a rectangle, such as that of the current cell."""
    painter.setPen(QPen(theme.current().accent, 2))
    painter.drawRect(rect.adjusted(1, 1, -1, -1))


def tabular_font(font: QFont) -> QFont:
    """Return the font with digits of equal width, so that numbers are aligned."""
    result = QFont(font)
    result.setFeature(QFont.Tag("tnum"), 1)
    return result


class FocusFrame(QWidget):
    """Overlay that frames a widget while it has the focus; transparent to mouse events and owned by the widget."""

    def __init__(self, around: QWidget) -> None:
        super().__init__(around)
        self._around = around
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        around.installEventFilter(self)
        theme.themes.theme_changed.connect(self.update)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the focus and size of the widget."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.setVisible(event.type() == QEvent.Type.FocusIn)
            self.raise_()
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.Resize):
            self.setGeometry(self._around.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the frame."""
        painter = QPainter(self)
        paint_focus_frame(painter, self.rect())
        painter.end()


class TabKey:
    """Whether a window is asked for its next control because Tab or Shift+Tab is pressed.

    Qt also asks when the control with the focus is hidden, disabled or deleted. Python must not visit the controls at
    that time: an object that refers to a control in the middle of its deletion ends the program later.
    """

    def __init__(self) -> None:
        self._is_pressed = False

    def follow(self, event: QEvent) -> None:
        """Follow the events of the window, which gets this one before the key reaches a control."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            self._is_pressed = event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)

    def take(self) -> bool:
        """Return whether the key is pressed, once for each time."""
        is_pressed, self._is_pressed = self._is_pressed, False
        return is_pressed


TAB_KEY = TabKey()
"""The Tab key of the keyboard."""


def move_focus(window: QWidget, *, forward: bool, wraps: bool = True) -> bool:
    """Move the focus to the next or previous control of a window; return False if none is left.

    With `wraps`, the first control comes after the last.
    Qt also stops at a container that passes the focus on to a control inside it, which leads back to this control
    from those that follow it. Such containers are for focus that the program sets, so that they are skipped here.
    """
    start = window.focusWidget() or window
    widget = _neighbour(start, forward)
    while widget is not None and widget is not start and (wraps or widget is not window):
        if _is_tab_stop(widget, window):
            widget.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
            return True
        widget = _neighbour(widget, forward)
    return False


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
