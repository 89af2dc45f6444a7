"""Garbage is collected on the window's thread alone.

Python looks for objects that hold each other on whichever thread happens to make the next object. Widgets among them
would then be destroyed on a job's thread, while Qt works on others of the same window: a fault of memory.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL = 500
"""Milliseconds between two looks."""


class Collector(QObject):
    """Takes the collecting over for as long as it is there, until `end`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._was_enabled = gc.isenabled()
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(collect_what_is_due)
        self._timer.start()

    def end(self) -> None:
        """Leave the collecting to Python again."""
        self._timer.stop()
        if self._was_enabled:
            gc.enable()


def collect_what_is_due() -> None:
    """Collect as Python would have by now: the oldest generation whose threshold was passed."""
    due = [count > most > 0 for count, most in zip(gc.get_count(), gc.get_threshold(), strict=True)]
    if any(due):
        gc.collect(max(generation for generation, passed in enumerate(due) if passed))
