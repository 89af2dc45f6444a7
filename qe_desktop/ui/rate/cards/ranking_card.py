"""Base class of ranking cards (context, translations, differences), and the card for pairwise comparison."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum

from PySide6.QtWidgets import QWidget

from qe_desktop.answers.event_history import RANKS, EventValue
from qe_desktop.answers.ranking import CHOICES, RankOrder
from qe_desktop.answers.scale import Anchor
from qe_desktop.corpus.text_spans import differing_spans
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.ui.rate.cards.context_texts import ContextTexts
from qe_desktop.ui.rate.cards.item_card import ItemCard, keys_text
from qe_desktop.ui.rate.cards.question_row import QuestionRow
from qe_desktop.ui.rate.cards.reading_pane import ReadingPane, TextStyle, measure_text
from qe_desktop.ui.rate.cards.scale_buttons import ScaleButtons
from qe_desktop.ui.rate.cards.text_fit import (
    DisplayedTexts,
    Paragraph,
    TextFit,
    choose_fit,
    fit_sample,
    item_fit,
    screen_texts,
)
from qe_desktop.ui.rate.cards.translation_box import PADDING_PX, TranslationBox, text_width
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.shell.appearance import pixel_scale, scaled_pixels
from qe_desktop.ui.widgets.labels import ElidedLabel, Label
from qe_desktop.ui.widgets.layouts import ResponsiveBoxLayout, Stretched, set_side_margins, vbox, wrap_layout

IDENTICAL_OUTPUTS_TEXT = tr(
    "All translations are identical, so there is nothing to compare. Press Enter or click “Next” to continue."
)
MAX_CONTEXT_FRACTION = 0.36
"""Maximum fraction of the available height that source and reference may take if not all texts fit."""
CONTEXT_LINES = 1
"""Number of lines that are reserved for context above the source."""
EDGE_PX, GAP_PX = 16, 8


class AnswersForm(Enum):
    """Forms of the answers below the question, in order of decreasing height."""

    FULL = 0
    ONE_LINE = 1
    HIDDEN = 2


class RankingCardBase(ItemCard):
    """Base class of cards for comparing translations; if all outputs are identical, a single translation is shown.

    Source, translations, question and answers have the same positions in all items of the campaign.
    """

    def __init__(self, session: RatingSession, question: str) -> None:
        super().__init__(session)
        self.cards: list[TranslationBox] = []
        self._count = 0
        self._has_answers = True
        """False if the answers below the question are hidden to leave more space for the texts."""
        self.max_outputs = max((len(screen.outputs) for screen in session.work.screens), default=2)
        """Maximum number of translations in any of the rater's items."""
        self._shows_differences = False
        self._sample = fit_sample(session.work)
        self._style = TextStyle(session.settings, "mt", language=session.work.campaign.target_language)
        self._campaign_fit = TextFit()
        self.fit = TextFit()
        """Text size of the current item: the same for the whole campaign, except that a few long items may differ."""
        self._heights = (0, 0)
        """Height in pixels available for source and reference together, and height available for the translations."""
        self.context_texts = ContextTexts(session)
        self.legend = ElidedLabel(token="muted")
        self.missing = Label(token="muted")
        self._question = question
        is_single = any(len(screen.outputs) == 1 for screen in session.work.screens)
        self.question = QuestionRow([question, IDENTICAL_OUTPUTS_TEXT] if is_single else [question], self.missing)
        session.screen_changed.connect(self.show_screen)
        session.changed.connect(self.refresh)
        session.settings.changed.connect(self._on_setting)

    def lay_out(self, texts: QWidget, head: QWidget, answers: QWidget) -> None:
        """Arrange the contents of the card from top to bottom.

        The order is: source and reference, the line `head`, the translations (`texts`), the question, and `answers`.
        """
        self._head, self._answers = head, answers
        policy = answers.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        answers.setSizePolicy(policy)
        self._sheet = self.create_surface(texts, self.context_texts, head)
        self.view.resized.connect(self._on_view_resized)
        vbox(Stretched(self._sheet, 1), self.question, answers, on=self, gap=GAP_PX)

    def panes(self) -> list[ReadingPane]:
        """Return the panes of source, reference and translations."""
        return [*self.context_texts.panes(), *(card.pane for card in self.cards)]

    def scroll_to_start(self) -> None:
        """Scroll to the judged segment of source and reference, and to the first translation."""
        super().scroll_to_start()
        self.context_texts.scroll_to_start()

    def letter_count(self) -> int:
        """Return the number of translations."""
        return self._count

    def question_text(self) -> str:
        """Return the paragraph of the instructions that explains the question; empty if there is nothing to compare."""
        return "" if self.has_single_translation else super().question_text()

    @property
    def has_single_translation(self) -> bool:
        """Whether the current item has a single translation, so that there is nothing to compare."""
        return self._count == 1

    # --- contents

    def show_screen(self) -> None:
        """Show the current item."""
        screen = self.session.screen
        if screen is None:
            return
        self._count = len(screen.outputs)
        self.question.show_question(IDENTICAL_OUTPUTS_TEXT if self.has_single_translation else self._question)
        self._answers.setVisible(self._has_answers and not self.has_single_translation)
        self.prepare()
        for card in self.cards:
            card.show_controls(not self.has_single_translation)
        self._fit_item()
        for card, uid in zip(self.cards, screen.outputs, strict=False):
            card.pane.show_paragraphs([Paragraph(self.session.work.output(uid).text)])
        self.refresh()

    def prepare(self) -> None:
        """Set up the card for the number of translations in the current item."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Show the answers of the current item."""
        raise NotImplementedError

    has_differences = True

    def toggle_differences(self) -> None:
        """Toggle the highlighting of words that differ between translations."""
        self._shows_differences = not self._shows_differences
        self.refresh()

    def mark(self, legend: str, counterparts: Sequence[int]) -> None:
        """Update the text on missing answers; if highlighting is on, mark differing words and show `legend`.

        `counterparts[i]` is the index of the translation with which translation `i` is compared. If it is `i` itself,
        no words are marked.
        """
        # if there is a single translation, the question says that there is nothing to compare
        note = self.session.missing_text() if self._is_open() else self.complete_text()
        self.missing.setText("" if self.has_single_translation else note)
        self.legend.setText(legend if self._shows_differences and not self.has_single_translation else "")
        if self.has_single_translation:
            return
        texts = [card.pane.texts()[0] for card in self.cards]
        for index, (card, counterpart) in enumerate(zip(self.cards, counterparts, strict=True)):
            marked = self._shows_differences and counterpart != index
            card.pane.mark(differing_spans(texts[index], texts[counterpart]) if marked else ())

    def complete_text(self) -> str:
        """Return the note on an item that has all answers; empty if no note is needed."""
        return ""

    def _is_open(self) -> bool:
        """Return whether the current item lacks an answer or is skipped."""
        screen = self.session.screen
        return screen is not None and not self.session.work.is_done(screen.uid)

    # --- size

    def outputs_height(self, fit: TextFit, texts: DisplayedTexts, width: int) -> int:
        """Return the height in pixels that the translations of an item need at a text size and a width."""
        raise NotImplementedError

    def place_outputs(self, height: int) -> None:
        """Arrange the translations within `height` pixels, the height available for all of them together."""
        raise NotImplementedError

    def text_height(self, fit: TextFit, text: str, width: int) -> int:
        """Return the height of a translation at a text size and a width, in pixels."""
        style = TextStyle(self._style.settings, "mt", pixel_scale(fit.pixels), language=self._style.language)
        return math.ceil(measure_text([Paragraph(text)], style, width)[1])

    def fold_answers(self, form: AnswersForm) -> None:
        """Show the answers in `form`; a card that does not support `form` uses its lowest supported form."""
        raise NotImplementedError

    def _arrange(self) -> None:
        padding = self._sheet.padding()
        width = self._text_width()
        fixed_height = padding.top() + padding.bottom() + self._head.sizeHint().height() + 2 * GAP_PX
        fixed_height += self.question.height_at(self.width()) + 2 * GAP_PX
        context, longest = self.session.work.campaign.context, self._sample.measured_items
        available_height = 0

        def needed_height(fit: TextFit, texts: DisplayedTexts, with_context: bool) -> int:
            return self.context_texts.needed_height(fit, texts, width, context=with_context)

        def fits(fit: TextFit, texts: DisplayedTexts, with_context: bool) -> bool:
            return (
                needed_height(fit, texts, with_context) + self.outputs_height(fit, texts, width - EDGE_PX)
                <= available_height
            )

        for form in AnswersForm:
            # the answers are reduced before texts scroll
            self.fold_answers(form)
            available_height = self.height() - fixed_height - self.answers_height(self.width())
            if width <= EDGE_PX or available_height <= 0:
                continue
            fit = choose_fit(longest, context, fits, context_lines=CONTEXT_LINES)
            # context is not reserved at the cost of the source and the translations
            fit = self._campaign_fit = fit if fit.fits_all else replace(fit, context_lines=0)
            context_height = max((needed_height(fit, texts, fit.has_context) for texts in longest), default=0)
            if fit.fits_all:
                break
            context_height = min(
                context_height, self.context_texts.limited_height(fit, round(available_height * MAX_CONTEXT_FRACTION))
            )
        else:
            if width <= EDGE_PX or available_height <= 0:
                return
        self._heights = (context_height, available_height - context_height)
        self._fit_item()
        self.place_outputs(available_height - context_height)

    def _fit_item(self) -> None:
        """Choose a text size at which the current item fits into the heights reserved for the whole campaign."""
        screen, (context_height, outputs), fit = self.session.screen, self._heights, self._campaign_fit
        if screen is None or not context_height + outputs:
            return
        width, work = self._text_width(), self.session.work

        def fits(fit: TextFit, texts: DisplayedTexts, with_context: bool) -> bool:
            is_context_fitting = (
                self.context_texts.needed_height(fit, texts, width, context=with_context) <= context_height
            )
            return is_context_fitting and self.outputs_height(fit, texts, width - EDGE_PX) <= outputs

        if screen.uid in self._sample.long_item_uids:
            fit = item_fit(fit, screen_texts(work, screen), fits)
        self.fit = fit
        self.context_texts.set_fit(fit, context_height)
        for card in self.cards:
            card.pane.set_scale(pixel_scale(fit.pixels))

    def _text_width(self) -> int:
        padding = self._sheet.padding()
        return self.width() - padding.left() - padding.right()

    def answers_height(self, width: int) -> int:
        """Return the height of the answers at a width, in pixels."""
        return self._answers.sizeHint().height()

    def _on_setting(self, key: str) -> None:
        if key.startswith("reading/"):
            self._arrange()

    def _on_view_resized(self, width: int, height: int, scroll_bar_width: int) -> None:
        # the scroll bar takes its width from the margin, so that no text is rewrapped
        texts = self.view.widget()
        layout = texts.layout() if texts is not None else None
        if layout is not None:
            set_side_margins(layout, 0, max(0, EDGE_PX - scroll_bar_width))


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
