"""A thin line while something is computed: what, how far, and the way to stop it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import row_of
from qe_desktop.ui.parts.progress_bar import ProgressBar
from qe_desktop.wording import tr


class WorkingLine(QWidget):
    """Shows what it is told to, and is hidden until then."""

    stopped = Signal()

    def __init__(self, name: str, stop: str = tr("Stop"), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = Label(token="muted")
        self._bar = ProgressBar(name)
        self._stop = QPushButton(stop)
        self._stop.clicked.connect(self.stopped)
        self._row = row_of(self._text, self._bar, self._stop, on=self, gap=8)
        self.hide()

    def show_progress(self, text: str, fraction: float) -> None:
        """Something is being done, a `fraction` (0..1) of it by now."""
        self._text.setText(text)
        self._bar.show_fraction(fraction)
        self.show()
