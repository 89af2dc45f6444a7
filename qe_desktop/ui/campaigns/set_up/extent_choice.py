"""The choice of segments: all, a range, or a number drawn by the seed."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QButtonGroup, QGridLayout, QRadioButton, QSpinBox, QWidget

from qe_desktop.ratings.campaign_draft import Extent
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Stretch, row_of
from qe_desktop.wording import tr

MOST = 99_999_999
DRAWN = 100
"""How many segments are drawn unless a person says otherwise."""


class ExtentChoice(QWidget):
    """Three ways to say which segments are rated, each with its numbers."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons = {
            Extent.ALL: QRadioButton(tr("All", "segments")),
            Extent.RANGE: QRadioButton(tr("From", "and the number of the first segment")),
            Extent.DRAWN: QRadioButton(tr("Draw", "and how many segments")),
        }
        self.first, self.last, self.count = (
            _number(name) for name in (tr("First segment"), tr("Last segment"), tr("Segments drawn"))
        )
        self.count.setValue(DRAWN)
        self._group = QButtonGroup(self)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 4, 0, 0)
        grid.setVerticalSpacing(4)
        grid.setHorizontalSpacing(8)
        rows = (
            (Extent.ALL, ()),
            (Extent.RANGE, (self.first, tr("to", "and the number of the last segment"), self.last)),
            (Extent.DRAWN, (self.count, tr("by the seed", "behind how many segments are drawn"))),
        )
        for row, (extent, parts) in enumerate(rows):
            self._group.addButton(self.buttons[extent])
            grid.addWidget(self.buttons[extent], row, 0)
            words = (Label(part) if isinstance(part, str) else part for part in parts)
            grid.addLayout(row_of(*words, Stretch(), gap=8), row, 1)
        grid.setColumnStretch(1, 1)
        self.buttons[Extent.ALL].setChecked(True)
        self._group.buttonToggled.connect(self._on_toggled)
        for spin in (self.first, self.last, self.count):
            spin.valueChanged.connect(self.changed)
        self._enable()

    @property
    def extent(self) -> Extent:
        """Which of the three is chosen."""
        return next(extent for extent, button in self.buttons.items() if button.isChecked())

    def choose(self, extent: Extent) -> None:
        """Choose one of the three."""
        self.buttons[extent].setChecked(True)

    def in_order(self) -> tuple[QWidget, ...]:
        """The controls in the order in which Tab goes through them."""
        ways = self.buttons
        return ways[Extent.ALL], ways[Extent.RANGE], self.first, self.last, ways[Extent.DRAWN], self.count

    def show_size(self, size: int) -> None:
        """Say how many segments there are, and let the range begin as all of them."""
        self.buttons[Extent.ALL].setText(tr("All {n:,}", "segments", size) if size else tr("All", "segments"))
        for spin, value in ((self.last, size), (self.count, min(DRAWN, size))):
            with QSignalBlocker(spin):
                spin.setValue(value)

    def _on_toggled(self, button: QRadioButton, on: bool) -> None:
        if on:
            self._enable()
            self.changed.emit()

    def _enable(self) -> None:
        for spin in (self.first, self.last):
            spin.setEnabled(self.extent is Extent.RANGE)
        self.count.setEnabled(self.extent is Extent.DRAWN)


def _number(name: str) -> QSpinBox:
    spin = QSpinBox()
    spin.setRange(1, MOST)
    spin.setGroupSeparatorShown(True)
    spin.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
    spin.setAccessibleName(name)
    # a wide range must not make a wide field
    spin.setFixedWidth(spin.fontMetrics().horizontalAdvance("00,000,000") + 24)
    return spin
