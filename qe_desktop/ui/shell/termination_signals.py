"""What Ctrl+C, the request to end and a closed terminal do before a window is there to hear them, and after."""

from __future__ import annotations

import signal

HANGUP = getattr(signal, "SIGHUP", None)
"""The terminal was closed; None on Windows, where none says so."""
_KNOWN_SIGNALS = (signal.SIGINT, signal.SIGTERM, HANGUP)


def termination_signals() -> list[int]:
    """The signals that ask the program to end. The hangup of a terminal is left out if the user ignores it (nohup)."""
    known = [number for number in _KNOWN_SIGNALS if number is not None]
    return [number for number in known if number != HANGUP or signal.getsignal(number) != signal.SIG_IGN]


def install_default_handlers() -> None:
    """Have them end the program as they end any other, without a word; nothing is there then that could be lost.

    Python would raise an exception for Ctrl+C wherever it is just then, and abort where that is amid importing Qt.
    """
    for number in termination_signals():
        signal.signal(number, signal.SIG_DFL)
