"""A thin line while scores are counted: what, how far, and the way to stop it."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from qe_desktop.ui.scoring import ScoreKeeper
from qe_desktop.ui.shell.labels import Label
from qe_desktop.ui.shell.progress_bar import ProgressBar

JOB = "scores"


class WorkingLine(QWidget):
    """Seen only while counting."""

    def __init__(self, scores: ScoreKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scores = scores
        self._bar = ProgressBar()
        self._bar.setRange(0, 100)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName("Progress of counting")
        self._stop = QPushButton("Cancel")
        self._stop.clicked.connect(self._cancel)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(Label("Counting…", token="muted"))
        row.addWidget(self._bar)
        row.addWidget(self._stop)
        row.addStretch(1)
        scores.reset.connect(self.refresh)
        scores.workspace.jobs.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show how far it is."""
        working = self._scores.state == "working"
        self.setVisible(working)
        if not working:
            return
        job = next((job for job in self._scores.workspace.jobs.running() if job.key == JOB), None)
        self._bar.setFixedWidth(self.fontMetrics().averageCharWidth() * 14)
        self._bar.setFixedHeight(max(6, self.fontMetrics().height() // 2))
        self._bar.setValue(round(100 * job.fraction) if job is not None else 0)

    def _cancel(self) -> None:
        self._scores.workspace.jobs.cancel(JOB)
