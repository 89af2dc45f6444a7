"""A notice that stands in the place of the one before it: what is said now is all that is to be read of a matter."""

from __future__ import annotations

from qe_desktop.corpus import QeError
from qe_desktop.ui.shell.notices import Message, Notice, NoticeBar


class Standing:
    """One matter's notice; nothing stands while there is nothing to say of it."""

    def __init__(self, bar: NoticeBar) -> None:
        self._bar = bar
        self._notice: Notice | None = None

    def show(self, message: Message | None) -> None:
        """Say this in the place of what was said before; None: say nothing any longer."""
        if self._notice in self._bar.notices():
            self._bar.dismiss(self._notice)
        self._notice = None if message is None else self._bar.show_message(message)

    def info(self, title: str) -> None:
        """Say what is good to know."""
        self.show(Message(title))

    def error(self, error: QeError) -> None:
        """Say what went wrong."""
        self.show(Message.from_error(error))
