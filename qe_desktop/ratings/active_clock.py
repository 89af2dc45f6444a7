"""Clock of active time: long intervals without input count in part, and time in other windows does not count."""

from __future__ import annotations

import time
from collections.abc import Callable

IDLE_SECONDS = 30.0
"""Number of seconds without input after which the user counts as inactive."""

Now = Callable[[], float]


class ActiveClock:
    """Clock of the active seconds between inputs; an interval longer than `idle_seconds` counts as `idle`.

    `now` returns monotonic seconds. The clock is stopped until `start` is called.
    """

    def __init__(self, now: Now = time.monotonic, idle_seconds: float = IDLE_SECONDS) -> None:
        self._now = now
        self._idle_seconds = idle_seconds
        self._counted = 0.0
        self._since: float | None = None
        self._away = False

    @property
    def is_running(self) -> bool:
        """Whether time is being counted: the clock was started and the window is active."""
        return self._since is not None and not self._away

    def start(self) -> None:
        """Start a new count."""
        self._counted = 0.0
        self._since = self._now()

    def stop(self) -> float:
        """Return the seconds counted and stop counting."""
        seconds = self.take()
        self._since = None
        return seconds

    def record_input(self) -> None:
        """Record user input."""
        if self._since is None:
            return
        now = self._now()
        if not self._away:
            # a clock may go backwards, but the count must not
            self._counted += min(max(0.0, now - self._since), self._idle_seconds)
        self._since = now

    def pause(self) -> None:
        """Pause: the window is no longer active."""
        if not self._away:
            self.record_input()
            self._away = True

    def resume(self) -> None:
        """Resume: the window is active again; the time in between does not count."""
        if self._away:
            if self._since is not None:
                self._since = self._now()
            self._away = False

    def take(self) -> float:
        """Return the seconds counted so far and reset the count."""
        self.record_input()
        seconds, self._counted = self._counted, 0.0
        return seconds
