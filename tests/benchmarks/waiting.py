"""The window's event loop run as it runs for users: asleep while there is nothing to do."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEventLoop, QTimer

BEAT = 20
"""Milliseconds after which the loop looks again, whatever happens."""


def until(holds: Callable[[], bool], seconds: int = 300, asleep: float = 0.0) -> None:
    """Deal with events until something holds; with `asleep`, that deals with them itself, after so many seconds each.

    `processEvents` with a number of milliseconds would not sleep between events, and so take a processor, and the
    interpreter, from the work that is waited for.
    """
    deadline = QDeadlineTimer(seconds * 1000)
    beat = QTimer()
    beat.start(BEAT)
    while not holds():
        assert not deadline.hasExpired()
        if asleep:
            time.sleep(asleep)
            continue
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    beat.stop()
