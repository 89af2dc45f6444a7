"""One step of a scale as a large button: number, label, meaning."""

from __future__ import annotations

import enum

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from qe_desktop.ui import icons
from qe_desktop.ui.parts.labels import scaled, tip
from qe_desktop.ui.parts.painted_button import PaintedButton
from qe_desktop.ui.theme import Theme, current

PADDING = 10
_TOP = int(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)
_MIDDLE = int(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
_OF_THE_ROW = frozenset(
    (
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_Return,
        Qt.Key.Key_Enter,
    )
)


class Form(enum.Enum):
    """Where the meaning stands."""

    BELOW = enum.auto()
    """Under the label, in as many lines as it needs."""
    LINE = enum.auto()
    """Beside the label, in as many lines as it needs."""
    BRIEF = enum.auto()
    """Beside the label, cut to one line; a tooltip has all of it."""


class AnchorButton(PaintedButton):
    """Chosen, it has a fill, a thick frame and a check mark."""

    def __init__(self, key: str, label: str, meaning: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key, self.label, self.meaning = key, label, meaning
        self.form = Form.BELOW
        self.column = 0
        """The room for number and label in one line, the same in all buttons of a row."""
        self.setCheckable(True)
        self.setAccessibleName(", ".join(filter(None, (key, label))))
        self.setAccessibleDescription(meaning)

    def set_form(self, form: Form, column: int) -> None:
        """Take another form; `column` is the room for number and label in one line."""
        self.form, self.column = form, self.label_width() if form is Form.BRIEF else column
        self.setToolTip(tip(self.meaning) if form is Form.BRIEF and self.meaning else "")
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows and Enter belong to the row."""
        if event.key() in _OF_THE_ROW:
            event.ignore()
        else:
            super().keyPressEvent(event)

    # --- size

    def sizeHint(self) -> QSize:
        """As wide as its label."""
        return QSize(self.least_width(), self.height_at(self.least_width() * 2))

    def least_width(self) -> int:
        """So narrow that no word of the label is cut."""
        longest = max((self._bold().horizontalAdvance(word) for word in self.label.split()), default=0)
        return self._lead() + longest + self._mark() + 2 * PADDING + 4

    def label_width(self) -> int:
        """What number and label take in one line."""
        return self._lead() + self._bold().horizontalAdvance(self.label) + self._bold().averageCharWidth()

    def height_at(self, width: int) -> int:
        """How high it is at a width, in the form it has."""
        if self.form is not Form.BELOW:
            wrapped = self.form is Form.LINE and self.meaning
            lines = _height(self.fontMetrics(), self.meaning, self._beside(width)) if wrapped else 0
            return max(lines, self._bold().height()) + PADDING
        label = _height(self._bold(), self.label, width - self._lead() - self._mark() - 2 * PADDING)
        meaning = _height(self.fontMetrics(), self.meaning, width - 2 * PADDING) + 4 if self.meaning else 0
        return label + meaning + 2 * PADDING

    def _bold(self) -> QFontMetrics:
        return QFontMetrics(scaled(1.1, bold=True))

    def _lead(self) -> int:
        """Room for the number."""
        return self._bold().horizontalAdvance(self.key) + self._bold().averageCharWidth() + 2 if self.key else 0

    def _mark(self) -> int:
        return self.fontMetrics().height()

    def _beside(self, width: int) -> int:
        """Room for the meaning beside the label."""
        return max(0, width - self.column - self._mark() - 2 * PADDING)

    # --- looks

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw frame, number, label and meaning."""
        chosen, hovered = self.isChecked(), self.underMouse() and self.isEnabled()
        fill = colours.selection if chosen or self.isDown() else colours.raised if hovered else colours.surface
        line = colours.accent if chosen else colours.muted if hovered else colours.border
        painter.setPen(QPen(line, 2.5 if chosen else 1.0))
        painter.setBrush(fill)
        box = self.rect().toRectF().adjusted(1.5, 1.5, -1.5, -1.5)
        painter.drawRoundedRect(box, 6, 6)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colours.text, 1.5, Qt.PenStyle.DotLine))
            painter.drawRoundedRect(box.adjusted(4, 4, -4, -4), 4, 4)
        above = PADDING if self.form is Form.BELOW else 0
        self._paint_text(painter, self.rect().adjusted(PADDING, above, -PADDING, -above))

    def _paint_text(self, painter: QPainter, inner: QRect) -> None:
        colours, lead, mark, mirrored = current(), self._lead(), self._mark(), self.isRightToLeft()
        flags = _TOP if self.form is Form.BELOW else _MIDDLE
        if self.isChecked():
            line = self._bold().height() if self.form is Form.BELOW else inner.height()
            place = QRect(inner.left() if mirrored else inner.right() - mark + 1, inner.top(), mark, line)
            icons.paint(painter, "ok", place, colours.accent)
        painter.setFont(scaled(1.1, bold=True))
        painter.setPen(colours.accent)
        painter.drawText(inner, flags, self.key)
        painter.setPen(colours.text)
        painter.drawText(inner.adjusted(*((mark, 0, -lead, 0) if mirrored else (lead, 0, -mark, 0))), flags, self.label)
        painter.setFont(self.font())
        painter.setPen(colours.text if self.isChecked() else colours.muted)
        if self.form is Form.BELOW:
            below = _height(self._bold(), self.label, inner.width() - lead - mark)
            painter.drawText(inner.adjusted(0, below + 4, 0, 0), flags, self.meaning)
            return
        room = self._beside(self.width())
        place = QRect(inner.left() + mark if mirrored else inner.left() + self.column, 0, room, self.height())
        if self.form is Form.BRIEF:
            said = self.fontMetrics().elidedText(self.meaning, Qt.TextElideMode.ElideRight, room)
            painter.drawText(place, flags, said)
        else:
            painter.drawText(place, flags | int(Qt.TextFlag.TextWordWrap), self.meaning)


def _height(metrics: QFontMetrics, text: str, width: int) -> int:
    return metrics.boundingRect(QRect(0, 0, max(1, width), 10_000), _TOP, text).height()
