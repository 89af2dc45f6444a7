"""Labels that keep their proportion to the text size of the window."""

from __future__ import annotations

import html

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from qe_desktop.ui import theme


class Label(QLabel):
    """Plain text, `scale` times as large as the window's text, in the colour of a theme's token."""

    def __init__(
        self, text: str = "", *, scale: float = 1.0, bold: bool = False, token: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._scale = scale
        self._bold = bold
        self._token = token
        self._adopt_font()
        if token:
            theme.themes.theme_changed.connect(self._adopt_colour)
            self._adopt_colour()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationFontChange:
            self._adopt_font()

    def _adopt_font(self) -> None:
        if self._scale != 1.0 or self._bold:
            self.setFont(scaled(self._scale, bold=self._bold))

    def _adopt_colour(self) -> None:
        palette = self.palette()
        palette.setColor(QPalette.ColorRole.WindowText, getattr(theme.current(), self._token))
        self.setPalette(palette)


def scaled(scale: float, *, bold: bool = False) -> QFont:
    """The window's font in another size."""
    font = QApplication.font()
    font.setPointSizeF(font.pointSizeF() * scale)
    font.setBold(bold)
    return font


def tip(text: str) -> str:
    """Text from a file as a tooltip that shows it letter for letter, tags and all."""
    return f"<span>{html.escape(text)}</span>"
