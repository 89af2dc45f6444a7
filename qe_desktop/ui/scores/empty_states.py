"""Empty states of the Scores area, and the progress line that is shown while scores are computed."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from qe_desktop.corpus import Kind
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.gold_from_post_edit import make_gold, possible_gold_kinds
from qe_desktop.ui.scores.live_score_service import LiveScoreService
from qe_desktop.ui.widgets.placeholder_page import OPEN_FILES, OPEN_SAMPLE, EmptyState, PlaceholderPage, StateAction
from qe_desktop.ui.widgets.progress_bar import ProgressPanel

FOLDER, FILES = StateAction("folder", tr("Open folder…")), StateAction("files", tr("Add files…"))
POST_EDIT = StateAction("post-edit", tr("Use post-edit as gold"))
TAG_MYSELF, RUN_AGAIN = StateAction("own", tr("Tag manually")), StateAction("again", tr("Run again"))
LOCAL_ACTIONS = (FILES, POST_EDIT, TAG_MYSELF, RUN_AGAIN)
"""Actions on the open data, which are also offered by widgets that cannot open other data."""
NOTHING_OPEN_ACTIONS = (FOLDER, OPEN_FILES, OPEN_SAMPLE)
"""Actions that every page offers while no data are open."""
JOB = "scores"


def scores_empty_state(scores: LiveScoreService) -> EmptyState | None:
    """Return the empty state if scoring failed or there is nothing to score; None otherwise."""
    view, level = scores.workspace.view, scores.workspace.level
    if scores.state == "failed" and scores.error is not None:
        title = tr("No scores: {reason}", reason=scores.error.message)
        return EmptyState(title, scores.error.hint, (RUN_AGAIN,), "error")
    if scores.state != "empty":
        return None
    if view is None:
        return EmptyState(
            tr("Score systems against gold tags or scores"),
            tr(
                "Open a folder with a source, its translation, gold tags or scores, and the tags or scores of one or "
                "more systems."
            ),
            NOTHING_OPEN_ACTIONS,
        )
    if level.reference(view) is None:
        missing = level.explain_missing_reference()
        extra_actions = (POST_EDIT,) if (level.tags or Kind.SCORES) in possible_gold_kinds(scores.workspace) else ()
        buttons = (FILES, *extra_actions, TAG_MYSELF) if level.tags is not None else (FILES, *extra_actions)
        return EmptyState(missing.title, missing.text, buttons)
    missing = level.explain_missing_subjects()
    return EmptyState(missing.title, missing.text, (FILES,))


def waiting_text(reason: str, *, is_cancelled: bool) -> str:
    """Return a text on why a computation waits for the user: `reason`, or a note that it was cancelled."""
    return tr("The computation was cancelled. Select “Run” to start it again.") if is_cancelled else reason


LARGE_DATA = tr("The data set is large. Select “Run” to start the computation.")


class ScoresOrPlaceholder(QStackedWidget):
    """Stack of the content and a placeholder, which is shown if scoring failed or there is nothing to score.

    `opens` states whether the placeholder offers to open other data.
    """

    folder_requested = Signal()
    files_requested = Signal()

    def __init__(self, scores: LiveScoreService, content: QWidget, *, opens: bool) -> None:
        super().__init__()
        self._scores, self._can_open_data = scores, opens
        self._page = PlaceholderPage(icon="scores", centred=True)
        self._page.requested.connect(self._on_requested)
        self.addWidget(self._page)
        self.addWidget(content)
        scores.reset.connect(self._on_reset)
        self._on_reset()

    def _on_reset(self) -> None:
        now = scores_empty_state(self._scores)
        if now is not None:
            offered = tuple(button for button in now.buttons if self._can_open_data or button in LOCAL_ACTIONS)
            self._page.show_state(replace(now, buttons=offered))
        self.setCurrentIndex(0 if now is not None else 1)

    def _on_requested(self, action: str) -> None:
        if action == FOLDER.id:
            self.folder_requested.emit()
        elif action == FILES.id:
            self.files_requested.emit()
        elif action == POST_EDIT.id:
            make_gold(self._scores.workspace)
        elif action == TAG_MYSELF.id:
            self._scores.workspace.tag_from_scratch()
        elif action == RUN_AGAIN.id:
            self._scores.run()


class ScoringProgress(ProgressPanel):
    """Progress line, visible only while scores are being computed."""

    def __init__(self, scores: LiveScoreService, parent: QWidget | None = None) -> None:
        super().__init__(tr("Scoring progress"), tr("Cancel"), parent)
        self._scores = scores
        self._row.addStretch(1)
        self.stopped.connect(lambda: scores.workspace.jobs.cancel(JOB))
        scores.reset.connect(self.refresh)
        scores.workspace.jobs.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the progress, or hide the line if no scores are being computed."""
        if self._scores.state != "working":
            self.hide()
            return
        job = next((job for job in self._scores.workspace.jobs.running_jobs() if job.key == JOB), None)
        self.show_progress(tr("Scoring…"), job.fraction if job is not None else 0.0)
