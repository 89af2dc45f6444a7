"""Tasks on the GUI thread that run incrementally, so that the window remains responsive."""

from __future__ import annotations

from collections.abc import Generator

from PySide6.QtCore import QObject, QTimer

TaskSteps = Generator[int, None, None]
"""Steps of a task; each yields the milliseconds until the next step, where 0 means as soon as the window is idle."""


class IncrementalTask(QObject):
    """Task that runs its steps in the event loop, until it is complete or a step fails."""

    def __init__(self, work: TaskSteps, parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._run_step)
        self._timer.start(0)

    def _run_step(self) -> None:
        pause = next(self._work, None)
        if pause is not None:
            self._timer.start(pause)

    @property
    def is_running(self) -> bool:
        """Whether the task is still running."""
        return self._timer.isActive()
