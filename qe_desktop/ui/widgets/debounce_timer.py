"""Timer that runs a slot after a pause."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


class DebounceTimer(QTimer):
    """Calls `slot` once, `delay_ms` after the last start."""

    def __init__(self, parent: QObject, delay_ms: int, slot: Callable[[], object]) -> None:
        super().__init__(parent)
        self.setSingleShot(True)
        self.setInterval(delay_ms)
        self.timeout.connect(slot)
