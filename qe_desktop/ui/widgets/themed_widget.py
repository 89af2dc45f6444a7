"""Widgets that draw themselves in the colours of the theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.theme import Theme, current, themes

if TYPE_CHECKING:
    _Widget = QWidget
else:
    # a mixin next to the Qt class, because a class can have only one Qt base class
    _Widget = object


class ThemedMixin(_Widget):
    """The first base of a widget of any kind of Qt's. `draw` paints it, also when the theme changes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        themes.theme_changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the widget."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw(painter, current())
        painter.end()

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the widget with an antialiasing painter."""
        raise NotImplementedError


class ThemedWidget(ThemedMixin, QWidget):
    """Widget that draws itself."""
