"""Garbage is collected between two events of the window's thread, and never anywhere else.

Python looks for objects that hold each other whenever and wherever the next object is made: on a job's thread, so that
widgets among them are destroyed there while Qt works on others, or on the window's own while Qt destroys an object and
holds one of its locks, which the next one to be destroyed may wait for without end. Both have been seen.
"""

from __future__ import annotations

import gc
import weakref

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from shiboken6 import isValid

INTERVAL_MS = 500
"""Milliseconds between two looks."""
MAX_FROZEN_OBJECTS = 200_000
"""Number of frozen objects that a full collection can visit without a noticeable pause."""


class GarbageCollectionTimer(QObject):
    """Takes the collecting over. It is not given back: what is left when the program ends goes with the process."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._gone = False
        """A dialog is gone whose objects may hold each other among those that are frozen."""
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()
        self._dialogs: list[weakref.ref[QWidget]] = []

    def look(self) -> None:
        """Collect what is due; and dialogs that are gone, although they were frozen while they were there."""
        collect_due_generation()
        if gc.get_freeze_count() and any(_is_closed_dialog(dialog()) for dialog in self._dialogs):
            self._gone = True
        self._dialogs = [
            weakref.ref(widget)
            for widget in QApplication.topLevelWidgets()
            if isinstance(widget, QDialog) and widget.isVisible()
        ]
        if self._gone and can_collect_frozen():
            self._gone = False
            collect_frozen()


def collect_due_generation() -> None:
    """Collect as Python would have by now: the oldest generation whose threshold was exceeded.

    After a job that created many thousand objects, these are frozen: they are freed by reference counts, since they
    have no cycles, and visiting them would block the window.
    """
    due = [count > most > 0 for count, most in zip(gc.get_count(), gc.get_threshold(), strict=True)]
    if any(due[1:]) and len(gc.get_objects(1)) > MAX_FROZEN_OBJECTS:
        gc.freeze()
    elif any(due):
        gc.collect(max(generation for generation, passed in enumerate(due) if passed))


def _is_closed_dialog(dialog: QWidget | None) -> bool:
    """Whether a dialog is closed, and Python holds it still."""
    return dialog is not None and not (isValid(dialog) and dialog.isVisible())


def can_collect_frozen() -> bool:
    """Whether visiting all frozen objects takes no noticeable time, or the window is not active."""
    return (
        gc.get_freeze_count() <= MAX_FROZEN_OBJECTS
        or QApplication.applicationState() != Qt.ApplicationState.ApplicationActive
    )


def collect_frozen() -> None:
    """Collect what is frozen too; what stays of it is frozen again."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
