"""Garbage is collected between two events of the window's thread, and never anywhere else.

Python looks for objects that hold each other whenever and wherever the next object is made: on a job's thread, so that
widgets among them are destroyed there while Qt works on others, or on the window's own while Qt destroys an object and
holds one of its locks, which the next one to be destroyed may wait for without end. Both have been seen.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

INTERVAL = 500
"""Milliseconds between two looks."""
MANY = 200_000
"""Objects that were looked through once: more of them take longer than what nobody notices."""


class Collector(QObject):
    """Takes the collecting over. It is not given back: what is left when the program ends goes with the process."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(collect_what_is_due)
        self._timer.start()


def collect_what_is_due() -> None:
    """Collect as Python would have by now: the oldest generation whose threshold was passed.

    Where what a job reads has come by the hundred thousand, that is left alone from then on: it goes when nobody holds
    it, for it never leads back to itself, and looking through it would hold the window up.
    """
    due = [count > most > 0 for count, most in zip(gc.get_count(), gc.get_threshold(), strict=True)]
    if any(due[1:]) and len(gc.get_objects(1)) > MANY:
        gc.freeze()
    elif any(due):
        gc.collect(max(generation for generation, passed in enumerate(due) if passed))
