"""A line of choices, each with its label and key; as many lines as they need."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QDoubleSpinBox, QLabel, QWidget

from qe_desktop.ui.parts.flow import FlowLayout
from qe_desktop.ui.parts.labels import tip
from qe_desktop.ui.parts.layouts import holding, row_of


class AlphaBox(QDoubleSpinBox):
    """A level of significance, without idle zeros behind it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDecimals(4)
        self.setRange(0.0001, 0.5)
        self.setSingleStep(0.01)

    def textFromValue(self, value: float) -> str:
        """The level as people write it."""
        return self.locale().toString(value, "g", 4)


class ChoiceBar(QWidget):
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
        pair = holding(row_of(label, control, gap=4))
        self._row.addWidget(pair)
        self._pairs[control], self._labels[control] = pair, label

    def _explain(self, control: QWidget, text: str, about: str) -> None:
        control.setToolTip(tip(about))
        control.setAccessibleName(text.replace("&", ""))
        control.setAccessibleDescription(about)

    def _combo(self, text: str, about: str) -> QComboBox:
        combo = QComboBox()
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._labelled(combo, text, about)
        return combo

    def _number(self, spin: Any, text: str, about: str) -> Any:
        spin.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        spin.setKeyboardTracking(False)
        spin.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._labelled(spin, text, about)
        return spin


def set_number(spin: Any, value: float) -> None:
    """Show a number, unless a person is about to type another one."""
    if spin.value() != value and not spin.hasFocus():
        with QSignalBlocker(spin):
            spin.setValue(value)
