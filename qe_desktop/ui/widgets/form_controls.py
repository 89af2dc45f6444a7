"""A line of choices, each with its label and key; as many lines as they need."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QDoubleSpinBox, QLabel, QWidget

from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.layouts import FlowLayout, hbox, wrap_layout


class AlphaSpinBox(QDoubleSpinBox):
    """A level of significance, without idle zeros behind it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDecimals(4)
        self.setRange(0.0001, 0.5)
        self.setSingleStep(0.01)

    def textFromValue(self, value: float) -> str:
        """The level as people write it."""
        return self.locale().toString(value, "g", 4)


class LabeledControlsBar(QWidget):
    """Subclasses make their choices in order, and show and hide them by `_pairs`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = FlowLayout(self, gap=14)
        self._pairs: dict[QWidget, QWidget] = {}
        self._labels: dict[QWidget, QLabel] = {}

    def _labelled(self, control: QWidget, text: str, about: str) -> None:
        label = QLabel(text)
        label.setBuddy(control)
        self._explain(control, text, about)
        pair = wrap_layout(hbox(label, control, gap=4))
        self._row.addWidget(pair)
        self._pairs[control], self._labels[control] = pair, label

    def _explain(self, control: QWidget, text: str, about: str) -> None:
        control.setToolTip(plain_tooltip(about))
        control.setAccessibleName(text.replace("&", ""))
        control.setAccessibleDescription(about)

    def _combo(self, text: str, about: str, choices: Sequence[tuple[str, object]] = ()) -> QComboBox:
        combo = QComboBox()
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        set_combo_items(combo, choices)
        self._labelled(combo, text, about)
        return combo

    def _number(self, spin: Any, text: str, about: str) -> Any:
        spin.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        spin.setKeyboardTracking(False)
        spin.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._labelled(spin, text, about)
        return spin


def set_spin_value(spin: Any, value: float) -> None:
    """Show a number, unless the user is typing another."""
    if spin.value() != value and not spin.hasFocus():
        with QSignalBlocker(spin):
            spin.setValue(value)


def set_combo_items(combo: QComboBox, choices: Sequence[tuple[str, object]]) -> bool:
    """List these choices, texts and values; says whether they are others than before."""
    now = [(combo.itemText(place), combo.itemData(place)) for place in range(combo.count())]
    if now == list(choices):
        return False
    combo.clear()
    for text, value in choices:
        combo.addItem(text, value)
    return True


def set_combo_data(combo: QComboBox, value: object) -> None:
    """Show a value as the one chosen, where it is offered."""
    place = next((row for row in range(combo.count()) if combo.itemData(row) == value), -1)
    if place >= 0 and place != combo.currentIndex():
        combo.setCurrentIndex(place)


class DataComboBox(QComboBox):
    """Keep the selected item, by its data, if it is still offered. A single item is no choice, so it is hidden."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def offer(self, things: Iterable[tuple[str, object]]) -> None:
        """Offer other things, each as a text and its data."""
        chosen = self.currentData()
        self.clear()
        for text, data in things:
            self.addItem(text, data)
        self.setCurrentIndex(max(0, self.findData(chosen)))
        self.setVisible(self.count() > 1)
