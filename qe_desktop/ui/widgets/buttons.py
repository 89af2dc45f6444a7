"""Flat buttons in the colours of the theme, for the few places where a person decides what to do next."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import QPushButton, QWidget

from qe_desktop.ui import icons
from qe_desktop.ui.parts.painted_button import Painted
from qe_desktop.ui.theme import Theme


class FlatButton(Painted, QPushButton):
    """Text and, where it helps, an icon. The primary one of a group is filled with the accent."""

    def __init__(self, text: str, icon: str = "", *, primary: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(text)
        self._icon = icon
        self._primary = primary
        self.setAutoDefault(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the focus, and no other one."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Room around icon and text in proportion to the text."""
        metrics = self.fontMetrics()
        words = metrics.horizontalAdvance(self._words())
        return QSize(words + metrics.height() * 2 + self._lead(), round(metrics.height() * 1.9))

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw ground, icon and text."""
        fill, ink, line = self._colours(colours)
        self.draw_card(painter, fill, line)
        if self.hasFocus():
            self.draw_card(painter, Qt.BrushStyle.NoBrush, colours.text if self._primary else colours.accent, 2)
        words, lead, side = self.fontMetrics().horizontalAdvance(self._words()), self._lead(), self._side()
        x = (self.width() - words - lead) // 2
        if self._icon:
            place = x + words + lead - side if self.isRightToLeft() else x
            icons.paint(painter, self._icon, QRect(place, 0, side, self.height()), ink)
        painter.setPen(ink)
        left = x if self.isRightToLeft() else x + lead
        painter.drawText(QRect(left, 0, words + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, self._words())

    def _colours(self, colours: Theme) -> tuple[QColor, QColor, QColor]:
        """Fill, ink and outline."""
        pressed = self.isDown() or self.isChecked()
        if not self.isEnabled():
            faint = QColor(colours.muted)
            faint.setAlphaF(0.6)
            return colours.window, faint, colours.border
        if self._primary:
            fill = colours.accent.darker(115) if pressed or self.underMouse() else colours.accent
            return fill, colours.on_accent, fill
        fill = colours.selection if pressed else colours.raised if self.underMouse() else colours.surface
        return fill, colours.text, colours.muted if self.underMouse() else colours.border

    def _words(self) -> str:
        return self.text().replace("&", "")

    def _side(self) -> int:
        return round(self.fontMetrics().height() * 1.05)

    def _lead(self) -> int:
        """Room for the icon and the gap beside it."""
        return self._side() + self.fontMetrics().height() // 2 if self._icon else 0


class LinkButton(Painted, QPushButton):
    """A few words in the accent colour that do something, where a button would be too loud; underlined on hover."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(text)
        self.setFlat(True)
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        """The words, with room for the focus around them."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 12, metrics.height() + 4)

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the words, and a line under or around them where it helps."""
        font = self.font()
        font.setUnderline(self.underMouse())
        painter.setFont(font)
        # the line under the words is one sharp pixel
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(colours.accent)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
