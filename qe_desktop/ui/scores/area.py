"""Scores area: its tab widget, and the registry of its pages with their commands and controllers."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Provenance
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import Action, ActionRegistry
from qe_desktop.ui.jobs import IncrementalTask, TaskSteps
from qe_desktop.ui.preload import import_area, import_core
from qe_desktop.ui.scores.commands import (
    FINDINGS_ACTIONS,
    FINDINGS_PAGE,
    POST_EDITING_ACTIONS,
    POST_EDITING_PAGE,
    SHOW_FINDINGS,
    SHOW_POST_EDITING,
    SHOW_SYSTEMS,
)
from qe_desktop.ui.scores.meta_evaluation import commands as meta_evaluation_commands
from qe_desktop.ui.scores.page_controller import PageContext, PageController
from qe_desktop.ui.scores.page_switch import PageSwitch
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.scores.studies import commands as studies_commands
from qe_desktop.ui.widgets.layouts import vbox
from qe_desktop.ui.widgets.lazy_stack import BuildSteps, LazyTabWidget, PageGroup
from qe_desktop.ui.widgets.placeholder_page import UnavailablePages

if TYPE_CHECKING:
    from qe_desktop.ui.scores.systems_page import SystemsPage


SYSTEMS_PAGE = "systems"
"""Id of the first page, which compares systems by one metric."""
SYSTEMS = PageGroup("systems-group", tr("Systems"))
METRICS = PageGroup("metrics-group", tr("Metrics"))
"""Groups of pages: scores of systems, and properties of metrics."""


class ScoresArea(QWidget):
    """Tab widget of the Scores area. It emits a signal to request that a folder be opened or that files be added."""

    folder_requested = Signal()
    files_requested = Signal()

    def __init__(self, comparison: SignificanceService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison = comparison
        self.pages = LazyTabWidget(self, PageSwitch())
        self.pages.add(SYSTEMS_PAGE, tr("One metric"), self._systems, SYSTEMS)
        vbox(self.pages, on=self, gap=0)
        self.setFocusProxy(self.pages)

    @property
    def systems(self) -> SystemsPage:
        """Systems page, built on first access."""
        page: Any = self.pages.page(SYSTEMS_PAGE)
        return page  # type: ignore[no-any-return]

    def parts(self) -> TaskSteps:
        """Build the first page in steps, of which the first only returns to the event loop."""
        yield 0
        yield from self.pages.parts(SYSTEMS_PAGE)

    def _systems(self) -> BuildSteps:
        yield from import_area()
        from qe_desktop.ui.scores.systems_page import build_systems_page

        page = yield from build_systems_page(self._comparison, self)
        page.folder_requested.connect(self.folder_requested)
        page.files_requested.connect(self.files_requested)
        return page


class PageEntry(NamedTuple):
    """Registry entry of a page: id, title, command that shows the page, all commands of the page, controller and group.

    `module` and `controller` name the controller class, which is not imported at start-up, so that start-up is fast.
    """

    id: str
    title: str
    show: str
    actions: tuple[Action, ...]
    module: str
    controller: str
    group: PageGroup | None = None

    def create_controller(self, context: PageContext) -> PageController:
        """Import the controller's module, then create and return the controller."""
        controller: PageController = getattr(import_module(self.module), self.controller)(context)
        return controller


REASON_DELAY_MS = 100
"""Delay in milliseconds between a change of the open data and the check for unavailable pages."""
_PACKAGE = __name__.rpartition(".")[0]
PAGES = (
    PageEntry(FINDINGS_PAGE, tr("All metrics"), SHOW_FINDINGS, FINDINGS_ACTIONS,
              f"{_PACKAGE}.findings.findings_controller", "FindingsController", SYSTEMS),
    PageEntry(meta_evaluation_commands.PAGE, tr("Against human scores"), meta_evaluation_commands.SHOW,
              meta_evaluation_commands.ACTIONS,
              f"{_PACKAGE}.meta_evaluation.meta_evaluation_controller", "MetaEvaluationController", METRICS),
    PageEntry(studies_commands.PAGE, tr("Without human scores"), studies_commands.SHOW, studies_commands.ACTIONS,
              f"{_PACKAGE}.studies.studies_controller", "StudiesController", METRICS),
    PageEntry(POST_EDITING_PAGE, tr("Post-editing"), SHOW_POST_EDITING, POST_EDITING_ACTIONS,
              f"{_PACKAGE}.post_editing.post_editing_controller", "PostEditingController"),
)  # fmt: skip
"""Entries of the pages in tab order."""


class ScorePages(QObject):
    """Pages and their controllers. Controllers are created after start-up; a page is created when first shown."""

    def __init__(self, context: PageContext, commands: ActionRegistry) -> None:
        super().__init__(context)
        self._context, self._commands = context, commands
        self._controllers: dict[str, PageController] = {}
        pages = context.pages
        self._reasons = UnavailablePages(pages)
        commands.connect_to(SHOW_SYSTEMS, partial(pages.show_page, SYSTEMS_PAGE))
        for entry in PAGES:
            pages.add(entry.id, entry.title, partial(self._page, entry.id), entry.group)
            commands.connect_to(entry.show, partial(self._reasons.show, entry.id))
        # several signals follow one change of the data
        self._reason_timer = QTimer(self, singleShot=True, interval=REASON_DELAY_MS)
        self._reason_timer.timeout.connect(self._refresh_reasons)
        self._is_newly_opened = False
        """Whether data were opened since the unavailable pages were last determined."""
        workspace = context.workspace
        for changed in (workspace.opened, workspace.changed, workspace.level_changed, context.comparison.scores.reset):
            changed.connect(self._reason_timer.start)
        self._job: object = None
        """Translation job of the data that were opened last; None if they are not a bilingual file."""
        workspace.opened.connect(self._on_opened)
        self._on_opened()
        self._is_newly_opened = False
        IncrementalTask(self._create_controllers(), self)

    def _on_opened(self) -> None:
        """Show the Post-editing page for a bilingual file without gold, because such a file has no scores.

        For other data, show the Systems page if the Post-editing page is current. If the translation job has not
        changed, do nothing.
        """
        corpus, pages = self._context.workspace.corpus, self._context.pages
        self._is_newly_opened = corpus is not None
        job, before = None if corpus is None else corpus.job, self._job
        self._job = job
        if corpus is None or job is before:
            return
        if job is not None and not any(key.provenance is Provenance.GOLD for key in corpus.layers):
            pages.show_page(POST_EDITING_PAGE)
        elif pages.current == POST_EDITING_PAGE:
            pages.show_page(SYSTEMS_PAGE)

    def _refresh_reasons(self) -> None:
        """Update the unavailable pages; if newly opened data have nothing for the current page, show the first page."""
        pages, is_newly_opened = self._context.pages, self._is_newly_opened
        self._is_newly_opened = False
        self._reasons.refresh()
        if is_newly_opened and pages.reason(pages.current) and pages.current != POST_EDITING_PAGE:
            pages.show_page(SYSTEMS_PAGE)

    @property
    def uses_tags(self) -> bool:
        """Whether the current page can show scores of tags.

        False if it compares metrics with human scores, or if it compares flags with post-edits.
        """
        return self._context.pages.current not in (meta_evaluation_commands.PAGE, POST_EDITING_PAGE)

    @property
    def shows_open_data(self) -> bool:
        """Whether the current page shows the open data; False if it shows the data of a folder."""
        controller = self._controllers.get(self._context.pages.current)
        return controller is None or controller.shows_open_data

    # --- controllers

    def _create_controllers(self) -> TaskSteps:
        """Create one controller per step."""
        yield from import_core(self._context.workspace.jobs)
        for entry in PAGES:
            self.controller(entry.id)
            yield 0
        self._reasons.refresh()

    def controller(self, id: str) -> PageController:
        """Return the controller of a page, created on first access."""
        if id not in self._controllers:
            entry = next(entry for entry in PAGES if entry.id == id)
            controller = self._controllers[id] = entry.create_controller(self._context)
            controller.connect_actions(self._commands)
            self._reasons.add(id, controller.unavailable_state, lambda name: controller.page.run_button_action(name))
        return self._controllers[id]

    def _page(self, id: str) -> BuildSteps:
        yield from import_core(self._context.workspace.jobs)
        controller = self.controller(id)
        yield 0
        page = yield from controller.build()
        return page
