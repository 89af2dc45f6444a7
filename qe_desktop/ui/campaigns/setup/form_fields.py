"""Parts of a form: a heading, a label beside its control, and below it in words what is missing or wrong there."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QButtonGroup,
    QGridLayout,
    QLabel,
    QRadioButton,
    QSpinBox,
    QWidget,
)

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign_draft import DraftNote, SegmentScope
from qe_desktop.ui.widgets.labels import IconLabel, Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox


class NoteLine(QWidget):
    """A note with its sign; takes no room while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.note: DraftNote | None = None
        self._sign = IconLabel("error")
        self._text = Label(token="muted", wraps=True, selectable=True)
        hbox(
            Stretched(self._sign, 0, Qt.AlignmentFlag.AlignTop),
            Stretched(self._text, 1),
            on=self,
            gap=6,
            margins=(0, 2, 0, 2),
        )
        self.hide()

    def show_note(self, note: DraftNote | None) -> None:
        """Show a note, or nothing."""
        if note == self.note:
            return
        self.note = note
        self.setVisible(note is not None)
        if note is not None:
            self._sign.show_icon("error" if note.grave else "info")
            self._text.setText(note.text)
            self.setAccessibleName(note.text)


class FormFields(QWidget):
    """One column of the form: a heading, then labels at the left and controls at the right, each with its note."""

    def __init__(self, heading: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notes: dict[str, NoteLine] = {}
        self.controls: dict[str, QWidget] = {}
        self._rows: dict[str, list[QWidget]] = {}
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        column = vbox(Label(heading, scale=1.15, bold=True), self._grid, on=self, gap=8)
        self._rest = column

    def add(
        self,
        name: str,
        text: str,
        control: QWidget,
        about: str = "",
        *,
        focus: QWidget | None = None,
        wide: bool = False,
    ) -> None:
        """A control under a name, by which its note is found; `text` has the letter of its key behind an `&`.

        A `wide` one takes the whole width, with its label above it where it has one.
        """
        parts, first = [control], 0 if wide else 1
        row = self._grid.rowCount()
        if text:
            label = QLabel(text)
            label.setBuddy(focus or control)
            parts.insert(0, label)
            self._grid.addWidget(label, row, 0, 1, 2 - first)
            if wide:
                row += 1
            else:
                label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
                label.setContentsMargins(0, 5, 0, 0)
        # a button of a group has a name of its own
        self._name(control if focus is None or isinstance(focus, QAbstractButton) else focus, text, about)
        self._grid.addWidget(control, row, first, 1, 2 - first)
        line = NoteLine()
        self._grid.addWidget(line, self._grid.rowCount(), first, 1, 2 - first)
        self.notes[name] = line
        self.controls[name] = focus or control
        self._rows[name] = parts

    def align_labels(self, width: int) -> None:
        """Make the labels at the left at least so wide, to stand in line with those of a wide control."""
        self._grid.setColumnMinimumWidth(0, width)

    def end(self) -> None:
        """Leave the rest of the column empty."""
        self._rest.addStretch(1)

    def set_row_visible(self, name: str, visible: bool) -> None:
        """Show or hide a control with its label and note."""
        for widget in self._rows[name]:
            widget.setVisible(visible)
        if not visible:
            self.notes[name].show_note(None)

    def _name(self, control: QWidget, text: str, about: str) -> None:
        if text and not control.accessibleName():
            control.setAccessibleName(text.replace("&", ""))
        if about:
            control.setToolTip(plain_tooltip(about))
            control.setAccessibleDescription(about)


_OVERLAP_TIP = tr("The share of items that every rater gets; the rest is dealt out among them.")
_REPEATS_TIP = tr("Items shown again to the same rater: they tell how steady each rater is.")
_CONTROLS_TIP = tr("Translations damaged on purpose: a careful rater rates them lower.")
_TRAINING_TIP = tr("Screens before the real ones. They count in no result.")
_SEED_TIP = tr("With the campaign’s secret, which stays in the project, the seed gives the same draws again.")
NUMBER_FIELDS = (
    # name, label, unit, least, most, what it means
    ("overlap", tr("&Overlap"), " %", 0, 100, _OVERLAP_TIP),
    ("repeats", tr("Repea&ts"), " %", 0, 50, _REPEATS_TIP),
    ("controls", tr("&Control items"), " %", 0, 50, _CONTROLS_TIP),
    ("training", tr("Tr&aining"), "", 0, 20, _TRAINING_TIP),
    ("seed", tr("See&d"), "", 0, 9999, _SEED_TIP),
    ("per_screen", tr("&Systems a screen"), "", 2, 5, tr("How many translations are ranked at one time.")),
)


class NumberFields(QWidget):
    """Spin boxes by name; `values` are what stands in them."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes: dict[str, QSpinBox] = {}
        self._labels: dict[str, QLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(6)
        for place, (name, text, unit, least, most, about) in enumerate(NUMBER_FIELDS):
            box, label = QSpinBox(), QLabel(text)
            box.setRange(least, most)
            box.setSuffix(unit)
            box.setAccessibleName(text.replace("&", ""))
            box.setAccessibleDescription(about)
            label.setBuddy(box)
            for widget in (box, label):
                widget.setToolTip(plain_tooltip(about))
            box.valueChanged.connect(self.changed)
            self.boxes[name], self._labels[name] = box, label
            grid.addWidget(label, place // 2, place % 2 * 2)
            grid.addWidget(box, place // 2, place % 2 * 2 + 1)
        for across in (1, 3):
            grid.setColumnStretch(across, 1)
        self.boxes["training"].valueChanged.connect(self._say_screens)
        self._say_screens(self.boxes["training"].value())

    def label_width(self) -> int:
        """How wide the labels at the left are."""
        return max(
            self._labels[NUMBER_FIELDS[place][0]].sizeHint().width() for place in range(0, len(NUMBER_FIELDS), 2)
        )

    @property
    def values(self) -> dict[str, int]:
        """The numbers by name."""
        return {name: box.value() for name, box in self.boxes.items()}

    def set_values(self, values: Mapping[str, int]) -> None:
        """Put numbers into the boxes."""
        for name, value in values.items():
            self.boxes[name].setValue(value)

    def show_per_screen(self, shown: bool) -> None:
        """Whether one can choose how many systems a screen shows."""
        self.boxes["per_screen"].setVisible(shown)
        self._labels["per_screen"].setVisible(shown)

    def _say_screens(self, number: int) -> None:
        # where numbers choose their words, this one follows what stands before it
        screens = tr("{n:screen|screens}", "behind their number", number)
        self.boxes["training"].setSuffix(f" {screens}")


MAX_SEGMENTS = 99_999_999
DEFAULT_SAMPLE_SIZE = 100
"""How many segments are drawn unless a person says otherwise."""


class ExtentChoice(QWidget):
    """Three ways to say which segments are rated, each with its numbers."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons = {
            SegmentScope.ALL: QRadioButton(tr("All", "segments")),
            SegmentScope.RANGE: QRadioButton(tr("From", "and the number of the first segment")),
            SegmentScope.DRAWN: QRadioButton(tr("Draw", "and how many segments")),
        }
        self.first, self.last, self.count = (
            _number(name) for name in (tr("First segment"), tr("Last segment"), tr("Segments drawn"))
        )
        self.count.setValue(DEFAULT_SAMPLE_SIZE)
        self._group = QButtonGroup(self)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 4, 0, 0)
        grid.setVerticalSpacing(4)
        grid.setHorizontalSpacing(8)
        rows = (
            (SegmentScope.ALL, ()),
            (SegmentScope.RANGE, (self.first, tr("to", "and the number of the last segment"), self.last)),
            (SegmentScope.DRAWN, (self.count, tr("by the seed", "behind how many segments are drawn"))),
        )
        for row, (extent, parts) in enumerate(rows):
            self._group.addButton(self.buttons[extent])
            grid.addWidget(self.buttons[extent], row, 0)
            words = (Label(part) if isinstance(part, str) else part for part in parts)
            grid.addLayout(hbox(*words, StretchSpace(), gap=8), row, 1)
        grid.setColumnStretch(1, 1)
        self.buttons[SegmentScope.ALL].setChecked(True)
        self._group.buttonToggled.connect(self._on_toggled)
        for spin in (self.first, self.last, self.count):
            spin.valueChanged.connect(self.changed)
        self._enable()

    @property
    def extent(self) -> SegmentScope:
        """Which of the three is chosen."""
        return next(extent for extent, button in self.buttons.items() if button.isChecked())

    def choose(self, extent: SegmentScope) -> None:
        """Choose one of the three."""
        self.buttons[extent].setChecked(True)

    def in_order(self) -> tuple[QWidget, ...]:
        """The controls in the order in which Tab goes through them."""
        ways = self.buttons
        return (
            ways[SegmentScope.ALL],
            ways[SegmentScope.RANGE],
            self.first,
            self.last,
            ways[SegmentScope.DRAWN],
            self.count,
        )

    def show_size(self, size: int) -> None:
        """Say how many segments there are, and let the range begin as all of them."""
        self.buttons[SegmentScope.ALL].setText(tr("All {n:,}", "segments", size) if size else tr("All", "segments"))
        for spin, value in ((self.last, size), (self.count, min(DEFAULT_SAMPLE_SIZE, size))):
            with QSignalBlocker(spin):
                spin.setValue(value)

    def _on_toggled(self, button: QRadioButton, on: bool) -> None:
        if on:
            self._enable()
            self.changed.emit()

    def _enable(self) -> None:
        for spin in (self.first, self.last):
            spin.setEnabled(self.extent is SegmentScope.RANGE)
        self.count.setEnabled(self.extent is SegmentScope.DRAWN)


def _number(name: str) -> QSpinBox:
    spin = QSpinBox()
    spin.setRange(1, MAX_SEGMENTS)
    spin.setGroupSeparatorShown(True)
    spin.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
    spin.setAccessibleName(name)
    # a wide range must not make a wide field
    spin.setFixedWidth(spin.fontMetrics().horizontalAdvance("00,000,000") + 24)
    return spin
