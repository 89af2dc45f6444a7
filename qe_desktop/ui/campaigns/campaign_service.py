"""Campaign data of the open project, read in the background and refreshed when raters make progress."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from qe_desktop.corpus import QeError, Ratings, SourceLocation
from qe_desktop.formats.parsed_tables import SeveralPairsError
from qe_desktop.i18n.messages import tr
from qe_desktop.project.campaign_views import (
    ALL_RATINGS,
    CampaignSelection,
    CampaignView,
    corpus_ratings_view,
    read_campaign_selection,
    unblind,
    unblinding_entry,
)
from qe_desktop.ratings.campaign import Campaign, CampaignDesign
from qe_desktop.ui.jobs import DebounceTimer, JobCancelled, Progress
from qe_desktop.ui.project_paths import is_address
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.project.events import AuditRow, RemoteChanges
    from qe_desktop.project.store import Project
    from qe_desktop.project.store.rating_imports import ImportResult

JOB = "campaigns"
RELOAD_DELAY_MS = 400
"""Delay between a change and the refresh, in milliseconds; several changes in a row cause only one refresh."""


class CampaignService(QObject):
    """Campaigns of the open project.

    `state` is "none" (no project is open, or the user does not own the project), "empty" (no campaigns and no imported
    ratings), "working" (during the first read, or a read after a failure), "ready" or "failed". If no project is open
    but the corpus contains ratings, the service provides those ratings, and `state` is "ready".
    """

    changed = Signal()
    """Emitted when the project, state, choices, selection or blinding changes, and when an import is undone."""
    refreshed = Signal()
    """Emitted after all data have been read; the progress and the log may have changed."""
    imported = Signal(object, object)
    """Emitted after an import, with a list of `ImportResult` and a list of QeErrors, one per file not imported."""
    imports_undone = Signal(int)
    """Emitted after imports have been undone, with the number of ratings and events that the imports had added."""

    _import_cancelled = Signal(object, object)
    """Emitted, on any thread, with the project and the partial result of an import that the user cancelled."""

    def __init__(self, workspace: Workspace, parent: QObject | None = None) -> None:
        super().__init__(parent or workspace)
        self.workspace = workspace
        self.state = "none"
        self._import_cancelled.connect(self._on_import_cancelled, Qt.ConnectionType.QueuedConnection)
        self.error: QeError | None = None
        self.campaigns: tuple[Campaign, ...] = ()
        self.choices: tuple[tuple[str, str], ...] = ()
        """Id and title of each choice: a campaign, the ratings imported from files, or all ratings."""
        self.view: CampaignView | None = None
        self.audit: tuple[AuditRow, ...] = ()
        self._visible_pages: set[QObject] = set()
        self._is_user_choice = False
        self._is_refresh_pending = False
        self._is_copy = False
        self._selected_uid: str | None = None
        self._designs: dict[str, CampaignDesign] = {}
        self._source: tuple[tuple[object, str], Callable[[], Ratings]] | None = None
        self._timer = DebounceTimer(self, RELOAD_DELAY_MS, self.refresh)
        workspace.project_changed.connect(self._on_project)
        workspace.opened.connect(self._on_opened)
        self._on_project()

    @property
    def project(self) -> Project | None:
        """Project that is currently open; None if there is none."""
        return self.workspace.project

    @property
    def is_owner(self) -> bool:
        """Whether the user owns the open project and may see all data; False for a copy for raters."""
        return self.project is not None and self.project.role == "owner" and not self._is_copy

    @property
    def is_writable(self) -> bool:
        """Whether the user owns the open project and can change it."""
        return self.is_owner and self.project is not None and not self.project.read_only

    @property
    def unblinded_uids(self) -> frozenset[str]:
        """Uids of the campaigns that were unblinded; empty unless the user owns the project."""
        return frozenset(item.uid for item in self.campaigns if unblinding_entry(self.audit, item.uid) is not None)

    # --- selection

    def choose(self, uid: str) -> None:
        """Select a campaign, the ratings imported from files, or all ratings, as chosen by the user.

        Ratings saved later do not change this selection.
        """
        self._is_user_choice = True
        if self.view is None or uid != self.view.uid:
            self._selected_uid = uid
            self.refresh()

    def select_new(self, uid: str) -> None:
        """Select a new campaign; it stays selected until another campaign is selected or is rated in this window."""
        self._is_user_choice, self._selected_uid = False, uid
        self.refresh()

    def refresh(self) -> None:
        """Read all data again in the background, if the user owns the project."""
        self._timer.stop()
        self._is_refresh_pending = False
        project, selected, designs = self.project, self._selected_uid, dict(self._designs)
        if project is None or not self.is_owner:
            return
        corpus = self.workspace.corpus
        corpus_ratings = None if corpus is None else corpus.ratings

        def work(progress: Progress) -> CampaignSelection:
            return read_campaign_selection(project, selected, designs, progress.report, corpus_ratings=corpus_ratings)

        if self.state in ("none", "failed"):
            self.state = "working"
            self.changed.emit()
        self.workspace.jobs.submit(tr("Reading campaigns"), work, self._on_read, self._on_failed, latest=JOB)

    def on_remote_changes(self, changes: RemoteChanges) -> None:
        """Schedule a refresh if other users have rated items or set up campaigns."""
        if self.is_owner and (changes.campaigns or (changes.ratings and self.view is None)):
            self._timer.start()
        elif self.is_owner and changes.ratings:
            self.on_saved()

    def on_saved(self, rated_uid: str = "") -> None:
        """Schedule a refresh after ratings have been saved, in this window or by other users.

        While no page is visible, the refresh is postponed until a page is shown. The first ratings are an exception,
        because they make pages available.

        `rated_uid`: uid of the campaign that was rated in this window. This campaign becomes the selection unless the
        user has made a selection.
        """
        if rated_uid and not self._is_user_choice:
            self._selected_uid = rated_uid
        # edits are saved too, but only ratings show that there is a campaign
        if self.is_owner and (self.view is not None or rated_uid):
            # the first rating makes pages available, even if none is visible
            is_shown = bool(self._visible_pages) or self.view is None or not self.view.is_begun
            self._is_refresh_pending = not is_shown
            if is_shown:
                self._timer.start()

    def set_page_visible(self, page: QObject, visible: bool) -> None:
        """Register whether a page is visible; if the page is visible, run the pending refresh, if any.

        The next page may be shown before the previous one is hidden.
        """
        (self._visible_pages.add if visible else self._visible_pages.discard)(page)
        if visible and self._is_refresh_pending:
            self.refresh()

    def source(self) -> Callable[[], Ratings] | None:
        """Return a thread-safe function that returns the selected ratings; None if nothing is selected.

        Calls return the same function object until the project, corpus or selection changes, or an import is undone.
        """
        view, project = self.view, self.project
        if view is None:
            return None
        subject = (project if project is not None else self.workspace.corpus, view.uid)
        if self._source is None or self._source[0] != subject:
            corpus = self.workspace.corpus
            corpus_ratings = corpus.ratings if corpus is not None else None
            read_ratings = (
                partial(project.ratings, view.uid or None)
                if project is not None
                else lambda: corpus_ratings or Ratings.of()
            )
            self._source = (subject, read_ratings)
        return self._source[1]

    # --- owner's actions

    def add_campaign(self, design: CampaignDesign) -> None:
        """Add a new campaign to the project; thread-safe. Raises QeError if no project is open or saving fails."""
        project = self.project
        if project is None:
            raise QeError(tr("no project is open"), hint=tr("Save the open data as a project first."))
        project.add_campaign(design)

    def unblind(self, reason: str) -> None:
        """Unblind the selected campaign in the background, if possible; the user, time and reason are logged."""
        project, view = self.project, self.view
        if project is None or view is None or view.campaign is None or not view.may_be_unblinded:
            return
        campaign = view.campaign

        def work(progress: Progress) -> bool:
            return unblind(project, campaign, reason)

        self.workspace.jobs.submit(tr("Unblinding"), work, self._on_unblinded, computing=True)

    def import_files(self, paths: Sequence[str], form: str = "", raters: Sequence[str] = ()) -> None:
        """Import rating files in the background, then emit `imported`.

        If the user cancels, `imported` reports the files imported so far, if any. If a file has several language pairs,
        only the ratings for the language pair of the corpus are imported, and a note says so.

        `form`: table layout selected by the user; `raters`: columns that contain the ratings of one rater each.
        """
        project, corpus = self.project, self.workspace.corpus
        if project is None:
            return
        pair = "" if corpus is None else corpus.language_pair

        def work(progress: Progress) -> tuple[list[ImportResult], list[QeError]]:
            results: list[ImportResult] = []
            failed: list[QeError] = []
            for index, path in enumerate(paths):
                try:
                    progress.report(index / len(paths), Path(path).name)
                    results += _import(project, path, pair, form, raters)
                except QeError as error:
                    failed.append(error)
                except JobCancelled:
                    failed.append(QeError(tr("skipped at your request"), place=SourceLocation(path)))
            return results, failed

        def stopped(result: tuple[list[ImportResult], list[QeError]]) -> None:
            # runs on the thread of the job; the service may be deleted when the program ends
            if isValid(self) and result[0]:
                self._import_cancelled.emit(project, result)

        self.workspace.jobs.submit(tr("Importing ratings"), work, self._on_imported, computing=True, discard=stopped)

    def undo_imports(self, uids: Sequence[str]) -> None:
        """Undo imports in the background, then emit `imports_undone`.

        `Workspace.failed` is emitted for each import that could not be undone. If all fail, `imports_undone` is not
        emitted.
        """
        project = self.project
        if project is None:
            return

        def work(progress: Progress) -> tuple[int, list[QeError]]:
            rows, failed = 0, list[QeError]()
            for uid in uids:
                try:
                    rows += project.withdraw_import(uid).added
                except QeError as error:
                    # for example, it was undone by another user
                    failed.append(error)
            return rows, failed

        self.workspace.jobs.submit(tr("Undoing the import"), work, self._on_import_undone)

    def _on_import_undone(self, result: tuple[int, list[QeError]]) -> None:
        rows, failed = result
        self._source = None
        self.refresh()
        self.changed.emit()
        for error in failed:
            self.workspace.failed.emit(error)
        if rows or not failed:
            self.imports_undone.emit(rows)
            self.workspace.ratings_changed.emit()

    def _on_unblinded(self, logged: bool) -> None:
        self.refresh()
        self.workspace.ratings_changed.emit()

    def _on_import_cancelled(self, project: Project, result: tuple[list[ImportResult], list[QeError]]) -> None:
        if project is self.project:
            self._on_imported(result)

    def _on_imported(self, result: tuple[list[ImportResult], list[QeError]]) -> None:
        self.refresh()
        self.imported.emit(*result)

    # --- data

    def _on_project(self) -> None:
        self._timer.stop()
        self.workspace.jobs.cancel(JOB)
        self.state, self.error, self.campaigns, self.choices = "none", None, (), ()
        self.view, self.audit, self._selected_uid, self._designs, self._source = None, (), None, {}, None
        self._is_user_choice = False
        self._is_copy = self.project is not None and is_copy_for_raters(self.project)
        if self.project is None:
            self._show_corpus_ratings()
        self.changed.emit()
        self.refresh()

    def _on_opened(self) -> None:
        # emitted after project_changed; without a project, the corpus may contain ratings
        if self.project is None:
            self._on_project()

    def _show_corpus_ratings(self) -> None:
        corpus = self.workspace.corpus
        if corpus is not None and corpus.ratings is not None:
            self.view = corpus_ratings_view(corpus.ratings, corpus.name)
            self.choices, self.state = ((ALL_RATINGS, self.view.title),), "ready"

    def _on_read(self, selection: CampaignSelection) -> None:
        if selection.project is not self.project:
            return
        before = (self.state, self.choices, *_bar_state(self.view))
        self.campaigns, self.choices, self.view, self.audit = (
            selection.campaigns,
            selection.choices,
            selection.view,
            selection.audit,
        )
        self.state, self.error = ("ready" if selection.view is not None else "empty"), None
        if selection.view is not None:
            if self._selected_uid is None and selection.view.campaign is not None:
                # keep this campaign selected while other users set up new ones
                self._selected_uid = selection.view.uid
            if selection.view.design is not None:
                self._designs[selection.view.uid] = selection.view.design
        if before != (self.state, self.choices, *_bar_state(self.view)):
            self.changed.emit()
        self.refreshed.emit()

    def _on_failed(self, error: QeError) -> None:
        self.state, self.error = "failed", error
        self.changed.emit()


def _import(project: Project, path: str, pair: str, form: str, raters: Sequence[str]) -> list[ImportResult]:
    try:
        return project.import_ratings(path, form=form, raters=raters)
    except SeveralPairsError:
        if not pair:
            raise
    results = project.import_ratings(path, language_pair=pair, form=form, raters=raters)
    note = tr("the file has several language pairs; only the ratings of {pair} were read", pair=pair)
    return [replace(result, notes=(note, *result.notes)) for result in results]


def is_copy_for_raters(project: Project) -> bool:
    """Return whether a project is a file that was saved as a copy for raters; False if the file cannot be read."""
    if project.role != "owner" or is_address(project.place):
        return False
    try:
        return project.is_copy_for_raters()
    except QeError:
        return False


def _bar_state(view: CampaignView | None) -> tuple[object, ...]:
    """Return the values of a view that the bar above each page shows, as a tuple; empty if there is no view."""
    return () if view is None else (view.uid, view.title, view.names, view.unblinding)
