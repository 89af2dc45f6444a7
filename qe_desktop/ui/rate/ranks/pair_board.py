"""The card of pairwise comparison: two translations side by side, and three large buttons."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from qe_desktop.answers.events import RANKS, Value
from qe_desktop.answers.orders import Order
from qe_desktop.answers.ranks import CHOICES
from qe_desktop.answers.scale import Anchor
from qe_desktop.corpus.differences import differing
from qe_desktop.ratings.work import Work
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, Stretch, column_of, holding
from qe_desktop.ui.rate.card import Card
from qe_desktop.ui.rate.ranks.rank_card import SAME, RankCard
from qe_desktop.ui.rate.scales.anchors import AnchorRow
from qe_desktop.ui.rate.sitting import Sitting
from qe_desktop.ui.rate.texts.given_texts import GivenTexts
from qe_desktop.ui.rate.texts.reading_pane import ReadingPane
from qe_desktop.ui.rate.texts.turning import TurningRow
from qe_desktop.wording import tr

ALONE: tuple[tuple[str, Order], ...] = ((tr("Nothing to compare"), (1,)),)
"""The only answer where the systems wrote the same."""
CLEAR: tuple[Value, ...] = ((1, 2), (2, 1))
KEYS: dict[Order, str] = {(1, 2): "1", (1, 1): "0", (2, 1): "2", (1,): "0"}
"""The digit of each answer."""
MEANINGS: dict[Order, str] = {(1, 1): tr("equally good or bad")}
BESIDE = 84


class PairBoard(Card):
    """1 says that A is better, 2 that B is, 0 that they are equal."""

    def __init__(self, sitting: Sitting, parent: QWidget | None = None) -> None:
        super().__init__(sitting, parent)
        self._differences = False
        self._answers: tuple[tuple[str, Order], ...] = ()
        self.given = GivenTexts(sitting)
        self.cards = [RankCard(sitting.settings, place, 0) for place in range(2)]
        self.legend = Label(token="muted", wraps=True)
        self.legend.hide()
        self.row = AnchorRow()
        self.row.setAccessibleName(tr("Which translation is better"))
        self.row.chosen.connect(self._choose)
        self._lay_out()
        sitting.screen_changed.connect(self.show_screen)
        sitting.changed.connect(self.refresh)
        self.show_screen()

    def _lay_out(self) -> None:
        pair = TurningRow(self, BESIDE, gap=16)
        for card in self.cards:
            pair.addWidget(card, 1)
        texts = holding(column_of(self.legend, pair, Stretch(), gap=16, margins=(0, 0, 16, 0)))
        column_of(Placed(self.hold(texts, self.given), 1), self.row, on=self, gap=16)

    def panes(self) -> list[ReadingPane]:
        """Source, reference and both translations."""
        return [*self.given.panes(), *(card.pane for card in self.cards)]

    def show_here(self) -> None:
        """Show source or reference, and the translations from the first."""
        super().show_here()
        self.given.show_here()

    def show_screen(self) -> None:
        """Show the item in view."""
        screen = self.sitting.screen
        if screen is None:
            return
        for card, uid in zip(self.cards, screen.outputs, strict=False):
            card.pane.show_text(self.sitting.work.output(uid).text)
        self._set_answers(CHOICES if len(screen.outputs) > 1 else ALONE)
        self.refresh()

    def _set_answers(self, answers: tuple[tuple[str, Order], ...]) -> None:
        """Offer these answers: three, or one where both texts are the same and shown once."""
        if answers != self._answers:
            self._answers = answers
            steps = [Anchor(place, label, MEANINGS.get(ranks, "")) for place, (label, ranks) in enumerate(answers)]
            self.row.set_steps(steps, [KEYS[ranks] for _, ranks in answers])
            self.cards[1].setVisible(len(answers) > 1)

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
        self._mark()

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
        if len(self._answers) > 1 or screen is None or self.sitting.work.is_done(screen.uid):
            return False
        self._choose(0)
        return True

    def letters(self) -> int:
        """As many as there are translations."""
        return 2 if len(self._answers) > 1 else 1

    def letter(self, place: int) -> None:
        """A and B are the better one."""
        self.digit(place + 1 if len(self._answers) > 1 else 0)

    def toggle_differences(self) -> None:
        """Mark or unmark the words that differ."""
        self._differences = not self._differences
        self._mark()

    def _mark(self) -> None:
        alone = len(self._answers) == 1
        self.legend.setVisible(self._differences or alone)
        self.legend.setText(SAME if alone else tr("Underlined: words that the other one does not have there"))
        if alone:
            return
        first, second = (card.pane.texts()[0] for card in self.cards)
        self.cards[0].pane.mark(differing(first, second) if self._differences else ())
        self.cards[1].pane.mark(differing(second, first) if self._differences else ())
