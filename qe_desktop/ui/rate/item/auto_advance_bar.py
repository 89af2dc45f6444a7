"""Bar that shows the pause before auto-advance."""

from __future__ import annotations

from PySide6.QtCore import QElapsedTimer, QTimer
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.ui.settings import Settings
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.themed_widget import ThemedWidget

INTERVAL_MS = 30


class AutoAdvanceBar(ThemedWidget):
    """Bar that shrinks during the pause before auto-advance; it does not shrink if the user prefers reduced motion."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._duration = 0
        self._elapsed_timer = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.update)
        self.setFixedHeight(3)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def is_running(self) -> bool:
        """Whether a pause is running."""
        return self._duration > 0

    def run(self, milliseconds: int) -> None:
        """Start a pause of `milliseconds`; 0 ends the current pause."""
        self._duration = milliseconds
        self._elapsed_timer.start()
        if milliseconds and not self._settings.reduced_motion:
            self._timer.start()
        else:
            self._timer.stop()
        self.update()

    def remaining_fraction(self) -> float:
        """Return the fraction of the bar to draw; 0 if no pause is running.

        This is the remaining fraction of the pause or, with reduced motion, 1.
        """
        if not self._duration:
            return 0.0
        return 1.0 if self._settings.reduced_motion else max(0.0, 1 - self._elapsed_timer.elapsed() / self._duration)

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the remaining time."""
        width = round(self.width() * self.remaining_fraction())
        left = self.width() - width if self.isRightToLeft() else 0
        painter.fillRect(left, 0, width, self.height(), colours.accent)
