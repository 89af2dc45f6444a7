"""Queue of shortcuts that are pressed before the areas exist and the commands have handlers."""

from __future__ import annotations

from collections import deque

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QKeyEvent, QKeySequence

from qe_desktop.ui.action_registry import ActionRegistry

MAX_KEYS = 32
"""Maximum number of stored keys; if there are more, the oldest keys are dropped."""


class EarlyKeys(QObject):
    """Queue of keys that neither a widget nor a command handled; their commands run when all handlers are connected.

    Only global commands run: when the keys were pressed, the areas and their shortcuts did not exist yet.
    """

    def __init__(self, commands: ActionRegistry, parent: QObject) -> None:
        super().__init__(parent)
        self._commands = commands
        self._queued_keys: deque[str] | None = deque(maxlen=MAX_KEYS)

    def store_key(self, event: QKeyEvent) -> None:
        """Store a key that reached the window, unless the commands are connected already."""
        if self._queued_keys is not None and not event.isAutoRepeat():
            keys = QKeySequence(event.keyCombination())
            self._queued_keys.append(keys.toString(QKeySequence.SequenceFormat.PortableText))

    def run_soon(self) -> None:
        """Run the commands of the stored keys in a later event-loop iteration, then stop storing keys."""
        if self._queued_keys:
            QTimer.singleShot(0, self, self._run)
        else:
            self._queued_keys = None

    def _run(self) -> None:
        waiting, self._queued_keys = self._queued_keys or (), None
        for keys in waiting:
            for action in self._commands.available_actions():
                if not action.area and keys in self._commands.keys(action.id):
                    self._commands[action.id].trigger()
                    break
