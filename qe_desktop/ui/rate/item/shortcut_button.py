"""Button that shows its shortcut."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter

from qe_desktop.ui.shell import shortcut_hints
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.buttons import ThemedButton


class ShortcutButton(ThemedButton):
    """Button with a text and a shortcut. A click does not move the focus."""

    def __init__(self, text: str, pressed: Callable[[], object]) -> None:
        super().__init__()
        self.setText(text)
        self._key = ""
        self.clicked.connect(pressed)

    def set_key(self, key: str) -> None:
        """Set the shortcut to show; empty for none."""
        self._key = key
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of the text and the shortcut, with padding."""
        metrics = self.fontMetrics()
        key = shortcut_hints.keys_width([self._key], self.font()) + 8 if self._key else 0
        return QSize(metrics.horizontalAdvance(self.text()) + key + 20, round(metrics.height() * 1.8))

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the text and the shortcut."""
        self.draw_ground(painter, self.rect().toRectF().adjusted(1, 1, -1, -1))
        colour = QColor(colours.text)
        if not self.isEnabled():
            colour.setAlphaF(0.45)
            painter.setOpacity(0.6)
        inner = self.rect().adjusted(10, 0, -10, 0)
        width = self.fontMetrics().horizontalAdvance(self.text())
        painter.setPen(colour)
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading), self.text())
        if self._key:
            mirrored = self.isRightToLeft()
            left = inner.left() if mirrored else inner.left() + width + 8
            rect = QRect(left, 0, shortcut_hints.keys_width([self._key], self.font()) + 1, self.height())
            shortcut_hints.paint_keys(painter, [self._key], rect, self.font(), right=False)
