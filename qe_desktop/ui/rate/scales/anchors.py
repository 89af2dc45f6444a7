"""The steps of a scale as a row or a column of large buttons. All of them stay in view."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.answers.scale import Anchor
from qe_desktop.ui.rate.scales.anchor_button import AnchorButton, Form

GAP = 8
_WAYS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


class AnchorRow(QWidget):
    """Buttons side by side where there is room, below each other where the text is large."""

    chosen = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: list[AnchorButton] = []
        self._values: list[float] = []
        self._least = 0
        self._tower = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_steps(self, steps: Sequence[Anchor], keys: Sequence[str] | None = None) -> None:
        """Show the steps of another scale; `keys` name the keys where these are not the values."""
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = []
        self._values = [float(step.value) for step in steps]
        names = keys or [f"{step.value:g}" for step in steps]
        for name, step in zip(names, steps, strict=True):
            button = AnchorButton(name, step.label, step.meaning, self)
            button.clicked.connect(self._pressed)
            button.show()
            self.buttons.append(button)
        self._arrange()

    def set_value(self, value: float | None) -> None:
        """Mark the step of a value, or none."""
        for button, own in zip(self.buttons, self._values, strict=True):
            button.setChecked(value is not None and own == value)

    def values(self) -> list[float]:
        """The values of the steps."""
        return list(self._values)

    @property
    def focused(self) -> int | None:
        """The place of the button that has the focus; None where none has."""
        return next((place for place, button in enumerate(self.buttons) if button.hasFocus()), None)

    # --- the hand

    def _pressed(self) -> None:
        sender = self.sender()
        if isinstance(sender, AnchorButton):
            value = self._values[self.buttons.index(sender)]
            # what is chosen is said by whoever keeps it
            sender.setChecked(not sender.isChecked())
            self.chosen.emit(value)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter presses the button with the focus; arrows lead to its neighbours without choosing them."""
        key = Qt.Key(event.key())
        place = self.focused
        if place is None:
            event.ignore()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.buttons[place].click()
        elif key in _WAYS:
            sideways = key in (Qt.Key.Key_Left, Qt.Key.Key_Right)
            place += -_WAYS[key] if sideways and self.isRightToLeft() else _WAYS[key]
            if 0 <= place < len(self.buttons):
                self.buttons[place].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            event.ignore()

    # --- size

    def set_tower(self, room: int) -> None:
        """Stand below each other in a narrow place beside the text that is so high; 0: no longer."""
        if room != self._tower:
            self._tower = room
            self._arrange()

    def set_least(self, height: int) -> None:
        """Be at least so high, so that what stands around it does not move when rows take turns."""
        if height != self._least:
            self._least = height
            self._arrange()

    def needed(self, width: int) -> int:
        """How high the row is at a width."""
        return self._plan(width)[1]

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the buttons for another width."""
        if event.size().width() != event.oldSize().width():
            self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Arrange the buttons for another text size."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.LayoutDirectionChange):
            self._arrange()

    def _plan(self, width: int) -> tuple[bool, int]:
        """Give the buttons their form: whether they stand below each other, and how high all are together."""
        if not self.buttons:
            return False, 0
        if self._tower:
            whole = self._below_each_other(Form.BELOW, width)
            return True, whole if whole <= self._tower else self._below_each_other(Form.BRIEF, width)
        each = self._each(width)
        fits = all(button.least_width() <= each for button in self.buttons)
        below = self._below_each_other(Form.LINE, width)
        self._set_form(Form.BELOW)
        beside = max(button.height_at(each) for button in self.buttons)
        if fits and beside <= below:
            return False, beside
        return True, self._below_each_other(Form.LINE, width)

    def _each(self, width: int) -> int:
        count = max(1, len(self.buttons))
        return (width - GAP * (count - 1)) // count

    def _set_form(self, form: Form) -> None:
        column = max(button.label_width() for button in self.buttons)
        for button in self.buttons:
            button.set_form(form, column)

    def _below_each_other(self, form: Form, width: int) -> int:
        self._set_form(form)
        return sum(button.height_at(width) for button in self.buttons) + GAP // 2 * (len(self.buttons) - 1)

    def _arrange(self) -> None:
        below, height = self._plan(self.width())
        height = max(height, self._least)
        self.setFixedHeight(height)
        y, each = 0, self._each(self.width())
        order = list(reversed(self.buttons)) if self.isRightToLeft() and not below else self.buttons
        for place, button in enumerate(order):
            if below:
                high = button.height_at(self.width())
                button.setGeometry(0, y, self.width(), high)
                y += high + GAP // 2
            else:
                button.setGeometry(place * (each + GAP), 0, each, height)
