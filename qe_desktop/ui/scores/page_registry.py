"""Registry of the pages of the Scores area, except the Systems page, with their commands and controllers.

To add a page, create a package with a controller and add an entry to `PAGES`.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QTimer

from qe_desktop.corpus import Provenance
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import Action, ActionRegistry
from qe_desktop.ui.scores.area import METRICS, SYSTEMS, SYSTEMS_PAGE
from qe_desktop.ui.scores.findings import commands as findings_commands
from qe_desktop.ui.scores.findings.commands import SHOW_SYSTEMS
from qe_desktop.ui.scores.meta_evaluation import commands as meta_evaluation_commands
from qe_desktop.ui.scores.page_controller import PageContext, PageController
from qe_desktop.ui.scores.post_editing import commands as post_editing_commands
from qe_desktop.ui.scores.studies import commands as studies_commands
from qe_desktop.ui.startup.incremental_task import IncrementalTask, TaskSteps
from qe_desktop.ui.startup.preload import import_core
from qe_desktop.ui.widgets.lazy_stack import BuildSteps, PageGroup
from qe_desktop.ui.widgets.placeholder_page import UnavailablePages

if TYPE_CHECKING:
    from qe_desktop.ui.scores.page_controller import PageContext, PageController


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
    PageEntry(findings_commands.PAGE, tr("All metrics"), findings_commands.SHOW_FINDINGS, findings_commands.ACTIONS,
              f"{_PACKAGE}.findings.findings_controller", "FindingsController", SYSTEMS),
    PageEntry(meta_evaluation_commands.PAGE, tr("Against human scores"), meta_evaluation_commands.SHOW,
              meta_evaluation_commands.ACTIONS,
              f"{_PACKAGE}.meta_evaluation.meta_evaluation_controller", "MetaEvaluationController", METRICS),
    PageEntry(studies_commands.PAGE, tr("Without human scores"), studies_commands.SHOW, studies_commands.ACTIONS,
              f"{_PACKAGE}.studies.studies_controller", "StudiesController", METRICS),
    PageEntry(post_editing_commands.PAGE, tr("Post-editing"), post_editing_commands.SHOW, post_editing_commands.ACTIONS,
              f"{_PACKAGE}.post_editing.post_editing_controller", "PostEditingController"),
)  # fmt: skip
"""Entries of the pages in tab order."""


class ScorePages(QObject):
    """Pages and their controllers: controllers are created one by one after start-up, each page when first shown."""

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
        self._reason_timer.timeout.connect(self._reasons.refresh)
        workspace = context.workspace
        for changed in (workspace.opened, workspace.changed, workspace.level_changed, context.comparison.scores.reset):
            changed.connect(self._reason_timer.start)
        self._job: object = None
        """Translation job of the data that were opened last; None if they are not a bilingual file."""
        workspace.opened.connect(self._on_opened)
        self._on_opened()
        IncrementalTask(self._create_controllers(), self)

    def _on_opened(self) -> None:
        """Show the Post-editing page for a bilingual file without gold, because such a file has no scores.

        For other data, show the Systems page if the Post-editing page is current. If the translation job has not
        changed, do nothing.
        """
        corpus, pages = self._context.workspace.corpus, self._context.pages
        job, before = None if corpus is None else corpus.job, self._job
        self._job = job
        if corpus is None or job is before:
            return
        if job is not None and not any(key.provenance is Provenance.GOLD for key in corpus.layers):
            pages.show_page(post_editing_commands.PAGE)
        elif pages.current == post_editing_commands.PAGE:
            pages.show_page(SYSTEMS_PAGE)

    @property
    def uses_tags(self) -> bool:
        """Whether the current page can show scores of tags; False if it compares metrics with human scores."""
        return self._context.pages.current != meta_evaluation_commands.PAGE

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
