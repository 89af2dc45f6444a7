"""Base class of item cards: scrolling texts, answers and keys."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.rate.texts.reading_pane import ReadingPane, TextView
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.layouts import Stretched, vbox
from qe_desktop.ui.widgets.themed_widget import ThemedWidget

CARD_PADDING_PX = 24
"""Padding between a card's border and its text."""


class ItemCard(QWidget):
    """Base class of cards of the current item, one per kind of protocol; keys without a meaning are ignored."""

    message_posted = Signal(str)
    """Emitted with a hint on the last key, for example if it has no effect."""

    def __init__(self, session: RatingSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.view = TextView()

    def hold(self, texts: QWidget, above: QWidget | None = None) -> QWidget:
        """Create the surface on which `texts` scroll, below a widget `above` that does not; return the surface."""
        self.view.hold(texts)
        sheet = CardSurface()
        upper = [] if above is None else [above]
        vbox(*upper, Stretched(self.view, 1), on=sheet, gap=16, margins=(CARD_PADDING_PX, 16, 8, 16))
        for pane in self.panes():
            pane.chosen.connect(self._deselect_others)
        self.session.screen_changed.connect(self._schedule_scroll)
        self._schedule_scroll()
        return sheet

    def panes(self) -> list[ReadingPane]:
        """Return the text panes of the card."""
        return []

    def main_pane(self) -> ReadingPane | None:
        """Return the pane whose segment is scrolled into view first; None if there is none."""
        return None

    def selected(self) -> str:
        """Return the selected text; empty if none is selected."""
        return next((pane.selected() for pane in self.panes() if pane.selected()), "")

    def _deselect_others(self) -> None:
        sender = self.sender()
        for pane in self.panes():
            if pane is not sender and pane.selected():
                pane.deselect()

    # --- scrolling

    def _schedule_scroll(self) -> None:
        # heights are known only after the layout
        QTimer.singleShot(0, self, self.show_here)

    def show_here(self) -> None:
        """Scroll to the judged segment, with some context before it; without preceding context, scroll to the top."""
        bar, pane = self.view.verticalScrollBar(), self.main_pane()
        if pane is None or pane.here <= 0:
            bar.setValue(0)
            return
        top = pane.mapTo(self.view.widget() or self, pane.here_rect().topLeft().toPoint()).y()
        height = self.view.viewport().height()
        spare = max(0, height - round(pane.here_rect().height()))
        bar.setValue(max(0, top - min(spare, height // 3)))

    def scroll_by(self, pages: float) -> None:
        """Scroll by a fraction of the visible height."""
        bar = self.view.verticalScrollBar()
        bar.setValue(bar.value() + round(pages * self.view.viewport().height()))

    # --- keys

    @staticmethod
    def keys(work: RaterSession) -> str:
        """Return a text on the keys of the card, for the instructions; empty by default."""
        return ""

    def digit(self, digit: int) -> None:
        """Handle a digit key."""

    def letters(self) -> int:
        """Return the number of translations that have a letter."""
        return 0

    def letter(self, index: int) -> None:
        """Handle a letter key; `index` 0 is A."""

    def step(self, by: int) -> None:
        """Handle the Up (-1) or Down (1) key."""

    def leap(self, by: int) -> None:
        """Handle the Page Up (-1) or Page Down (1) key."""
        self.scroll_by(by * 0.9)

    def enter(self) -> bool:
        """Handle the Enter key; return False if it is not used and should go to the next item."""
        return False

    def erase(self) -> bool:
        """Handle the Backspace key; return False if it is not used and should go to the previous item."""
        return False

    def toggle_differences(self) -> None:
        """Toggle highlighting of differences between translations."""

    def settle(self) -> None:
        """Commit pending input before the item is left."""


class CardSurface(ThemedWidget):
    """Background surface of the texts."""

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the background and its border."""
        painter.setPen(colours.border)
        painter.setBrush(colours.surface)
        painter.drawRoundedRect(self.rect().toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
