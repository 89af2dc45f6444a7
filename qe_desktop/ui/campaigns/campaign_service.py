"""Keeps what an owner sees of the campaigns up to date: read beside the window, and again when raters did something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from qe_desktop.corpus import QeError, Ratings
from qe_desktop.i18n.messages import tr
from qe_desktop.project.blind_key import unblind
from qe_desktop.project.campaign_views import (
    ALL_RATINGS,
    CampaignSelection,
    CampaignView,
    corpus_ratings_view,
    read_campaign_selection,
)
from qe_desktop.ratings.campaign import Campaign, CampaignDesign
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.project.events import AuditRow, RemoteChanges
    from qe_desktop.project.store import Project
    from qe_desktop.project.store.rating_imports import ImportResult

JOB = "campaigns"
RELOAD_DELAY_MS = 400
"""Milliseconds after news before all is read again: raters come in bursts."""


class CampaignService(QObject):
    """`state` is none (no project, or not its owner), empty (no campaign), working (first look), ready, failed.

    Without a project, the ratings that came with the corpus can be looked at.
    """

    changed = Signal()
    """Another project, other campaigns, another one is looked at, or its key was opened."""
    moved = Signal()
    """All was read again: raters may be further, the log longer."""
    imported = Signal(object, object)
    """Files were read: the results (a list of `Imported`), and the QeErrors of those that could not be."""
    taken_back = Signal(int)
    """An import counts no more: how many ratings and events it had added."""

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent or workspace)
        self.workspace = workspace
        self.state = "none"
        self.error: QeError | None = None
        self.campaigns: tuple[Campaign, ...] = ()
        self.choices: tuple[tuple[str, str], ...] = ()
        """Uid and title of what can be looked at."""
        self.view: CampaignView | None = None
        self.audit: tuple[AuditRow, ...] = ()
        self._watching: set[QObject] = set()
        self._chosen = False
        self._late = False
        self._wanted: str | None = None
        self._designs: dict[str, CampaignDesign] = {}
        self._source: tuple[tuple[object, str], Callable[[], Ratings]] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(RELOAD_DELAY_MS)
        self._timer.timeout.connect(self.refresh)
        workspace.project_changed.connect(self._on_project)
        workspace.opened.connect(self._on_opened)
        self._on_project()

    @property
    def project(self) -> Project | None:
        """The open project."""
        return self.workspace.project

    @property
    def owned(self) -> bool:
        """Whether one may see all: a project is open, and one is its owner."""
        return self.project is not None and self.project.role == "owner"

    # --- what is looked at

    def choose(self, uid: str) -> None:
        """Look at another campaign, or at all ratings, as a person chose; what is rated later changes nothing of it."""
        self._chosen = True
        if self.view is None or uid != self.view.uid:
            self._wanted = uid
            self.refresh()

    def follow(self, uid: str) -> None:
        """Look at a campaign that was just set up, and from then on at the one that was rated last."""
        self._chosen, self._wanted = False, uid
        self.refresh()

    def refresh(self) -> None:
        """Read all again."""
        self._timer.stop()
        self._late = False
        project, wanted, designs = self.project, self._wanted, dict(self._designs)
        if project is None or not self.owned:
            return
        corpus = self.workspace.corpus
        brought = corpus is not None and corpus.ratings is not None

        def work(progress: Progress) -> CampaignSelection:
            return read_campaign_selection(project, wanted, designs, progress.report, brought=brought)

        if self.state in ("none", "failed"):
            self.state = "working"
            self.changed.emit()
        self.workspace.jobs.submit(tr("Reading the campaigns"), work, self._on_read, self._on_failed, latest=JOB)

    def on_news(self, news: RemoteChanges) -> None:
        """Others rated, or set up a campaign."""
        if self.owned and news.campaigns:
            self._timer.start()
        elif self.owned and news.ratings:
            self.on_saved()

    def on_saved(self, rated: str = "") -> None:
        """What was rated in this window is kept now; it is read once somebody watches, so that rating stays swift.

        `rated` is the campaign that is rated: it is looked at where a person chose no other.
        """
        if rated and not self._chosen:
            self._wanted = rated
        if self.owned and self.view is not None:
            self._late = not self._watching
            if self._watching:
                self._timer.start()

    def watch(self, page: QObject, watched: bool) -> None:
        """Whether a page that shows the campaigns is in view; the next one may come before the last one goes."""
        (self._watching.add if watched else self._watching.discard)(page)
        if watched and self._late:
            self.refresh()

    def source(self) -> Callable[[], Ratings] | None:
        """What gives the ratings of what is looked at, on any thread; the same object for the same campaign."""
        view, project = self.view, self.project
        if view is None:
            return None
        subject = (project if project is not None else self.workspace.corpus, view.uid)
        if self._source is None or self._source[0] != subject:
            corpus = self.workspace.corpus
            brought = corpus.ratings if corpus is not None else None
            give = (
                partial(project.ratings, view.uid or None) if project is not None else lambda: brought or Ratings.of()
            )
            self._source = (subject, give)
        return self._source[1]

    # --- what an owner does

    def keep(self, design: CampaignDesign) -> None:
        """Put a new campaign into the project; may be called on any thread. QeError where that cannot be done."""
        project = self.project
        if project is None:
            raise QeError(tr("no project is open"), hint=tr("Save what is open as a project first."))
        project.add_campaign(design)

    def unblind(self, reason: str) -> None:
        """Open the key of the campaign looked at, and log who did so when and why."""
        project, view = self.project, self.view
        if project is None or view is None or view.campaign is None or not view.may_be_unblinded:
            return
        campaign = view.campaign

        def work(progress: Progress) -> bool:
            return unblind(project, campaign, reason)

        self.workspace.jobs.submit(tr("Unblinding"), work, self._on_unblinded, self.workspace.failed.emit)

    def import_files(self, paths: Sequence[str], form: str = "", raters: Sequence[str] = ()) -> None:
        """Take files of ratings in beside the window; `imported` tells what came of it.

        A person may have said which `form` tables are of, and which of their columns are `raters`'.
        """
        project = self.project
        if project is None:
            return

        def work(progress: Progress) -> tuple[list[ImportResult], list[QeError]]:
            found: list[ImportResult] = []
            failed: list[QeError] = []
            for place, path in enumerate(paths):
                progress.report(place / len(paths), Path(path).name)
                try:
                    found += project.import_ratings(path, form=form, raters=raters)
                except QeError as error:
                    failed.append(error)
            return found, failed

        self.workspace.jobs.submit(tr("Importing ratings"), work, self._on_imported, self.workspace.failed.emit)

    def take_back(self, uids: Sequence[str]) -> None:
        """Let imports count no more, beside the window; `taken_back` tells."""
        project = self.project
        if project is None:
            return

        def work(progress: Progress) -> int:
            return sum(project.take_back(uid).added for uid in uids)

        self.workspace.jobs.submit(tr("Taking the import back"), work, self._on_taken_back, self.workspace.failed.emit)

    def _on_taken_back(self, rows: int) -> None:
        self._source = None
        self.refresh()
        self.changed.emit()
        self.taken_back.emit(rows)

    def _on_unblinded(self, logged: bool) -> None:
        self.refresh()

    def _on_imported(self, result: tuple[list[ImportResult], list[QeError]]) -> None:
        self.refresh()
        self.imported.emit(*result)

    # --- what was read

    def _on_project(self) -> None:
        self._timer.stop()
        self.workspace.jobs.cancel(JOB)
        self.state, self.error, self.campaigns, self.choices = "none", None, (), ()
        self.view, self.audit, self._wanted, self._designs, self._source = None, (), None, {}, None
        self._chosen = False
        if self.project is None:
            self._look_at_corpus()
        self.changed.emit()
        self.refresh()

    def _on_opened(self) -> None:
        # told after another project was; without one, a corpus may have brought ratings along
        if self.project is None:
            self._on_project()

    def _look_at_corpus(self) -> None:
        corpus = self.workspace.corpus
        if corpus is not None and corpus.ratings is not None:
            self.view = corpus_ratings_view(corpus.ratings, corpus.name)
            self.choices, self.state = ((ALL_RATINGS, self.view.title),), "ready"

    def _on_read(self, read: CampaignSelection) -> None:
        if read.project is not self.project:
            return
        before = (self.state, self.choices, *_bar_state(self.view))
        self.campaigns, self.choices, self.view, self.audit = read.campaigns, read.choices, read.view, read.audit
        self.state, self.error = ("ready" if read.view is not None else "empty"), None
        if read.view is not None:
            if self._wanted is None and read.view.campaign is not None:
                # others may set up campaigns while one looks at this one
                self._wanted = read.view.uid
            if read.view.design is not None:
                self._designs[read.view.uid] = read.view.design
        if before != (self.state, self.choices, *_bar_state(self.view)):
            self.changed.emit()
        self.moved.emit()

    def _on_failed(self, error: QeError) -> None:
        self.state, self.error = "failed", error
        self.changed.emit()


def _bar_state(view: CampaignView | None) -> tuple[object, ...]:
    """What the bars above the pages say of a view."""
    return () if view is None else (view.uid, view.title, view.names, view.unblinded)
