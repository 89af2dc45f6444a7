"""What joins a page of the Scores area to the window: its commands at once, the page when it is looked at."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from qe_desktop.report.render.output_formats import Suffix
from qe_desktop.ui.actions import ActionRegistry
from qe_desktop.ui.scores.result_service import ResultService
from qe_desktop.ui.scores.result_table import ResultTableView
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.widgets.background_export import BackgroundExporter, CopyCommands, ResultWriter
from qe_desktop.ui.widgets.lazy_stack import BuildSteps
from qe_desktop.ui.widgets.lazy_tabs import LazyTabWidget

Handlers = dict[str, Callable[[], object]]


class ExportSpec(NamedTuple):
    """What is copied and saved: what writes it, what it is of, and the title of the dialog that asks where."""

    write: ResultWriter
    of: str
    title: str


class PageContext(QObject):
    """What the pages have around them, and what they ask of the window since they cannot do it themselves."""

    told = Signal(str)
    """What was copied or written, or else came of a command."""
    failed = Signal(object)
    """A `QeError`: what could not be copied or written."""
    folder_wanted = Signal()
    files_wanted = Signal()
    match_wanted = Signal()
    """The names that people and metrics have are to be matched."""
    area_wanted = Signal()
    """Something was begun on a page: the area is to be shown."""
    opened = Signal(str)
    """A page opened something: its folder."""

    def __init__(self, comparison: SignificanceService, pages: LazyTabWidget) -> None:
        super().__init__(pages)
        self.comparison, self.workspace, self.pages = comparison, comparison.workspace, pages
        self.may_replace: Callable[[Callable[[], object]], bool] = lambda again: True
        """Whether what is open may be closed, which may ask a person; it calls what it is given to be asked again."""


class PageController(QObject):
    """Subclasses say how the page is built (`parts`), what its commands do and offer, and what goes `out`.

    `copies` and `saves` are the commands of what goes out, which is written by a job of the name `writing`, into files
    whose names end in `ending`.
    """

    copies: CopyCommands
    saves: tuple[str, str]

    def __init__(self, id: str, around: PageContext, writing: str, ending: str) -> None:
        super().__init__(around)
        self.id, self.around, self.workspace, self._pages = id, around, around.workspace, around.pages
        self.files = BackgroundExporter(self.workspace.jobs, self.workspace.settings, writing, ending, self)
        self.files.told.connect(around.told)
        self.files.failed.connect(around.failed)
        self._commands: ActionRegistry | None = None

    # --- the page

    @property
    def page(self) -> Any:
        """The page, built now if it was not yet."""
        return self._pages.page(self.id)

    @property
    def built(self) -> Any:
        """The page if it was built, else None."""
        return self._pages.built(self.id)

    def build(self) -> BuildSteps:
        """The page in parts, joined to what it asks for."""
        built = yield from self.parts()
        page: Any = built
        page.folder_wanted.connect(self.around.folder_wanted)
        page.files_wanted.connect(self.around.files_wanted)
        page.drawn.connect(self.refresh)
        view: ResultTableView = page.view
        view.menu_wanted.connect(lambda menu: self.fill(menu, view))
        self.fill(page.copying, view)
        return built

    def parts(self) -> BuildSteps:
        """The page itself, in parts."""
        raise NotImplementedError

    def on_page(self, action: Callable[[Any], object]) -> Callable[[], None]:
        """Show the page, and then do something on it."""
        return lambda: self._pages.show_page(self.id, lambda: action(self.page))

    def on_views(self, name: str) -> Callable[[], None]:
        """Show the page, and one of the views on it."""
        return self.on_page(lambda page: page.views.show_view(name))

    # --- commands

    def connect_actions(self, commands: ActionRegistry) -> None:
        """Say what the commands do."""
        copying: Handlers = {id: partial(self.copy, form) for form, (id, _) in self.copies.items()}
        for id, handler in {self.saves[0]: self.ask_file, **copying, **self.handlers()}.items():
            commands.connect_to(id, handler)
        self._commands = commands
        self.refresh()

    def handlers(self) -> Handlers:
        """What the other commands do, by their ids."""
        return {}

    def refresh(self) -> None:
        """Offer what there is, and check what is chosen: there is something to copy while something is shown."""
        commands = self._commands
        if commands is not None:
            for id in (self.saves[0], *(id for id, _ in self.copies.values())):
                commands[id].setEnabled(self.shown.found is not None)
            self.offer(commands)

    def offer(self, commands: ActionRegistry) -> None:
        """Enable and check the other commands as things are."""

    # --- out

    @property
    def shown(self) -> ResultService[Any]:
        """Who keeps what the page shows."""
        raise NotImplementedError

    def out(self) -> ExportSpec | None:
        """What is copied and saved; None while there is nothing."""
        raise NotImplementedError

    def fill(self, menu: QMenu, view: ResultTableView | None) -> None:
        """Put copying and saving into a menu: of what is selected in a table, and of all."""
        if view is not None:
            view.add_block_copying(menu)
        for form, (_, text) in self.copies.items():
            menu.addAction(text, partial(self.copy, form))
        menu.addSeparator()
        menu.addAction(self.saves[1], self.ask_file)

    def copy(self, form: Suffix) -> None:
        """Copy what is shown, all of it."""
        out = self.out()
        if out is not None:
            self.files.copy_form(out.write, form)

    def ask_file(self) -> None:
        """Save what is shown in a file."""
        out = self.out()
        if out is not None:
            self.files.ask_where(out.write, out.of, out.title, self._pages.window())
