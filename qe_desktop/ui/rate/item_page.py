"""Item page: header, card and footer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QToolTip, QWidget

from qe_desktop.answers.event_history import SKIP
from qe_desktop.corpus import QeError
from qe_desktop.escaping import escape_label, isolate_bidi
from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ratings.campaign import Screen
from qe_desktop.ratings.protocols import skip_reasons
from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.report.format_values import format_duration
from qe_desktop.ui.action_registry import shortcut_text
from qe_desktop.ui.rate.cards import card_class
from qe_desktop.ui.rate.empty_states import rater_text
from qe_desktop.ui.rate.item_footer import AutoAdvanceBar, ItemFooter
from qe_desktop.ui.rate.item_header import ItemHeader, ShortcutButton
from qe_desktop.ui.rate.item_remarks import SkipDialog
from qe_desktop.ui.rate.rating_messages import RatingMessages
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.rate.training_examples import EXAMPLE_FIELDS, EXAMPLES
from qe_desktop.ui.widgets.dialogs import ask_number
from qe_desktop.ui.widgets.labels import announce
from qe_desktop.ui.widgets.layouts import FixedSpace, Stretched, StretchSpace, hbox, vbox

MAX_TEXT_CHARS = 280
"""Maximum width of the page in characters; on a wider page, lines would be hard to read even in two columns."""
MIN_READING_S = 1.0
"""Active time in seconds; a rater who completes an item in less time is asked to read the texts."""
LONG_ANSWER_S = 86_340.0
"""Rating time in seconds that is inserted into feedback to measure the height of the longest feedback."""
_LETTER_OF_COMMENT, _LETTER_OF_DIFFERENCES = 2, 3
TRAINING_OVER = tr("Training is over. From now on, ratings count in the results.")
TRAINING_OVER_ADVANCING = tr(
    "Training is over. From now on, ratings count in the results, and a rated item is followed by the next one."
)
"""Guidance after the training; the second text is shown if the session advances automatically after a rating."""
TRAINING_UNRATED = tr(
    "A training item is not rated yet. Go back to rate it. Training items do not count; all other items do."
)


class ItemPage(QWidget):
    """Page that shows the items of one rater in a campaign and handles the keys and buttons for rating."""

    instructions_requested = Signal()
    campaigns_requested = Signal()

    def __init__(self, session: RatingSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.card = card_class(session.work.protocol)(session)
        self.auto_advance_bar = AutoAdvanceBar(session.settings)
        self.buttons = {
            "back": ShortcutButton(tr("Back"), self.back),
            "next": ShortcutButton(tr("Next"), self.next),
            "skip": ShortcutButton(tr("Skip"), self.ask_skip),
            "comment": ShortcutButton(tr("Comment"), self.open_comment),
            "instructions": ShortcutButton(tr("Instructions"), self.instructions_requested.emit),
        }
        self.header = ItemHeader(self.buttons["instructions"])
        self.footer = ItemFooter(session, [self.buttons[name] for name in ("back", "next", "skip", "comment")])
        self.comment, self.strip = self.footer.comment, self.footer.strip
        self.messages = RatingMessages(session)
        self._has_several_campaigns = self._is_unblinded = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._lay_out()
        self.header.reserve(_possible_guides(session.work), _possible_positions(session.work))
        self._connect()
        self._on_screen()

    def _lay_out(self) -> None:
        self._middle = QWidget()
        vbox(
            self.header,
            Stretched(self.card, 1),
            FixedSpace(8),
            self.auto_advance_bar,
            FixedSpace(8),
            self.footer,
            on=self._middle,
            gap=0,
            margins=(16, 0, 16, 8),
        )
        self.comment.set_slot(self.footer.comment_slot, self.footer, self._middle)
        self.setTabOrder(self.strip, self.comment)
        hbox(StretchSpace(), Stretched(self._middle, 1000), StretchSpace(), on=self)
        self._limit_text_width()

    def _limit_text_width(self) -> None:
        self._middle.setMaximumWidth(self.fontMetrics().horizontalAdvance("0") * MAX_TEXT_CHARS)

    def changeEvent(self, event: QEvent) -> None:
        """Adjust the maximum width of the page when the font changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._limit_text_width()

    def _connect(self) -> None:
        session = self.session
        session.screen_changed.connect(self._on_screen)
        session.changed.connect(self._on_change)
        session.completed.connect(self._on_completed)
        session.auto_advance_changed.connect(self.auto_advance_bar.run)
        session.message_posted.connect(self.announce)
        session.failed.connect(self._show_error)
        self.card.message_posted.connect(self.hint)
        self.header.campaigns_requested.connect(self.campaigns_requested)
        self.strip.item_requested.connect(self.go_to_index)
        self.comment.exited.connect(self.setFocus)

    def set_has_several_campaigns(self, several: bool) -> None:
        """Set whether the user has several campaigns; if so, the campaign name is a button for selecting a campaign."""
        self._has_several_campaigns = several
        self._show_facts()

    def set_unblinded(self, unblinded: bool) -> None:
        """Set whether the campaign was unblinded; if so, the header says that ratings are no longer blind."""
        self._is_unblinded = unblinded
        self._show_facts()

    def _on_screen(self) -> None:
        screen, work = self.session.screen, self.session.work
        if screen is None:
            return
        self._on_change()
        position = _position_text(screen, work)
        rater, protocol = escape_label(work.rater), work.protocol.title
        self.setAccessibleName(tr("{place} as {rater}, {protocol}", place=position, rater=rater, protocol=protocol))
        self.announce(tr("{place}. {missing}", place=position, missing=self.session.missing_text()))
        self.announce(self.header.guide.text())

    def _on_change(self) -> None:
        # a rater who uses the keys does not move the pointer, and an open tooltip would cover the texts
        QToolTip.hideText()
        self._show_facts()
        self.header.show_guide(self._guide_text())

    def _show_facts(self) -> None:
        screen, work = self.session.screen, self.session.work
        if screen is None:
            return
        # the rater comes first, because the end is elided
        facts = [tr("as {rater}", rater=isolate_bidi(work.rater))]
        facts += [tr("campaign unblinded: new ratings are not blind")] if self._is_unblinded else []
        facts += [] if self._has_several_campaigns else [work.campaign.name]
        document = work.passage(screen.segment).document
        more = [tr("read-only")] if self.session.read_only else []
        more += [self.session.missing_text()] if work.is_skipped(screen.uid) else []
        campaign = work.campaign.name if self._has_several_campaigns else ""
        named = [tr("Document: {name}", name=isolate_bidi(document))] if document else []
        self.header.show_facts(
            _position_text(screen, work),
            campaign,
            " · ".join(filter(None, (*facts, document, *more))),
            "\n".join((rater_text(work), *facts[1:], *named, *more)),
        )

    # --- guidance and messages

    def _guide_text(self) -> str:
        """Return the guidance for the current item; empty if there is none.

        Training items have guidance; other items have guidance until one of them is done or skipped. Skipped items and
        items in read-only sessions have none.
        """
        screen, work = self.session.screen, self.session.work
        if screen is None or self.session.read_only or work.is_skipped(screen.uid):
            return ""
        task = self.card.question_text()
        if screen.training:
            if not work.is_done(screen.uid):
                does_not_count = tr("Training item; it does not count.")
                return tr("Training item; it does not count. {task}", task=task) if task else does_not_count
            return _feedback(work, screen, work.seconds(screen.uid))
        rated, _ = work.progress()
        if work.is_handled(screen.uid) or rated:
            return ""
        training = [item for item in work.screens if item.training]
        if not training:
            return task
        if not all(work.is_handled(item.uid) for item in training):
            return TRAINING_UNRATED
        advances = self.session.settings.auto_advance and self.session.is_followed_automatically(screen)
        return TRAINING_OVER_ADVANCING if advances else TRAINING_OVER

    def _on_completed(self, uid: str) -> None:
        work = self.session.work
        if work.screen(uid).training:
            self.announce(self.header.guide.text())
        if work.seconds(uid) < MIN_READING_S:
            number = work.number(uid)
            if work.screen(uid).training:
                text = tr(
                    "Training item {number:,} took you less than a second. Read the texts before you rate them.",
                    number=number,
                )
            else:
                text = tr(
                    "Item {number:,} took you less than a second. Read the texts before you rate them.", number=number
                )
            self.messages.hint(text, sticky=True)
            self.announce(text)

    def hint(self, text: str) -> None:
        """Show a hint in the status bar and announce it to screen readers."""
        self.messages.hint(text)
        self.announce(text)

    def announce(self, text: str) -> None:
        """Announce a text to screen readers."""
        announce(self, text)

    def _show_error(self, error: QeError) -> None:
        hint = f" {error.hint}" if error.hint else ""
        self.hint(f"{sentence_case(error.message).removesuffix('.')}.{hint}")

    # --- actions

    def commit_input(self) -> None:
        """Commit pending input in the card and in the comment field."""
        self.card.commit_input()
        self.comment.flush()

    def leave(self) -> None:
        """Commit pending input, save the time spent on the item, and stop the clock."""
        self.commit_input()
        self.session.leave()

    def next(self) -> None:
        """Pass Enter to the card, for example to commit a typed number.

        If the card does not use the key, continue with `RatingSession.next`.
        """
        self.session.clock.record_input()
        if not self.card.enter():
            self.commit_input()
            self.session.next()

    def back(self) -> None:
        """Delete the last typed digit; if there is none, go to the previous item."""
        self.session.clock.record_input()
        if not self.card.erase():
            self.commit_input()
            self.session.back()

    def next_open(self) -> None:
        """Go to the next open item, or to the end page if no item is open."""
        self.commit_input()
        self.session.next_open()

    def go_to_index(self, index: int) -> None:
        """Go to the item at `index`, and set the focus to the page."""
        self.commit_input()
        self.session.go_to_index(index)
        self.setFocus()

    def first(self) -> None:
        """Go to the first item."""
        self.go_to_index(0)

    def last(self) -> None:
        """Go to the last item."""
        self.go_to_index(len(self.session.work.screens) - 1)

    def ask_item(self) -> None:
        """Prompt for the number of an item, not counting training items, and go to that item."""
        self.commit_input()
        work = self.session.work
        total = work.progress()[1]
        screen = self.session.screen
        if not total:
            return
        number_now = 1 if screen is None or screen.training else work.number(screen.uid)
        prompt = tr("Item (1 to {last:,})", last=total)
        number = ask_number(self, tr("Go to item"), prompt, number_now, total)
        if number is not None:
            self.session.go_to_index(len(work.screens) - total + number - 1)

    def reveal(self) -> None:
        """Reveal the hidden source or reference; show a hint instead if the protocol never shows it."""
        if self.session.work.protocol.target_only:
            self.hint(tr("Fluency is rated without the source"))
        else:
            self.session.reveal()

    def open_comment(self) -> None:
        """Cancel auto-advance and open the comment field; in a read-only session, show an error instead."""
        if self.session.read_only:
            self._show_error(QeError(self.session.read_only))
            return
        self.session.cancel_auto_advance()
        self.comment.open()

    def ask_skip(self) -> None:
        """Open the dialog for skipping the current item or clearing its skip.

        Show an error instead if there is no item or if the session is read-only.
        """
        screen = self.session.screen
        if screen is None or self.session.read_only:
            self._show_error(QeError(self.session.read_only or tr("no item is shown")))
            return
        self.commit_input()
        # the reason belongs to the item shown when the dialog opened
        self.session.cancel_auto_advance()
        reason = str(self.session.work.value(screen.uid, SKIP) or "")
        reasons = skip_reasons(self.session.work.campaign, revealed=self.session.is_revealed)
        dialog = SkipDialog(reasons, reason, self)
        dialog.chosen.connect(self.session.skip)
        dialog.open()

    def undo(self) -> None:
        """Undo the last judgement, and show in the status bar which judgement was undone."""
        self.commit_input()
        if text := self.session.undo():
            self.hint(tr("Undone: {what}", what=text))

    def redo(self) -> None:
        """Redo the last undone judgement and announce it."""
        self.commit_input()
        if text := self.session.redo():
            self.announce(text)

    def digit(self, digit: int) -> None:
        """Pass a digit to the card."""
        self.session.clock.record_input()
        self.card.digit(digit)

    def letter(self, index: int) -> None:
        """Handle a letter key; `index` 0 is A.

        The letter of a translation is passed to the card. Otherwise, C opens the comment field, and D toggles the
        highlighting of differences.
        """
        self.session.clock.record_input()
        if index < self.card.letter_count():
            self.card.letter(index)
        elif index == _LETTER_OF_COMMENT:
            self.open_comment()
        elif index == _LETTER_OF_DIFFERENCES:
            self.card.toggle_differences()

    def copy(self) -> None:
        """Copy the selected text to the clipboard."""
        text = self.card.selected()
        if text:
            QGuiApplication.clipboard().setText(text)
            self.hint(tr("Copied"))


def _feedback(work: RaterSession, screen: Screen, seconds: float) -> str:
    """Return feedback on a rated training item, without the answer, which the card and the status bar show."""
    key = shortcut_text("rate.next")
    example = EXAMPLES.get(work.output(screen.outputs[0]).text)
    if example is not None and work.protocol.fields == EXAMPLE_FIELDS:
        continue_text = tr("Change your answer, or press {key} to go on.", key=key) if key else ""
        return " ".join(filter(None, (example.feedback(work.values(screen.uid)), continue_text)))
    time = format_duration(seconds)
    if not key:
        return tr("Training item, rated in {time}. Change your answer, or go on.", time=time)
    return tr("Training item, rated in {time}. Change your answer, or press {key} to go on.", time=time, key=key)


def _possible_guides(work: RaterSession) -> list[str]:
    """Return the possible guidance texts, so that their height can be reserved.

    Feedback that states the time of a rating states `LONG_ANSWER_S`, so that it has its greatest length.
    """
    tasks = work.protocol.task_paragraphs(work.campaign)
    guides = [*tasks]
    if any(item.training for item in work.screens):
        guides += [TRAINING_OVER, TRAINING_OVER_ADVANCING, TRAINING_UNRATED]
        guides += [tr("Training item; it does not count. {task}", task=task) for task in tasks]
        guides += [_feedback(work, item, LONG_ANSWER_S) for item in work.screens if item.training]
    return guides


def _possible_positions(work: RaterSession) -> list[str]:
    """Return the longest position texts: those of the last training item and of the last other item."""
    last = {screen.training: screen for screen in work.screens}
    return [_position_text(screen, work) for screen in last.values()]


def _position_text(screen: Screen, work: RaterSession) -> str:
    """Return the position of an item as text; training items are counted separately."""
    number = work.number(screen.uid)
    if screen.training:
        trained = sum(item.training for item in work.screens)
        return tr("Training {number:,} of {total:,}", number=number, total=trained)
    return tr("Item {number:,} of {total:,}", number=number, total=work.progress()[1])
