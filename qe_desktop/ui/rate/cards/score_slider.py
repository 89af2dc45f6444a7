"""Slider without an initial value."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy

from qe_desktop.answers.scale import Anchor, ScaleAnswer
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.rate.cards.scale_buttons import wrapped_height
from qe_desktop.ui.shell import shortcut_hints
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.labels import plain_tooltip, scaled_font
from qe_desktop.ui.widgets.themed_widget import ThemedMixin

_STEPS = {
    Qt.Key.Key_Left: -1,
    Qt.Key.Key_Down: -1,
    Qt.Key.Key_Right: 1,
    Qt.Key.Key_Up: 1,
    Qt.Key.Key_PageDown: -10,
    Qt.Key.Key_PageUp: 10,
}
_ENDS = (Qt.Key.Key_Home, Qt.Key.Key_End)


class ScoreSlider(ThemedMixin, QAbstractSlider):
    """Slider over integers from `minimum()` to `maximum()`; without a value, it shows a dash and no handle."""

    value_chosen = Signal(int)
    """Emitted with the selected value when the mouse button is released."""
    stepped = Signal(int)
    """Emitted with the new value after a keyboard step; more steps may follow."""

    def __init__(self, scale: ScaleAnswer) -> None:
        super().__init__()
        # labels only: every value is allowed
        self._steps = scale.anchors
        self.is_set = False
        """Whether a value is set."""
        self._typed = ""
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setRange(scale.min_value, scale.max_value)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(scale.title)
        self.setToolTip(plain_tooltip(tr("Click the line, or type a number and press Enter")))
        self._describe()

    def show_given_value(self, value: float | None) -> None:
        """Show a value; None shows that no value is set."""
        self.is_set = value is not None
        if value is not None:
            self.setValue(round(value))
        self._describe()

    def show_typed(self, typed: str) -> None:
        """Show the number being typed and a ring at its position; if `typed` is empty, show the value again."""
        self._typed = typed
        self._describe()

    def step(self, by: int) -> None:
        """Move the value by a number of points, but not beyond the ends; if no value is set, set the middle value."""
        middle = (self.minimum() + self.maximum()) // 2
        self._step_to(self.value() + by if self.is_set else middle)

    def _step_to(self, value: int) -> None:
        self.show_given_value(min(max(self.minimum(), value), self.maximum()))
        self.stepped.emit(self.value())

    def _describe(self) -> None:
        if self.is_set:
            text = tr("{value} of {most}", value=self.value(), most=self.maximum())
        else:
            text = tr("no value; range {least} to {most}", least=self.minimum(), most=self.maximum())
        self.setAccessibleDescription(text)
        self.update()

    # --- mouse and keyboard

    def event(self, event: QEvent) -> bool:
        """Let the slider's keys override shortcuts while the slider has the focus."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            modifiers = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
            if event.key() in {*_STEPS, *_ENDS} and modifiers == Qt.KeyboardModifier.NoModifier:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle keys: arrows move by 1 (with Shift, by 10), Page Up and Page Down by 10, Home and End to the ends."""
        key = Qt.Key(event.key())
        if key in _STEPS:
            ten = 10 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            sideways = key in (Qt.Key.Key_Left, Qt.Key.Key_Right)
            by = -_STEPS[key] if sideways and self.isRightToLeft() else _STEPS[key]
            self.step(by * (ten if abs(by) == 1 else 1))
        elif key in _ENDS:
            self._step_to(self.minimum() if key == Qt.Key.Key_Home else self.maximum())
        else:
            # let the page handle other keys
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start dragging: set the value at the position of the mouse pointer."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.show_given_value(self._value_at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag the handle."""
        if self.isSliderDown():
            self.show_given_value(self._value_at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Stop dragging, and emit `value_chosen` with the value."""
        if self.isSliderDown():
            self.setSliderDown(False)
            self.show_given_value(self._value_at(event.position().x()))
            self.value_chosen.emit(self.value())

    # --- painting

    def sizeHint(self) -> QSize:
        """Return a default width, and the height of the track with its labels and descriptions at the current width."""
        return QSize(self.fontMetrics().horizontalAdvance("0") * 60, self._track_y() * 2 + self._label_height())

    def minimumSizeHint(self) -> QSize:
        """Return a minimum width, and the height of the track with its labels and descriptions at the current width."""
        return QSize(self.fontMetrics().horizontalAdvance("0") * 20, self.sizeHint().height())

    def _track_y(self) -> int:
        return self.fontMetrics().height()

    def _label_height(self) -> int:
        if not self._steps:
            return 0
        bold = QFontMetrics(scaled_font(1.0, bold=True))
        width = self._column_width()
        metrics = self.fontMetrics()
        return max(
            wrapped_height(bold, _label(step), width)
            + (wrapped_height(metrics, step.meaning, width) if step.meaning else 0)
            for step in self._steps
        )

    def _column_width(self) -> int:
        return max(40, round(self._track().width() / max(1, len(self._steps) - 1)) - 12)

    def _track(self) -> QRectF:
        number = QFontMetrics(scaled_font(1.6, bold=True)).horizontalAdvance(f"{self.maximum()}") + 24
        side = self._track_y() * 0.6
        left = side + number if self.isRightToLeft() else side
        return QRectF(left, self._track_y() - 3, max(20.0, self.width() - side * 2 - number), 6)

    def x_of(self, value: float) -> float:
        """Return the horizontal position of a value on the track, in pixels."""
        track = self._track()
        length = track.width() * (value - self.minimum()) / max(1, self.maximum() - self.minimum())
        return track.right() - length if self.isRightToLeft() else track.left() + length

    def _value_at(self, x: float) -> int:
        track = self._track()
        length = track.right() - x if self.isRightToLeft() else x - track.left()
        fraction = min(max(0.0, length / track.width()), 1.0)
        return self.minimum() + round(fraction * (self.maximum() - self.minimum()))

    def resizeEvent(self, event: object) -> None:
        """Adjust the height to the labels, which are wrapped at the new width."""
        self.setFixedHeight(self.sizeHint().height())

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the track, ticks, labels, handle and number."""
        track = self._track()
        painter.setPen(QPen(colours.muted, 1))
        painter.setBrush(colours.raised)
        painter.drawRoundedRect(track, 3, 3)
        middle = track.center().y()
        if self.is_set:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colours.accent)
            begin, end = sorted((self.x_of(self.minimum()), self.x_of(self.value())))
            painter.drawRoundedRect(QRectF(begin, track.top(), end - begin, 6), 3, 3)
        for step in self._steps:
            painter.setPen(QPen(colours.muted, 1.5))
            painter.drawLine(QPointF(self.x_of(step.value), middle - 8), QPointF(self.x_of(step.value), middle + 8))
        if self.is_set:
            painter.setPen(QPen(colours.surface, 2))
            painter.setBrush(colours.accent)
            radius = self._track_y() * 0.45
            painter.drawEllipse(QPointF(self.x_of(self.value()), middle), radius, radius)
        if self._typed:
            painter.setPen(QPen(colours.accent, 2))
            painter.setBrush(colours.surface)
            radius = self._track_y() * 0.45
            painter.drawEllipse(QPointF(self.x_of(int(self._typed)), middle), radius, radius)
        if self.hasFocus():
            painter.setPen(QPen(colours.accent, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(self.rect().toRectF().adjusted(1, 1, -1, -1), 5, 5)
        self._paint_labels(painter, colours)
        self._paint_number(painter, colours)

    def _paint_number(self, painter: QPainter, colours: Theme) -> None:
        painter.setFont(scaled_font(1.6, bold=True))
        painter.setPen(colours.accent if self._typed else colours.text if self.is_set else colours.muted)
        text = f"{self._typed}_" if self._typed else f"{self.value()}" if self.is_set else "–"
        track = self._track()
        left, right = round(track.right()) + 8, self.width()
        if self.isRightToLeft():
            left, right = 0, round(track.left()) - 8
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        painter.drawText(QRect(left, 0, right - left, self._track_y() * 2), int(Qt.AlignmentFlag.AlignCenter), text)
        if self._typed:
            width = shortcut_hints.keys_width(["Enter"], self.font())
            below = QRect(left + (right - left - width) // 2, self._track_y() * 2, width, self._label_height())
            shortcut_hints.paint_keys(painter, ["Enter"], below, self.font(), right=False)

    def _paint_labels(self, painter: QPainter, colours: Theme) -> None:
        width = self._column_width()
        track, top = self._track(), self._track_y() * 2
        for step in self._steps:
            left = round(self.x_of(step.value) - width / 2)
            side = Qt.AlignmentFlag.AlignHCenter
            if left < track.left():
                left, side = round(track.left() - 4), Qt.AlignmentFlag.AlignLeft
            elif left + width > track.right():
                left, side = round(track.right() + 4 - width), Qt.AlignmentFlag.AlignRight
            # absolute, because the sides refer to the track
            flags = int(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignTop)
            flags |= int(Qt.TextFlag.TextWordWrap)
            painter.setFont(scaled_font(1.0, bold=True))
            painter.setPen(colours.text)
            label = _label(step)
            height = wrapped_height(painter.fontMetrics(), label, width)
            painter.drawText(QRect(left, top, width, height), flags, label)
            painter.setFont(self.font())
            painter.setPen(colours.muted)
            text_rect = QRect(left, top + height, width, self.height() - top - height)
            painter.drawText(text_rect, flags, step.meaning)


def _label(step: Anchor) -> str:
    return f"{step.value:g}  {step.label}"
