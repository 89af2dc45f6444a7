"""Progress bar, and a panel with the description and progress of a task and a button that stops the task."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import hbox


class ProgressBar(QProgressBar):
    """Progress bar that never repaints the window synchronously.

    QProgressBar repaints immediately on a new value, which also paints other views before they are updated. A bar whose
    updates are disabled does not repaint; a paint event follows when updates are enabled again.
    """

    def __init__(self, name: str, characters: int = 14, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._characters = characters
        self.setRange(0, 100)
        self.setTextVisible(False)
        self.setAccessibleName(name)

    def show_fraction(self, fraction: float) -> None:
        """Show a `fraction` (0..1), and adapt the size of the bar to the text size."""
        metrics = self.fontMetrics()
        self.setFixedSize(metrics.horizontalAdvance("0") * self._characters, max(6, metrics.height() // 2))
        self.setValue(round(100 * fraction))

    def setValue(self, value: int) -> None:
        """Set the value; it is painted with the next paint event."""
        self.setUpdatesEnabled(False)
        super().setValue(value)
        self.setUpdatesEnabled(True)

    def setRange(self, low: int, high: int) -> None:
        """Set the range; it is painted with the next paint event."""
        self.setUpdatesEnabled(False)
        super().setRange(low, high)
        self.setUpdatesEnabled(True)


class ProgressPanel(QWidget):
    """Panel, initially hidden, with the progress of a task and a button with the text `stop` that emits `stopped`."""

    stopped = Signal()

    def __init__(self, name: str, stop: str = tr("Cancel"), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = Label(token="muted")
        self._bar = ProgressBar(name)
        self._stop = FlatButton(stop)
        self._stop.clicked.connect(self.stopped)
        self._row = hbox(self._text, self._bar, self._stop, on=self, gap=8)
        self.hide()

    def show_progress(self, text: str, fraction: float) -> None:
        """Show the panel with `text`, the description of a task, and the completed `fraction` (0..1) of the task."""
        self._text.setText(text)
        self._bar.show_fraction(fraction)
        self.show()
