"""Project owner's pages of the Rate area (set up, progress, results), and navigation between them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from qe_desktop.corpus import Corpus
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import CampaignDesign
from qe_desktop.ratings.campaign_texts import CampaignTexts
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.campaigns import campaign_page
from qe_desktop.ui.campaigns.campaign_dialogs import UnblindDialog
from qe_desktop.ui.campaigns.campaign_files import CampaignFiles
from qe_desktop.ui.campaigns.campaign_page import PROGRESS, SET_UP, CampaignPage
from qe_desktop.ui.campaigns.campaign_service import CampaignService
from qe_desktop.ui.campaigns.progress_page import ProgressView
from qe_desktop.ui.campaigns.results.results_page import ResultsView
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from qe_desktop.ui.campaigns.setup_page import SetUpPage
from qe_desktop.ui.jobs import DebounceTimer
from qe_desktop.ui.rate import commands as names
from qe_desktop.ui.widgets.placeholder_page import ContentOrPlaceholder, UnavailablePages
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable


RESULTS = "results"
"""Id of the results page; the ids of the other pages are in `campaign_page`."""
RESULTS_DELAY_MS = 1_500
"""Delay in milliseconds between the latest rating and the recomputation of visible results."""


class CampaignPageArea(Protocol):
    """Container of the project owner's pages, such as the Rate area."""

    unavailable: UnavailablePages
    """Pages of the area that have nothing to show; a click on the tab of such a page shows the reason."""

    def add_page(self, id: str, title: str, widget_factory: Callable[[], QWidget]) -> None:
        """Add a page whose widget is created when the page is first shown."""

    def show_page(self, id: str) -> None:
        """Show a page."""

    def window(self) -> QWidget:
        """Return the parent window for dialogs."""
        ...


class CampaignController(QObject):
    """Controller that adds the project owner's pages to an area. Each page is created when it is first shown."""

    command_requested = Signal(str)
    """Emitted with the id of a command that the window should run."""
    created = Signal(str)
    """Emitted with the uid of a campaign that was created."""

    def __init__(self, workspace: Workspace, area: CampaignPageArea, parent: QObject | None = None) -> None:
        super().__init__(parent or workspace)
        self.workspace = workspace
        self.service = CampaignService(workspace, self)
        self.results = CampaignResultsService(workspace, self)
        self.files = CampaignFiles(self.service, self.results, area.window, self)
        self.setup_page: SetUpPage | None = None
        self.dialog: UnblindDialog | None = None
        self._setup_container: ContentOrPlaceholder | None = None
        self._result_page: CampaignPage | None = None
        self._area = area
        self._commands: ActionRegistry | None = None
        self._import_buttons: list[QPushButton] = []
        service, files = self.service, self.files
        self._owner_commands: dict[str, tuple[Callable[[], object], Callable[[], bool]]] = {
            names.SET_UP: (partial(area.unavailable.show, SET_UP), lambda: service.is_owner),
            names.COPY_FOR_RATERS: (files.ask_copy_for_raters, lambda: service.is_owner and bool(service.campaigns)),
            names.IMPORT: (files.ask_import, lambda: service.is_writable),
            names.EXPORT: (files.ask_export, lambda: service.view is not None),
            names.UNBLIND: (self.ask_unblind, lambda: self._may_unblind()),
        }
        """Maps each command to its handler and to a function that returns whether the command is available."""
        self._set_up_corpus: Corpus | None = None
        """Corpus that the user saves as a project in order to set up a campaign; None if there is none."""
        self._computed_key: tuple[object, ...] = ()
        self._results_timer = DebounceTimer(self, RESULTS_DELAY_MS, self._compute)
        area.add_page(PROGRESS, tr("Progress"), self._progress_page)
        area.add_page(RESULTS, tr("Results"), self._results_page)
        area.add_page(SET_UP, tr("Set up"), self._set_up_page)
        for page, missing, handler in (
            (PROGRESS, campaign_page.missing_campaign, self.run_page_action),
            (RESULTS, campaign_page.missing_ratings, self.run_page_action),
            (SET_UP, campaign_page.setup_empty_state, self._run_set_up_action),
        ):
            area.unavailable.add(page, partial(missing, self.service), handler)
        area.unavailable.refresh()
        self.service.refreshed.connect(area.unavailable.refresh)
        self.service.changed.connect(self._on_changed)
        self.service.refreshed.connect(self._on_moved)
        workspace.opened.connect(self._begin)
        workspace.project_changed.connect(self._on_project)

    # --- pages

    def _progress_page(self) -> QWidget:
        page = CampaignPage(
            self.service, ProgressView(self.service, self.workspace.settings), campaign_page.campaigns_empty_state
        )
        tooltip = tr("Save a file to send to raters. It contains all campaigns, but no ratings or system names.")
        page.bar.add_button(tr("Save a copy for raters…"), "export", self.files.ask_copy_for_raters, tooltip)
        self._add_buttons(page)
        return page

    def _results_page(self) -> QWidget:
        view = ResultsView(self.results, self.service)
        view.requested.connect(self.run_page_action)
        page = CampaignPage(self.service, view, campaign_page.viewing_empty_state)
        self._add_buttons(page)
        page.shown.connect(self._compute)
        self._result_page = page
        return page

    def _add_buttons(self, page: CampaignPage) -> None:
        page.requested.connect(self.run_page_action)
        page.bar.unblind_requested.connect(self.ask_unblind)
        tooltip = tr("Import ratings from files into the project")
        self._import_buttons.append(page.bar.add_button(tr("Import…"), "files", self.files.ask_import, tooltip))
        page.bar.add_button(tr("Export…"), "export", self.files.ask_export, tr("Write ratings or results to a file"))
        self._enable()

    def _set_up_page(self) -> QWidget:
        self.setup_page = SetUpPage(self.workspace, self.service.add_campaign, self._used_names)
        self.setup_page.created.connect(self._on_created)
        self.setup_page.cancelled.connect(partial(self._area.show_page, PROGRESS))
        self._setup_container = ContentOrPlaceholder(self.setup_page)
        self._setup_container.placeholder.requested.connect(self._run_set_up_action)
        self._begin()
        return self._setup_container

    def _used_names(self) -> list[str]:
        return [campaign.name for campaign in self.service.campaigns]

    def _begin(self) -> None:
        """Reset the set-up form, if it has been created, for a new campaign with the texts of the open corpus."""
        if self.setup_page is None:
            return
        corpus = self.workspace.corpus
        self.setup_page.begin(None if corpus is None else CampaignTexts.of_corpus(corpus))
        self._show_set_up()

    def _show_set_up(self) -> None:
        if self._setup_container is not None:
            self._setup_container.show_state(campaign_page.setup_empty_state(self.service))

    # --- requests

    def connect_actions(self, commands: ActionRegistry) -> None:
        """Connect the owner's commands to their handlers; each command is enabled only while it is available."""
        for name, (handler, _) in self._owner_commands.items():
            commands.connect_to(name, handler)
        self._commands = commands
        self._enable()

    def _enable(self) -> None:
        for button in self._import_buttons:
            # importing requires a project that can be changed
            button.setVisible(self.service.is_writable)
        if self._commands is None:
            return
        for name, (_, is_possible) in self._owner_commands.items():
            self._commands[name].setEnabled(is_possible())

    def run_page_action(self, action: str) -> None:
        """Handle a click on the page button with the name `action`, one of the names in `campaign_page`."""
        if action == campaign_page.IMPORT:
            self.files.ask_import()
        elif action in (SET_UP, PROGRESS):
            self._area.unavailable.show(action)
        else:
            self.command_requested.emit(action)

    def _run_set_up_action(self, action: str) -> None:
        """Handle a button of the set-up page; after saving the open texts as a project, show the page again."""
        corpus = self.workspace.corpus
        self._set_up_corpus = corpus if action == campaign_page.SAVE and self.workspace.project is None else None
        self.run_page_action(action)

    def _on_project(self) -> None:
        corpus, self._set_up_corpus = self._set_up_corpus, None
        if corpus is not None and self.workspace.project is not None and self.workspace.corpus is corpus:
            self._area.show_page(SET_UP)

    def _may_unblind(self) -> bool:
        view = self.service.view
        return view is not None and view.may_be_unblinded and self.service.is_writable

    def ask_unblind(self) -> None:
        """Ask for confirmation, then unblind the selected campaign; do nothing if unblinding is not possible."""
        view, project = self.service.view, self.service.project
        if view is None or project is None or not self._may_unblind():
            return
        if self.dialog is not None:
            self.dialog.close()
        self.dialog = UnblindDialog(view, project.person, self._area.window())
        self.dialog.accepted.connect(self._on_unblind)
        self.dialog.finished.connect(self._forget_dialog)
        self.dialog.show()

    def _forget_dialog(self) -> None:
        self.dialog = None

    def _on_unblind(self) -> None:
        if self.dialog is not None:
            self.service.unblind(self.dialog.reason)

    # --- slots

    def _on_created(self, design: CampaignDesign) -> None:
        self.service.select_new(design.campaign.uid)
        self._begin()
        self._area.show_page(PROGRESS)
        self.created.emit(design.campaign.uid)

    def _on_changed(self) -> None:
        self._enable()
        self._area.unavailable.refresh()
        self._show_set_up()
        if self.setup_page is not None:
            self.setup_page.refresh()
        self._computed_key = ()
        if self.service.view is None:
            self.results.show(None, None)
        elif self._is_in_view():
            self._compute()

    def _on_moved(self) -> None:
        if self._is_in_view():
            self._results_timer.start()

    def _is_in_view(self) -> bool:
        return self._result_page is not None and self._result_page.isVisible()

    def _compute(self) -> None:
        """Recompute the results if the selection, the number of ratings or the displayed system names changed."""
        self._results_timer.stop()
        view, source = self.service.view, self.service.source()
        if view is None:
            return
        key = (source, view.uid, view.rating_count, None if view.names is None else tuple(view.names.items()))
        if key != self._computed_key:
            self._computed_key = key
            self.results.show(source, view.names)
