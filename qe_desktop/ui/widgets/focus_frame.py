"""A line around what has the focus and would not show it: its content covers it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from qe_desktop.ui import theme


def paint_focus_frame(painter: QPainter, rect: QRect) -> None:
    """The frame around the cell that the keyboard is at."""
    painter.setPen(QPen(theme.current().accent, 2))
    painter.drawRect(rect.adjusted(1, 1, -1, -1))


def tabular_font(font: QFont) -> QFont:
    """The font with digits of one width, so that numbers stand under each other."""
    result = QFont(font)
    result.setFeature(QFont.Tag("tnum"), 1)
    return result


class FocusFrame(QWidget):
    """Lies over a widget, belongs to it, and is there while the widget itself has the focus; clicks go through it."""

    def __init__(self, around: QWidget) -> None:
        super().__init__(around)
        self._around = around
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()
        around.installEventFilter(self)
        theme.themes.theme_changed.connect(self.update)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow focus and size."""
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.setVisible(event.type() == QEvent.Type.FocusIn)
            self.raise_()
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.Resize):
            self.setGeometry(self._around.rect())
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line."""
        painter = QPainter(self)
        paint_focus_frame(painter, self.rect())
        painter.end()
