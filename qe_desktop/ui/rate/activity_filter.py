"""Detection of user activity in a window: keyboard, mouse, wheel, touch and tablet events of any widget."""

from __future__ import annotations

import shiboken6
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
    """Event filter on one window that reports user activity."""

    activity_detected = Signal()
    """Emitted for each event that shows that the user is active."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._window: QWindow | None = None

    def watch(self, window: QWindow | None) -> None:
        """Watch `window` instead of the previous window; None stops watching."""
        if window is self._window:
            return
        # Qt may have replaced the native window of a widget
        if self._window is not None and shiboken6.isValid(self._window):
            self._window.removeEventFilter(self)
        self._window = window
        if window is not None:
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Report activity without consuming the event."""
        if event.type() in _ACTIVITY_EVENTS:
            self.activity_detected.emit()
        return False
