"""Item page: position, card, and status line."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QEvent, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.answers.event_history import SKIP
from qe_desktop.corpus import QeError
from qe_desktop.escaping import escape_label, isolate_bidi
from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ratings.campaign import Screen
from qe_desktop.ratings.protocols import skip_reasons
from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.ui.rate.card_registry import card_class
from qe_desktop.ui.rate.comment_field import CommentField
from qe_desktop.ui.rate.item_strip import ItemStrip
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.rate.rating_status_line import RatingStatusLine
from qe_desktop.ui.rate.skip_dialog import SkipDialog
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell import shortcut_hints
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.buttons import ThemedButton
from qe_desktop.ui.widgets.dialogs import ask_number
from qe_desktop.ui.widgets.labels import ElidedLabel, Label, announce
from qe_desktop.ui.widgets.layouts import FlowLayout, Stretched, StretchSpace, hbox, vbox
from qe_desktop.ui.widgets.themed_widget import ThemedWidget

INTERVAL_MS = 30


class AutoAdvanceBar(ThemedWidget):
    """Bar that shrinks during the pause before auto-advance; static with reduced motion."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._whole = 0
        self._since = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.update)
        self.setFixedHeight(3)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def running(self) -> bool:
        """Whether a pause is running."""
        return self._whole > 0

    def run(self, milliseconds: int) -> None:
        """Start a pause of this length; 0 ends the current one."""
        self._whole = milliseconds
        self._since.start()
        if milliseconds and not self._settings.reduced_motion:
            self._timer.start()
        else:
            self._timer.stop()
        self.update()

    def share(self) -> float:
        """Return the displayed fraction of the pause, 0..1: what remains of it or, with reduced motion, all of it."""
        if not self._whole:
            return 0.0
        return 1.0 if self._settings.reduced_motion else max(0.0, 1 - self._since.elapsed() / self._whole)

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the remaining time."""
        painter.fillRect(0, 0, round(self.width() * self.share()), self.height(), colours.accent)


class ShortcutButton(ThemedButton):
    """Button with text and shortcut. A click does not move the focus."""

    def __init__(self, text: str, pressed: Callable[[], object]) -> None:
        super().__init__()
        self.setText(text)
        self._key = ""
        self.clicked.connect(pressed)

    def set_key(self, key: str) -> None:
        """Set the shortcut shown; empty for none."""
        self._key = key
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of text and shortcut, with padding."""
        metrics = self.fontMetrics()
        key = shortcut_hints.keys_width([self._key], self.font()) + 8 if self._key else 0
        return QSize(metrics.horizontalAdvance(self.text()) + key + 20, round(metrics.height() * 1.8))

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw text and shortcut."""
        self.draw_ground(painter, self.rect().toRectF().adjusted(1, 1, -1, -1))
        colour = QColor(colours.text)
        if not self.isEnabled():
            colour.setAlphaF(0.45)
            painter.setOpacity(0.6)
        inner = self.rect().adjusted(10, 0, -10, 0)
        width = self.fontMetrics().horizontalAdvance(self.text())
        painter.setPen(colour)
        painter.drawText(inner, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading), self.text())
        if self._key:
            mirrored = self.isRightToLeft()
            left = inner.left() if mirrored else inner.left() + width + 8
            rect = QRect(left, 0, shortcut_hints.keys_width([self._key], self.font()) + 1, self.height())
            shortcut_hints.paint_keys(painter, [self._key], rect, self.font(), right=False)


MAX_TEXT_CHARS = 200
"""Maximum width of the page in characters; the lines of two wider columns would be hard to read."""
_LETTER_OF_COMMENT, _LETTER_OF_DIFFERENCES = 2, 3


class ItemPage(QWidget):
    """Page for the items of one rater in a campaign; its methods handle keys and buttons."""

    instructions_wanted = Signal()

    def __init__(self, session: RatingSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.card = card_class(session.work.protocol)(session)
        self.where = Label(bold=True)
        self.about = ElidedLabel(token="muted")
        self.about.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.comment = CommentField(session)
        self.pause = AutoAdvanceBar(session.settings)
        self.strip = ItemStrip(session)
        self.state = RatingStatusLine(session)
        self._trained = False
        self.buttons = {
            "back": ShortcutButton(tr("Back"), self.back),
            "next": ShortcutButton(tr("Next"), self.next),
            "skip": ShortcutButton(tr("Skip"), self.ask_skip),
            "comment": ShortcutButton(tr("Comment"), self.open_comment),
            "instructions": ShortcutButton(tr("Instructions"), self.instructions_wanted.emit),
        }
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._lay_out()
        self._connect()
        self._on_screen()

    def _lay_out(self) -> None:
        top = hbox(self.where, Stretched(self.about, 1), self.buttons["instructions"], gap=12)
        bar = QWidget()
        row = FlowLayout(bar, gap=4)
        for name in ("back", "next", "skip", "comment"):
            row.addWidget(self.buttons[name])
        foot = hbox(Stretched(self.strip, 1), bar, gap=16)
        self._middle = QWidget()
        vbox(
            top,
            Stretched(self.card, 1),
            self.comment,
            self.pause,
            foot,
            self.state,
            on=self._middle,
            gap=8,
            margins=(16, 8, 16, 8),
        )
        hbox(StretchSpace(), Stretched(self._middle, 1000), StretchSpace(), on=self)
        self._limit()

    def _limit(self) -> None:
        self._middle.setMaximumWidth(self.fontMetrics().horizontalAdvance("0") * MAX_TEXT_CHARS)

    def changeEvent(self, event: QEvent) -> None:
        """Adjust the layout to the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._limit()

    def _connect(self) -> None:
        session = self.session
        session.screen_changed.connect(self._on_screen)
        session.waiting.connect(self.pause.run)
        session.message_posted.connect(self.announce)
        session.refused.connect(self._refuse)
        self.card.message_posted.connect(self.hint)
        self.strip.wanted.connect(self.go_to_index)
        self.comment.left.connect(self.setFocus)

    def _on_screen(self) -> None:
        screen, work = self.session.screen, self.session.work
        if screen is None:
            return
        position = _position_text(screen, work)
        self.where.setText(position)
        # the rater comes first, because the end is elided
        about = [
            tr("as {rater}", rater=isolate_bidi(work.rater)),
            work.campaign.name,
            work.passage(screen.segment).document,
        ]
        about += [tr("training: does not count")] if screen.training else []
        about += [tr("read-only")] if self.session.read_only else []
        self.about.setText(" · ".join(filter(None, about)))
        if self._trained and not screen.training and not work.is_handled(screen.uid):
            self.state.hint(tr("Training is over. From now on, all ratings count."))
        self._trained = screen.training
        rater, protocol = escape_label(work.rater), work.protocol.title
        self.setAccessibleName(tr("{place} as {rater}, {protocol}", place=position, rater=rater, protocol=protocol))
        self.announce(tr("{place}. {missing}", place=position, missing=self.session.missing_text()))

    # --- messages

    def hint(self, text: str) -> None:
        """Show a hint."""
        self.state.hint(text)
        self.announce(text)

    def announce(self, text: str) -> None:
        """Announce a text to screen readers."""
        announce(self, text)

    def _refuse(self, error: QeError) -> None:
        hint = f" {error.hint}" if error.hint else ""
        self.hint(f"{sentence_case(error.message).removesuffix('.')}.{hint}")

    # --- actions

    def settle(self) -> None:
        """Commit pending input."""
        self.card.settle()
        self.comment.settle()

    def leave(self) -> None:
        """Commit pending input and the time spent."""
        self.settle()
        self.session.leave()

    def next(self) -> None:
        """Let the card handle Enter, such as to commit a typed number; otherwise go to the next item."""
        self.session.clock.touch()
        if not self.card.enter():
            self.settle()
            self.session.next()

    def back(self) -> None:
        """Delete a typed digit; if there is none, go to the previous item."""
        self.session.clock.touch()
        if not self.card.erase():
            self.settle()
            self.session.back()

    def next_open(self) -> None:
        """Go to the next open item, or to the end if there is none."""
        self.settle()
        self.session.next_open()

    def go_to_index(self, index: int) -> None:
        """Go to an item by its index."""
        self.settle()
        self.session.go_to_index(index)
        self.setFocus()

    def first(self) -> None:
        """Go to the first item."""
        self.go_to_index(0)

    def last(self) -> None:
        """Go to the last item."""
        self.go_to_index(len(self.session.work.screens) - 1)

    def ask_item(self) -> None:
        """Ask for an item number and go to it."""
        self.settle()
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
        """Show the source or reference, or a hint if it may not be shown."""
        if self.session.work.protocol.target_only:
            self.hint(tr("Fluency is rated without the source"))
        else:
            self.session.reveal()

    def open_comment(self) -> None:
        """Open the comment field, and cancel auto-advance so that the item remains visible."""
        self.session.hold()
        self.comment.open()

    def ask_skip(self) -> None:
        """Ask for a reason and skip the item, or clear an earlier skip; refused if the session is read-only."""
        screen = self.session.screen
        if screen is None or self.session.read_only:
            self._refuse(QeError(self.session.read_only or tr("no item is shown")))
            return
        self.settle()
        # the reason belongs to the item shown when the dialog opened
        self.session.hold()
        reason = str(self.session.work.value(screen.uid, SKIP) or "")
        dialog = SkipDialog(skip_reasons(self.session.work.campaign), reason, self)
        dialog.chosen.connect(self.session.skip)
        dialog.open()

    def undo(self) -> None:
        """Undo the last judgement."""
        self.settle()
        self.session.undo()

    def redo(self) -> None:
        """Redo the last undone judgement."""
        self.settle()
        self.session.redo()

    def digit(self, digit: int) -> None:
        """Pass a digit to the card."""
        self.session.clock.touch()
        self.card.digit(digit)

    def letter(self, index: int) -> None:
        """Pass a letter to the card; if no translation has it, C opens the comment and D toggles the differences."""
        self.session.clock.touch()
        if index < self.card.letters():
            self.card.letter(index)
        elif index == _LETTER_OF_COMMENT:
            self.open_comment()
        elif index == _LETTER_OF_DIFFERENCES:
            self.card.toggle_differences()

    def copy(self) -> None:
        """Copy the selected text."""
        text = self.card.selected()
        if text:
            QGuiApplication.clipboard().setText(text)
            self.hint(tr("Copied"))


def _position_text(screen: Screen, work: RaterSession) -> str:
    """Return the position of the item as text; training items are counted separately."""
    number = work.number(screen.uid)
    if screen.training:
        trained = sum(item.training for item in work.screens)
        return tr("Training {number:,} of {total:,}", number=number, total=trained)
    return tr("Item {number:,} of {total:,}", number=number, total=work.progress()[1])
