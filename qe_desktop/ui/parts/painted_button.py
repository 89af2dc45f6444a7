"""A button that draws itself in the colours of the theme."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from qe_desktop.ui.theme import Theme, current, themes


class PaintedButton(QAbstractButton):
    """As large as it says. A click leaves the focus where the keys are."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
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

    def draw_ground(self, painter: QPainter, box: QRectF) -> None:
        """The ground while it has the focus or the mouse; otherwise it has none."""
        colours = current()
        if self.hasFocus() or (self.isEnabled() and (self.underMouse() or self.isDown())):
            painter.setPen(QPen(colours.accent, 1.5) if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(colours.selection if self.isDown() else colours.raised)
            painter.drawRoundedRect(box, 5, 5)
