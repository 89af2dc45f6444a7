"""Closing of the open files, with questions that are answered asynchronously in the event loop."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, SignalInstance
from PySide6.QtWidgets import QDialog


class CloseAttempt:
    """Attempt to close the open files, which pauses while the user answers a question or a save is running.

    `resume` continues the attempt: all guards, the objects that check for unsaved changes, are called again. Changes
    that the user discarded in this attempt are recorded, so that a question is repeated only after further edits.
    """

    def __init__(self, resume: Callable[[CloseAttempt, bool], object]) -> None:
        self._resume = resume
        self._discarded_rows: dict[object, int] = {}

    def resume(self, is_saved: bool) -> None:
        """Continue the attempt if `is_saved` (the changes were saved or discarded); otherwise, end the attempt."""
        self._resume(self, is_saved)

    def record_discard(self, guard: object, rows: int) -> None:
        """Record that the user discards the unsaved changes of a guard, which has recorded `rows` rows of changes."""
        self._discarded_rows[guard] = rows

    def was_discarded(self, guard: object, rows: int) -> bool:
        """Return whether the user discarded the changes of a guard when it had recorded `rows` rows of changes."""
        return self._discarded_rows.get(guard) == rows


def resume_when_ended(ended: SignalInstance, closing: CloseAttempt, context: QObject) -> None:
    """Resume `closing` with the success flag of the next `ended` signal, in a later event-loop iteration.

    If `context` is deleted first, `closing` is not resumed.
    """

    def end(is_saved: bool) -> None:
        ended.disconnect(end)
        QTimer.singleShot(0, context, partial(closing.resume, is_saved))

    ended.connect(end)


def show_question(dialog: QDialog, answered: Callable[[], object]) -> None:
    """Show a modal dialog; after it is closed, call `answered` in a later event-loop iteration."""

    def end() -> None:
        # the window and the dialog may be deleted by `answered`
        dialog.deleteLater()
        answered()

    dialog.finished.connect(lambda: QTimer.singleShot(0, dialog, end))
    dialog.open()
