"""Focus frame for widgets whose content would cover it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPen
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
