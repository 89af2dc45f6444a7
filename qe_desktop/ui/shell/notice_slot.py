"""Slot for notices on one subject: later messages replace earlier ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from qe_desktop.ui.shell.notices import Message, Notice, NoticeBar

if TYPE_CHECKING:
    from qe_desktop.corpus import QeError


class NoticeSlot:
    """Slot for the notices on one subject, such as "save", in a notice bar."""

    def __init__(self, bar: NoticeBar, subject: str) -> None:
        self._bar = bar
        self._subject = subject
        self._combined_notice: Notice | None = None
        self._texts: list[str] = []

    def show(self, message: Message) -> Notice:
        """Show a message, which replaces the messages of earlier event-loop iterations, and return its notice."""
        return self._bar.show_message(message, self._subject)

    def remove_earlier(self) -> None:
        """Remove the messages of earlier event-loop iterations; to be called when the user begins something new."""
        self._bar.remove_earlier(self._subject)

    def remove_messages(self, *kinds: str) -> None:
        """Remove all messages or, if `kinds` are specified, only messages of these kinds."""
        self._bar.remove_messages(self._subject, *([kinds] if kinds else []))

    def add(self, text: str) -> None:
        """Show a text as information; texts that are added in the same event-loop iteration form one notice.

        An empty text removes all messages.
        """
        if not text:
            self._texts.clear()
            self.remove_messages()
            return
        if not self._texts:
            QTimer.singleShot(0, self._bar, self._texts.clear)
        elif self._combined_notice is not None:
            self._bar.dismiss(self._combined_notice)
        if text not in self._texts:
            self._texts.append(text)
        self._combined_notice = self.show(Message(self._texts[0], advice="\n".join(self._texts[1:])))

    def info(self, title: str, location: str = "") -> None:
        """Show a text as information, with the path of a file, if any."""
        self.show(Message(title, location=location))

    def error(self, error: QeError) -> None:
        """Show an error."""
        self.show(Message.from_error(error))
