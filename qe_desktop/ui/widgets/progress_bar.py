"""How far something is: a thin bar, and a line around it that says what it is and has the way to stop it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import hbox


class ProgressBar(QProgressBar):
    """Qt's own bar repaints the window at once on a new value, so that other views paint before they are updated.

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
        self.setFixedSize(metrics.horizontalAdvance("0") * self._letters, max(6, metrics.height() // 2))
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


class ProgressPanel(QWidget):
    """Shows a value, and is hidden until there is one."""

    stopped = Signal()

    def __init__(self, name: str, stop: str = tr("Stop"), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = Label(token="muted")
        self._bar = ProgressBar(name)
        self._stop = QPushButton(stop)
        self._stop.clicked.connect(self.stopped)
        self._row = hbox(self._text, self._bar, self._stop, on=self, gap=8)
        self.hide()

    def show_progress(self, text: str, fraction: float) -> None:
        """Something is being done, a `fraction` (0..1) of it by now."""
        self._text.setText(text)
        self._bar.show_fraction(fraction)
        self.show()
