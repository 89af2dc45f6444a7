"""An icon by itself, in the colour of what it means."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.ui import icons, theme

MEANINGS = ("error", "warning", "info", "ok")


class Sign(QWidget):
    """`lines` of text high. `quiet` ones stand over a page, and have a colour only where something went wrong."""

    def __init__(self, name: str, lines: float = 1.0, *, quiet: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._lines = name, lines
        self._coloured = MEANINGS[:1] if quiet else MEANINGS
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.themes.theme_changed.connect(self.update)

    def show_icon(self, name: str) -> None:
        """Show another icon."""
        self._name = name
        self.update()

    def sizeHint(self) -> QSize:
        """As many lines as it was given."""
        side = round(self.fontMetrics().height() * self._lines)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it."""
        painter = QPainter(self)
        token = self._name if self._name in self._coloured else "muted"
        if self._name:
            icons.paint(painter, self._name, self.rect(), getattr(theme.current(), token))
        painter.end()
