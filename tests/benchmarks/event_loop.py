"""The event loop of the window as for users: it sleeps while there is nothing to do."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEventLoop, QTimer

BEAT = 20
"""Milliseconds after which the loop checks its condition again."""


def until(holds: Callable[[], bool], seconds: int = 300, asleep: float = 0.0) -> None:
    """Process events until a condition holds; with `asleep`, the condition does so itself, every `asleep` seconds.

    `processEvents` with a number of milliseconds would not sleep between events, and take the processor and the
    interpreter from the work that is waited for.
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
