"""Steps of a scale as a row or column of large buttons that are all visible."""

from __future__ import annotations

import enum
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.answers.scale import Anchor
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons
from qe_desktop.ui.theme import Theme, current
from qe_desktop.ui.widgets.buttons import ThemedButton
from qe_desktop.ui.widgets.labels import plain_tooltip, scaled_font

PADDING = 10
GAP = 8
LABEL_SCALES = (1.1, 1.0)
"""Font scales of labels. The second is used only if the labels do not fit at the first scale but fit at the second."""
_TOP = int(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignTop) | int(Qt.TextFlag.TextWordWrap)
_MIDDLE = int(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
KEY_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}
_ROW_KEYS = {*KEY_STEPS, Qt.Key.Key_Return, Qt.Key.Key_Enter}


def arrow_step(key: Qt.Key, *, mirrored: bool) -> int:
    """Return the step (-1 or 1) for an arrow key in a row of widgets; Left and Right are swapped if `mirrored`.

    Raises KeyError for other keys.
    """
    sideways = key in (Qt.Key.Key_Left, Qt.Key.Key_Right)
    return -KEY_STEPS[key] if mirrored and sideways else KEY_STEPS[key]


class MeaningPosition(enum.Enum):
    """Position of the description on the button of a scale step."""

    BELOW = enum.auto()
    """Below the label, wrapped."""
    FOLDED = enum.auto()
    """Hidden, to leave more height for the texts of the item; the tooltip shows the description."""
    LINE = enum.auto()
    """Next to the label, wrapped."""
    BRIEF = enum.auto()
    """Next to the label, elided to one line; the tooltip shows the full description."""


class ScaleButton(ThemedButton):
    """Button of a scale step: number, label and description; if checked, a fill, a coloured frame and a check mark."""

    def __init__(self, key: str, label: str, meaning: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key, self.label, self.meaning = key, label, meaning
        self.form = MeaningPosition.BELOW
        self.label_scale = LABEL_SCALES[0]
        self.column = 0
        """Width of the number and the label if the description is next to them, in pixels."""
        self.setCheckable(True)
        self.setAccessibleName(", ".join(filter(None, (key, label))))
        self.setAccessibleDescription(meaning)

    def set_form(self, form: MeaningPosition, column: int) -> None:
        """Set the position of the description.

        `column` is the width of the number and the label in pixels. It is ignored for `BRIEF`, for which the button
        uses its own `label_width`.
        """
        self.form, self.column = form, self.label_width() if form is MeaningPosition.BRIEF else column
        cut = form in (MeaningPosition.BRIEF, MeaningPosition.FOLDED)
        self.setToolTip(plain_tooltip(self.meaning) if cut and self.meaning else "")
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Let the parent `ScaleButtons` handle arrow keys and Enter."""
        if event.key() in _ROW_KEYS:
            event.ignore()
        else:
            super().keyPressEvent(event)

    # --- size

    def sizeHint(self) -> QSize:
        """Return the minimum width, and the height needed at twice the minimum width."""
        return QSize(self.min_width(), self.height_at(self.min_width() * 2))

    def min_width(self) -> int:
        """Return the minimum width in pixels at which no word of the label is cut."""
        longest = max((self._bold_metrics().horizontalAdvance(word) for word in self.label.split()), default=0)
        return self._number_width() + longest + self._check_mark_size() + 2 * PADDING + 4

    def label_width(self) -> int:
        """Return the width in pixels of the number and the label on one line."""
        return (
            self._number_width()
            + self._bold_metrics().horizontalAdvance(self.label)
            + self._bold_metrics().horizontalAdvance("0")
        )

    def height_at(self, width: int) -> int:
        """Return the height that the button needs at a width in the current layout, in pixels."""
        if not self._is_label_on_top:
            wrapped = self.form is MeaningPosition.LINE and self.meaning
            lines = wrapped_height(self.fontMetrics(), self.meaning, self._meaning_width(width)) if wrapped else 0
            return max(lines, self._bold_metrics().height()) + PADDING
        label = wrapped_height(
            self._bold_metrics(), self.label, width - self._number_width() - self._check_mark_size() - 2 * PADDING
        )
        return label + 2 * PADDING + self._meaning_height(width)

    @property
    def _is_label_on_top(self) -> bool:
        """Whether the number and the label are at the top of the button rather than vertically centred."""
        return self.form in (MeaningPosition.BELOW, MeaningPosition.FOLDED)

    def _meaning_height(self, width: int) -> int:
        """Return the height in pixels of the description below the label at a button width; 0 if there is none."""
        if not self.meaning or self.form is not MeaningPosition.BELOW:
            return 0
        return wrapped_height(self.fontMetrics(), self.meaning, width - 2 * PADDING - self._number_width()) + 4

    def _bold_metrics(self) -> QFontMetrics:
        return QFontMetrics(scaled_font(self.label_scale, bold=True))

    def _number_width(self) -> int:
        return (
            self._bold_metrics().horizontalAdvance(self.key) + self._bold_metrics().horizontalAdvance("0") + 2
            if self.key
            else 0
        )

    def _check_mark_size(self) -> int:
        return self.fontMetrics().height()

    def _meaning_width(self, width: int) -> int:
        """Return the width in pixels that a button of `width` leaves for a description next to the label."""
        return max(0, width - self.column - self._check_mark_size() - 2 * PADDING)

    # --- painting

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the frame, number, label, description and, if the button is checked, the check mark."""
        chosen, hovered = self.isChecked(), self.underMouse() and self.isEnabled()
        fill = colours.selection if chosen or self.isDown() else colours.raised if hovered else colours.surface
        line = colours.accent if chosen or self.hasFocus() else colours.muted if hovered else colours.border
        painter.setPen(QPen(line, 2.0 if self.hasFocus() else 1.0))
        painter.setBrush(fill)
        painter.drawRoundedRect(self.rect().toRectF().adjusted(1, 1, -1, -1), 5, 5)
        above = PADDING if self._is_label_on_top else 0
        self._paint_text(painter, self.rect().adjusted(PADDING, above, -PADDING, -above))

    def _paint_text(self, painter: QPainter, inner: QRect) -> None:
        colours, lead, mark, mirrored = current(), self._number_width(), self._check_mark_size(), self.isRightToLeft()
        flags = _TOP if self._is_label_on_top else _MIDDLE
        if self.isChecked():
            line = self._bold_metrics().height() if self._is_label_on_top else inner.height()
            rect = QRect(inner.left() if mirrored else inner.right() - mark + 1, inner.top(), mark, line)
            icons.paint_icon(painter, "ok", rect, colours.accent)
        painter.setFont(scaled_font(self.label_scale, bold=True))
        painter.setPen(colours.accent)
        painter.drawText(inner, flags, self.key)
        painter.setPen(colours.text)
        painter.drawText(inner.adjusted(*((mark, 0, -lead, 0) if mirrored else (lead, 0, -mark, 0))), flags, self.label)
        painter.setFont(self.font())
        painter.setPen(colours.text if self.isChecked() else colours.muted)
        if self._is_label_on_top:
            below = wrapped_height(self._bold_metrics(), self.label, inner.width() - lead - mark)
            text_rect = inner.adjusted(0, below + 4, -lead, 0) if mirrored else inner.adjusted(lead, below + 4, 0, 0)
            painter.drawText(text_rect, flags, self.meaning if self.form is MeaningPosition.BELOW else "")
            return
        meaning_width = self._meaning_width(self.width())
        rect = QRect(inner.left() + mark if mirrored else inner.left() + self.column, 0, meaning_width, self.height())
        if self.form is MeaningPosition.BRIEF:
            brief = self.fontMetrics().elidedText(self.meaning, Qt.TextElideMode.ElideRight, meaning_width)
            painter.drawText(rect, flags, brief)
        else:
            painter.drawText(rect, flags | int(Qt.TextFlag.TextWordWrap), self.meaning)


class ScaleButtons(QWidget):
    """Buttons of a scale: side by side if they fit, otherwise in a column."""

    chosen = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: list[ScaleButton] = []
        self._values: list[float] = []
        self._min_height = 0
        self._stack_height = 0
        self.is_folded = False
        """Whether the descriptions are hidden while the buttons are side by side."""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_steps(self, steps: Sequence[Anchor], keys: Sequence[str] | None = None) -> None:
        """Show the steps of a scale; `keys` has the name of a key for each step (default: the value of the step)."""
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = []
        self._values = [float(step.value) for step in steps]
        names = keys or [f"{step.value:g}" for step in steps]
        for index, (name, step) in enumerate(zip(names, steps, strict=True)):
            button = ScaleButton(name, step.label, step.meaning or _position_hint(steps, index), self)
            button.clicked.connect(self._on_pressed)
            button.show()
            self.buttons.append(button)
        self._arrange()

    def set_value(self, value: float | None) -> None:
        """Check the button of a value; None unchecks all buttons."""
        for button, button_value in zip(self.buttons, self._values, strict=True):
            button.setChecked(value is not None and button_value == value)

    @property
    def focused_index(self) -> int | None:
        """Index of the focused button; None if no button has the focus."""
        return next((index for index, button in enumerate(self.buttons) if button.hasFocus()), None)

    # --- mouse and keyboard

    def _on_pressed(self) -> None:
        sender = self.sender()
        if isinstance(sender, ScaleButton):
            value = self._values[self.buttons.index(sender)]
            # `set_value` sets the check mark
            sender.setChecked(not sender.isChecked())
            self.chosen.emit(value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle keys: Enter presses the focused button; arrow keys move the focus without selecting a value."""
        key = Qt.Key(event.key())
        index = self.focused_index
        if index is None:
            event.ignore()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.buttons[index].click()
        elif key in KEY_STEPS:
            index += arrow_step(key, mirrored=self.isRightToLeft())
            if 0 <= index < len(self.buttons):
                self.buttons[index].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            event.ignore()

    # --- size

    def set_stack_height(self, height: int) -> None:
        """Stack the buttons within `height` pixels; 0 places them side by side again if there is enough space."""
        if height != self._stack_height:
            self._stack_height = height
            self._arrange()

    def fold_meanings(self, folded: bool) -> None:
        """Set whether the descriptions are hidden while the buttons are side by side."""
        if folded != self.is_folded:
            self.is_folded = folded
            self._arrange()

    def set_min_height(self, height: int) -> None:
        """Set a minimum height in pixels, so that the layout does not move when another question is shown."""
        if height != self._min_height:
            self._min_height = height
            self._arrange()

    def needed_height(self, width: int) -> int:
        """Return the total height that the buttons need at a width, in pixels."""
        return self._plan(width)[1]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out the buttons for the new width."""
        if event.size().width() != event.oldSize().width():
            self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Lay out the buttons for a new text size or layout direction."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.LayoutDirectionChange):
            self._arrange()

    def _plan(self, width: int) -> tuple[bool, int]:
        """Set the layout of the buttons for a width; return whether they are stacked, and their height."""
        if not self.buttons:
            return False, 0
        if self._stack_height:
            total = self._stacked_height(MeaningPosition.BELOW, width)
            return True, total if total <= self._stack_height else self._stacked_height(MeaningPosition.BRIEF, width)
        button_width = self._button_width(width)
        fits = self._fit_labels(button_width)
        below = self._stacked_height(MeaningPosition.LINE, width)
        self._set_form(MeaningPosition.FOLDED if self.is_folded else MeaningPosition.BELOW)
        row_height = max(button.height_at(button_width) for button in self.buttons)
        if fits and row_height <= below:
            return False, row_height
        return True, self._stacked_height(MeaningPosition.LINE, width)

    def _fit_labels(self, width: int) -> bool:
        """Set the largest font scale at which all labels fit in buttons `width` pixels wide.

        If the labels fit at no scale, set the largest scale and return False.
        """
        for scale in (*LABEL_SCALES, LABEL_SCALES[0]):
            for button in self.buttons:
                button.label_scale = scale
            if all(button.min_width() <= width for button in self.buttons):
                return True
        return False

    def _button_width(self, width: int) -> int:
        count = max(1, len(self.buttons))
        return (width - GAP * (count - 1)) // count

    def _set_form(self, form: MeaningPosition) -> None:
        column = max(button.label_width() for button in self.buttons)
        for button in self.buttons:
            button.set_form(form, column)

    def _stacked_height(self, form: MeaningPosition, width: int) -> int:
        self._set_form(form)
        return sum(button.height_at(width) for button in self.buttons) + GAP // 2 * (len(self.buttons) - 1)

    def _arrange(self) -> None:
        below, height = self._plan(self.width())
        height = max(height, self._min_height)
        self.setFixedHeight(height)
        y, button_width = 0, self._button_width(self.width())
        for index, button in enumerate(self.buttons):
            if below:
                button_height = button.height_at(self.width())
                button.setGeometry(0, y, self.width(), button_height)
                y += button_height + GAP // 2
            else:
                lead = index * (button_width + GAP)
                button.setGeometry(
                    self.width() - lead - button_width if self.isRightToLeft() else lead, 0, button_width, height
                )


def _position_hint(steps: Sequence[Anchor], index: int) -> str:
    """Return a hint that a step without description is between two steps; empty unless both have descriptions."""
    if not 0 < index < len(steps) - 1:
        return ""
    lower, upper = sorted((steps[index - 1], steps[index + 1]), key=lambda step: step.value)
    if not (lower.meaning and upper.meaning):
        return ""
    return tr(
        "between {lower} and {upper}", lower=f"{lower.value:g} {lower.label}", upper=f"{upper.value:g} {upper.label}"
    )


def wrapped_height(metrics: QFontMetrics, text: str, width: int) -> int:
    """Return the height of a text wrapped at a width, in pixels."""
    return metrics.boundingRect(QRect(0, 0, max(1, width), 10_000), _TOP, text).height()
