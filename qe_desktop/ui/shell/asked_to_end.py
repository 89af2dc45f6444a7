"""What Ctrl+C and the request to end do while no window hears them: before it is there, and once it has gone."""

from __future__ import annotations

import signal

ASKED_TO_END = (signal.SIGINT, signal.SIGTERM)


def end_at_once() -> None:
    """Have them end the program as they end any other, without a word; nothing is there then that could be lost.

    Python would raise an exception for Ctrl+C wherever it is just then, and abort where that is amid importing Qt.
    """
    for number in ASKED_TO_END:
        signal.signal(number, signal.SIG_DFL)
