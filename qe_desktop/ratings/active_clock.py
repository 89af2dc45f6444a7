"""The time that somebody really works: it stops while nothing is touched, and while the window is not in front."""

from __future__ import annotations

import time
from collections.abc import Callable

IDLE_SECONDS = 30.0
"""Seconds without a key or a movement after which nobody is thought to be reading any longer."""

Now = Callable[[], float]


class ActiveClock:
    """Counts seconds between signs of life; a longer silence than `idle` counts as `idle` and no more.

    `now` gives seconds that never go back. The clock begins stopped: `start` begins a new count.
    """

    def __init__(self, now: Now = time.monotonic, idle: float = IDLE_SECONDS) -> None:
        self._now = now
        self._idle = idle
        self._counted = 0.0
        self._since: float | None = None
        self._away = False

    @property
    def running(self) -> bool:
        """Whether time is being counted: started, and the window is in front."""
        return self._since is not None and not self._away

    def start(self) -> None:
        """Begin to count anew."""
        self._counted = 0.0
        self._since = self._now()

    def stop(self) -> float:
        """The seconds counted; from now on, nothing is."""
        seconds = self.take()
        self._since = None
        return seconds

    def touch(self) -> None:
        """A sign of life."""
        if self._since is None:
            return
        now = self._now()
        if not self._away:
            # a clock of the system may stand still, and must not make time go back
            self._counted += min(max(0.0, now - self._since), self._idle)
        self._since = now

    def leave(self) -> None:
        """The window is no longer in front."""
        if not self._away:
            self.touch()
            self._away = True

    def come_back(self) -> None:
        """The window is in front again; what has passed meanwhile does not count."""
        if self._away:
            if self._since is not None:
                self._since = self._now()
            self._away = False

    def take(self) -> float:
        """The seconds counted so far; the count begins again at nought."""
        self.touch()
        seconds, self._counted = self._counted, 0.0
        return seconds
