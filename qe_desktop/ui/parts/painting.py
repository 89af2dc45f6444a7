"""Small things that several delegates and headers draw alike."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QFont, QPainter, QPen

from qe_desktop.ui import theme


def focus_frame(painter: QPainter, rect: QRect) -> None:
    """The frame around the cell that the keyboard is at."""
    painter.setPen(QPen(theme.current().accent, 2))
    painter.drawRect(rect.adjusted(1, 1, -1, -1))


def tabular(font: QFont) -> QFont:
    """The font with digits of one width, so that numbers stand under each other."""
    result = QFont(font)
    result.setFeature(QFont.Tag("tnum"), 1)
    return result
