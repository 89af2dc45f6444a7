"""The card of rankings: the translations one below the other, and beside them the ranks as rows."""

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
    """A letter picks a translation, a digit gives it a rank, and the next one without a rank is picked."""

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
        """The ranks that hold now."""
        screen = self.session.screen
        value = self.session.work.value(screen.uid, RANKS) if screen is not None else None
        return value if isinstance(value, tuple) else empty_ranks(len(self.cards))

    def prepare(self) -> None:
        """Make other cards where there are more or fewer translations, and pick the first without a rank."""
        if len(self.cards) != self._count:
            self._make_cards(self._count)
        self.picked = next_unranked(self.ranks, -1)

    def _make_cards(self, count: int) -> None:
        for card in self.cards:
            card.hide()
            card.deleteLater()
        self.cards = []
        for place in range(count):
            card = TranslationBox(self.session.settings, place, count)
            card.picked.connect(self.pick)
            card.given.connect(self.give)
            card.pane.chosen.connect(self._deselect_others)
            # before the stretch at the end
            self._column.insertWidget(self._column.count() - 1, card)
            self.cards.append(card)

    def refresh(self) -> None:
        """Show the ranks that hold."""
        if self.session.screen is None:
            return
        ranks = self.ranks
        for card in self.cards:
            card.show_rank(ranks[card.place], lit=card.place == self.picked)
        self.ladder.show_ranks(ranks, self.picked)
        legend = tr("Underlined: words that differ from {letter}", letter=LETTERS[self.picked])
        self.mark(legend, [self.picked] * len(self.cards))

    # --- what is pressed

    def pick(self, place: int) -> None:
        """Have keys go to another translation."""
        if place < len(self.cards) and place != self.picked:
            self.picked = place
            self.refresh()
            self._bring_into_view(self.cards[place])

    def _bring_into_view(self, card: TranslationBox) -> None:
        """Scroll no further than needed; of a card that is higher than the view, show the beginning."""
        bar, height = self.view.verticalScrollBar(), self.view.viewport().height()
        top, bottom = card.y(), card.y() + card.height()
        if top < bar.value() or card.height() > height:
            bar.setValue(top)
        elif bottom > bar.value() + height:
            bar.setValue(bottom - height)

    def give(self, place: int, rank: int) -> None:
        """Give a rank (0 takes it away), and pick the next translation without one."""
        if 0 <= place < len(self.cards) and 0 <= rank <= len(self.cards):
            self.picked = place
            self._rate(set_rank(self.ranks, place, rank))
            if rank and unranked_positions(self.ranks):
                self.pick(next_unranked(self.ranks, place))

    def _rate(self, ranks: RankOrder) -> None:
        if ranks != self.ranks:
            self.session.rate(RANKS, ranks)
        self.refresh()

    @staticmethod
    def keys(work: RaterSession) -> str:
        """Letters, digits, arrows, and the mouse."""
        return tr(
            "Keys: a letter picks a translation, a digit gives it a rank; arrows up and down move it. Or drag letters "
            "into the ranks. Right goes on, Left goes back, S skips, Ctrl+Z takes back, F1 shows all keys."
        )

    def digit(self, digit: int) -> None:
        """Rank the translation that is picked; 0 takes its rank away."""
        if digit <= len(self.cards):
            self.give(self.picked, digit)
        else:
            self.said.emit(tr("Ranks go from 1 (best) to {last}", last=len(self.cards)))

    def letter(self, place: int) -> None:
        """Pick a translation."""
        self.pick(place)

    def step(self, by: int) -> None:
        """Move the translation that is picked up or down."""
        self._rate(move_output(self.ranks, self.picked, by))

    def enter(self) -> bool:
        """Where there is nothing to compare, that is the answer."""
        if self.alone and unranked_positions(self.ranks):
            self.give(0, 1)
            return True
        return False
