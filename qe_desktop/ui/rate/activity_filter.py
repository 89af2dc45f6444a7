"""Signs of life: keys, mouse and wheel in a window, whichever widget they go to."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QWindow

_ACTIVITY_EVENTS = frozenset(
    (
        QEvent.Type.KeyPress,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.TouchUpdate,
        QEvent.Type.TabletMove,
    )
)


class UserActivityFilter(QObject):
    """Looks at one window's events before they are given to widgets; seldom enough to cost nothing."""

    felt = Signal()
    """Somebody is there."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window: QWindow | None = None

    def watch(self, window: QWindow | None) -> None:
        """Look at another window."""
        if window is self._window:
            return
        if self._window is not None:
            self._window.removeEventFilter(self)
        self._window = window
        if window is not None:
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Tell of a sign of life, and leave the event alone."""
        if event.type() in _ACTIVITY_EVENTS:
            self.felt.emit()
        return False
