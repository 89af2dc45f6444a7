"""Small things that several delegates and headers draw alike."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from qe_desktop.ui import theme


def mixed(one: QColor, other: QColor, share: float) -> QColor:
    """`one` with a `share` (0..1) of `other`."""

    def part(a: int, b: int) -> int:
        return round(a + (b - a) * min(1.0, max(0.0, share)))

    return QColor(part(one.red(), other.red()), part(one.green(), other.green()), part(one.blue(), other.blue()))


def focus_frame(painter: QPainter, rect: QRect) -> None:
    """The frame around the cell that the keyboard is at."""
    painter.setPen(QPen(theme.current().accent, 2))
    painter.drawRect(rect.adjusted(1, 1, -1, -1))


def tabular(font: QFont) -> QFont:
    """The font with digits of one width, so that numbers stand under each other."""
    result = QFont(font)
    result.setFeature(QFont.Tag("tnum"), 1)
    return result
