"""The card of protocols with scales: one translation, its source or reference, and the questions below."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from qe_desktop.ratings.work import Work
from qe_desktop.ui.rate.card import Card
from qe_desktop.ui.rate.scales.scale_panel import ScalePanel
from qe_desktop.ui.rate.sitting import Sitting
from qe_desktop.ui.rate.texts.reading_pane import ReadingPane
from qe_desktop.ui.rate.texts.text_columns import TextColumns
from qe_desktop.ui.rate.texts.text_view import UNLIMITED, FittedView
from qe_desktop.wording import tr

MOST = 0.5
"""The share of the card's height that question and answers may take below the texts."""
BESIDE = 0.36
"""The share of its width that the answers take beside them."""


class AnswerView(FittedView):
    """Holds the answers: below the texts as high as they are, beside them in a place that they may scroll in."""

    _below = True

    def stand_below(self) -> None:
        """Take the whole width, and the height of the answers."""
        self._below = True
        self.setMinimumWidth(0)
        self.setMaximumWidth(UNLIMITED)
        self.fit()

    def stand_beside(self, width: int) -> None:
        """Take a part of the width, and whatever height there is."""
        self._below = False
        self.setFixedWidth(width)
        self.setMinimumHeight(0)
        self.setMaximumHeight(UNLIMITED)

    def fit(self) -> None:
        """Below the texts, become as high as the answers."""
        if self._below:
            self.setFixedHeight(self.needed())


class ScaleCard(Card):
    """Texts above, the scale that is asked below."""

    def __init__(self, sitting: Sitting, parent: QWidget | None = None) -> None:
        super().__init__(sitting, parent)
        self.texts = TextColumns(sitting)
        self.panel = ScalePanel(sitting, self)
        self.panel.said.connect(self.said)
        self._sheet = self.hold(self.texts)
        self.view.resized.connect(self.texts.set_room)
        self._answers = AnswerView()
        self._answers.hold(self.panel.answers)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(8)
        self._beside: bool | None = None
        self._place(beside=False)

    def _place(self, *, beside: bool) -> None:
        """Put the answers below the texts, or beside them where that would leave too little of the texts."""
        if beside == self._beside:
            return
        self._beside = beside
        for widget in (self._sheet, self.panel.head, self._answers):
            self._grid.removeWidget(widget)
        if beside:
            self._grid.addWidget(self.panel.head, 0, 0, 1, 2)
            self._grid.addWidget(self._sheet, 1, 0)
            self._grid.addWidget(self._answers, 1, 1)
        else:
            self._grid.addWidget(self._sheet, 0, 0, 1, 2)
            self._grid.addWidget(self.panel.head, 1, 0, 1, 2)
            self._grid.addWidget(self._answers, 2, 0, 1, 2)
        self._grid.setRowStretch(0, 0 if beside else 1)
        self._grid.setRowStretch(1, 1 if beside else 0)

    def _arrange(self) -> None:
        width, height = self.width(), self.height()
        beside = bool(self.panel.rows) and self.panel.needed(width) > height * MOST
        self._place(beside=beside)
        if beside:
            room = height - self.panel.head_height(width) - self._grid.verticalSpacing()
            self.panel.set_place(round(width * BESIDE), max(1, room))
            self._answers.stand_beside(round(width * BESIDE))
        else:
            self.panel.set_place(width, 0)
            self._answers.stand_below()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the answers where there is room for them."""
        super().resizeEvent(event)
        self._arrange()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._arrange()

    def panes(self) -> list[ReadingPane]:
        """Source, reference and translation."""
        return self.texts.panes()

    def main_pane(self) -> ReadingPane:
        """The translation."""
        return self.texts.translation.pane

    @staticmethod
    def keys(work: Work) -> str:
        """The scale's digits, or how a number is given."""
        scale = work.scales[0]
        if scale.slider:
            return tr(
                "Keys: type a number and press Enter, or use the arrows up and down. Right goes on, Left goes back, "
                "S skips, Ctrl+Z takes back, F1 shows all keys."
            )
        return tr(
            "Keys: {low} to {high} choose, Right goes on and Left goes back, S skips, Ctrl+Z takes back, "
            "F1 shows all keys.",
            low=scale.low,
            high=scale.high,
        )

    def digit(self, digit: int) -> None:
        """Give a value, or write a number."""
        self.panel.digit(digit)

    def step(self, by: int) -> None:
        """The question before or after; on a slider, one point more or less."""
        self.panel.step(by)

    def leap(self, by: int) -> None:
        """Ten points on a slider; elsewhere, scroll."""
        if not self.panel.leap(by):
            super().leap(by)

    def enter(self) -> bool:
        """Give the number that was written."""
        return self.panel.enter()

    def erase(self) -> bool:
        """Take back a digit of the number that is written."""
        return self.panel.erase()

    def settle(self) -> None:
        """Give the value that a slider was stepped to."""
        self.panel.settle()
