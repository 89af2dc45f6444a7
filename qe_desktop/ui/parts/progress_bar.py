"""A thin bar that says how far something is, and waits for the next paint like everything else."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar, QWidget


class ProgressBar(QProgressBar):
    """Qt's own repaints the window at once on a new value: then other views paint while they wait to be told.

    While updates are off Qt leaves that out, and a paint is due as soon as they are on again.
    """

    def __init__(self, name: str, letters: int = 14, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._letters = letters
        self.setRange(0, 100)
        self.setTextVisible(False)
        self.setAccessibleName(name)

    def show_fraction(self, fraction: float) -> None:
        """A `fraction` (0..1) is done by now; the bar is as wide as its letters, and half a line high."""
        metrics = self.fontMetrics()
        self.setFixedSize(metrics.averageCharWidth() * self._letters, max(6, metrics.height() // 2))
        self.setValue(round(100 * fraction))

    def setValue(self, value: int) -> None:
        """Show another value with the next paint."""
        self.setUpdatesEnabled(False)
        super().setValue(value)
        self.setUpdatesEnabled(True)

    def setRange(self, low: int, high: int) -> None:
        """Count in another range from the next paint on."""
        self.setUpdatesEnabled(False)
        super().setRange(low, high)
        self.setUpdatesEnabled(True)
