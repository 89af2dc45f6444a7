"""Controls bound to the fields of an options object."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from qe_desktop.ui.widgets.form_controls import set_combo_data, set_combo_items, set_spin_value


class CountComboBox(QComboBox):
    """Lists the usual counts and the current one."""

    def __init__(self, usual: Sequence[int]) -> None:
        super().__init__()
        self._usual = usual
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def show_count(self, count: int) -> None:
        """Select a count; it is added if it is not usual."""
        set_combo_items(self, [(f"{known:,}", known) for known in sorted({*self._usual, count})])
        set_combo_data(self, count)


class OptionControls:
    """Controls by the field of the options object that they show and edit. `changed` is called after an edit."""

    def __init__(self, changed: Callable[[], object], **controls: QWidget) -> None:
        self.by_field = controls
        for control in controls.values():
            edited: Any = control
            if isinstance(control, QComboBox):
                edited.activated.connect(changed)
            elif isinstance(control, QLineEdit):
                edited.editingFinished.connect(changed)
            else:
                edited.valueChanged.connect(changed)

    def show_options(self, options: object) -> None:
        """Show the values of the fields; text that is being typed remains."""
        for field, control in self.by_field.items():
            value = getattr(options, field)
            if isinstance(control, CountComboBox):
                control.show_count(value)
            elif isinstance(control, QComboBox):
                set_combo_data(control, value)
            elif not isinstance(control, QLineEdit):
                set_spin_value(control, value)
            elif control.text() != value and not control.hasFocus():
                control.setText(value)

    def values(self) -> dict[str, Any]:
        """Values by field."""
        return {field: _read_value(control) for field, control in self.by_field.items()}


def _read_value(control: Any) -> Any:
    if isinstance(control, QComboBox):
        return control.currentData()
    return control.text().strip() if isinstance(control, QLineEdit) else control.value()
