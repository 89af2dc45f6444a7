"""What a project's own threads tell, brought to the window's thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal, Slot

if TYPE_CHECKING:
    from qe_desktop.corpus import QeError


class Relay(QObject):
    """Methods to be called on any thread; the signals come on the window's. After `close` nobody is told any longer.

    There is one for each open project, so that what an old one still has to say is not taken for the new one's.
    """

    saved = Signal(float)
    """Rows were committed: when, in Unix time."""
    trouble = Signal(object)
    """A `QeError` that keeps rows from being saved, or None: it works again."""
    heard = Signal(object)
    """`News` of the project."""
    deaf = Signal(object)
    """A `QeError`: what others do cannot be seen; None: it can again."""
    _sent = Signal(str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._gate = threading.Lock()
        self._closed = False
        # through this object's own queue: what is on its way when the project is closed arrives nowhere
        self._sent.connect(self._arrived, Qt.ConnectionType.QueuedConnection)

    def tell_saved(self, count: int, at: float) -> None:
        """Rows were committed."""
        self._send("saved", at)

    def tell_trouble(self, error: QeError | None) -> None:
        """Rows cannot be saved, or can be again."""
        self._send("trouble", error)

    def tell_heard(self, news: object) -> None:
        """There is news."""
        self._send("heard", news)

    def tell_deaf(self, error: QeError | None) -> None:
        """What others do cannot be seen, or can be again."""
        self._send("deaf", error)

    def close(self) -> None:
        """Tell nothing any longer; also before this object goes away."""
        with self._gate:
            self._closed = True

    def _send(self, signal: str, value: Any) -> None:
        # the gate keeps this object from being torn down between the question and the signal
        with self._gate:
            if not self._closed and shiboken6.isValid(self):
                self._sent.emit(signal, value)

    @Slot(str, object)
    def _arrived(self, signal: str, value: Any) -> None:
        if not self._closed:
            getattr(self, signal).emit(value)
