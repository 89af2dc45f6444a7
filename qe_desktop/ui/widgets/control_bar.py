"""Bars of controls; a bar that is too narrow folds some parts: it hides them or moves them to a panel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLabel, QSizePolicy, QStyleOptionToolButton, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.icons import icon
from qe_desktop.ui.widgets.buttons import FlatButton, PanelButton
from qe_desktop.ui.widgets.form_controls import set_combo_items, set_needs
from qe_desktop.ui.widgets.labels import Label, plain_tooltip, tooltip_of_lines
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, layout_widgets, vbox, wrap_layout

Part = TypeVar("Part")
SUMMARY, LABELS = "summary", "names"
"""Parts that a `LabelledControlsBar` folds first: the text of the button that opens the panel, then all labels."""
LABEL_GAP = 4
"""Distance between a label and its control in pixels."""
HINT_SCALE, HINT_GAP = 0.9, 2
"""Text size of a hint relative to the window's text size; distance between a control and its hint in pixels."""
_MAX_WIDGET_SIZE = 16777215


def parts_to_fold(order: Sequence[Part], needed_width: Callable[[Sequence[Part]], int], width: int) -> Sequence[Part]:
    """Return the parts, from the start of `order`, that a bar must fold to fit into `width`; all if it never fits."""
    counts = range(len(order))
    return next((order[:count] for count in counts if needed_width(order[:count]) <= width), order)


class SummaryButton(PanelButton):
    """Panel button whose text summarizes the panel; if the text does not fit, only the icon of the button is shown."""

    _is_measured = False

    def fold(self, folded: bool) -> None:
        """Show only the icon if `folded`, otherwise the icon and the whole text; an elided text could hide a value."""
        self.setMaximumWidth((self.minimumSizeHint() if folded else self.sizeHint()).width())

    def sizeHint(self) -> QSize:
        """Return the size of the button with the whole text."""
        self._is_measured = True
        size = super().sizeHint()
        self._is_measured = False
        return size

    def minimumSizeHint(self) -> QSize:
        """Return the size of the button without the text."""
        size = self.sizeHint()
        return QSize(size.width() - self.fontMetrics().horizontalAdvance(self.text()), size.height())

    def initStyleOption(self, option: QStyleOptionToolButton) -> None:
        """Leave out the text if it does not fit."""
        super().initStyleOption(option)
        if not self._is_measured and self.width() < self.sizeHint().width():
            option.text = ""


class FoldingBar(QWidget):
    """Bar that folds parts if it is too narrow; subclasses implement `_fold`, usually with `parts_to_fold`."""

    def event(self, event: QEvent) -> bool:
        """Fold or unfold parts when the width, the text size or the controls have changed."""
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest, QEvent.Type.FontChange, QEvent.Type.Show):
            self._fold()
        return handled

    def _fold(self) -> None:
        """Fold the parts that do not fit, and unfold the others."""
        raise NotImplementedError


class LabelledControlsBar(FoldingBar):
    """Bar of labelled controls; subclasses create them in display order, and call `_show_pairs` to show or hide them.

    Controls created between `_begin_panel` and `_end_panel` are in a panel, which a button at the end of the bar opens.
    A bar that is too narrow folds the text of this button, then the labels; then it moves controls to the panel,
    starting with the last one.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = hbox(StretchSpace(), gap=16)
        self._flow = wrap_layout(self._row)
        self._flow.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._line = hbox(Stretched(self._flow, 1), on=self, gap=16)
        self._active = self._needs_panel = True
        self._always_shown: frozenset[QWidget] = frozenset()
        """Controls outside the panel that are shown even if the bar is not active."""
        self._pairs: dict[QWidget, QWidget] = {}
        self._labels: dict[QWidget, QLabel] = {}
        self._visibility_in_bar: dict[QWidget, bool] = {}
        """Maps each control created outside the panel to whether it is shown, in the order of the bar."""
        self.folded: Sequence[object] = ()
        """Parts that are currently folded, in folding order: `SUMMARY`, `LABELS`, then controls."""
        self._column = vbox(gap=8, margins=16)
        self._in_panel = False
        self._panel: list[QWidget] = []
        """Controls created in the panel."""
        self._headings: list[tuple[Label, int]] = []
        """Headings in the panel, each with the number of controls that precede it."""
        self._containers_with_hint: dict[QWidget, QWidget] = {}
        """Maps each control that has a hint to the widget that contains the label, the control and the hint."""
        self.panel_button: SummaryButton | None = None
        """Button that opens the panel; None if there is no panel."""
        self.reset = FlatButton(tr("Reset to defaults"), parent=self)
        """Button at the end of the panel; it is disabled while all controls of the panel have their default values."""
        self.reset.hide()
        self.reset.clicked.connect(self._reset_panel)

    def _begin_panel(self, name: str) -> SummaryButton:
        """Put all controls created from now on in a panel; return the panel's button, whose text the caller sets."""
        self._in_panel = True
        if self.panel_button is None:
            self.reset.show()
            footer = hbox(StretchSpace(), self.reset, margins=(16, 0, 16, 16))
            self.panel_button = SummaryButton("", wrap_layout(vbox(self._column, footer, gap=0)), icon=icon("settings"))
            self.panel_button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
            self.panel_button.setAutoRaise(True)
            self._line.addWidget(self.panel_button, 0, Qt.AlignmentFlag.AlignTop)
        self.panel_button.setAccessibleName(name)
        self.panel_button.setToolTip(plain_tooltip(name))
        return self.panel_button

    def _add_heading(self, text: str) -> None:
        """Put a heading above the next controls of the panel; it is shown while any of these controls is shown."""
        heading = Label(text, bold=True)
        self._column.addWidget(heading)
        self._headings.append((heading, len(self._panel)))

    def _hint(self, control: QWidget, text: str) -> None:
        """Add a line of text below a control of the panel to explain the values of the control."""
        pair = self._pairs[control]
        index = self._column.indexOf(pair)
        self._column.removeWidget(pair)
        explained = wrap_layout(vbox(pair, Label(text, scale=HINT_SCALE, token="muted"), gap=HINT_GAP))
        self._containers_with_hint[control] = explained
        self._column.insertWidget(index, explained)

    def _reset_panel(self) -> None:
        """Reset the visible controls of the panel to their default values; overridden by subclasses with a panel."""

    def _show_default(self, is_default: bool) -> None:
        """Disable the reset button if all controls of the panel have their default values, otherwise enable it."""
        set_needs(self.reset, tr("All options have their default values.") if is_default else "")

    def _end_panel(self) -> None:
        """Put all controls created from now on in the bar instead of the panel."""
        self._in_panel = False

    def focus_control(self, control: QWidget) -> None:
        """Move the focus to a control; open the panel first if the control is in the panel."""
        if self.panel_button is not None and (control in self._panel or control in self.folded):
            self.panel_button.open_panel()
        control.setFocus()

    def _show_pairs(self, visibility: Mapping[QWidget, bool]) -> None:
        """Show or hide controls with their labels; hide the button of the panel if the panel shows no control."""
        for control, visible in visibility.items():
            self._pairs[control].setVisible(visible)
            if control in self._visibility_in_bar:
                self._visibility_in_bar[control] = visible
            if control in self._containers_with_hint:
                self._containers_with_hint[control].setVisible(visible)
        begins = [begin for _, begin in self._headings]
        for (heading, begin), end in zip(self._headings, [*begins[1:], len(self._panel)], strict=False):
            heading.setVisible(any(visibility.get(control, True) for control in self._panel[begin:end]))
        self._needs_panel = any(visibility.get(control, True) for control in self._panel)
        self.set_active(self._active)

    def set_active(self, active: bool) -> None:
        """Show or hide the controls, except `_always_shown` and a widget added by `put_first`."""
        self._active = active
        visible_controls = [control for control in self._visibility_in_bar if self._show_in_bar(control)]
        self._flow.setVisible(active or bool(visible_controls))
        self._show_more()
        self._fold()

    def _show_in_bar(self, control: QWidget) -> bool:
        """Show or hide a control created outside the panel; return whether it is shown."""
        is_visible = self._visibility_in_bar[control] and (self._active or control in self._always_shown)
        self._pairs[control].setVisible(is_visible)
        return is_visible

    def set_summary(self, text: str, explanation: str = "") -> None:
        """Set the text of the panel's button: a summary of the values of the controls in the panel.

        The tooltip also has the `explanation`.
        """
        if self.panel_button is not None:
            self.panel_button.setText(text)
            name = self.panel_button.accessibleName()
            lines = (text, explanation, tr("Click to change these options")) if text else (name,)
            self.panel_button.setToolTip(tooltip_of_lines("\n".join(filter(None, lines))))
            self._fold()

    def put_first(self, widget: QWidget) -> None:
        """Insert a widget before the controls."""
        self._line.insertWidget(0, widget, 0, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        self._fold()

    def _move_first(self, control: QWidget) -> None:
        self._visibility_in_bar = {control: self._visibility_in_bar.pop(control), **self._visibility_in_bar}
        self._row.insertWidget(0, self._pairs[control])

    # --- folding

    def _fold(self) -> None:
        if self.panel_button is None or not self.isVisible():
            # before the bar is laid out, its width is arbitrary
            return
        controls = [control for control, visible in self._visibility_in_bar.items() if visible]
        before, order = self.folded, [SUMMARY, LABELS, *reversed(controls[1:])]
        self.folded = parts_to_fold(order, self._needed_width, self.width()) if self._active else ()
        self.panel_button.fold(SUMMARY in self.folded)
        for control in self._visibility_in_bar:
            hides_label = LABELS in self.folded and control not in self.folded
            # a hidden label would have no mnemonic
            self._labels[control].setMaximumWidth(0 if hides_label else _MAX_WIDGET_SIZE)
        if set(before[2:]) != set(self.folded[2:]):
            self._move_controls()
        if list(before) != list(self.folded):
            # if the size of the row stays the same, Qt does not lay it out again
            for pair in self._pairs.values():
                pair.updateGeometry()
            self._row.activate()
        self._show_more()

    def _show_more(self) -> None:
        if self.panel_button is not None:
            self.panel_button.setVisible(self._active and (self._needs_panel or len(self.folded) > 2))

    def _needed_width(self, folded: Sequence[object]) -> int:
        """Return the width in pixels that the bar needs if the parts `folded` are folded."""
        assert self.panel_button is not None
        parts = [widget for widget in layout_widgets(self._line) if widget not in (self._flow, self.panel_button)]
        widths = [widget.sizeHint().width() for widget in parts if not widget.isHidden()]
        for control, visible in self._visibility_in_bar.items():
            if visible and control not in folded:
                label = 0 if LABELS in folded else self._labels[control].sizeHint().width()
                # as in a layout: a combo box may keep an earlier size hint, smaller than its minimum
                hint = control.sizeHint().expandedTo(control.minimumSizeHint())
                widths.append(label + LABEL_GAP + max(hint.width(), control.minimumWidth()))
        if self._needs_panel or len(folded) > 2:
            widths.append(
                (self.panel_button.minimumSizeHint() if SUMMARY in folded else self.panel_button.sizeHint()).width()
            )
        return sum(widths) + self._line.spacing() * (len(widths) - 1)

    def _move_controls(self) -> None:
        """Move folded controls to the top of the panel and other controls back to the bar, in the order of the bar."""
        for control in self._visibility_in_bar:
            self._row.removeWidget(self._pairs[control])
            self._column.removeWidget(self._pairs[control])
        controls_in_bar = [control for control in self._visibility_in_bar if control not in self.folded]
        for index, control in enumerate(controls_in_bar):
            self._row.insertWidget(index, self._pairs[control])
        for index, control in enumerate(control for control in self._visibility_in_bar if control in self.folded):
            self._column.insertWidget(index, self._pairs[control])
        for control in self._visibility_in_bar:
            self._show_in_bar(control)
        for before, after in pairwise([*controls_in_bar, *([] if self.panel_button is None else [self.panel_button])]):
            QWidget.setTabOrder(before, after)

    # --- controls

    def _add_labelled(self, control: QWidget, text: str, tooltip: str) -> None:
        label = QLabel(text)
        label.setBuddy(control)
        self._explain(control, text, tooltip)
        pair = wrap_layout(hbox(label, StretchSpace(), control, gap=16 if self._in_panel else LABEL_GAP))
        if self._in_panel:
            self._column.addWidget(pair)
            self._panel.append(control)
            QWidget.setTabOrder(control, self.reset)
        else:
            self._row.insertWidget(self._row.count() - 1, pair)
            self._visibility_in_bar[control] = True
        self._pairs[control], self._labels[control] = pair, label

    def _relabel(self, control: QWidget, text: str, about: str) -> None:
        """Replace the label and the explanation (`about`) of a control."""
        self._labels[control].setText(text)
        self._explain(control, text, about)

    def _explain(self, control: QWidget, text: str, tooltip: str) -> None:
        control.setToolTip(plain_tooltip(tooltip))
        control.setAccessibleName(text.replace("&", ""))
        control.setAccessibleDescription(tooltip)

    def _combo(self, text: str, tooltip: str, choices: Sequence[tuple[str, object]] = ()) -> QComboBox:
        combo = QComboBox()
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        set_combo_items(combo, choices)
        self._add_labelled(combo, text, tooltip)
        return combo

    def _number(self, spin: Any, text: str, tooltip: str) -> Any:
        spin.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        spin.setKeyboardTracking(False)
        spin.setAlignment(Qt.AlignmentFlag.AlignRight)
        self._add_labelled(spin, text, tooltip)
        return spin
