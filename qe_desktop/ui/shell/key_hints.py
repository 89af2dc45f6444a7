"""A line that tells of a few keys."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.ui import theme
from qe_desktop.ui.actions import shown
from qe_desktop.ui.shell import keycaps


class KeyHints(QWidget):
    """Keys, each with what it brings."""

    def __init__(self, hints: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hints = hints
        self.setAccessibleName(", ".join(f"{shown(key)}: {what}" for key, what in hints))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """One line of keys."""
        return QSize(0, self.fontMetrics().height() + 10)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw each key and its meaning."""
        painter = QPainter(self)
        metrics = self.fontMetrics()
        x = 0
        for key, what in self._hints:
            keycaps.paint(painter, [key], QRect(x, 0, self.width(), self.height()), self.font(), right=False)
            x += keycaps.width([key], self.font()) + 8
            painter.setPen(theme.current().muted)
            painter.drawText(QRect(x, 0, self.width(), self.height()), Qt.AlignmentFlag.AlignVCenter, what)
            x += metrics.horizontalAdvance(what) + 24
        painter.end()
