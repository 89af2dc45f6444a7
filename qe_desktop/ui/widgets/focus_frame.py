"""A line around what has the focus and would not show it: its content covers it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.ui import theme
from qe_desktop.ui.parts.painting import focus_frame


class FocusLine(QWidget):
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
        focus_frame(painter, self.rect())
        painter.end()
