"""Card for scale protocols: one translation, its source or reference, and one question at a time."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from qe_desktop.answers.scale import ScaleAnswer
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import EvaluationBasis
from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.ui.jobs import DebounceTimer
from qe_desktop.ui.rate.cards.item_card import UNLIMITED, FittedView, ItemCard, keys_text
from qe_desktop.ui.rate.cards.question_row import QuestionRow, QuestionTab, answer_text
from qe_desktop.ui.rate.cards.reading_pane import ReadingPane
from qe_desktop.ui.rate.cards.scale_buttons import ScaleButtons
from qe_desktop.ui.rate.cards.score_slider import ScoreSlider
from qe_desktop.ui.rate.cards.text_columns import TextColumns
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.shell.appearance import scaled_pixels
from qe_desktop.ui.widgets.layouts import FlowLayout, StretchSpace, vbox

STEPS_PX, FOLDED_STEPS_PX = 80, 40
"""Minimum heights of the steps of a scale, with and without descriptions, in pixels at a text size of 100 %."""
MAX_ANSWERS_FRACTION = 0.5
"""Maximum fraction of the card's height that the question and the answers may occupy below the texts."""
ANSWERS_WIDTH_FRACTION = 0.36
"""Fraction of the card's width for the answers if they are at the side of the texts."""
SLIDER_DELAY_MS = 600
"""Delay in milliseconds between the last keyboard step of a slider and the commit of the value."""


class AnswerView(FittedView):
    """View of the answers. Below the texts, it is as tall as the answers; at the side of the texts, it scrolls."""

    _below = True

    def place_below(self) -> None:
        """Set the size for a position below the texts: the full width, and the height that the answers need."""
        self._below = True
        self.setMinimumWidth(0)
        self.setMaximumWidth(UNLIMITED)
        self.fit()

    def place_at_side(self, width: int) -> None:
        """Set the size for a position at the side of the texts: `width` pixels, and all of the available height."""
        self._below = False
        self.setFixedWidth(width)
        self.setMinimumHeight(0)
        self.setMaximumHeight(UNLIMITED)

    def fit(self) -> None:
        """If the answers are below the texts, set the height of the view to the height that the answers need."""
        if self._below:
            self.setFixedHeight(self.needed_height())


class ScaleCard(ItemCard):
    """Card with the texts of an item, the current question, and large buttons or a slider for the answer."""

    def __init__(self, session: RatingSession) -> None:
        super().__init__(session)
        self.texts = TextColumns(session)
        self._typed = ""
        self._stepping = False
        self._commit_timer = DebounceTimer(self, SLIDER_DELAY_MS, self.commit_input)
        self.tabs: dict[str, QuestionTab] = {}
        self.rows: dict[str, ScaleButtons] = {}
        self.sliders: dict[str, ScoreSlider] = {}
        self._at_side: bool | None = None
        self._lay_out()
        session.changed.connect(self.refresh)
        session.screen_changed.connect(self._on_screen)
        self.refresh()

    def _lay_out(self) -> None:
        scales = self.session.work.scales
        tabs = QWidget()
        row = FlowLayout(tabs, gap=8)
        for scale in scales if len(scales) > 1 else ():
            tab = QuestionTab(scale)
            tab.clicked.connect(lambda _=False, name=scale.name: self.session.select_scale(name))
            row.addWidget(tab)
            self.tabs[scale.name] = tab
        self.question = QuestionRow([scale.question for scale in scales], tabs)
        answers = QWidget()
        rows = [self._slider(scale) if scale.has_slider else self._row(scale) for scale in scales]
        vbox(*rows, StretchSpace(), on=answers)
        self._sheet = self.create_surface(self.texts, self.texts.headings)
        self.view.resized.connect(self.texts.set_visible_size)
        self._answers = AnswerView()
        self._answers.set_content(answers)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(8)
        self._place(at_side=False)

    def _row(self, scale: ScaleAnswer) -> QWidget:
        row = ScaleButtons()
        # key order, independent of the order in the protocol
        row.set_steps(sorted(scale.anchors, key=lambda anchor: anchor.value))
        row.chosen.connect(self._choose)
        row.setAccessibleName(scale.title)
        self.rows[scale.name] = row
        return row

    def _slider(self, scale: ScaleAnswer) -> QWidget:
        slider = ScoreSlider(scale)
        slider.value_chosen.connect(self._on_value_chosen)
        slider.stepped.connect(self._schedule_commit)
        self.sliders[scale.name] = slider
        return slider

    def _on_screen(self) -> None:
        self._commit_timer.stop()
        self._stepping = False
        self._set_typed_text("")
        self.refresh()

    def refresh(self) -> None:
        """Show the answers of the current item."""
        work, screen, current_scale = self.session.work, self.session.screen, self.session.current_scale
        if screen is None or current_scale is None:
            return
        values = work.values(screen.uid)
        # the current question first: only visible widgets can take the focus
        for scale in sorted(work.scales, key=lambda scale: scale.name != current_scale.name):
            value, is_asked = values.get(scale.name), scale.name == current_scale.name
            number = float(value) if isinstance(value, int | float) else None
            if scale.name in self.rows:
                self.rows[scale.name].set_value(number)
            elif not self._stepping:
                # while keys move the slider, the session does not know its value yet
                self.sliders[scale.name].show_given_value(number)
            (self.rows.get(scale.name) or self.sliders[scale.name]).setVisible(is_asked)
            if is_asked:
                self._keep_focus(scale.name)
            if scale.name in self.tabs:
                answer = "" if number is None else answer_text(scale, number)
                is_late = scale is work.scales[0] and work.was_changed_after_reveal(screen.uid)
                note = self._late_note() if is_late else ""
                self.tabs[scale.name].show_answer(answer, note, is_highlighted=is_asked)
        self.question.show_question(current_scale.question)

    def _keep_focus(self, name: str) -> None:
        """Move the focus, if it is on a button of another scale, to the button of scale `name` at the same index."""
        row = self.rows.get(name)
        for buttons in self.rows.values():
            index = buttons.focused_index
            if row is not None and buttons is not row and index is not None and index < len(row.buttons):
                row.buttons[index].setFocus(Qt.FocusReason.TabFocusReason)

    def _late_note(self) -> str:
        if self.session.work.campaign.basis is EvaluationBasis.REFERENCE:
            return tr("changed after seeing the reference")
        return tr("changed after seeing the source")

    # --- geometry

    def _place(self, *, at_side: bool) -> None:
        """Place the answers at the side of the texts if `at_side`, otherwise below them."""
        if at_side == self._at_side:
            return
        self._at_side = at_side
        for widget in (self._sheet, self.question, self._answers):
            self._grid.removeWidget(widget)
        if at_side:
            self._grid.addWidget(self.question, 0, 0, 1, 2)
            self._grid.addWidget(self._sheet, 1, 0)
            self._grid.addWidget(self._answers, 1, 1)
        else:
            self._grid.addWidget(self._sheet, 0, 0, 1, 2)
            self._grid.addWidget(self.question, 1, 0, 1, 2)
            self._grid.addWidget(self._answers, 2, 0, 1, 2)
        self._grid.setRowStretch(0, 0 if at_side else 1)
        self._grid.setRowStretch(1, 1 if at_side else 0)

    def _arrange(self) -> None:
        width, height = self.width(), self.height()
        for row in self.rows.values():
            row.fold_meanings(False)
        at_side = bool(self.rows) and self._needed_height(width) > height * MAX_ANSWERS_FRACTION
        self._place(at_side=at_side)
        if at_side:
            available_height = height - self.question.height_at(width) - self._grid.verticalSpacing()
            self._set_place(round(width * ANSWERS_WIDTH_FRACTION), max(1, available_height))
            self._answers.place_at_side(round(width * ANSWERS_WIDTH_FRACTION))
        else:
            self._fold(width, height)
            self._set_place(width, 0)
            self._answers.place_below()

    def _fold(self, width: int, height: int) -> None:
        """Hide the descriptions of the steps if the campaign's texts fit only while the descriptions are hidden."""
        inside = self._sheet.padding()

        def fits() -> bool:
            other_height = self._needed_height(width) + 2 * self._grid.verticalSpacing() + self._sheet.non_text_height()
            return self.texts.fit_in(width - inside.left() - inside.right(), height - other_height).fits_all

        if self.rows and not fits():
            for row in self.rows.values():
                row.fold_meanings(True)
            if not fits():
                for row in self.rows.values():
                    row.fold_meanings(False)

    def _needed_height(self, width: int) -> int:
        """Return the height that the question and the answers need below the texts, in pixels."""
        for row in self.rows.values():
            row.set_stack_height(0)
        rows = [max(row.needed_height(width), self._min_row_height()) for row in self.rows.values()]
        sliders = [slider.sizeHint().height() for slider in self.sliders.values()]
        return self.question.height_at(width) + max([*rows, *sliders], default=0)

    def _min_row_height(self) -> int:
        folded = any(row.is_folded for row in self.rows.values())
        return scaled_pixels(FOLDED_STEPS_PX if folded else STEPS_PX)

    def _set_place(self, width: int, height: int) -> None:
        """Fit the answers to a width.

        `height` is the height available at the side of the texts, or 0 if the answers are below the texts. Below the
        texts, the buttons of all questions get the same height, so that the layout does not move between questions.
        """
        for row in self.rows.values():
            row.set_stack_height(height)
        highest = max((row.needed_height(width) for row in self.rows.values()), default=0)
        for row in self.rows.values():
            row.set_min_height(0 if height else max(highest, self._min_row_height()))

    # --- texts

    def panes(self) -> list[ReadingPane]:
        """Return the panes of source, reference and translation."""
        return self.texts.panes()

    def scroll_offset(self) -> int:
        """Return the scroll position, in pixels, that puts the judged segment at the same height in all items."""
        return self.texts.offset

    def question_text(self) -> str:
        """Return the paragraph of the instructions that describes the current scale."""
        work, current_scale = self.session.work, self.session.current_scale
        paragraphs = work.protocol.task_paragraphs(work.campaign)
        index = work.scales.index(current_scale) if current_scale in work.scales else 0
        return paragraphs[min(1 + index, len(paragraphs) - 1)]

    @staticmethod
    def keys(work: RaterSession) -> str:
        """Return a description of the rating keys: digits that select a value or, for a slider, digits and arrows."""
        scale = work.scales[0]
        if scale.has_slider:
            return keys_text(tr("Keys: type a number and press Enter, or use the up and down arrows."))
        keys = tr("Keys: {low} to {high} select a value.", low=scale.min_value, high=scale.max_value)
        if len(work.scales) > 1:
            keys += " " + tr("The up arrow returns to the previous question.")
        return keys_text(keys)

    # --- input

    def _choose(self, value: float) -> None:
        current_scale = self.session.current_scale
        if current_scale is not None:
            self.session.rate(current_scale.name, value)

    def _schedule_commit(self) -> None:
        self._stepping = True
        self._commit_timer.start()

    def _on_value_chosen(self, value: int) -> None:
        current_scale = self.session.current_scale
        self._stepping = False
        self._set_typed_text("")
        if current_scale is not None:
            self.session.rate(current_scale.name, value, may_advance=False)

    def digit(self, digit: int) -> None:
        """Rate the item with a digit; if the question has a slider, append the digit to the typed number instead.

        If the value would be outside the scale, only post a hint.
        """
        current_scale = self.session.current_scale
        if current_scale is None:
            return
        if current_scale.has_slider:
            typed = f"{self._typed}{digit}".lstrip("0") or "0"
            if int(typed) > current_scale.max_value:
                self.message_posted.emit(
                    tr(
                        "{question} must be from {low} to {high}. Press Enter to set {number}.",
                        question=current_scale.title,
                        low=current_scale.min_value,
                        high=current_scale.max_value,
                        number=self._typed,
                    )
                )
                return
            self._set_typed_text(typed)
            self.message_posted.emit(tr("Press Enter to set {number}", number=self._typed))
        elif current_scale.min_value <= digit <= current_scale.max_value:
            self.session.rate(current_scale.name, float(digit))
        else:
            self.message_posted.emit(
                tr(
                    "{question} must be from {low} to {high}",
                    question=current_scale.title,
                    low=current_scale.min_value,
                    high=current_scale.max_value,
                )
            )

    def step(self, by: int) -> None:
        """Go to the previous (-1) or next (1) question; if there is a slider, move it one point up (-1) or down (1)."""
        slider = self._current_slider()
        if slider is None:
            self.session.select_adjacent_scale(by)
        else:
            self._set_typed_text("")
            slider.step(-by)

    def page_step(self, by: int) -> None:
        """Move the slider ten points up (-1) or down (1); if the question has no slider, scroll the texts."""
        slider = self._current_slider()
        if slider is None:
            super().page_step(by)
        else:
            self._set_typed_text("")
            slider.step(-10 * by)

    def enter(self) -> bool:
        """Commit the typed number; return False if there is none."""
        current_scale = self.session.current_scale
        if current_scale is None or not self._typed:
            return False
        value = float(self._typed)
        self._set_typed_text("")
        self._stepping = False
        self.session.rate(current_scale.name, value)
        return True

    def erase(self) -> bool:
        """Delete the last typed digit; return False if there is none."""
        if not self._typed:
            return False
        self._set_typed_text(self._typed[:-1])
        return True

    def commit_input(self) -> None:
        """Commit the typed number, or the value to which the slider was moved with the keyboard."""
        stepped, self._stepping = self._stepping, False
        slider, current_scale = self._current_slider(), self.session.current_scale
        if slider is None or current_scale is None or not (stepped or self._typed):
            return
        value = float(self._typed or slider.value())
        self._set_typed_text("")
        self.session.rate(current_scale.name, value, may_advance=False)

    def _set_typed_text(self, typed: str) -> None:
        self._typed = typed
        for slider in self.sliders.values():
            slider.show_typed(typed)

    def _current_slider(self) -> ScoreSlider | None:
        current_scale = self.session.current_scale
        return None if current_scale is None else self.sliders.get(current_scale.name)
