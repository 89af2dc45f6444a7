"""Closing of the open files, with questions that are answered asynchronously in the event loop."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QTimer, SignalInstance
from PySide6.QtWidgets import QDialog


class CloseAttempt:
    """Attempt to close the open files, which stops at a question or while something is saved.

    `resume` continues it: all guards, the objects that check for unsaved changes, are called again. Changes that the
    user discarded in this attempt are recorded, so that no question is repeated unless there were edits in between.
    """

    def __init__(self, resume: Callable[[CloseAttempt, bool], object]) -> None:
        self._resume = resume
        self._discarded_rows: dict[object, int] = {}

    def resume(self, is_saved: bool) -> None:
        """Continue the attempt; the files remain open unless `is_saved` is true."""
        self._resume(self, is_saved)

    def record_discard(self, guard: object, rows: int) -> None:
        """Record that the user discards the unsaved changes of a guard, which has `rows` rows of changes."""
        self._discarded_rows[guard] = rows

    def was_discarded(self, guard: object, rows: int) -> bool:
        """Return whether the user discarded the changes of a guard and its number of rows is still `rows`."""
        return self._discarded_rows.get(guard) == rows


def resume_when_ended(ended: SignalInstance, closing: CloseAttempt, context: QObject) -> None:
    """Resume once, with the success flag of the next `ended` signal, in a later iteration of the event loop."""

    def end(is_saved: bool) -> None:
        ended.disconnect(end)
        QTimer.singleShot(0, context, partial(closing.resume, is_saved))

    ended.connect(end)


def show_question(dialog: QDialog, answered: Callable[[], object]) -> None:
    """Show a question over its window; once it is closed, `answered` is called in a later event-loop iteration."""

    def end() -> None:
        # the window and the dialog may be deleted by `answered`
        dialog.deleteLater()
        answered()

    dialog.finished.connect(lambda: QTimer.singleShot(0, dialog, end))
    dialog.open()
