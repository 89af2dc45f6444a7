"""Card for pairwise comparison: two translations side by side and three large buttons."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from qe_desktop.answers.event_history import RANKS, EventValue
from qe_desktop.answers.ranking import CHOICES, RankOrder
from qe_desktop.answers.scale import Anchor
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.displayed_texts import DisplayedTexts
from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.ui.rate.item_card import keys_text
from qe_desktop.ui.rate.ranking.ranking_card import EDGE_PX, IDENTICAL_OUTPUTS_TEXT, AnswersForm, RankingCardBase
from qe_desktop.ui.rate.ranking.translation_box import PADDING_PX, TranslationBox, text_width
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.rate.scales.scale_buttons import ScaleButtons
from qe_desktop.ui.rate.texts.text_fit import TextFit
from qe_desktop.ui.shell.appearance import scaled_pixels
from qe_desktop.ui.widgets.layouts import ResponsiveBoxLayout, Stretched, set_side_margins, vbox, wrap_layout

DECISIVE_ANSWERS: tuple[EventValue, ...] = ((1, 2), (2, 1))
KEYS: dict[RankOrder, str] = {(1, 2): "1", (1, 1): "0", (2, 1): "2"}
"""Digit key for each answer."""
MEANINGS: dict[RankOrder, str] = {(1, 1): tr("equally good or bad")}
MIN_SIDE_BY_SIDE_CHARS = 84
BOX_GAP_PX = 16
ANSWERS_PX = 80
"""Minimum height of the answer buttons in their full form, in pixels at a text size of 100 %."""


class PairwiseCard(RankingCardBase):
    """Card for pairwise comparison; keys: 1 if A is better, 2 if B is better, 0 if they are equal."""

    def __init__(self, session: RatingSession) -> None:
        super().__init__(session, tr("Which translation is better?"))
        self._min_answers_height = 0
        self.cards = [TranslationBox(session, index, 0) for index in range(2)]
        self.row = ScaleButtons()
        self.row.setAccessibleName(tr("Which translation is better"))
        self.row.chosen.connect(self._choose)
        steps = [Anchor(index, label, MEANINGS.get(ranks, "")) for index, (label, ranks) in enumerate(CHOICES)]
        self.row.set_steps(steps, [KEYS[ranks] for _, ranks in CHOICES])
        self._lay_out()
        self.show_screen()

    def _lay_out(self) -> None:
        pair = self._pair = ResponsiveBoxLayout(self, MIN_SIDE_BY_SIDE_CHARS, gap=BOX_GAP_PX)
        for card in self.cards:
            pair.addWidget(card, 1)
        texts = QWidget()
        set_side_margins(vbox(Stretched(wrap_layout(pair), 1), on=texts), 0, EDGE_PX)
        head = wrap_layout(vbox(self.legend, margins=0))
        self.lay_out(texts, head, self.row)

    def prepare(self) -> None:
        """Show both translations, or only the first if they are identical."""
        self.cards[1].setVisible(not self.has_single_translation)

    def outputs_height(self, fit: TextFit, texts: DisplayedTexts, width: int) -> int:
        """Return the height in pixels that the boxes of the translations need."""
        is_horizontal = self.width() >= self.fontMetrics().horizontalAdvance("0") * MIN_SIDE_BY_SIDE_CHARS
        column_width = (width - BOX_GAP_PX) // 2 if is_horizontal else width
        heights = [self.text_height(fit, text, text_width(column_width, 0)) + 2 * PADDING_PX for text in texts.outputs]
        return max(heights, default=0) if is_horizontal else sum(heights) + BOX_GAP_PX

    def fold_answers(self, form: AnswersForm) -> None:
        """Set the minimum height of the answer buttons to `ANSWERS_PX` in the full form, and to 0 in other forms."""
        self._min_answers_height = scaled_pixels(ANSWERS_PX) if form is AnswersForm.FULL else 0

    def place_outputs(self, height: int) -> None:
        """Apply the minimum height of the answer buttons; the boxes of the translations fill the remaining space."""
        self.row.set_min_height(self._min_answers_height)

    def answers_height(self, width: int) -> int:
        """Return the height of the answer buttons at a width, in pixels."""
        return max(self._min_answers_height, self.row.needed_height(width))

    def refresh(self) -> None:
        """Show the current answer."""
        screen = self.session.screen
        if screen is None:
            return
        ranks_now = self.session.work.value(screen.uid, RANKS)
        index = next((index for index, (_, ranks) in enumerate(CHOICES) if ranks == ranks_now), None)
        self.row.set_value(index)
        for card in self.cards:
            better = isinstance(ranks_now, tuple) and ranks_now in DECISIVE_ANSWERS and ranks_now[card.index] == 1
            card.show_rank(1 if better else 0, is_highlighted=better)
        self.mark(tr("Underlined: words that differ from the other translation"), (1, 0))

    def _choose(self, index: float) -> None:
        self.session.rate(RANKS, CHOICES[round(index)][1])

    @staticmethod
    def keys(work: RaterSession) -> str:
        """Return a description of the keys for the three answers."""
        return keys_text(tr("Keys: 1 if A is better, 2 if B is better, 0 for a tie."))

    def digit(self, digit: int) -> None:
        """Record the answer for this digit; post a hint if the digit has no answer or there is nothing to compare."""
        if self.has_single_translation:
            self.message_posted.emit(IDENTICAL_OUTPUTS_TEXT)
            return
        for _, ranks in CHOICES:
            if KEYS[ranks] == str(digit):
                self.session.rate(RANKS, ranks)
                return
        labels = {KEYS[ranks]: label for label, ranks in CHOICES}
        self.message_posted.emit(", ".join(f"{key}: {label}" for key, label in labels.items()))

    def enter(self) -> bool:
        """If all outputs are identical, record the only possible answer; return False if there is nothing to record."""
        screen = self.session.screen
        if not self.has_single_translation or screen is None or self.session.work.is_done(screen.uid):
            return False
        self.session.rate(RANKS, (1,))
        return True

    def letter(self, index: int) -> None:
        """Rate translation A (`index` 0) or B (1) as better."""
        self.digit(index + 1)
