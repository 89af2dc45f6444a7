"""A progress bar that waits for the next paint like everything else."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar


class ProgressBar(QProgressBar):
    """Qt's own repaints the window at once on a new value: then other views paint while they wait to be told.

    While updates are off Qt leaves that out, and a paint is due as soon as they are on again.
    """

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

    def reset(self) -> None:
        """Show no value from the next paint on."""
        self.setUpdatesEnabled(False)
        super().reset()
        self.setUpdatesEnabled(True)
