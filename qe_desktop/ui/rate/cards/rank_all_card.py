"""Ranking card: translations in rows with a button per rank, and below them a slot for each rank."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
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
from qe_desktop.ui.action_registry import shortcut_text
from qe_desktop.ui.rate.cards.item_card import keys_text
from qe_desktop.ui.rate.cards.rank_slots import RankSlots, dragged_index, rank_end_names
from qe_desktop.ui.rate.cards.ranking_card import EDGE_PX, IDENTICAL_OUTPUTS_TEXT, AnswersForm, RankingCardBase
from qe_desktop.ui.rate.cards.text_fit import DisplayedTexts, TextFit
from qe_desktop.ui.rate.cards.translation_box import (
    MIN_SIDE_CHARS,
    PADDING_PX,
    RANK_BUTTON_PX,
    TranslationBox,
    text_width,
)
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.shell.appearance import pixel_scale, scaled_pixels
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import FixedSpace, Stretched, StretchSpace, hbox, set_side_margins, vbox, wrap_layout

MIN_ROW_PX, MAX_ROW_PX = 44, 96
"""Minimum and maximum height of a row in pixels, at a text size of 100 %; a row with a long text may be taller."""


class RankAllCard(RankingCardBase):
    """Card for rankings. A letter key selects a translation; a digit key ranks it and selects the next unranked one."""

    def __init__(self, session: RatingSession) -> None:
        super().__init__(session, tr("Rank the translations: 1 is best, and equally good translations share a rank."))
        self.selected_index = 0
        self._row_height = 0
        self.slots = RankSlots(self.max_outputs)
        self.slots.dropped.connect(self.assign_rank)
        self.slots.picked.connect(self.pick)
        self.slots.ranked.connect(self._rank_picked)
        self._end_labels = [Label(name, token="muted") for name in rank_end_names()]
        sides = [Qt.AlignmentFlag.AlignLeft, Qt.AlignmentFlag.AlignRight]
        for label, side in zip(self._end_labels, reversed(sides) if self.isRightToLeft() else sides, strict=True):
            # absolute alignment, because it depends on the ranks and not on the language of the label
            label.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute | Qt.AlignmentFlag.AlignVCenter)
        head = wrap_layout(
            hbox(Stretched(self.legend, 1), *self._end_labels, FixedSpace(EDGE_PX + PADDING_PX), gap=0, margins=0)
        )
        texts = QWidget()
        self._rows = vbox(StretchSpace(), on=texts, gap=0)
        set_side_margins(self._rows, 0, EDGE_PX)
        # a letter that is dropped outside the slots loses its rank
        self.setAcceptDrops(True)
        self.lay_out(texts, head, self.slots)
        self.show_screen()

    @property
    def ranks(self) -> RankOrder:
        """Current ranks of the translations; 0 if unranked."""
        screen = self.session.screen
        value = self.session.work.value(screen.uid, RANKS) if screen is not None else None
        return value if isinstance(value, tuple) else empty_ranks(len(self.cards))

    def prepare(self) -> None:
        """Create a row for each translation, and select the first unranked translation."""
        if len(self.cards) != self._count:
            self._make_cards(self._count)
        self.selected_index = next_unranked(self.ranks, -1)
        self._set_space_below(0)
        self._label_ends()

    def _label_ends(self) -> None:
        """Label the columns of the best and the worst rank of the current item."""
        digit = scaled_pixels(RANK_BUTTON_PX)
        # widths of the columns of ranks that this item does not have
        extra_widths = (0, digit * (self.max_outputs - self._count))
        for label, name, outside in zip(self._end_labels, rank_end_names(), extra_widths, strict=True):
            label.setText("" if self.has_single_translation else name)
            # centred over the column, unless the name is wider
            width = label.fontMetrics().horizontalAdvance(name)
            side = outside + max(0, (digit - width) // 2)
            is_left = (label is self._end_labels[0]) != self.isRightToLeft()
            label.setContentsMargins(*((side, 0, 0, 0) if is_left else (0, 0, side, 0)))
            label.setFixedWidth(max(digit * self.max_outputs // 2, side + width))

    def _make_cards(self, count: int) -> None:
        for card in self.cards:
            card.hide()
            self._rows.removeWidget(card)
            card.deleteLater()
        self.cards = []
        for index in range(count):
            card = TranslationBox(self.session, index, count, self.max_outputs)
            card.is_last = index == count - 1
            card.picked.connect(self.pick)
            card.rank_chosen.connect(self.assign_rank)
            card.pane.text_selected.connect(self._deselect_others)
            card.pane.set_scale(pixel_scale(self.fit.pixels))
            card.set_min_height(self._row_height)
            # insert before the stretch at the end
            self._rows.insertWidget(self._rows.count() - 1, card)
            self.cards.append(card)

    def refresh(self) -> None:
        """Show the current ranks."""
        if self.session.screen is None:
            return
        ranks = self.ranks
        for card in self.cards:
            card.show_rank(
                ranks[card.index], is_highlighted=card.index == self.selected_index and not self.has_single_translation
            )
        self.slots.show_ranks(ranks, self.selected_index)
        legend = tr("Underlined: words that differ from {letter}", letter=LETTERS[self.selected_index])
        self.mark(legend, [self.selected_index] * len(self.cards))

    def complete_text(self) -> str:
        """Return a note on how to continue after a complete ranking; empty for a training item, which has feedback."""
        screen, key = self.session.screen, shortcut_text("rate.next")
        if screen is None or screen.training or not key:
            return ""
        return tr("Complete: press {key} to go on", key=key)

    # --- size

    def outputs_height(self, fit: TextFit, texts: DisplayedTexts, width: int) -> int:
        """Return the height in pixels of `max_outputs` rows, each as tall as the row with the item's tallest text."""
        is_horizontal = width >= self.fontMetrics().horizontalAdvance("0") * MIN_SIDE_CHARS
        column_width = text_width(width, self.max_outputs if is_horizontal else 0)
        tallest = max((self.text_height(fit, text, column_width) for text in texts.outputs), default=0)
        digits = 0 if is_horizontal else scaled_pixels(RANK_BUTTON_PX)
        return self.max_outputs * max(scaled_pixels(MIN_ROW_PX), tallest + digits + 2 * PADDING_PX)

    def fold_answers(self, form: AnswersForm) -> None:
        """Show the letters below the ranks (FULL) or next to the ranks (ONE_LINE), or hide the slots (HIDDEN).

        The rows of the translations show the ranks in every form.
        """
        self.slots.fold(form is not AnswersForm.FULL)
        self._has_answers = form is not AnswersForm.HIDDEN
        policy = self.slots.sizePolicy()
        policy.setRetainSizeWhenHidden(self._has_answers)
        self.slots.setSizePolicy(policy)
        self.slots.setVisible(self._has_answers and not self.has_single_translation)

    def answers_height(self, width: int) -> int:
        """Return the height of the slots in pixels; 0 if the slots are hidden to leave more space for the texts."""
        return super().answers_height(width) if self._has_answers else 0

    def place_outputs(self, height: int) -> None:
        """Set the minimum height of the rows so that they share `height` equally.

        The minimum is at least `MIN_ROW_PX` and at most `MAX_ROW_PX`; a row whose text needs more space is taller.
        """
        is_horizontal = self.width() >= self.fontMetrics().horizontalAdvance("0") * MIN_SIDE_CHARS
        self._label_ends()
        for label in self._end_labels:
            label.setVisible(is_horizontal)
        share = height // max(1, self.max_outputs)
        self._row_height = max(scaled_pixels(MIN_ROW_PX), min(share, scaled_pixels(MAX_ROW_PX)))
        for card in self.cards:
            card.set_min_height(self._row_height)

    # --- input

    def pick(self, index: int) -> None:
        """Select the translation to which the digit and arrow keys apply, and scroll to it."""
        if index < len(self.cards) and index != self.selected_index:
            self.selected_index = index
            self.refresh()
            self._scroll_into_view(self.cards[index])

    def _scroll_into_view(self, card: TranslationBox) -> None:
        """Scroll to a row by whole rows, as little as needed; if the row is taller than the view, show its top."""
        bar, height = self.view.verticalScrollBar(), self.view.viewport().height()
        bottom = card.y() + card.height()
        if bar.value() <= card.y() and bottom <= bar.value() + height:
            return
        if card.y() < bar.value() or card.height() > height:
            top = card.y()
        else:
            top = next(row.y() for row in self.cards if bottom - row.y() <= height)
        self._set_space_below(top + height - self.cards[-1].geometry().bottom() - 1)
        self.view.show_position(lambda: top)

    def _set_space_below(self, height: int) -> None:
        """Set the space below the last row, so that a row can be scrolled to the top."""
        margins = self._rows.contentsMargins()
        margins.setBottom(max(0, height))
        self._rows.setContentsMargins(margins)

    def assign_rank(self, index: int, rank: int) -> None:
        """Set the rank of a translation, and select the next unranked translation, if any.

        If `rank` is 0, clear the rank and select the translation itself. Invalid arguments are ignored.
        """
        if 0 <= index < len(self.cards) and 0 <= rank <= len(self.cards):
            self.selected_index = index
            self._rate(set_rank(self.ranks, index, rank))
            if rank and unranked_positions(self.ranks):
                self.pick(next_unranked(self.ranks, index))

    def _rank_picked(self, rank: int) -> None:
        self.assign_rank(self.selected_index, rank)

    def _rate(self, ranks: RankOrder) -> None:
        if ranks != self.ranks:
            self.session.rate(RANKS, ranks)
        self.refresh()

    @staticmethod
    def keys(work: RaterSession) -> str:
        """Return a description of the keys for ranking: letters, digits and arrows."""
        return keys_text(
            tr(
                "Keys: a letter selects a translation, a digit ranks it, and the up and down arrows change its rank. "
                "You can also drag letters to ranks. When the ranking is complete, press the right arrow to go on."
            )
        )

    def digit(self, digit: int) -> None:
        """Set the rank of the selected translation; 0 clears the rank.

        Post a hint instead if `digit` is too large or if there is nothing to compare.
        """
        if self.has_single_translation:
            self.message_posted.emit(IDENTICAL_OUTPUTS_TEXT)
        elif digit <= len(self.cards):
            self.assign_rank(self.selected_index, digit)
        else:
            self.message_posted.emit(tr("Ranks go from 1 (best) to {last}", last=len(self.cards)))

    def letter(self, index: int) -> None:
        """Select a translation."""
        self.pick(index)

    def step(self, by: int) -> None:
        """Move the selected translation one rank up (−1) or down (1); if there is nothing to compare, post a hint."""
        if self.has_single_translation:
            self.message_posted.emit(IDENTICAL_OUTPUTS_TEXT)
            return
        self._rate(move_output(self.ranks, self.selected_index, by))

    def enter(self) -> bool:
        """If all outputs are identical, record the only possible answer; return False if there is nothing to record."""
        if self.has_single_translation and unranked_positions(self.ranks):
            self.assign_rank(0, 1)
            return True
        return False

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a dragged output of the current item."""
        index = dragged_index(event.mimeData())
        if index is not None and index < len(self.cards):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Clear the rank of an output that is dropped outside the slots."""
        index = dragged_index(event.mimeData())
        if index is not None and index < len(self.cards):
            event.acceptProposedAction()
            self.assign_rank(index, 0)
