"""Status line: missing answers, undo, progress and saving."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.rater_session import ScreenStatus
from qe_desktop.ui.rate.rater_progress_stats import format_duration
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import FlowLayout


class RatingStatusLine(QWidget):
    """Status line that follows the rating session, except for the save state, which `set_saved` sets."""

    def __init__(self, session: RatingSession, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._saved = ""
        self._hint = ""
        self.missing = Label(bold=True)
        self.undo = Label(token="muted")
        self.progress = Label(token="muted")
        self.saved = Label(token="muted")
        row = FlowLayout(self, gap=24)
        for label in (self.missing, self.undo, self.progress, self.saved):
            # elide long texts rather than widen the window
            label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            row.addWidget(label)
        session.changed.connect(self._on_change)
        session.screen_changed.connect(self._on_change)
        self.refresh()

    def set_saved(self, text: str) -> None:
        """Show what was saved and when, or why ratings are not saved."""
        self._saved = text
        self.refresh()

    def hint(self, text: str) -> None:
        """Show a hint instead of the missing answers until the next change."""
        self._hint = text
        self.refresh()

    def _on_change(self) -> None:
        self._hint = ""
        self.refresh()

    def refresh(self) -> None:
        """Update all texts."""
        work = self._session.work
        done, total = work.progress()
        seconds = self._session.account.median_seconds
        skipped = self._session.account.counts[ScreenStatus.SKIPPED]
        if skipped:
            progress = tr("{n:,} of {total:,} done ({skipped:,} skipped)", "", done, total=total, skipped=skipped)
        else:
            progress = tr("{n:,} of {total:,} done", "", done, total=total)
        if seconds is not None:
            pace = tr("median {time} per item", time=format_duration(seconds))
            progress = f"{progress} · {pace}"
        texts = {
            self.missing: self._hint or self._session.missing_text(),
            self.undo: tr("Undo: {what} (Ctrl+Z)", what=work.undo_text) if work.undo_text else "",
            self.progress: progress,
            self.saved: self._saved,
        }
        for label, text in texts.items():
            shown = QFontMetrics(label.font()).elidedText(
                text, Qt.TextElideMode.ElideRight, max(80, self.width() or 10_000)
            )
            label.setText(shown)
            label.setVisible(bool(text))
        self.updateGeometry()
