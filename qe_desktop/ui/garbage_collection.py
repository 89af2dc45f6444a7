"""Garbage collection between events of the GUI thread, and never at any other time.

Python can collect reference cycles whenever an object is created. A collection on the thread of a job would destroy
widgets while the GUI thread uses other widgets. A collection on the GUI thread could begin while Qt destroys an object
and holds a lock, which can cause a deadlock. Both problems have been observed.

Objects are counted, but never listed by `gc.get_objects`. The list would refer to tuples that other threads are still
creating, and CPython would raise SystemError on those threads.
"""

from __future__ import annotations

import gc
import weakref

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QWidget
from shiboken6 import isValid

INTERVAL_MS = 500
"""Milliseconds between checks of whether a collection is due."""
MAX_VISITED_OBJECTS = 100_000
"""Maximum number of objects that a collection of a generation may visit, so that no pause is noticeable."""
MAX_FROZEN_OBJECTS = 200_000
"""Maximum number of frozen objects that may be collected while the window is in use; the window has about 107,000."""
_frozen_objects = 0
"""Upper bound on the number of frozen objects, stored because `gc.get_freeze_count` visits all of them."""
_surviving_objects = 0
"""Upper bound on the number of objects in the second generation, index 1 in `gc`."""


class GarbageCollectionTimer(QObject):
    """Timer that replaces automatic garbage collection until the program ends."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._is_frozen_collection_due = False
        """Whether to collect frozen objects, because a closed dialog or corpus may have left cycles among them."""
        # the timer may fire at the end of a long event-loop iteration, which the collection must not prolong
        self._next_iteration = QTimer(self, singleShot=True, interval=0)
        self._next_iteration.timeout.connect(self.collect_if_due)
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self._next_iteration.start)
        self._timer.start()
        self._dialogs: list[weakref.ref[QWidget]] = []

    def collect_frozen_later(self) -> None:
        """Request a collection of frozen objects, which runs as soon as `can_collect_frozen` allows it.

        Called when a corpus closes.
        """
        self._is_frozen_collection_due = True

    def collect_if_due(self) -> None:
        """Collect the generation that is due.

        If a dialog or a corpus was closed, collect all objects instead, as soon as `can_collect_frozen` allows it.
        """
        if _frozen_objects and any(_is_closed_dialog(dialog()) for dialog in self._dialogs):
            self._is_frozen_collection_due = True
        self._dialogs = [
            weakref.ref(widget)
            for widget in QApplication.topLevelWidgets()
            if isinstance(widget, QDialog) and widget.isVisible()
        ]
        if self._is_frozen_collection_due and can_collect_frozen():
            self._is_frozen_collection_due = False
            collect_frozen()
        else:
            collect_due_generation()


def collect_due_generation() -> None:
    """Collect the oldest generation whose threshold is exceeded, as automatic collection would have done.

    If more than `MAX_VISITED_OBJECTS` objects would be visited, for example because a job created many, all objects are
    frozen instead. The objects of such a job have no cycles, so reference counting frees them. Visiting them would
    block the window.
    """
    global _surviving_objects
    counts = gc.get_count()
    exceeded = [count > threshold > 0 for count, threshold in zip(counts, gc.get_threshold(), strict=True)]
    if not any(exceeded):
        return
    # the first count is the number of objects created minus those freed since the last collection
    created = _surviving_objects + counts[0]
    if (created if any(exceeded[1:]) else counts[0]) > MAX_VISITED_OBJECTS:
        freeze(created)
        return
    generation = max(generation for generation, passed in enumerate(exceeded) if passed)
    gc.collect(generation)
    _surviving_objects = 0 if generation else created


def _is_closed_dialog(dialog: QWidget | None) -> bool:
    """Return whether a dialog is closed but still referenced from Python."""
    return dialog is not None and not (isValid(dialog) and dialog.isVisible())


def can_collect_frozen() -> bool:
    """Return whether the application is inactive or has at most `MAX_FROZEN_OBJECTS` frozen objects."""
    return (
        _frozen_objects <= MAX_FROZEN_OBJECTS
        or QApplication.applicationState() != Qt.ApplicationState.ApplicationActive
    )


def freeze(objects: int | None = None) -> None:
    """Exclude all existing objects from garbage collection.

    `objects` is the approximate number of newly excluded objects. If it is None, all excluded objects are counted,
    which takes 13 ms per million.
    """
    global _frozen_objects, _surviving_objects
    gc.freeze()
    _frozen_objects = gc.get_freeze_count() if objects is None else _frozen_objects + objects
    _surviving_objects = 0


def unfreeze() -> None:
    """Include all objects in garbage collection again."""
    global _frozen_objects
    gc.unfreeze()
    _frozen_objects = 0


def collect_frozen() -> None:
    """Collect garbage, including frozen objects, and freeze the remaining objects."""
    unfreeze()
    gc.collect()
    freeze()
