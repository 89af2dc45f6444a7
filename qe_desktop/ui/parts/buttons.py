"""Flat buttons in the colours of the theme, for the few places where a person decides what to do next."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from qe_desktop.ui import icons, theme


class FlatButton(QPushButton):
    """Text and, where it helps, an icon. The primary one of a group is filled with the accent."""

    def __init__(self, text: str, icon: str = "", *, primary: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._icon = icon
        self._primary = primary
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAutoDefault(False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button that has the focus, and no other one."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        """Room around icon and text in proportion to the text."""
        metrics = self.fontMetrics()
        width = metrics.horizontalAdvance(self.text().replace("&", "")) + metrics.height() * 2
        if self._icon:
            width += self._side() + self._gap()
        return QSize(width, round(metrics.height() * 1.9))

    def minimumSizeHint(self) -> QSize:
        """Text on a button is never cut."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the button as it stands."""
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill, ink, line = self._colours()
        box = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        painter.setPen(QPen(line, 1))
        painter.setBrush(fill)
        painter.drawRoundedRect(box, 5, 5)
        if self.hasFocus():
            painter.setPen(QPen(colours.text if self._primary else colours.accent, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box, 5, 5)
        text = self.text().replace("&", "")
        words = self.fontMetrics().horizontalAdvance(text)
        lead = self._side() + self._gap() if self._icon else 0
        x = (self.width() - words - lead) // 2
        if self._icon:
            place = x + words + self._gap() if self.isRightToLeft() else x
            icons.paint(painter, self._icon, QRect(place, 0, self._side(), self.height()), ink)
        painter.setPen(ink)
        left = x if self.isRightToLeft() else x + lead
        painter.drawText(QRect(left, 0, words + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()

    def _colours(self) -> tuple[QColor, QColor, QColor]:
        """Fill, ink and outline."""
        colours = theme.current()
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

    def _side(self) -> int:
        return round(self.fontMetrics().height() * 1.05)

    def _gap(self) -> int:
        return self.fontMetrics().height() // 2


class LinkButton(QPushButton):
    """A few words in the accent colour that do something, where a button would be too loud; underlined on hover."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setFlat(True)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAutoDefault(False)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """The words, with room for the focus around them."""
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 12, metrics.height() + 4)

    def minimumSizeHint(self) -> QSize:
        """The words are never cut."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the words, and a line under or around them where it helps."""
        colours = theme.current()
        painter = QPainter(self)
        font = self.font()
        font.setUnderline(self.underMouse())
        painter.setFont(font)
        painter.setPen(colours.accent)
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        if self.hasFocus():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
        painter.end()
