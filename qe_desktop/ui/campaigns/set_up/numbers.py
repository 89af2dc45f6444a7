"""The numbers of a campaign: shares, training, and the seed, two in a line."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QSpinBox, QWidget

from qe_desktop.ui.parts.labels import tip

_COMMON = "The share of items that every rater gets; the rest is dealt out among them."
_AGAIN = "Items shown again to the same rater: they tell how steady each rater is."
_DAMAGED = "Translations damaged on purpose: a careful rater rates them lower."
NUMBERS = (
    # name, label, unit, least, most, what it means
    ("overlap", "&Overlap", " %", 0, 100, _COMMON),
    ("repeats", "Repea&ts", " %", 0, 50, _AGAIN),
    ("controls", "&Control items", " %", 0, 50, _DAMAGED),
    ("training", "Tr&aining", " screens", 0, 20, "Screens before the real ones. They count in no result."),
    (
        "seed",
        "See&d",
        "",
        0,
        9999,
        "With the campaign’s secret, which stays in the project, the seed gives the same draws again.",
    ),
    ("per_screen", "&Systems a screen", "", 2, 5, "How many translations are ranked at one time."),
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
