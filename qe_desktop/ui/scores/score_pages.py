"""Joins the pages of the Scores area to the window: controllers one by one, pages when first shown."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.scores.area import SYSTEMS_PAGE
from qe_desktop.ui.scores.findings.commands import SHOW_SYSTEMS
from qe_desktop.ui.scores.page_controller import PageContext, PageController
from qe_desktop.ui.scores.page_registry import PAGES
from qe_desktop.ui.startup.incremental_task import IncrementalTask, TaskSteps
from qe_desktop.ui.startup.preload import import_core
from qe_desktop.ui.widgets.lazy_stack import BuildSteps


class ScorePages(QObject):
    """Registers the pages; they can be shown at once."""

    def __init__(self, around: PageContext, commands: ActionRegistry) -> None:
        super().__init__(around)
        self._around, self._commands = around, commands
        self._controllers: dict[str, PageController] = {}
        pages = around.pages
        commands.connect_to(SHOW_SYSTEMS, partial(pages.show_page, SYSTEMS_PAGE))
        for entry in PAGES:
            pages.add(entry.id, entry.title, partial(self._page, entry.id))
            commands.connect_to(entry.show, partial(pages.show_page, entry.id))
        IncrementalTask(self._join(), self)

    def _join(self) -> TaskSteps:
        """Create the controllers, one per step."""
        yield from import_core(self._around.workspace.jobs)
        for entry in PAGES:
            self.controller(entry.id)
            yield 0

    def controller(self, id: str) -> PageController:
        """Controller of a page, created on first access."""
        if id not in self._controllers:
            entry = next(entry for entry in PAGES if entry.id == id)
            controller = self._controllers[id] = entry.join(self._around)
            controller.connect_actions(self._commands)
        return self._controllers[id]

    def _page(self, id: str) -> BuildSteps:
        yield from import_core(self._around.workspace.jobs)
        controller = self.controller(id)
        yield 0
        page = yield from controller.build()
        return page
