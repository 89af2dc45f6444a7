"""The card of pairwise comparison: two translations side by side, and three large buttons."""

from __future__ import annotations

from qe_desktop.answers.events import RANKS, Value
from qe_desktop.answers.orders import Order
from qe_desktop.answers.ranks import CHOICES
from qe_desktop.answers.scale import Anchor
from qe_desktop.ratings.work import Work
from qe_desktop.ui.parts.layouts import Placed, Stretch, column_of, holding
from qe_desktop.ui.rate.ranks.board import Board
from qe_desktop.ui.rate.ranks.rank_card import RankCard
from qe_desktop.ui.rate.scales.anchors import AnchorRow
from qe_desktop.ui.rate.sitting import Sitting
from qe_desktop.ui.rate.texts.turning import TurningRow
from qe_desktop.wording import tr

ALONE: tuple[tuple[str, Order], ...] = ((tr("Nothing to compare"), (1,)),)
"""The only answer where the systems wrote the same."""
CLEAR: tuple[Value, ...] = ((1, 2), (2, 1))
KEYS: dict[Order, str] = {(1, 2): "1", (1, 1): "0", (2, 1): "2", (1,): "0"}
"""The digit of each answer."""
MEANINGS: dict[Order, str] = {(1, 1): tr("equally good or bad")}
BESIDE = 84


class PairBoard(Board):
    """1 says that A is better, 2 that B is, 0 that they are equal."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__(sitting)
        self._answers: tuple[tuple[str, Order], ...] = ()
        self.cards = [RankCard(sitting.settings, place, 0) for place in range(2)]
        self.row = AnchorRow()
        self.row.setAccessibleName(tr("Which translation is better"))
        self.row.chosen.connect(self._choose)
        self._lay_out()
        self.show_screen()

    def _lay_out(self) -> None:
        pair = TurningRow(self, BESIDE, gap=16)
        for card in self.cards:
            pair.addWidget(card, 1)
        texts = holding(column_of(self.legend, pair, Stretch(), gap=16, margins=(0, 0, 16, 0)))
        column_of(Placed(self.hold(texts, self.given), 1), self.row, on=self, gap=16)

    def prepare(self) -> None:
        """Offer three answers, or one where both texts are the same and shown once."""
        answers = ALONE if self.alone else CHOICES
        if answers != self._answers:
            self._answers = answers
            steps = [Anchor(place, label, MEANINGS.get(ranks, "")) for place, (label, ranks) in enumerate(answers)]
            self.row.set_steps(steps, [KEYS[ranks] for _, ranks in answers])
            self.cards[1].setVisible(not self.alone)

    def refresh(self) -> None:
        """Show the answer that holds."""
        screen = self.sitting.screen
        if screen is None:
            return
        held = self.sitting.work.value(screen.uid, RANKS)
        place = next((place for place, (_, ranks) in enumerate(self._answers) if ranks == held), None)
        self.row.set_value(place)
        for card in self.cards:
            better = isinstance(held, tuple) and held in CLEAR and held[card.place] == 1
            card.show_rank(1 if better else 0, lit=better)
        self.mark(tr("Underlined: words that the other one does not have there"), (1, 0))

    def _choose(self, place: float) -> None:
        self.sitting.rate(RANKS, self._answers[round(place)][1])

    @staticmethod
    def keys(work: Work) -> str:
        """Digits of three answers."""
        return tr(
            "Keys: 1 for A, 2 for B, 0 for equal. Right goes on, Left goes back, S skips, Ctrl+Z takes back, F1 shows "
            "all keys."
        )

    def digit(self, digit: int) -> None:
        """Give the answer of this number."""
        for _, ranks in self._answers:
            if KEYS[ranks] == str(digit):
                self.sitting.rate(RANKS, ranks)
                return
        named = {KEYS[ranks]: label for label, ranks in self._answers}
        self.said.emit(", ".join(f"{key}: {label}" for key, label in named.items()))

    def enter(self) -> bool:
        """Where there is nothing to compare, that is the answer."""
        screen = self.sitting.screen
        if not self.alone or screen is None or self.sitting.work.is_done(screen.uid):
            return False
        self._choose(0)
        return True

    def letter(self, place: int) -> None:
        """A and B are the better one."""
        self.digit(0 if self.alone else place + 1)
