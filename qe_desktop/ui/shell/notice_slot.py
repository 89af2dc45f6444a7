"""Slot for a notice that replaces the previous one on the same subject."""

from __future__ import annotations

from PySide6.QtCore import QTimer

from qe_desktop.corpus import QeError
from qe_desktop.ui.shell.notices import Message, Notice, NoticeBar


class NoticeSlot:
    """Slot for the notice on one subject, which may be empty."""

    def __init__(self, bar: NoticeBar) -> None:
        self._bar = bar
        self._notice: Notice | None = None
        self._texts: list[str] = []

    def show(self, message: Message | None) -> None:
        """Show a message instead of the previous notice; None removes the notice."""
        if self._notice in self._bar.notices():
            self._bar.dismiss(self._notice)
        self._notice = None if message is None else self._bar.show_message(message)
        self._texts = []

    def add(self, text: str) -> None:
        """Show a text as information; texts that are added in the same event-loop iteration form one notice.

        An empty text removes the notice.
        """
        if not text:
            self.show(None)
            return
        texts = [*self._texts, *([] if text in self._texts else [text])]
        self.show(Message(texts[0], advice="\n".join(texts[1:])))
        self._texts = texts
        QTimer.singleShot(0, self._bar, texts.clear)

    def info(self, title: str) -> None:
        """Show a text as information."""
        self.show(Message(title))

    def error(self, error: QeError) -> None:
        """Show an error."""
        self.show(Message.from_error(error))
