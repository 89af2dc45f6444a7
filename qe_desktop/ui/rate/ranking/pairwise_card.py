"""Card for pairwise comparison: two translations side by side and three large buttons."""

from __future__ import annotations

from qe_desktop.answers.event_history import RANKS, EventValue
from qe_desktop.answers.ranking import CHOICES, RankOrder
from qe_desktop.answers.scale import Anchor
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.ui.rate.ranking.ranking_card import RankingCardBase
from qe_desktop.ui.rate.ranking.translation_box import TranslationBox
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.rate.scales.scale_buttons import ScaleButtons
from qe_desktop.ui.widgets.layouts import ResponsiveBoxLayout, Stretched, StretchSpace, vbox, wrap_layout

SINGLE_ANSWER: tuple[tuple[str, RankOrder], ...] = ((tr("Nothing to compare"), (1,)),)
"""Only answer if all systems have the same output."""
DECISIVE_ANSWERS: tuple[EventValue, ...] = ((1, 2), (2, 1))
KEYS: dict[RankOrder, str] = {(1, 2): "1", (1, 1): "0", (2, 1): "2", (1,): "0"}
"""Digit key of each answer."""
MEANINGS: dict[RankOrder, str] = {(1, 1): tr("equally good or bad")}
MIN_SIDE_BY_SIDE_CHARS = 84


class PairwiseCard(RankingCardBase):
    """Card for pairwise comparison; keys: 1 if A is better, 2 if B is better, 0 if they are equal."""

    def __init__(self, session: RatingSession) -> None:
        super().__init__(session)
        self._answers: tuple[tuple[str, RankOrder], ...] = ()
        self.cards = [TranslationBox(session, index, 0) for index in range(2)]
        self.row = ScaleButtons()
        self.row.setAccessibleName(tr("Which translation is better"))
        self.row.chosen.connect(self._choose)
        self._lay_out()
        self.show_screen()

    def _lay_out(self) -> None:
        pair = ResponsiveBoxLayout(self, MIN_SIDE_BY_SIDE_CHARS, gap=16)
        for card in self.cards:
            pair.addWidget(card, 1)
        texts = wrap_layout(vbox(self.legend, pair, StretchSpace(), gap=16, margins=(0, 0, 16, 0)))
        vbox(Stretched(self.hold(texts, self.given), 1), self.row, on=self, gap=16)

    def prepare(self) -> None:
        """Set up three answers, or one if the texts are identical and shown once."""
        answers = SINGLE_ANSWER if self.alone else CHOICES
        if answers != self._answers:
            self._answers = answers
            steps = [Anchor(index, label, MEANINGS.get(ranks, "")) for index, (label, ranks) in enumerate(answers)]
            self.row.set_steps(steps, [KEYS[ranks] for _, ranks in answers])
            self.cards[1].setVisible(not self.alone)

    def refresh(self) -> None:
        """Show the current answer."""
        screen = self.session.screen
        if screen is None:
            return
        ranks_now = self.session.work.value(screen.uid, RANKS)
        index = next((index for index, (_, ranks) in enumerate(self._answers) if ranks == ranks_now), None)
        self.row.set_value(index)
        for card in self.cards:
            better = isinstance(ranks_now, tuple) and ranks_now in DECISIVE_ANSWERS and ranks_now[card.place] == 1
            card.show_rank(1 if better else 0, lit=better)
        self.mark(tr("Underlined: words that differ from the other translation"), (1, 0))

    def _choose(self, index: float) -> None:
        self.session.rate(RANKS, self._answers[round(index)][1])

    @staticmethod
    def keys(work: RaterSession) -> str:
        """Return the keys for the three answers."""
        return tr("Keys: 1 for A, 2 for B, 0 for equal. Right: next; Left: back; S: skip; Ctrl+Z: undo; F1: all keys.")

    def digit(self, digit: int) -> None:
        """Record the answer of this digit; if there is none, post the keys as a hint."""
        for _, ranks in self._answers:
            if KEYS[ranks] == str(digit):
                self.session.rate(RANKS, ranks)
                return
        labels = {KEYS[ranks]: label for label, ranks in self._answers}
        self.message_posted.emit(", ".join(f"{key}: {label}" for key, label in labels.items()))

    def enter(self) -> bool:
        """Record the only answer if there is nothing to compare; return whether it was recorded."""
        screen = self.session.screen
        if not self.alone or screen is None or self.session.work.is_done(screen.uid):
            return False
        self._choose(0)
        return True

    def letter(self, index: int) -> None:
        """Rate A or B as better; with a single translation, record the only answer."""
        self.digit(0 if self.alone else index + 1)
