"""The numbers of a campaign: shares, training, and the seed, two in a line."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSpinBox, QWidget

from qe_desktop.ui.parts.labels import tip
from qe_desktop.wording import tr

_COMMON = tr("The share of items that every rater gets; the rest is dealt out among them.")
_AGAIN = tr("Items shown again to the same rater: they tell how steady each rater is.")
_DAMAGED = tr("Translations damaged on purpose: a careful rater rates them lower.")
_BEFORE = tr("Screens before the real ones. They count in no result.")
_DRAWS = tr("With the campaign’s secret, which stays in the project, the seed gives the same draws again.")
NUMBERS = (
    # name, label, unit, least, most, what it means
    ("overlap", tr("&Overlap"), " %", 0, 100, _COMMON),
    ("repeats", tr("Repea&ts"), " %", 0, 50, _AGAIN),
    ("controls", tr("&Control items"), " %", 0, 50, _DAMAGED),
    ("training", tr("Tr&aining"), "", 0, 20, _BEFORE),
    ("seed", tr("See&d"), "", 0, 9999, _DRAWS),
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
        for place, (name, text, unit, least, most, about) in enumerate(NUMBERS):
            box, label = QSpinBox(), QLabel(text)
            box.setRange(least, most)
            box.setSuffix(unit)
            box.setAccessibleName(text.replace("&", ""))
            box.setAccessibleDescription(about)
            label.setBuddy(box)
            for widget in (box, label):
                widget.setToolTip(tip(about))
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
        return max(self._labels[NUMBERS[place][0]].sizeHint().width() for place in range(0, len(NUMBERS), 2))

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
