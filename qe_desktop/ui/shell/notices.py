"""Notices at the top of the window: what happened, where, and what to do; they never take the focus."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from qe_desktop import escaping
from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ui import icons, theme
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import FixedSpace, Stretched, hbox, vbox

if TYPE_CHECKING:
    from qe_desktop.corpus import QeError

MAX_NOTICES = 4
"""Maximum number of notices; older ones are removed."""
DETAIL_LINES = 10


@dataclass(frozen=True, slots=True)
class Message:
    """Contents of a notice. `kind` is error, warning or info; `details` are lines shown on demand."""

    title: str
    kind: str = "info"
    where: str = ""
    advice: str = ""
    details: tuple[str, ...] = ()
    buttons: tuple[tuple[str, Callable[[], object]], ...] = ()

    @classmethod
    def from_error(cls, error: QeError, *, begins: bool = False) -> Message:
        """Create the message of a QeError; `begins` capitalizes it as the start of a sentence."""
        total = len(error.faults) + error.more
        details = [str(fault) for fault in error.faults] if total > 1 else []
        if details and error.more:
            details.append(tr("and {n:,} more", "", error.more))
        title = error.message.rstrip(".")
        if total > 1:
            title = tr("{message} (in {n:,} places)", "", total, message=title)
        if begins:
            title = sentence_case(title)
        return cls(title, "error", str(error.place or ""), error.hint, tuple(details))

    def spoken(self) -> str:
        """Return the message as one text, for screen readers."""
        return ". ".join(part.rstrip(".") for part in (self.title, self.where, self.advice) if part) + "."

    def named(self) -> str:
        """Return the text for screen readers, prefixed with the kind of the message."""
        text = self.spoken()
        if self.kind == "error":
            return tr("Error: {text}", text=text)
        return tr("Warning: {text}", text=text) if self.kind == "warning" else tr("Info: {text}", text=text)


class Notice(QFrame):
    """Notice with one message and its buttons."""

    closed = Signal(object)

    def __init__(self, message: Message, parent: QWidget) -> None:
        super().__init__(parent)
        self.message = message
        self.times = 1
        self.setAccessibleName(escaping.escape_label(message.named(), escaping.MAX_TOOLTIP_CHARS))
        self._title = Label(message.title, bold=True, wraps=True)
        labels = [Label(text, wraps=True, selectable=True) for text in (message.where, message.advice) if text]
        self._details = self._details_box(message.details)
        words = vbox(self._title, *labels, self._button_row(), gap=4)
        if self._details is not None:
            words.addWidget(self._details)
        hbox(
            FixedSpace(self.fontMetrics().height() + 8),
            Stretched(words, 1),
            Stretched(self._close_button(), 0, Qt.AlignmentFlag.AlignTop),
            on=self,
            gap=12,
            margins=(16, 8, 8, 8),
        )
        theme.themes.theme_changed.connect(self.update)

    def again(self) -> None:
        """Count a repetition of the message instead of showing it again."""
        self.times += 1
        self._title.setText(tr("{message} ({n} times)", "", self.times, message=self.message.title))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the background in the colour of the kind, with a bar and its icon."""
        colours = theme.current()
        ink = getattr(colours, self.message.kind)
        painter = QPainter(self)
        painter.fillRect(self.rect(), getattr(colours, f"{self.message.kind}_fill"))
        painter.fillRect(QRect(0, self.height() - 1, self.width(), 1), colours.border)
        edge = self.width() - 4 if self.isRightToLeft() else 0
        painter.fillRect(QRect(edge, 0, 4, self.height()), ink)
        side = self.fontMetrics().height() + 4
        left = self.width() - 16 - side if self.isRightToLeft() else 16
        icons.paint_icon(painter, self.message.kind, QRect(left, self._title.y() - 2, side, side), ink)
        painter.end()

    def _close_button(self) -> QToolButton:
        button = QToolButton()
        button.setIcon(icons.icon("close"))
        button.setAutoRaise(True)
        button.setToolTip(tr("Close this message"))
        button.setAccessibleName(tr("Close this message"))
        button.clicked.connect(self._close)
        return button

    def _button_row(self) -> QHBoxLayout:
        row = hbox(gap=8)
        for text, handler in self.message.buttons:
            button = FlatButton(text)
            button.clicked.connect(handler)
            button.clicked.connect(self._close)
            row.addWidget(button)
        if self._details is not None:
            self._more = FlatButton(tr("Show the places"))
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
        box.setAccessibleName(tr("Places"))
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        lines = min(len(details), DETAIL_LINES + 1)
        box.setFixedHeight(box.fontMetrics().lineSpacing() * lines + 2 * round(box.document().documentMargin()) + 4)
        box.hide()
        return box

    def _show_details(self, shown: bool) -> None:
        if self._details is not None:
            self._details.setVisible(shown)
            self._more.setText(tr("Hide the places") if shown else tr("Show the places"))
            self._more.updateGeometry()

    def _close(self) -> None:
        self.closed.emit(self)


class NoticeBar(QWidget):
    """Column of notices, latest first. It is hidden if there are none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._notices: list[Notice] = []
        self._layout = vbox(on=self, gap=0)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.hide()

    def notices(self) -> list[Notice]:
        """Return the notices on screen, latest first."""
        return list(self._notices)

    def show_message(self, message: Message) -> Notice:
        """Show a message; a repetition of a message on screen is counted."""
        same = next((notice for notice in self._notices if notice.message == message), None)
        if same is not None:
            same.again()
            notice = same
        else:
            notice = Notice(message, self)
            notice.closed.connect(self.dismiss)
            self._notices.insert(0, notice)
            self._layout.insertWidget(0, notice)
            for old in self._notices[MAX_NOTICES:]:
                self.dismiss(old)
            notice.show()
        self.show()
        _announce(notice)
        return notice

    def error(self, title: str, advice: str = "", where: str = "", details: Sequence[str] = ()) -> Notice:
        """Show an error: what happened, where, and what to do."""
        return self.show_message(Message(title, "error", where, advice, tuple(details)))

    def warning(self, title: str, advice: str = "", where: str = "", details: Sequence[str] = ()) -> Notice:
        """Show a warning."""
        return self.show_message(Message(title, "warning", where, advice, tuple(details)))

    def info(self, title: str, advice: str = "", where: str = "", details: Sequence[str] = ()) -> Notice:
        """Show information."""
        return self.show_message(Message(title, "info", where, advice, tuple(details)))

    def from_error(self, error: QeError) -> Notice:
        """Show a QeError with its place, its hint and its first faults."""
        return self.show_message(Message.from_error(error))

    def dismiss(self, notice: Notice) -> None:
        """Remove a notice."""
        if notice in self._notices:
            self._notices.remove(notice)
            self._layout.removeWidget(notice)
            notice.hide()
            notice.deleteLater()
        self.setVisible(bool(self._notices))

    def clear(self) -> None:
        """Remove all notices."""
        for notice in self.notices():
            self.dismiss(notice)

    def changeEvent(self, event: QEvent) -> None:
        """Update the layout after a change of the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationFontChange:
            self.updateGeometry()


def _announce(notice: Notice) -> None:
    """Announce a notice to screen readers, wherever the focus is."""
    from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent

    if QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(notice, notice.message.spoken()))
