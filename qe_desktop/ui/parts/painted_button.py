"""Buttons that draw themselves in the colours of the theme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from qe_desktop.ui.theme import Theme, current, themes

if TYPE_CHECKING:
    _Button = QAbstractButton
else:
    # the Qt class stands beside it among the bases of a button, and Qt's classes have one line of ancestors only
    _Button = object


class Painted(_Button):
    """The first base of a button of any kind of Qt's, which then is as large as it says and draws itself."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        themes.theme_changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button as it stands."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.draw(painter, current())
        painter.end()

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the button as it stands, in these colours."""
        raise NotImplementedError

    def draw_card(self, painter: QPainter, fill: QColor | Qt.BrushStyle, line: QColor, width: float = 1.0) -> None:
        """A ground with round corners and an outline, as large as the button."""
        painter.setPen(QPen(line, width))
        painter.setBrush(fill)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), 5, 5)


class PaintedButton(Painted, QAbstractButton):
    """A click leaves the focus where the keys are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def draw_ground(self, painter: QPainter, box: QRectF) -> None:
        """The ground while it has the focus or the mouse; otherwise it has none."""
        colours = current()
        if self.hasFocus() or (self.isEnabled() and (self.underMouse() or self.isDown())):
            painter.setPen(QPen(colours.accent, 1.5) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(colours.selection if self.isDown() else colours.raised)
            painter.drawRoundedRect(box, 5, 5)
