"""Early keys: shortcuts pressed before the areas are there, for commands that nothing is connected to yet."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence

from qe_desktop.ui.actions import ActionRegistry

MAX_KEYS = 32
"""Keys that are remembered; of more, the last ones."""


class EarlyKeys(QObject):
    """Remembers keys that no widget and no command took, and runs their commands once all are connected.

    Only commands of all areas are run: the keys of an area were not there to be pressed.
    """

    def __init__(self, commands: ActionRegistry, parent: QObject) -> None:
        super().__init__(parent)
        self._commands = commands
        self._waiting: deque[str] | None = deque(maxlen=MAX_KEYS)

    def take(self, event: QKeyEvent) -> None:
        """Remember a key that reached the window, until the commands are connected."""
        if self._waiting is not None and not event.isAutoRepeat():
            keys = QKeySequence(event.keyCombination())
            self._waiting.append(keys.toString(QKeySequence.SequenceFormat.PortableText))

    def run_soon(self) -> None:
        """Run what was asked for, when this turn of the event loop is over; from now on nothing is remembered."""
        if self._waiting:
            QTimer.singleShot(0, self, self._run)
        else:
            self._waiting = None

    def _run(self) -> None:
        waiting, self._waiting = self._waiting or (), None
        for keys in waiting:
            for action in self._commands.available():
                if not action.area and keys in self._commands.keys(action.id):
                    self._commands[action.id].trigger()
                    break
