"""Something that is done before a window closes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject


class BeforeClosing(QObject):
    """Does it whenever the window is asked to close."""

    def __init__(self, window: QObject, action: Callable[[], object]) -> None:
        super().__init__(window)
        self._action = action
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window is asked to close."""
        if event.type() == QEvent.Type.Close:
            self._action()
        return False
