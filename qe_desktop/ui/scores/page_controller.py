"""Base classes of page controllers and of their services; each page is built when it is first shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMenu

from qe_desktop.report.render.output_formats import Report, Suffix, get_output_format
from qe_desktop.significance import SignificanceOptions
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.scores.result_service import ResultService, ServiceResult
from qe_desktop.ui.scores.result_table import ResultTableView
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.widgets.background_export import BackgroundExporter, CopyCommands
from qe_desktop.ui.widgets.lazy_stack import BuildSteps, LazyTabWidget
from qe_desktop.ui.widgets.placeholder_page import EmptyState
from qe_desktop.ui.widgets.report_export import OutdatedReport


class PageResultService(ResultService[ServiceResult]):
    """Base class of the services behind pages.

    Work starts automatically if the page is visible and `_is_automatic` returns True. Subclasses call `_request_run`
    when an input changes, and can override `_can_run` and `_is_automatic`.
    """

    def __init__(self, comparison: SignificanceService) -> None:
        super().__init__(comparison.workspace, comparison)
        self.comparison = comparison
        self._is_page_visible = False

    @property
    def options(self) -> SignificanceOptions:
        """Options of the significance tests of the Scores area, such as correction, alpha, trials, seed and unit."""
        return self.comparison.options

    def set_page_visible(self, watched: bool) -> None:
        """Set whether the page is visible. If it is, pending work that may start automatically is started."""
        self._is_page_visible = watched
        self._run_if_due()

    def _request_run(self) -> None:
        self._is_run_pending = True
        self._run_if_due()

    def _run_if_due(self) -> None:
        """If the page is visible, run pending work, or wait for the user if the work may not start automatically."""
        if not (self._is_page_visible and self._is_run_pending and self._can_run()):
            return
        if self._is_automatic():
            self.run()
        elif self.state != "working":
            self.state = self._idle_state()
            self.changed.emit()

    def _after_edits(self) -> None:
        self._run_if_due()

    def _can_run(self) -> bool:
        """Return whether a result can be computed from the open data."""
        return self.state != "empty"

    def _is_automatic(self) -> bool:
        """Return whether the work may start automatically, for example because the data are small; True by default."""
        return True


Handlers = dict[str, Callable[[], object]]


class ExportSpec(NamedTuple):
    """Export of a page: the report, the name of the page's data (`source_name`) and the title of the save dialog."""

    report: Report
    source_name: str
    title: str

    def render(self, form: Suffix) -> str:
        """Return the report in the format `form`; may be called on any thread."""
        return get_output_format(form).text(self.report)


class PageContext(QObject):
    """Services and request signals that the pages of the Scores area share."""

    message_posted = Signal(str)
    """Message that states what was copied or written."""
    failed = Signal(object)
    """`QeError` that states what could not be copied or written."""
    folder_requested = Signal()
    files_requested = Signal()
    match_requested = Signal()
    """Emitted to request the dialog for matching the names in human scores and metric scores."""
    area_requested = Signal()
    """Emitted to show the Scores area when a page starts work."""
    input_changed = Signal()
    """Emitted when a page may have switched between the open data and those of a folder."""
    opened = Signal(str)
    """Path of the folder whose data a page opened."""

    def __init__(self, comparison: SignificanceService, pages: LazyTabWidget) -> None:
        super().__init__(pages)
        self.comparison, self.workspace, self.pages = comparison, comparison.workspace, pages
        self.may_replace: Callable[[Callable[[], object]], bool] = lambda retry: True
        """Function that returns whether the open data may be closed now.

        If the user must be asked first, the function returns False; it calls its argument once the caller may retry.
        """


class PageController(QObject):
    """Base class of page controllers.

    Subclasses define how the page is built (`parts`), the handlers of commands (`handlers`), the states of commands
    (`update_commands`) and the export (`export_spec`). `copies` and `saves` contain the ids and menu texts of the copy
    commands and of the save command. `job_name` is the name of the export job. `ending` is inserted before the suffix
    of file names.
    """

    copies: CopyCommands
    saves: tuple[str, str]
    service: PageResultService[Any]

    def __init__(self, id: str, context: PageContext, job_name: str, ending: str) -> None:
        super().__init__(context)
        self.id, self.context, self.workspace, self._pages = id, context, context.workspace, context.pages
        self.files = BackgroundExporter(self.workspace.jobs, self.workspace.settings, job_name, ending, self)
        self.files.message_posted.connect(context.message_posted)
        self.files.file_written.connect(self.workspace.file_written)
        self.files.failed.connect(context.failed)
        self._commands: ActionRegistry | None = None

    # --- the page

    @property
    def page(self) -> Any:
        """Page, built on first access."""
        return self._pages.page(self.id)

    @property
    def built_page(self) -> Any:
        """Page if it has been built, or else None."""
        return self._pages.built_page(self.id)

    @property
    def shows_open_data(self) -> bool:
        """Whether the page shows the open data; False if it shows other data, such as those of a folder."""
        return True

    def build(self) -> BuildSteps:
        """Build the page in steps and connect its signals."""
        built = yield from self.parts()
        page: Any = built
        page.folder_requested.connect(self.context.folder_requested)
        page.files_requested.connect(self.context.files_requested)
        page.drawn.connect(self.refresh)
        view: ResultTableView = page.view
        view.menu_requested.connect(lambda menu: self.fill_export_menu(menu, view))
        self.fill_export_menu(page.copying, view)
        return built

    def parts(self) -> BuildSteps:
        """Build the page in steps; `build` then connects the signals of the page."""
        raise NotImplementedError

    def on_page(self, action: Callable[[Any], object]) -> Callable[[], None]:
        """Return a handler that shows the page and then calls `action` with the page."""
        return lambda: self._pages.show_page(self.id, lambda: action(self.page))

    def on_views(self, name: str) -> Callable[[], None]:
        """Return a handler that shows the page and its view `name`."""
        return self.on_page(lambda page: page.views.show_view(name))

    def unavailable_state(self) -> EmptyState | None:
        """Return the empty state that explains why the page is unavailable for the open data; None if it is available.

        No results are computed to determine this.
        """
        return None

    # --- commands

    def connect_actions(self, commands: ActionRegistry) -> None:
        """Connect the commands to their handlers, and update the states of the commands."""
        copying: Handlers = {id: partial(self.copy, form) for form, (id, _) in self.copies.items()}
        for id, handler in {self.saves[0]: self.ask_file, **copying, **self.handlers()}.items():
            commands.connect_to(id, handler)
        self._commands = commands
        self.refresh()

    def handlers(self) -> Handlers:
        """Return the handlers of all commands except copy and save commands, keyed by command id."""
        return {}

    def refresh(self) -> None:
        """Update the enabled and checked states of the commands; copy and save commands require a result."""
        commands = self._commands
        if commands is not None:
            for id in (self.saves[0], *(id for id, _ in self.copies.values())):
                commands[id].setEnabled(self.displayed_service.result is not None)
            self.update_commands(commands)

    def update_commands(self, commands: ActionRegistry) -> None:
        """Update the states of all commands except copy and save commands."""

    # --- export

    @property
    def displayed_service(self) -> PageResultService[Any]:
        """Service whose result the page shows."""
        return self.service

    def export_spec(self) -> ExportSpec | None:
        """Return the export of the displayed result; None if there is no result."""
        raise NotImplementedError

    def current_export(self) -> ExportSpec | None:
        """Return the export of the displayed result, marked if the result is outdated; None if there is no result."""
        spec = self.export_spec()
        return (
            spec._replace(report=OutdatedReport(spec.report))
            if spec is not None and self.displayed_service.is_outdated
            else spec
        )

    def fill_export_menu(self, menu: QMenu, view: ResultTableView | None) -> None:
        """Add actions to `menu`: copy the selection of `view`, if given, and copy or save the whole result."""
        if view is not None:
            view.add_block_copying(menu)
        for form, (_, text) in self.copies.items():
            menu.addAction(text, partial(self.copy, form))
        menu.addSeparator()
        menu.addAction(self.saves[1], self.ask_file)

    def copy(self, form: Suffix) -> None:
        """Copy the whole result in the format `form`; do nothing if there is no result."""
        spec = self.current_export()
        if spec is not None:
            self.files.copy_form(spec.render, form)

    def ask_file(self) -> None:
        """Ask for a file and save the whole result to it; do nothing if there is no result."""
        spec = self.current_export()
        if spec is not None:
            self.files.ask_and_save(spec.render, spec.source_name, spec.title, self._pages.window())
