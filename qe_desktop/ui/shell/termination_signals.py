"""Signals that ask the program to end (Ctrl+C, termination, closed terminal), and their default handling."""

from __future__ import annotations

import signal

HANGUP = getattr(signal, "SIGHUP", None)
"""Signal that is sent when the terminal is closed; None on Windows, which has no such signal."""
_KNOWN_SIGNALS = (signal.SIGINT, signal.SIGTERM, HANGUP)


def termination_signals() -> list[int]:
    """Return the signals that ask the program to end, except `HANGUP` if it is ignored, as under nohup."""
    available = [number for number in _KNOWN_SIGNALS if number is not None]
    return [number for number in available if number != HANGUP or signal.getsignal(number) != signal.SIG_IGN]


def install_default_handlers() -> None:
    """Make the `termination_signals` end the program silently; only for use while no work can be lost.

    With Python's own handler, Ctrl+C would raise an exception at an arbitrary point. During an import of Qt, the
    process would abort.
    """
    for number in termination_signals():
        signal.signal(number, signal.SIG_DFL)
