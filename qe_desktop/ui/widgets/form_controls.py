"""Controls of forms: values by name, combo boxes, and a bar of labelled controls."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSizePolicy,
    QSpinBox,
    QStyleOptionToolButton,
    QToolButton,
    QWidget,
)

from qe_desktop.ui.icons import icon
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import FlowLayout, Stretched, StretchSpace, hbox, layout_widgets, vbox, wrap_layout
from qe_desktop.ui.widgets.panel_button import PanelButton


class AlphaSpinBox(QDoubleSpinBox):
    """Spin box for a significance level, without trailing zeros."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDecimals(4)
        self.setRange(0.0001, 0.5)
        self.setSingleStep(0.01)

    def textFromValue(self, value: float) -> str:
        """Format the level without trailing zeros."""
        return self.locale().toString(value, "g", 4)


class SummaryButton(PanelButton):
    """Panel button whose text summarizes the controls; if the text does not fit, only the icon is shown."""

    _is_measured = False

    def fold(self, width: int) -> None:
        """Show the text if the width suffices, otherwise only the icon, because an elided text could hide a value."""
        whole = self.sizeHint().width()
        self.setMaximumWidth(whole if width >= whole else self.minimumSizeHint().width())

    def sizeHint(self) -> QSize:
        """Return the size with the whole text."""
        self._is_measured = True
        size = super().sizeHint()
        self._is_measured = False
        return size

    def minimumSizeHint(self) -> QSize:
        """Return the size without the text."""
        size = self.sizeHint()
        return QSize(size.width() - self.fontMetrics().horizontalAdvance(self.text()), size.height())

    def initStyleOption(self, option: QStyleOptionToolButton) -> None:
        """Leave out the text if it does not fit."""
        super().initStyleOption(option)
        if not self._is_measured and self.width() < self.sizeHint().width():
            option.text = ""


class LabeledControlsBar(QWidget):
    """Bar of labelled controls; subclasses create the controls in order, and show and hide them with `_show_pairs`.

    Controls created between `_begin_panel` and `_end_panel` are in a panel, which a button at the end of the bar opens.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flow = QWidget()
        self._row = FlowLayout(self._flow, gap=16)
        self._line = hbox(Stretched(self._flow, 1), on=self, gap=16)
        self._active = self._needs_panel = True
        self._pairs: dict[QWidget, QWidget] = {}
        self._labels: dict[QWidget, QLabel] = {}
        self._column = vbox(gap=8, margins=16)
        self._in_panel = False
        self._panel: list[QWidget] = []
        """Controls in the panel."""
        self._headings: list[tuple[Label, int]] = []
        """Headings in the panel, with the number of controls before each."""
        self.more: SummaryButton | None = None
        """Button that opens the panel; None without one."""

    def _begin_panel(self, name: str) -> SummaryButton:
        """Put the controls that follow in a panel; return its button, whose text the caller sets."""
        self._in_panel = True
        if self.more is None:
            self.more = SummaryButton("", wrap_layout(self._column), icon=icon("settings"))
            self.more.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            self.more.setAutoRaise(True)
            self._line.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        self.more.setAccessibleName(name)
        self.more.setToolTip(plain_tooltip(name))
        return self.more

    def _head_panel(self, text: str) -> None:
        """Put a heading above the next controls of the panel; it is shown while any of them is."""
        heading = Label(text, bold=True)
        self._column.addWidget(heading)
        self._headings.append((heading, len(self._panel)))

    def _end_panel(self) -> None:
        """Put all further controls in the bar instead of the panel."""
        self._in_panel = False

    def reach(self, control: QWidget) -> None:
        """Focus a control; open the panel first if the control is in it."""
        if self.more is not None and control in self._panel:
            self.more.open_panel()
        control.setFocus()

    def _show_pairs(self, seen: Mapping[QWidget, bool]) -> None:
        """Show and hide controls; the panel has no button if none of its controls is shown."""
        for control, shown in seen.items():
            self._pairs[control].setVisible(shown)
        begins = [begin for _, begin in self._headings]
        for (heading, begin), end in zip(self._headings, [*begins[1:], len(self._panel)], strict=False):
            heading.setVisible(any(seen.get(control, True) for control in self._panel[begin:end]))
        self._needs_panel = any(seen.get(control, True) for control in self._panel)
        self.set_active(self._active)

    def set_active(self, active: bool) -> None:
        """Show or hide the controls, but not the widget of `put_first`."""
        self._active = active
        self._flow.setVisible(active)
        if self.more is not None:
            self.more.setVisible(active and self._needs_panel)
        self._fold()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Reduce the panel's button to its icon before controls are wrapped."""
        super().resizeEvent(event)
        self._fold()

    def sum_up(self, text: str) -> None:
        """Set the text of the panel's button, a summary of the values of the controls in the panel."""
        if self.more is not None:
            self.more.setText(text)
            self.more.setToolTip(plain_tooltip(text or self.more.accessibleName()))
            self._fold()

    def _fold(self) -> None:
        if self.more is not None:
            others = [widget for widget in layout_widgets(self._line) if widget is not self.more]
            taken = sum(widget.sizeHint().width() for widget in others if not widget.isHidden())
            self.more.fold(self.width() - taken - self._line.spacing() * len(others))

    def put_first(self, widget: QWidget) -> None:
        """Put a widget before the controls."""
        self._line.insertWidget(0, widget, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        self._fold()

    def _labelled(self, control: QWidget, text: str, about: str) -> None:
        label = QLabel(text)
        label.setBuddy(control)
        self._explain(control, text, about)
        if not self._in_panel:
            pair = wrap_layout(hbox(label, control, gap=4))
            self._row.addWidget(pair)
        else:
            pair = wrap_layout(hbox(label, StretchSpace(), control, gap=16))
            self._column.addWidget(pair)
            self._panel.append(control)
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


def make_combo_box(name: str, tooltip: str = "") -> QComboBox:
    """Create a combo box with an accessible name."""
    combo = QComboBox()
    combo.setAccessibleName(name)
    combo.setToolTip(tooltip)
    return combo


def make_tool_button(text: str, tooltip: str = "", *, checkable: bool = False) -> QToolButton:
    """Create a tool button with a text."""
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tooltip)
    button.setCheckable(checkable)
    return button


USUAL_TEXTS = "usual texts"
"""Property with the tooltip and the accessible description that a disabled control has when it is enabled."""


def set_needs(control: QWidget, needs: str) -> None:
    """Disable a control and show what it needs as its tooltip, or enable it again if `needs` is empty.

    `needs` is a sentence that states what the user must do, or why the control is disabled, as in `Action.needs`.
    """
    usual = control.property(USUAL_TEXTS)
    if needs:
        if usual is None:
            control.setProperty(USUAL_TEXTS, (control.toolTip(), control.accessibleDescription()))
        control.setToolTip(plain_tooltip(needs))
        control.setAccessibleDescription(needs)
    elif usual is not None:
        tooltip, description = usual
        control.setProperty(USUAL_TEXTS, None)
        control.setToolTip(tooltip)
        control.setAccessibleDescription(description)
    control.setEnabled(not needs)


def set_spin_value(spin: Any, value: float) -> None:
    """Display a number without emitting signals, unless the spin box has the focus."""
    if spin.value() != value and not spin.hasFocus():
        with QSignalBlocker(spin):
            spin.setValue(value)


def set_combo_items(combo: QComboBox, choices: Sequence[tuple[str, object]]) -> bool:
    """Replace the items (texts and values); return whether they changed."""
    now = [(combo.itemText(place), combo.itemData(place)) for place in range(combo.count())]
    if now == list(choices):
        return False
    combo.clear()
    for text, value in choices:
        combo.addItem(text, value)
    return True


def set_combo_data(combo: QComboBox, value: object) -> None:
    """Select the item with a value if there is one."""
    place = next((row for row in range(combo.count()) if combo.itemData(row) == value), -1)
    if place >= 0 and place != combo.currentIndex():
        combo.setCurrentIndex(place)


class DataComboBox(QComboBox):
    """Combo box that keeps the selected data if they are still offered; it is hidden with fewer than two items."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def offer(self, things: Iterable[tuple[str, object]]) -> None:
        """Replace the items, each a text and its data; if the selected one is not among them, select the first."""
        chosen = self.currentData()
        self.clear()
        for text, data in things:
            self.addItem(text, data)
        self.setCurrentIndex(max(0, self.findData(chosen)))
        self.setVisible(self.count() > 1)


def make_combo(choices: Mapping[Any, str], name: str = "") -> QComboBox:
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
    """Create a text field for several lines; Tab moves the focus out of it."""
    box = QPlainTextEdit(text)
    box.setAccessibleName(name)
    box.setPlaceholderText(placeholder)
    box.setReadOnly(read_only)
    box.setTabChangesFocus(True)
    return box


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
        """Check the button of a value."""
        self.choices[value].setChecked(True)

    def _on_toggled(self, button: QAbstractButton, on: bool) -> None:
        if on:
            self.changed.emit()


def _select_data(combo: QComboBox, value: object) -> None:
    """Select the item with this data, or else the first item."""
    combo.setCurrentIndex(next((row for row in range(combo.count()) if combo.itemData(row) == value), 0))


_ACCESS: dict[type[QObject], tuple[Callable[[Any], Any], Callable[[Any, Any], object], str]] = {
    QLineEdit: (lambda edit: edit.text().strip(), QLineEdit.setText, "textChanged"),
    QPlainTextEdit: (lambda edit: edit.toPlainText().strip(), QPlainTextEdit.setPlainText, "textChanged"),
    QCheckBox: (QCheckBox.isChecked, QCheckBox.setChecked, "toggled"),
    QSpinBox: (QSpinBox.value, QSpinBox.setValue, "valueChanged"),
    QComboBox: (QComboBox.currentData, _select_data, "currentIndexChanged"),
    QObject: (lambda control: control.chosen, lambda control, value: control.choose(value), "changed"),
}
"""Getter, setter and signal by control class. Controls of other classes have `chosen`, `choose` and `changed`."""


class FormValues:
    """Controls by name, with their values as one mapping."""

    def __init__(self, controls: Mapping[str, QObject]) -> None:
        self._controls = {
            name: (control, next(access for kind, access in _ACCESS.items() if isinstance(control, kind)))
            for name, control in controls.items()
        }

    @property
    def values(self) -> dict[str, Any]:
        """Values by name; text is stripped of surrounding white space."""
        return {name: read(control) for name, (control, (read, _, _)) in self._controls.items()}

    def set_values(self, values: Mapping[str, Any], *, omit: Collection[str] = ()) -> None:
        """Set values, except those in `omit`."""
        for name, value in values.items():
            if name not in omit:
                control, (_, write, _) = self._controls[name]
                write(control, value)

    def on_change(self, slot: Callable[[], object]) -> None:
        """Call `slot` when any value changes."""
        for control, (_, _, signal) in self._controls.values():
            getattr(control, signal).connect(slot)
