"""Form widgets: heading, labelled controls, and a note below each control."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QRadioButton,
    QSpinBox,
    QWidget,
)

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign_draft import DraftNote, SegmentScope
from qe_desktop.ui.widgets.form_controls import RadioGroup
from qe_desktop.ui.widgets.labels import IconLabel, Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox


class NoteLine(QWidget):
    """Note with an icon, hidden while there is no note; the space that `reserved_text` needs is kept even then."""

    def __init__(self, reserved_text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.note: DraftNote | None = None
        self._sign = IconLabel("error")
        self._text = Label(token="muted", wraps=True, selectable=True)
        hbox(
            Stretched(self._sign, 0, Qt.AlignmentFlag.AlignTop),
            Stretched(self._text, 1),
            on=self,
            gap=8,
            margins=(0, 2, 0, 2),
        )
        self._text.setText(reserved_text)
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(bool(reserved_text))
        self.setSizePolicy(policy)
        self.hide()

    def show_note(self, note: DraftNote | None) -> None:
        """Show a note; None hides the line."""
        if note == self.note:
            return
        self.note = note
        self.setVisible(note is not None)
        if note is not None:
            self._sign.show_icon("error" if note.is_error else "info")
            self._text.setText(note.text)
            self.setAccessibleName(note.text)


class FormFields(QWidget):
    """Column of a form: a heading, then labels on the left, controls on the right, and notes below the controls."""

    def __init__(self, heading: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notes: dict[str, NoteLine] = {}
        self.controls: dict[str, QWidget] = {}
        self._rows: dict[str, list[QWidget]] = {}
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(1, 1)
        column = vbox(Label(heading, scale=1.15, bold=True), self._grid, on=self, gap=8)
        self._rest = column

    def add(
        self,
        name: str,
        text: str,
        control: QWidget,
        tooltip: str = "",
        *,
        focus: QWidget | None = None,
        is_wide: bool = False,
        reserved_note: str = "",
    ) -> None:
        """Add a control labelled `text`, which may contain a mnemonic; `name` identifies the control and its note.

        `tooltip` is the tooltip of the control. `focus` is the widget inside the control that receives the focus; by
        default, the control itself receives it. If `is_wide` is true, the control uses the full width, and its label is
        above it. While there is no note, space for `reserved_note` is kept below the control.
        """
        parts, first = [control], 0 if is_wide else 1
        row = self._grid.rowCount()
        if text:
            label = QLabel(text)
            label.setBuddy(focus or control)
            parts.insert(0, label)
            self._grid.addWidget(label, row, 0, 1, 2 - first)
            if is_wide:
                row += 1
            else:
                label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
                # centre the label on the first line of the control
                first_line = min(control.sizeHint().height(), QLineEdit().sizeHint().height())
                label.setContentsMargins(0, max(0, (first_line - label.sizeHint().height()) // 2), 0, 0)
        # a button that takes the focus keeps its own accessible name
        self._name(control if focus is None or isinstance(focus, QAbstractButton) else focus, text, tooltip)
        self._grid.addWidget(control, row, first, 1, 2 - first)
        line = NoteLine(reserved_note)
        self._grid.addWidget(line, self._grid.rowCount(), first, 1, 2 - first)
        self.notes[name] = line
        self.controls[name] = focus or control
        self._rows[name] = parts

    def align_labels(self, width: int) -> None:
        """Set the minimum width of the label column in pixels, to align the controls with parts of a wide control."""
        self._grid.setColumnMinimumWidth(0, width)

    def add_stretch(self) -> None:
        """Add stretch at the end of the column."""
        self._rest.addStretch(1)

    def set_row_visible(self, name: str, visible: bool) -> None:
        """Show or hide a control and its label; hiding the control also clears its note."""
        for widget in self._rows[name]:
            widget.setVisible(visible)
        if not visible:
            self.notes[name].show_note(None)

    def _name(self, control: QWidget, text: str, tooltip: str) -> None:
        has_text = isinstance(control, QAbstractButton) and bool(control.text())
        if text and not has_text and not control.accessibleName():
            control.setAccessibleName(text.replace("&", ""))
        if tooltip:
            control.setToolTip(plain_tooltip(tooltip))
            control.setAccessibleDescription(tooltip)


_OVERLAP_TIP = tr("Percentage of items that every rater gets. The rest are divided among the raters.")
_REPEATS_TIP = tr("Percentage of items shown twice to the same rater, to measure intra-annotator agreement.")
_CONTROLS_TIP = tr(
    "Deliberately degraded translations, as a percentage of the items. Careful raters score them lower than the "
    "originals."
)
_TRAINING_TIP = tr("Number of items shown first, for training. They are not included in the results.")
_SEED_TIP = tr(
    "Number from which random choices are computed. The same seed selects the same random segments. Each rater's items "
    "and their order also depend on a secret value in the owner's project."
)
NUMBER_FIELDS = (
    # name, label, unit, minimum, maximum, description
    ("overlap", tr("&Overlap"), " %", 0, 100, _OVERLAP_TIP),
    ("repeats", tr("Repea&ts"), " %", 0, 50, _REPEATS_TIP),
    ("controls", tr("Quality &control"), " %", 0, 50, _CONTROLS_TIP),
    ("training", tr("Tr&aining"), "", 0, 20, _TRAINING_TIP),
    ("seed", tr("See&d"), "", 0, 9999, _SEED_TIP),
    ("per_screen", tr("&Systems per item"), "", 2, 5, tr("Number of translations ranked at a time.")),
)


class NumberFields(QWidget):
    """Grid of labelled spin boxes for the numbers in the form; `boxes` maps names to spin boxes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes: dict[str, QSpinBox] = {}
        self._labels: dict[str, QLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(8)
        for index, (name, text, unit, minimum, maximum, tooltip) in enumerate(NUMBER_FIELDS):
            box, label = QSpinBox(), QLabel(text)
            box.setRange(minimum, maximum)
            box.setSuffix(unit)
            box.setAccessibleName(text.replace("&", ""))
            box.setAccessibleDescription(tooltip)
            label.setBuddy(box)
            for widget in (box, label):
                widget.setToolTip(plain_tooltip(tooltip))
            self.boxes[name], self._labels[name] = box, label
            grid.addWidget(label, index // 2, index % 2 * 2)
            grid.addWidget(box, index // 2, index % 2 * 2 + 1)
        for across in (1, 3):
            grid.setColumnStretch(across, 1)
        self.boxes["training"].valueChanged.connect(self._update_screens_suffix)
        self._update_screens_suffix(self.boxes["training"].value())

    def label_width(self) -> int:
        """Return the width in pixels of the widest label in the left column."""
        return max(
            self._labels[NUMBER_FIELDS[index][0]].sizeHint().width() for index in range(0, len(NUMBER_FIELDS), 2)
        )

    def show_per_screen(self, visible: bool) -> None:
        """Show or hide the field for the number of systems per item."""
        self.boxes["per_screen"].setVisible(visible)
        self._labels["per_screen"].setVisible(visible)

    def _update_screens_suffix(self, number: int) -> None:
        # the plural form follows the number in the box
        items = tr("{n:item|items}", "after a number", number)
        self.boxes["training"].setSuffix(f" {items}")


MAX_SEGMENTS = 99_999_999
DEFAULT_SAMPLE_SIZE = 100
"""Default size of the random sample, in segments."""


class ExtentChoice(QWidget):
    """Selection of the segments to rate: all, a range, or a random sample."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons = {
            SegmentScope.ALL: QRadioButton(tr("All", "segments")),
            SegmentScope.RANGE: QRadioButton(tr("From", "and the number of the first segment")),
            SegmentScope.DRAWN: QRadioButton(tr("Random", "and how many segments")),
        }
        self.scope = RadioGroup(self.buttons, self)
        self.first, self.last, self.count = (
            _number(name) for name in (tr("First segment"), tr("Last segment"), tr("Number of random segments"))
        )
        self.count.setValue(DEFAULT_SAMPLE_SIZE)
        grid = QGridLayout(self)
        # the first line is as high as in other controls
        radio = self.buttons[SegmentScope.ALL].sizeHint().height()
        grid.setContentsMargins(0, max(0, (self.first.sizeHint().height() - radio) // 2), 0, 0)
        grid.setVerticalSpacing(4)
        grid.setHorizontalSpacing(8)
        rows = (
            (SegmentScope.ALL, ()),
            (SegmentScope.RANGE, (self.first, tr("to", "and the number of the last segment"), self.last)),
            (SegmentScope.DRAWN, (self.count, tr("using the seed below", "after the number of random segments"))),
        )
        for row, (extent, parts) in enumerate(rows):
            grid.addWidget(self.buttons[extent], row, 0)
            words = (Label(part) if isinstance(part, str) else part for part in parts)
            grid.addLayout(hbox(*words, StretchSpace(), gap=8), row, 1)
        grid.setColumnStretch(1, 1)
        self.scope.changed.connect(self._enable)
        self._enable()

    def tab_order(self) -> tuple[QWidget, ...]:
        """Return the controls in tab order."""
        all_segments, part, random = self.buttons.values()
        return all_segments, part, self.first, self.last, random, self.count

    def show_size(self, size: int) -> None:
        """Show the number of segments, and reset the range and the sample size.

        The range is set to all segments. The sample size is set to `DEFAULT_SAMPLE_SIZE` or, if there are fewer
        segments, to `size`.
        """
        self.buttons[SegmentScope.ALL].setText(tr("All {n:,}", "segments", size) if size else tr("All", "segments"))
        for spin, value in ((self.first, 1), (self.last, size), (self.count, min(DEFAULT_SAMPLE_SIZE, size))):
            with QSignalBlocker(spin):
                spin.setValue(value)

    def _enable(self) -> None:
        for spin in (self.first, self.last):
            spin.setEnabled(self.scope.chosen is SegmentScope.RANGE)
        self.count.setEnabled(self.scope.chosen is SegmentScope.DRAWN)


def _number(name: str) -> QSpinBox:
    spin = QSpinBox()
    spin.setRange(1, MAX_SEGMENTS)
    spin.setGroupSeparatorShown(True)
    spin.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
    spin.setAccessibleName(name)
    # the range of values must not determine the width
    spin.setFixedWidth(spin.fontMetrics().horizontalAdvance("00,000,000") + 24)
    return spin
