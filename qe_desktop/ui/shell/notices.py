"""Notices that say what happened, where, and what to do; they are shown one at a time and do not take the focus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QPlainTextEdit, QSizePolicy, QWidget

from qe_desktop import escaping
from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ui import theme
from qe_desktop.ui.widgets.buttons import IconLink, LinkButton
from qe_desktop.ui.widgets.labels import IconLabel, Label, PathLabel
from qe_desktop.ui.widgets.layouts import FixedSpace, Stretched, StretchSpace, hbox, vbox

if TYPE_CHECKING:
    from qe_desktop.corpus import QeError


MAX_INFOS = 50
"""Maximum number of informational messages without buttons; older ones are removed."""
DETAIL_LINES = 10
LINE_GAP_PX = 16
"""Distance in pixels between the texts and buttons of a notice when they are on one line."""
KINDS = ("error", "warning", "info")
KEEP_OPEN = object()
"""Value that a button's handler returns to keep the notice open; otherwise the button closes the notice."""


@dataclass(frozen=True, slots=True)
class Message:
    """Contents of a notice. `kind` is error, warning or info; `details` are lines shown on demand.

    A message with `is_global` concerns the program, not the open files, and remains when other files are opened.
    """

    title: str
    kind: str = "info"
    location: str = ""
    advice: str = ""
    details: tuple[str, ...] = ()
    buttons: tuple[tuple[str, Callable[[], object]], ...] = ()
    is_global: bool = False

    @property
    def is_transient(self) -> bool:
        """Whether this is an informational message without buttons, which later messages replace."""
        return self.kind == "info" and not self.buttons

    @classmethod
    def from_error(cls, error: QeError) -> Message:
        """Create a message from a QeError; the title is capitalized if its first word consists of letters only."""
        total = len(error.faults) + error.more
        details = [str(detail) for detail in error.faults] if total > 1 else []
        if details and error.more:
            details.append(tr("and {n:,} more", "", error.more))
        title = error.message.rstrip(".")
        if total > 1:
            title = tr("{message} (and {n:,} more {n:location|locations})", "", total - 1, message=title)
        if title.partition(" ")[0].isalpha():
            title = sentence_case(title)
        return cls(title, "error", str(error.place or ""), error.hint, tuple(details))

    def plain_text(self) -> str:
        """Return the title, location and advice as one text, for screen readers."""
        return ". ".join(part.rstrip(".") for part in (self.title, self.location, self.advice) if part) + "."

    def accessible_text(self) -> str:
        """Return the text for screen readers, prefixed with the kind of the message."""
        text = self.plain_text()
        if self.kind == "error":
            return tr("Error: {text}", text=text)
        return tr("Warning: {text}", text=text) if self.kind == "warning" else tr("Info: {text}", text=text)


class Notice(QFrame):
    """Notice that shows one message with its buttons, and the position of the notice if there are several.

    The texts and buttons are on one line if they fit, and below each other otherwise. `path` is the label of the path
    in an informational message; None if there is none.
    """

    closed = Signal(object)
    next_requested = Signal()
    resized = Signal()
    """Emitted when the size that the notice needs may have changed."""

    def __init__(self, message: Message, subject: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.message = message
        self.subject = subject
        self.occurrences = 1
        self._title = Label(message.title, bold=True)
        self._texts = [self._title]
        self.path = PathLabel(message.location) if message.kind == "info" and message.location else None
        location = self.path or Label(message.location, selectable=True)
        self._texts += [label for label in (location, Label(message.advice, selectable=True)) if label.text()]
        self._details = self._details_box(message.details)
        self._position = Label()
        self.next_button = IconLink("next", tr("Show the next message"))
        self.next_button.clicked.connect(self.next_requested)
        self.close_button = IconLink("close", tr("Close this message"))
        self.close_button.clicked.connect(self._close)
        self._end = hbox(self._position, self.next_button, self.close_button, gap=4)
        self._buttons = self._button_row()
        self._text_row = hbox(*self._texts, self._buttons, gap=LINE_GAP_PX)
        icon = vbox(FixedSpace(2), IconLabel(message.kind), StretchSpace())
        end = vbox(self._end, StretchSpace())
        line = hbox(icon, Stretched(self._text_row, 1), end, gap=8)
        self._rows = vbox(line, *([] if self._details is None else [self._details]), on=self, gap=4)
        self.set_position(1, 1)
        theme.themes.theme_changed.connect(self.update)

    def line_width(self) -> int | None:
        """Return the width in pixels of the notice on one line; None if details or a line break require more lines."""
        if self._shows_details() or any("\n" in label.text() for label in self._texts):
            return None
        texts = sum(label.fontMetrics().horizontalAdvance(label.text()) + 2 for label in self._texts)
        gaps = LINE_GAP_PX * (len(self._texts) + 4)
        buttons = self._buttons.sizeHint().width() + self._end.sizeHint().width()
        return texts + gaps + self.fontMetrics().height() + buttons

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Rearrange the texts for the new width."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        needed = self.line_width()
        fits = needed is not None and needed <= self.width()
        # on one line, the notice is as high as the other texts of the status bar
        above = 0 if fits else 2
        self._rows.setContentsMargins(8, above, 4, above)
        direction = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        if direction != self._text_row.direction() or self._title.wordWrap() is fits:
            self._text_row.setDirection(direction)
            self._text_row.setSpacing(LINE_GAP_PX if fits else 4)
            for label in self._texts:
                label.setWordWrap(not fits)
            self.updateGeometry()

    def _shows_details(self) -> bool:
        return self._details is not None and not self._details.isHidden()

    def set_position(self, number: int, total: int) -> None:
        """Show that this is notice `number` (from 1) of `total`; nothing is shown if `total` is 1."""
        several = total > 1
        self._position.setVisible(several)
        self.next_button.setVisible(several)
        name = escaping.escape_label(self.message.accessible_text(), escaping.MAX_TOOLTIP_CHARS)
        if several:
            self._position.setText(tr("{n} of {total}", n=number, total=total))
            name = tr("{text} ({n} of {total})", text=name, n=number, total=total)
        self.setAccessibleName(name)

    def count_repetition(self) -> None:
        """Count a repetition of the message, and show the number of occurrences in the title."""
        self.occurrences += 1
        self._title.setText(tr("{message} ({n} times)", "", self.occurrences, message=self.message.title))
        self._on_resized()

    def _on_resized(self) -> None:
        self._arrange()
        self.resized.emit()

    def changeEvent(self, event: QEvent) -> None:
        """Rearrange the texts when the text size changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._on_resized()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the background in the colour for the kind of message."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(getattr(theme.current(), f"{self.message.kind}_fill"))
        painter.drawRoundedRect(self.rect(), 4, 4)
        painter.end()

    def _button_row(self) -> QHBoxLayout:
        row = hbox(gap=8)
        for text, handler in self.message.buttons:
            button = LinkButton(text)
            button.clicked.connect(lambda _=False, handler=handler: self._run(handler))
            row.addWidget(button)
        if self._details is not None:
            self._more = LinkButton(tr("Show details"))
            self._more.setCheckable(True)
            self._more.toggled.connect(self._show_details)
            row.addWidget(self._more)
        row.addStretch(1)
        return row

    def _details_box(self, details: Sequence[str]) -> QPlainTextEdit | None:
        if not details:
            return None
        box = QPlainTextEdit("\n".join(escaping.escape_label(line, escaping.MAX_TOOLTIP_CHARS) for line in details))
        box.setReadOnly(True)
        box.setTabChangesFocus(True)
        box.setAccessibleName(tr("Details"))
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        lines = min(len(details), DETAIL_LINES + 1)
        box.setFixedHeight(box.fontMetrics().lineSpacing() * lines + 2 * round(box.document().documentMargin()) + 4)
        box.hide()
        return box

    def _show_details(self, visible: bool) -> None:
        if self._details is not None:
            self._details.setVisible(visible)
            self._more.setText(tr("Hide details") if visible else tr("Show details"))
            self._more.updateGeometry()
            self._on_resized()

    def _run(self, handler: Callable[[], object]) -> None:
        if handler() is not KEEP_OPEN:
            self._close()

    def _close(self) -> None:
        self.closed.emit(self)


class NoticeBar(QWidget):
    """Bar that shows one notice at a time, with a button for the next one; hidden if there are no notices.

    Messages shown in one event-loop iteration are assumed to have the same cause, and do not replace each other.
    """

    resized = Signal()
    """Emitted when the current notice is replaced or removed, and when the size of a notice may have changed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notices: list[Notice] = []
        self._current: Notice | None = None
        self._current_iteration: list[Notice] = []
        """Notices that were shown in the current event-loop iteration."""
        self._layout = vbox(on=self, gap=0)
        # a message never widens its window
        self.setMinimumWidth(1)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.hide()

    def notices(self) -> list[Notice]:
        """Return all notices, latest first."""
        return list(self._notices)

    @property
    def current(self) -> Notice | None:
        """Notice on screen; None if there are no notices."""
        return self._current

    def show_message(self, message: Message, subject: str = "") -> Notice:
        """Show a message and return its notice; if an equal message already has a notice, count a repetition in it.

        Notices of earlier event-loop iterations are removed if they are transient or have the same non-empty `subject`.
        """
        notice = next((notice for notice in self._notices if notice.message == message), None)
        if notice is None:
            notice = Notice(message, subject, self)
            notice.hide()
            notice.closed.connect(self.dismiss)
            notice.next_requested.connect(self._show_next)
            notice.resized.connect(self.resized)
            self._layout.addWidget(notice)
        else:
            notice.count_repetition()
            notice.subject = subject
            self._notices.remove(notice)
        outdated = [
            old
            for old in self._notices
            if old not in self._current_iteration and (old.message.is_transient or old.subject == subject != "")
        ]
        self._notices.insert(0, notice)
        infos = [info for info in self._notices if info.message.is_transient]
        if not self._current_iteration:
            QTimer.singleShot(0, self, self._end_iteration)
        self._current_iteration.append(notice)
        self._show(notice)
        self._remove([*outdated, *infos[MAX_INFOS:]])
        return notice

    def error(self, title: str, advice: str = "", where: str = "") -> Notice:
        """Show an error (what happened, where, and what to do), and return its notice."""
        return self.show_message(Message(title, "error", where, advice))

    def warning(self, title: str, advice: str = "") -> Notice:
        """Show a warning, and return its notice."""
        return self.show_message(Message(title, "warning", advice=advice))

    def info(self, title: str, advice: str = "") -> Notice:
        """Show information, and return its notice."""
        return self.show_message(Message(title, "info", advice=advice))

    def from_error(self, error: QeError) -> Notice:
        """Show a QeError with its location, its hint and its first faults, and return its notice."""
        return self.show_message(Message.from_error(error))

    def dismiss(self, notice: Notice) -> None:
        """Remove a notice; if it is on screen, show the next notice."""
        self._remove([notice])

    def remove_messages(self, subject: str, kinds: Sequence[str] = KINDS) -> None:
        """Remove the messages on a subject; if `kinds` are specified, only messages of these kinds."""
        self._remove([old for old in self._notices if old.subject == subject and old.message.kind in kinds])

    def remove_earlier(self, subject: str) -> None:
        """Remove earlier messages on a subject; to be called when the user starts another operation.

        Messages shown in the current event-loop iteration remain.
        """
        self._remove([old for old in self._notices if old.subject == subject and old not in self._current_iteration])

    def remove_reports(self, *_: object) -> None:
        """Remove reports of earlier actions, such as "Saved"; to be connected to signals of user actions.

        Messages with buttons or details remain, and so do messages shown in the current event-loop iteration.
        """
        reports = [old for old in self._notices if old.message.is_transient and not old.message.details]
        self._remove([report for report in reports if report not in self._current_iteration])

    def line_width(self) -> int | None:
        """Return `Notice.line_width` of the current notice; None if there is no notice."""
        return None if self._current is None else self._current.line_width()

    def sizeHint(self) -> QSize:
        """Return the size of the current notice, on one line if that is possible."""
        width, hint = self.line_width(), super().sizeHint()
        return hint if width is None else QSize(width, hint.height())

    def clear(self) -> None:
        """Remove the messages that concern the open files (not `is_global`), except those with buttons."""
        self._remove([old for old in self._notices if not old.message.buttons and not old.message.is_global])

    def _remove(self, removed: Sequence[Notice]) -> None:
        removed = [notice for notice in self._notices if notice in removed]
        if self._current in removed:
            index = self._notices.index(self._current)
            remaining = [notice for notice in (*self._notices[index:], *self._notices[:index]) if notice not in removed]
            self._notices = [notice for notice in self._notices if notice not in removed]
            self._show(remaining[0] if remaining else None)
        else:
            self._notices = [notice for notice in self._notices if notice not in removed]
            self._number()
        for notice in removed:
            self._layout.removeWidget(notice)
            notice.hide()
            notice.deleteLater()

    def _show(self, notice: Notice | None) -> None:
        """Replace the current notice with `notice`; if the focus was in the current notice, move it to `notice`."""
        before, self._current = self._current, notice
        self._number()
        self.setVisible(notice is not None)
        self.resized.emit()
        if notice is None:
            return
        if before is None or before is notice:
            notice.show()
        else:
            focus = before.focusWidget() if before.isAncestorOf(self.focusWidget() or self) else None
            if focus is not None and focus.hasFocus():
                notice.show()
                button = notice.close_button if focus is before.close_button else notice.next_button
                (button if button.isVisible() else notice.close_button).setFocus(Qt.FocusReason.OtherFocusReason)
            # one at a time: two visible notices would make the bar higher, and resize the page above it
            before.hide()
            notice.show()
        _announce(notice)

    def _show_next(self) -> None:
        if self._current is not None:
            index = self._notices.index(self._current) + 1
            self._show(self._notices[index % len(self._notices)])

    def _number(self) -> None:
        for number, notice in enumerate(self._notices, 1):
            notice.set_position(number, len(self._notices))

    def _end_iteration(self) -> None:
        self._current_iteration.clear()

    def changeEvent(self, event: QEvent) -> None:
        """Update the layout after a change of the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()


def _announce(notice: Notice) -> None:
    """Announce a notice to screen readers, whichever widget has the focus."""
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(notice, notice.message.plain_text()))
