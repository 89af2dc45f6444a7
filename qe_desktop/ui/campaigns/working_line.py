"""A thin line while something is computed: what, how far, and the way to stop it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from qe_desktop.ui.shell.labels import Label
from qe_desktop.ui.shell.progress_bar import ProgressBar


class WorkingLine(QWidget):
    """Shows what it is told to; the place in the layout is kept while it is hidden."""

    stopped = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = Label(token="muted")
        self._bar = ProgressBar()
        self._bar.setRange(0, 100)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(name)
        self._stop = QPushButton("Stop")
        self._stop.clicked.connect(self.stopped)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._text)
        row.addWidget(self._bar)
        row.addWidget(self._stop)
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self.hide()

    @property
    def text(self) -> str:
        """What is said."""
        return self._text.text()

    def show_progress(self, text: str, fraction: float) -> None:
        """Something is being done, a `fraction` (0..1) of it by now."""
        self._text.setText(text)
        self._bar.setFixedWidth(self.fontMetrics().averageCharWidth() * 14)
        self._bar.setFixedHeight(max(6, self.fontMetrics().height() // 2))
        self._bar.setValue(round(100 * fraction))
        self.show()
