"""A quiet button that names its key."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter

from qe_desktop.ui.parts.painted_button import PaintedButton
from qe_desktop.ui.shell import keycaps
from qe_desktop.ui.theme import Theme


class KeyButton(PaintedButton):
    """Text, and the key that does the same. A click leaves the focus where the keys are."""

    def __init__(self, text: str, pressed: Callable[[], object]) -> None:
        super().__init__()
        self.setText(text)
        self._key = ""
        self.clicked.connect(pressed)

    def set_key(self, key: str) -> None:
        """Name another key; none where there is none."""
        self._key = key
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Text and key, with room around them."""
        metrics = self.fontMetrics()
        key = keycaps.width([self._key], self.font()) + 8 if self._key else 0
        return QSize(metrics.horizontalAdvance(self.text()) + key + 20, round(metrics.height() * 1.8))

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw text and key."""
        self.draw_ground(painter, self.rect().toRectF().adjusted(1, 1, -1, -1))
        ink = QColor(colours.text)
        if not self.isEnabled():
            ink.setAlphaF(0.45)
            painter.setOpacity(0.6)
        inner = self.rect().adjusted(10, 0, -10, 0)
        width = self.fontMetrics().horizontalAdvance(self.text())
        painter.setPen(ink)
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading), self.text())
        if self._key:
            mirrored = self.isRightToLeft()
            left = inner.left() if mirrored else inner.left() + width + 8
            room = QRect(left, 0, keycaps.width([self._key], self.font()) + 1, self.height())
            keycaps.paint(painter, [self._key], room, self.font(), right=False)
