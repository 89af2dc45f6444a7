"""Ranking card: translations in a vertical list, with the rank rows at the side."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.answers.event_history import RANKS
from qe_desktop.answers.ranking import (
    LETTERS,
    RankOrder,
    empty_ranks,
    move_output,
    next_unranked,
    set_rank,
    unranked_positions,
)
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.ui.rate.ranking.rank_drop_list import RankDropList
from qe_desktop.ui.rate.ranking.ranking_card import RankingCardBase
from qe_desktop.ui.rate.ranking.translation_box import TranslationBox
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox


class RankAllCard(RankingCardBase):
    """Card for rankings; keys: a letter selects a translation, a digit ranks it and selects the next unranked one."""

    def __init__(self, session: RatingSession) -> None:
        super().__init__(session)
        self.picked = 0
        self.ladder = RankDropList()
        self.ladder.dropped.connect(self.give)
        self.ladder.picked.connect(self.pick)
        texts = QWidget()
        self._column = vbox(self.legend, StretchSpace(), on=texts, gap=8, margins=(0, 0, 16, 0))
        hbox(
            Stretched(self.hold(texts, self.given), 1),
            Stretched(self.ladder, 0, Qt.AlignmentFlag.AlignTop),
            on=self,
            gap=16,
        )
        self.show_screen()

    @property
    def ranks(self) -> RankOrder:
        """Current ranks of the translations; 0 for unranked ones."""
        screen = self.session.screen
        value = self.session.work.value(screen.uid, RANKS) if screen is not None else None
        return value if isinstance(value, tuple) else empty_ranks(len(self.cards))

    def prepare(self) -> None:
        """Create as many boxes as there are translations, and select the first unranked one."""
        if len(self.cards) != self._count:
            self._make_cards(self._count)
        self.picked = next_unranked(self.ranks, -1)

    def _make_cards(self, count: int) -> None:
        for card in self.cards:
            card.hide()
            card.deleteLater()
        self.cards = []
        for index in range(count):
            card = TranslationBox(self.session, index, count)
            card.picked.connect(self.pick)
            card.given.connect(self.give)
            card.pane.chosen.connect(self._deselect_others)
            # insert before the stretch at the end
            self._column.insertWidget(self._column.count() - 1, card)
            self.cards.append(card)

    def refresh(self) -> None:
        """Show the current ranks."""
        if self.session.screen is None:
            return
        ranks = self.ranks
        for card in self.cards:
            card.show_rank(ranks[card.place], lit=card.place == self.picked)
        self.ladder.show_ranks(ranks, self.picked)
        legend = tr("Underlined: words that differ from {letter}", letter=LETTERS[self.picked])
        self.mark(legend, [self.picked] * len(self.cards))

    # --- input

    def pick(self, index: int) -> None:
        """Select a translation for key input."""
        if index < len(self.cards) and index != self.picked:
            self.picked = index
            self.refresh()
            self._bring_into_view(self.cards[index])

    def _bring_into_view(self, card: TranslationBox) -> None:
        """Scroll as little as needed; show the top of a card that does not fit."""
        bar, height = self.view.verticalScrollBar(), self.view.viewport().height()
        top, bottom = card.y(), card.y() + card.height()
        if top < bar.value() or card.height() > height:
            bar.setValue(top)
        elif bottom > bar.value() + height:
            bar.setValue(bottom - height)

    def give(self, index: int, rank: int) -> None:
        """Set a rank (0 clears it) and select the next unranked translation."""
        if 0 <= index < len(self.cards) and 0 <= rank <= len(self.cards):
            self.picked = index
            self._rate(set_rank(self.ranks, index, rank))
            if rank and unranked_positions(self.ranks):
                self.pick(next_unranked(self.ranks, index))

    def _rate(self, ranks: RankOrder) -> None:
        if ranks != self.ranks:
            self.session.rate(RANKS, ranks)
        self.refresh()

    @staticmethod
    def keys(work: RaterSession) -> str:
        """Return the keys for ranking: letters, digits and arrows."""
        return tr(
            "Keys: a letter selects a translation, a digit ranks it, the up and down arrows move it. You can also "
            "drag letters to ranks. Right: next; Left: back; S: skip; Ctrl+Z: undo; F1: all keys."
        )

    def digit(self, digit: int) -> None:
        """Rank the selected translation; 0 clears its rank, and a rank that is too large only posts a hint."""
        if digit <= len(self.cards):
            self.give(self.picked, digit)
        else:
            self.message_posted.emit(tr("Ranks go from 1 (best) to {last}", last=len(self.cards)))

    def letter(self, index: int) -> None:
        """Select a translation."""
        self.pick(index)

    def step(self, by: int) -> None:
        """Move the selected translation up or down."""
        self._rate(move_output(self.ranks, self.picked, by))

    def enter(self) -> bool:
        """Record the only answer if there is nothing to compare; return whether it was recorded."""
        if self.alone and unranked_positions(self.ranks):
            self.give(0, 1)
            return True
        return False
