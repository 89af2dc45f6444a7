"""What all cards have in common: texts that scroll, what is pressed below or beside them, and what keys do."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.rate.texts.reading_pane import ReadingPane, TextView
from qe_desktop.ui.theme import current, themes
from qe_desktop.ui.widgets.layouts import Stretched, vbox

CARD_PADDING_PX = 24
"""Pixels between a card's edge and its text."""


class ItemCard(QWidget):
    """The item in view. Each kind of protocol has its own; keys that mean nothing to it do nothing."""

    said = Signal(str)
    """What to do where a key did nothing."""

    def __init__(self, session: RatingSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.view = TextView()

    def hold(self, texts: QWidget, above: QWidget | None = None) -> QWidget:
        """Put texts on the card's surface, where they scroll; what is `above` them stays in view."""
        self.view.hold(texts)
        sheet = CardSurface()
        upper = [] if above is None else [above]
        vbox(*upper, Stretched(self.view, 1), on=sheet, gap=16, margins=(CARD_PADDING_PX, 16, 8, 16))
        for pane in self.panes():
            pane.chosen.connect(self._deselect_others)
        self.session.screen_changed.connect(self._soon_to_the_top)
        self._soon_to_the_top()
        return sheet

    def panes(self) -> list[ReadingPane]:
        """The texts on the card."""
        return []

    def main_pane(self) -> ReadingPane | None:
        """The text whose segment is to be in view first."""
        return None

    def selected(self) -> str:
        """The text that is selected."""
        return next((pane.selected() for pane in self.panes() if pane.selected()), "")

    def _deselect_others(self) -> None:
        sender = self.sender()
        for pane in self.panes():
            if pane is not sender and pane.selected():
                pane.deselect()

    # --- scrolling

    def _soon_to_the_top(self) -> None:
        # heights are known only when everything has been laid out
        QTimer.singleShot(0, self, self.show_here)

    def show_here(self) -> None:
        """Scroll to the segment that is judged, with a little of what stands before it."""
        bar, pane = self.view.verticalScrollBar(), self.main_pane()
        if pane is None or pane.here <= 0:
            bar.setValue(0)
            return
        top = pane.mapTo(self.view.widget() or self, pane.here_rect().topLeft().toPoint()).y()
        height = self.view.viewport().height()
        room = max(0, height - round(pane.here_rect().height()))
        bar.setValue(max(0, top - min(room, height // 3)))

    def scroll_by(self, pages: float) -> None:
        """Scroll by a part of what is in view."""
        bar = self.view.verticalScrollBar()
        bar.setValue(bar.value() + round(pages * self.view.viewport().height()))

    # --- keys

    @staticmethod
    def keys(work: RaterSession) -> str:
        """Its keys in two lines, for the instructions."""
        return ""

    def digit(self, digit: int) -> None:
        """A digit was pressed."""

    def letters(self) -> int:
        """How many of its translations are called by a letter."""
        return 0

    def letter(self, place: int) -> None:
        """A translation's letter was pressed: A is 0."""

    def step(self, by: int) -> None:
        """Up (-1) or down (1)."""

    def leap(self, by: int) -> None:
        """Page up (-1) or page down (1)."""
        self.scroll_by(by * 0.9)

    def enter(self) -> bool:
        """Enter, before it means to go on; False where the card has no use for it."""
        return False

    def erase(self) -> bool:
        """Backspace, before it means to go back; False where the card has no use for it."""
        return False

    def toggle_differences(self) -> None:
        """Mark or unmark where translations differ."""

    def settle(self) -> None:
        """Keep what is half said: the item is about to be left."""


class CardSurface(QWidget):
    """The surface that texts stand on."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        themes.theme_changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the surface and its edge."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(current().border)
        painter.setBrush(current().surface)
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        painter.end()
