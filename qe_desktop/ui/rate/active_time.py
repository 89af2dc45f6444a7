"""Active time of a rater: a clock that counts the time between inputs up to a limit, and an activity filter."""

from __future__ import annotations

import time
from collections.abc import Callable

import shiboken6
from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QWindow

IDLE_SECONDS = 30.0
"""Number of seconds without input after which the user counts as inactive."""

MonotonicClock = Callable[[], float]


class ActiveClock:
    """Clock that counts active seconds; an interval between two inputs counts as at most `idle_seconds`.

    `now` returns the time of a monotonic clock in seconds. The clock is stopped until `start` is called.
    """

    def __init__(self, now: MonotonicClock = time.monotonic, idle_seconds: float = IDLE_SECONDS) -> None:
        self._now = now
        self._idle_seconds = idle_seconds
        self._active_seconds = 0.0
        self._last_input_time: float | None = None
        self._is_paused = False

    @property
    def is_running(self) -> bool:
        """Whether time is being counted: the clock is started, and the window is active."""
        return self._last_input_time is not None and not self._is_paused

    def start(self) -> None:
        """Reset the count to 0 and start counting."""
        self._active_seconds = 0.0
        self._last_input_time = self._now()

    def stop(self) -> float:
        """Stop counting; return the active seconds counted since `start` or the last `take`."""
        seconds = self.take()
        self._last_input_time = None
        return seconds

    def record_input(self) -> None:
        """Record user input, and count the time since the previous input, but at most `idle_seconds`."""
        if self._last_input_time is None:
            return
        now = self._now()
        if not self._is_paused:
            # a clock may go backwards, but the count must not
            self._active_seconds += min(max(0.0, now - self._last_input_time), self._idle_seconds)
        self._last_input_time = now

    def pause(self) -> None:
        """Pause the clock; called when the window becomes inactive."""
        if not self._is_paused:
            self.record_input()
            self._is_paused = True

    def resume(self) -> None:
        """Resume the clock; called when the window becomes active again. The time since `pause` does not count."""
        if self._is_paused:
            if self._last_input_time is not None:
                self._last_input_time = self._now()
            self._is_paused = False

    def take(self) -> float:
        """Return the active seconds counted so far, and reset the count to 0."""
        self.record_input()
        seconds, self._active_seconds = self._active_seconds, 0.0
        return seconds


_ACTIVITY_EVENTS = frozenset(
    (
        QEvent.Type.KeyPress,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.TouchUpdate,
        QEvent.Type.TabletMove,
    )
)


class UserActivityFilter(QObject):
    """Event filter on one window that reports user activity."""

    activity_detected = Signal()
    """Emitted for each event that shows that the user is active."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window: QWindow | None = None

    def watch(self, window: QWindow | None) -> None:
        """Watch `window` instead of the previous window; None stops watching."""
        if window is self._window:
            return
        # Qt may have replaced the native window of a widget
        if self._window is not None and shiboken6.isValid(self._window):
            self._window.removeEventFilter(self)
        self._window = window
        if window is not None:
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Report activity without consuming the event."""
        if event.type() in _ACTIVITY_EVENTS:
            self.activity_detected.emit()
        return False
