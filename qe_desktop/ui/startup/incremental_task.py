"""Work on the window's thread that is done piece by piece, so that the window answers in between."""

from __future__ import annotations

from collections.abc import Generator

from PySide6.QtCore import QObject, QTimer

TaskSteps = Generator[int, None, None]
"""Work in pieces: after each it says after how many milliseconds it goes on, 0 as soon as the window is at rest."""


class IncrementalTask(QObject):
    """Does the pieces, each in a turn of the event loop, until all is done or something goes wrong."""

    def __init__(self, work: TaskSteps, parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_turn)
        self._timer.start(0)

    def _on_turn(self) -> None:
        pause = next(self._work, None)
        if pause is not None:
            self._timer.start(pause)

    @property
    def working(self) -> bool:
        """Whether something is left to be done."""
        return self._timer.isActive()
