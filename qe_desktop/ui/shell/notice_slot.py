"""A notice that replaces the previous one of the same matter."""

from __future__ import annotations

from PySide6.QtCore import QTimer

from qe_desktop.corpus import QeError
from qe_desktop.ui.shell.notices import Message, Notice, NoticeBar


class NoticeSlot:
    """One matter's notice; nothing stands while there is nothing to say of it."""

    def __init__(self, bar: NoticeBar) -> None:
        self._bar = bar
        self._notice: Notice | None = None
        self._told: list[str] = []

    def show(self, message: Message | None) -> None:
        """Show this instead of the previous notice; None removes it."""
        if self._notice in self._bar.notices():
            self._bar.dismiss(self._notice)
        self._notice = None if message is None else self._bar.show_message(message)
        self._told = []

    def add(self, text: str) -> None:
        """Say what is good to know; what one act gave rise to, in one turn of the event loop, is one notice.

        An empty text ends what is shown.
        """
        if not text:
            self.show(None)
            return
        texts = [*self._told, *([] if text in self._told else [text])]
        self.show(Message(texts[0], advice="\n".join(texts[1:])))
        self._told = texts
        QTimer.singleShot(0, self._bar, texts.clear)

    def info(self, title: str) -> None:
        """Say what is good to know."""
        self.show(Message(title))

    def error(self, error: QeError) -> None:
        """Say what went wrong."""
        self.show(Message.from_error(error))
