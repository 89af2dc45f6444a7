"""The window's event loop run as it runs for users: asleep while there is nothing to do."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEventLoop, QTimer

BEAT = 20
"""Milliseconds after which the loop looks again, whatever happens."""


def until(holds: Callable[[], bool], seconds: int = 300) -> None:
    """Deal with events until something holds.

    `processEvents` with a number of milliseconds would not sleep between events, and so take a processor, and the
    interpreter, from the work that is waited for.
    """
    deadline = QDeadlineTimer(seconds * 1000)
    beat = QTimer()
    beat.start(BEAT)
    while not holds():
        assert not deadline.hasExpired()
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    beat.stop()
