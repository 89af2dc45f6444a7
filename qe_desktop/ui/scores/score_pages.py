"""Joins all pages of the Scores area to the window: each desk in a turn of its own, each page when it is looked at."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject

from qe_desktop.ui.actions import ActionTable
from qe_desktop.ui.parts.built_stack import Parts
from qe_desktop.ui.parts.in_turns import InTurns, Turns
from qe_desktop.ui.scores.area import SYSTEMS
from qe_desktop.ui.scores.findings.commands import SHOW_SYSTEMS
from qe_desktop.ui.scores.needed import imported_below
from qe_desktop.ui.scores.page_desk import Around, PageDesk
from qe_desktop.ui.scores.page_registry import PAGES


class PagesJoined(QObject):
    """The pages can be shown from the beginning."""

    def __init__(self, around: Around, commands: ActionTable) -> None:
        super().__init__(around)
        self._around, self._commands = around, commands
        self._desks: dict[str, PageDesk] = {}
        pages = around.pages
        commands.connect_to(SHOW_SYSTEMS, partial(pages.show_page, SYSTEMS))
        for entry in PAGES:
            pages.add(entry.id, entry.title, partial(self._page, entry.id))
            commands.connect_to(entry.show, partial(pages.show_page, entry.id))
        InTurns(self._join(), self)

    def _join(self) -> Turns:
        """Make the desks, each in a turn."""
        yield from imported_below(self._around.workspace.jobs)
        for entry in PAGES:
            self.desk(entry.id)
            yield 0

    def desk(self, id: str) -> PageDesk:
        """The desk of a page, made now if it was not yet."""
        if id not in self._desks:
            entry = next(entry for entry in PAGES if entry.id == id)
            desk = self._desks[id] = entry.join(self._around)
            desk.connect_actions(self._commands)
        return self._desks[id]

    def _page(self, id: str) -> Parts:
        yield from imported_below(self._around.workspace.jobs)
        desk = self.desk(id)
        yield 0
        page = yield from desk.build()
        return page
