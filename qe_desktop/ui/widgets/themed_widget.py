"""Base classes of widgets that draw themselves in the colours of the theme or arrange their contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.ui.theme import Theme, current, themes

if TYPE_CHECKING:
    _Widget = QWidget
else:
    # a mixin next to the Qt class, because a class can have only one Qt base class
    _Widget = object

GAP = 6
"""Pixels between the sample and the name of a legend entry."""


class ThemedMixin(_Widget):
    """Mixin that calls `draw` to paint a widget, also when the theme changes; list it before the Qt base class."""

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
        """Draw the widget in the given colours; antialiasing is enabled in `painter`."""
        raise NotImplementedError


class ArrangedMixin(_Widget):
    """Mixin that calls `_arrange` when the size or font of a widget changes; list it before the Qt base class."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the contents for the new size."""
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Arrange the contents for a new font."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._arrange()

    def _arrange(self) -> None:
        """Arrange the contents for the current size and font of the widget."""
        raise NotImplementedError


class ThemedWidget(ThemedMixin, QWidget):
    """Widget that draws itself in the colours of the theme."""


class LegendSwatch(ThemedWidget):
    """Legend entry of a plot or matrix: a sample of a symbol or colour, drawn by subclasses, and its name.

    A name that does not fit is elided in the middle. `token` is the theme colour of the name.
    """

    token = "text"

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = text
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_text(self, text: str) -> None:
        """Replace the name."""
        if text != self.text:
            self.text = text
            self.updateGeometry()
            self.update()

    def sign_size(self) -> QSize:
        """Return the size of the sample in pixels."""
        raise NotImplementedError

    def draw_sign(self, painter: QPainter, box: QRect, colours: Theme) -> None:
        """Draw the sample inside `box`."""
        raise NotImplementedError

    def sizeHint(self) -> QSize:
        """Return the size of the sample with the name next to it."""
        size = self.sign_size()
        return QSize(size.width() + GAP + self.fontMetrics().horizontalAdvance(self.text), size.height())

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the sample, then the name."""
        size, mirrored = self.sign_size(), self.isRightToLeft()
        left = size.width() + GAP
        box = QRect(0, 0, size.width(), size.height())
        self.draw_sign(painter, box.translated(self.width() - size.width() if mirrored else 0, 0), colours)
        painter.setPen(getattr(colours, self.token))
        text_rect = QRect(0 if mirrored else left, 0, self.width() - left, size.height())
        elided = self.fontMetrics().elidedText(self.text, Qt.TextElideMode.ElideMiddle, text_rect.width() + 1)
        painter.drawText(text_rect, Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter, elided)
