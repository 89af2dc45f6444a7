"""The event loop of the window as for users: it sleeps while there is nothing to do."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QDeadlineTimer, QEventLoop, QTimer

CHECK_INTERVAL_MS = 20
"""Milliseconds after which the loop checks its condition again."""


def run_event_loop_until(condition: Callable[[], bool], seconds: int = 300, sleep_s: float = 0.0) -> None:
    """Process events until a condition is true; with `sleep_s`, the condition processes them itself, at that interval.

    `processEvents` with a number of milliseconds would not sleep between events, and take the processor and the
    interpreter from the work that is waited for.
    """
    deadline = QDeadlineTimer(seconds * 1000)
    timer = QTimer()
    timer.start(CHECK_INTERVAL_MS)
    while not condition():
        assert not deadline.hasExpired()
        if sleep_s:
            time.sleep(sleep_s)
            continue
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    timer.stop()
