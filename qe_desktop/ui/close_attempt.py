"""Closing of the open files, with questions that the event loop of the window answers."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMessageBox


class CloseAttempt:
    """One attempt to close what is open. It stops at a question or while something is saved, and goes on with `resume`.

    All guards are then asked again. What the user discarded in this attempt is stored, so that no question is asked
    twice, unless there were edits in between.
    """

    def __init__(self, resume: Callable[[CloseAttempt, bool], object]) -> None:
        self._resume = resume
        self._given_up: dict[object, int] = {}

    def resume(self, well: bool) -> None:
        """Go on; what is open stays where it did not go `well`."""
        self._resume(self, well)

    def give_up(self, guard: object, rows: int) -> None:
        """Record that the user discards what a guard holds, which is about this many rows."""
        self._given_up[guard] = rows

    def gave_up(self, guard: object, rows: int) -> bool:
        """Whether a person gave that up, and no row was added since."""
        return self._given_up.get(guard) == rows


def show_question(box: QMessageBox, answered: Callable[[], object]) -> None:
    """Show a question over its window; `answered` is called in a turn of its own when a button was clicked."""

    def end() -> None:
        # the window, and the box with it, may be gone afterwards
        box.deleteLater()
        answered()

    box.finished.connect(lambda: QTimer.singleShot(0, box, end))
    box.open()
