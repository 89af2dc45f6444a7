"""Controls for forms, and `FormValues`, which reads and sets the values of controls by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QSpinBox,
    QToolButton,
    QWidget,
)

from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.layouts import hbox, wrap_layout


class AlphaSpinBox(QDoubleSpinBox):
    """Spin box for a significance level, which is displayed without trailing zeros."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDecimals(4)
        self.setRange(0.0001, 0.5)
        self.setSingleStep(0.01)

    def textFromValue(self, value: float) -> str:
        """Format the level without trailing zeros."""
        return self.locale().toString(value, "g", 4)


def make_combo_box(name: str, tooltip: str = "") -> QComboBox:
    """Create a combo box with an accessible name."""
    combo = QComboBox()
    combo.setAccessibleName(name)
    combo.setToolTip(tooltip)
    return combo


def with_label(text: str, control: QWidget) -> QWidget:
    """Create a widget that contains a control with a label before it."""
    label = QLabel(text)
    label.setBuddy(control)
    return wrap_layout(hbox(label, control, gap=8))


def make_tool_button(text: str, tooltip: str = "", *, checkable: bool = False) -> QToolButton:
    """Create a tool button with a text."""
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tooltip)
    button.setCheckable(checkable)
    return button


USUAL_TEXTS = "usual texts"
"""Name of the property in which `set_needs` stores the original tooltip and accessible description of a control."""


def set_needs(control: QWidget, needs: str) -> None:
    """Disable a control and show `needs` as its tooltip, or enable the control again if `needs` is empty.

    `needs` is a sentence that states what the user must do to enable the control, or why the control is disabled.
    """
    enabled_texts = control.property(USUAL_TEXTS)
    if needs:
        if enabled_texts is None:
            control.setProperty(USUAL_TEXTS, (control.toolTip(), control.accessibleDescription()))
        control.setToolTip(plain_tooltip(needs))
        control.setAccessibleDescription(needs)
    elif enabled_texts is not None:
        tooltip, description = enabled_texts
        control.setProperty(USUAL_TEXTS, None)
        control.setToolTip(tooltip)
        control.setAccessibleDescription(description)
    control.setEnabled(not needs)


def set_item_needs(combo: QComboBox, index: int, needs: str) -> None:
    """Disable an item of a combo box and show `needs` as its tooltip, or enable it if `needs` is empty."""
    model = combo.model()
    if isinstance(model, QStandardItemModel):
        item = model.item(index)
        item.setEnabled(not needs)
        item.setToolTip(plain_tooltip(needs) if needs else "")


def set_spin_value(spin: Any, value: float) -> None:
    """Set the value of a spin box without emitting signals; a spin box that has the focus remains unchanged."""
    if spin.value() != value and not spin.hasFocus():
        with QSignalBlocker(spin):
            spin.setValue(value)


def set_combo_items(combo: QComboBox, choices: Sequence[tuple[str, object]]) -> bool:
    """Replace the items of a combo box with `choices`, pairs of text and data; return whether the items changed."""
    now = [(combo.itemText(index), combo.itemData(index)) for index in range(combo.count())]
    if now == list(choices):
        return False
    combo.clear()
    for text, value in choices:
        combo.addItem(text, value)
    return True


def set_combo_data(combo: QComboBox, value: object) -> None:
    """Select the item whose data is `value`; if there is none, do nothing."""
    index = next((row for row in range(combo.count()) if combo.itemData(row) == value), -1)
    if index >= 0 and index != combo.currentIndex():
        combo.setCurrentIndex(index)


class DataComboBox(QComboBox):
    """Combo box that keeps the selected data, if possible, when its items are replaced.

    `set_items` hides the combo box if there are fewer than two items, and shows it otherwise.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def set_items(self, entries: Iterable[tuple[str, object]]) -> None:
        """Replace the items with pairs of text and data; keep the selected data if possible, else select the first."""
        chosen = self.currentData()
        self.clear()
        for text, data in entries:
            self.addItem(text, data)
        self.setCurrentIndex(max(0, self.findData(chosen)))
        self.setVisible(self.count() > 1)


def make_combo_from_mapping(choices: Mapping[Any, str], name: str = "") -> QComboBox:
    """Create a combo box from a mapping of values to texts."""
    combo = QComboBox()
    if name:
        combo.setAccessibleName(name)
    set_combo_items(combo, [(text, value) for value, text in choices.items()])
    return combo


def make_line_edit(name: str = "", placeholder: str = "") -> QLineEdit:
    """Create a line edit with an accessible name."""
    edit = QLineEdit()
    edit.setAccessibleName(name)
    edit.setPlaceholderText(placeholder)
    return edit


def make_text_box(text: str = "", *, name: str = "", placeholder: str = "", read_only: bool = False) -> QPlainTextEdit:
    """Create a multi-line text field; Tab moves the focus out of the field."""
    box = QPlainTextEdit(text)
    box.setAccessibleName(name)
    box.setPlaceholderText(placeholder)
    box.setReadOnly(read_only)
    box.setTabChangesFocus(True)
    return box


class PlaceholderList(QListWidget):
    """List that shows a placeholder text while the list is empty."""

    def __init__(self, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._placeholder = placeholder

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the items, or the placeholder text if there are no items."""
        super().paintEvent(event)
        if not self.count():
            painter = QPainter(self.viewport())
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            flags = Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading
            painter.drawText(self.viewport().rect().adjusted(8, 8, -8, -8), int(flags), self._placeholder)
            painter.end()


class RadioGroup(QButtonGroup):
    """Group of exclusive radio buttons, each with a value; the first is checked initially."""

    changed = Signal()

    def __init__(self, choices: Mapping[Any, QAbstractButton], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.choices = dict(choices)
        for button in self.choices.values():
            self.addButton(button)
        next(iter(self.choices.values())).setChecked(True)
        self.buttonToggled.connect(self._on_toggled)

    @property
    def chosen(self) -> Any:
        """Value of the checked button."""
        return next(value for value, button in self.choices.items() if button.isChecked())

    def choose(self, value: object) -> None:
        """Check the button of a value. Raises KeyError if no button has this value."""
        self.choices[value].setChecked(True)

    def _on_toggled(self, button: QAbstractButton, on: bool) -> None:
        if on:
            self.changed.emit()


def _select_data(combo: QComboBox, value: object) -> None:
    """Select the item whose data is `value`, or else the first item."""
    combo.setCurrentIndex(next((row for row in range(combo.count()) if combo.itemData(row) == value), 0))


_ACCESS: dict[type[QObject], tuple[Callable[[Any], Any], Callable[[Any, Any], object], str]] = {
    QLineEdit: (lambda edit: edit.text().strip(), QLineEdit.setText, "textChanged"),
    QPlainTextEdit: (lambda edit: edit.toPlainText().strip(), QPlainTextEdit.setPlainText, "textChanged"),
    QCheckBox: (QCheckBox.isChecked, QCheckBox.setChecked, "toggled"),
    QSpinBox: (QSpinBox.value, QSpinBox.setValue, "valueChanged"),
    QDoubleSpinBox: (QDoubleSpinBox.value, QDoubleSpinBox.setValue, "valueChanged"),
    QComboBox: (QComboBox.currentData, _select_data, "currentIndexChanged"),
    QObject: (lambda control: control.chosen, lambda control, value: control.choose(value), "changed"),
}
"""Getter, setter and signal name of each control class; other controls must have `chosen`, `choose` and `changed`."""


class FormValues:
    """Named controls of a form, whose values can be read and set as one mapping."""

    def __init__(self, controls: Mapping[str, QObject]) -> None:
        self._controls = {
            name: (control, next(access for kind, access in _ACCESS.items() if isinstance(control, kind)))
            for name, control in controls.items()
        }

    @property
    def values(self) -> dict[str, Any]:
        """Value of each control by name; texts are stripped of leading and trailing white space."""
        return {name: read(control) for name, (control, (read, _, _)) in self._controls.items()}

    def set_values(self, values: Mapping[str, Any], *, omit: Collection[str] = ()) -> None:
        """Set the values of controls by name; names in `omit` are ignored.

        Raises KeyError if a name that is not in `omit` has no control, or if a `RadioGroup` has no button for a value.
        """
        for name, value in values.items():
            if name not in omit:
                control, (_, write, _) = self._controls[name]
                write(control, value)

    def on_change(self, slot: Callable[[], object]) -> None:
        """Call `slot` when any value changes."""
        for control, (_, _, signal) in self._controls.values():
            getattr(control, signal).connect(slot)
