"""The soft flash of what an edit moved."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from qe_desktop.ui.settings import Settings

STEPS = 10
INTERVAL = 60
"""Milliseconds a step: often enough to look soft, seldom enough to cost nothing."""


class Flash(QObject):
    """`strength` falls from 1 to 0 after `start`; with reduced motion it stays 0."""

    faded = Signal()

    def __init__(self, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._left = 0
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(self._step)

    @property
    def strength(self) -> float:
        """How strong the flash is now, 0..1."""
        return self._left / STEPS

    def start(self) -> None:
        """Flash once; a flash that is still fading starts anew."""
        if not self._settings.reduced_motion:
            self._left = STEPS
            self._timer.start()

    def _step(self) -> None:
        self._left -= 1
        if self._left <= 0:
            self._timer.stop()
        self.faded.emit()
