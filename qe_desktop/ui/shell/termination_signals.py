"""Signals that ask the program to end (Ctrl+C, termination, closed terminal), and their default handling."""

from __future__ import annotations

import signal

HANGUP = getattr(signal, "SIGHUP", None)
"""Signal of a closed terminal; None on Windows, which has no such signal."""
_KNOWN_SIGNALS = (signal.SIGINT, signal.SIGTERM, HANGUP)


def termination_signals() -> list[int]:
    """Return the signals that ask the program to end, without hangup if the user ignores it (nohup)."""
    available = [number for number in _KNOWN_SIGNALS if number is not None]
    return [number for number in available if number != HANGUP or signal.getsignal(number) != signal.SIG_IGN]


def install_default_handlers() -> None:
    """Make the `termination_signals` end the program silently: before a window exists, there is nothing to lose.

    Python would raise an exception for Ctrl+C at any point, and abort during an import of Qt.
    """
    for number in termination_signals():
        signal.signal(number, signal.SIG_DFL)
