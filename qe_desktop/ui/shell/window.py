"""Main window: rail of area buttons, areas, status bar with notices, and commands."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
)
from PySide6.QtWidgets import QMainWindow, QWidget

from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons
from qe_desktop.ui.action_registry import Action, ActionRegistry
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.project_paths import split_paths
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.appearance import AppearanceActions
from qe_desktop.ui.shell.area_switcher import AreaSwitcher
from qe_desktop.ui.shell.commands import ACTIONS
from qe_desktop.ui.shell.menus import MenuBuilder
from qe_desktop.ui.shell.notices import NoticeBar
from qe_desktop.ui.shell.start_page import PRACTICE, SAMPLES, StartPage
from qe_desktop.ui.shell.status_bar import StatusBar
from qe_desktop.ui.widgets import dialogs
from qe_desktop.ui.widgets.dialogs import raise_open_dialog
from qe_desktop.ui.widgets.keyboard_focus import TabFocusMixin
from qe_desktop.ui.widgets.lazy_stack import PageFactory

MAX_KEYS = 32
"""Maximum number of stored keys; if there are more, the oldest keys are dropped."""


class EarlyKeys(QObject):
    """Queue of keys that neither a widget nor a command handled; their commands run when all handlers are connected.

    Only global commands run: when the keys were pressed, the areas and their shortcuts did not exist yet.
    """

    def __init__(self, commands: ActionRegistry, parent: QObject) -> None:
        super().__init__(parent)
        self._commands = commands
        self._queued_keys: deque[str] | None = deque(maxlen=MAX_KEYS)

    def store_key(self, event: QKeyEvent) -> None:
        """Store a key that reached the window, unless the commands are connected already."""
        if self._queued_keys is not None and not event.isAutoRepeat():
            keys = QKeySequence(event.keyCombination())
            self._queued_keys.append(keys.toString(QKeySequence.SequenceFormat.PortableText))

    def run_soon(self) -> None:
        """Run the commands of the stored keys in a later event-loop iteration, then stop storing keys."""
        if self._queued_keys:
            QTimer.singleShot(0, self, self._run)
        else:
            self._queued_keys = None

    def _run(self) -> None:
        waiting, self._queued_keys = self._queued_keys or (), None
        for keys in waiting:
            for action in self._commands.available_actions():
                if not action.area and keys in self._commands.keys(action.id):
                    self._commands[action.id].trigger()
                    break


APP_NAME = "QE Desktop"
DEFAULT_SIZE = (1280, 800)
FRAME_MARGIN_PX = 48
"""Pixels of the screen width and height that are reserved for the window frame and title bar at the first start."""

CloseGuard = Callable[[], bool]
PathOpener = Callable[[list[str]], object]
PendingAttempt = Callable[[], object | None]
SampleOpener = Callable[[str], object]


class Shell(TabFocusMixin, QMainWindow):
    """Main window, which contains the work areas.

    The main controller adds the areas. Until it calls `set_openers`, requests to open files are queued.
    """

    closed = Signal()
    corpus_closing = Signal()
    """Emitted before the open corpus is closed or replaced."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.settings = settings
        self.log_file = ""
        self.qe_systems: tuple[str, ...] = ()
        """QE systems specified on the command line, each as NAME=COMMAND."""
        self.jobs = JobRunner(self)
        self.commands = ActionRegistry(self, settings)
        self.commands.add_all(ACTIONS)
        self._early_keys = EarlyKeys(self.commands, self)
        self.appearance = AppearanceActions(self.commands, settings, self)
        # applied before any widget exists, because existing widgets would have to be repainted
        self.appearance.apply()
        self.start_page = StartPage()
        self.notices = NoticeBar()
        self.areas = AreaSwitcher(self.start_page)
        self.status = StatusBar(self.jobs, notices=self.notices)
        self.menus = MenuBuilder(self, self.commands, settings, self._open_recent)
        self._guards: list[CloseGuard] = []
        self._pending_attempt: PendingAttempt = lambda: None
        self._attempt: object = None
        """Last attempt to close the window; it is still pending if `_pending_attempt` returns the same object."""
        self._is_asking = self._is_closed = False
        self._open_paths: PathOpener | None = None
        self._open_sample: SampleOpener | None = None
        self._queued_requests: list[Callable[[], None]] = []
        self._lay_out()
        self._connect()
        self._restore()

    def add_area(
        self, id: str, title: str, icon: str, factory: PageFactory, *, tip: str = "", actions: Iterable[Action] = ()
    ) -> None:
        """Add a work area. When the area is first shown, `factory` creates the widget and connects the `actions`."""
        number = len(self.areas.ids()) + 1
        page = self.areas.add(id, title, icon, tip, factory)
        text = tr("Go to {area}", area=title)
        go = Action(f"view.area-{id}", text, (f"Ctrl+{number}",), group=tr("View"), icon=icon, tip=tip, menu=title)
        self.commands.add(go, partial(self.show_area, id))
        self.commands.set_area_widget(id, page)
        self.commands.add_all(actions)
        self.menus.add_area(id, title)

    def set_openers(self, paths: PathOpener, sample: SampleOpener) -> None:
        """Set the functions that open files and samples; run queued requests, then the commands of queued shortcuts."""
        self._open_paths, self._open_sample = paths, sample
        waiting, self._queued_requests = self._queued_requests, []
        for run_request in waiting:
            run_request()
        self._early_keys.run_soon()

    def add_close_guard(self, guard: CloseGuard, pending: PendingAttempt | None = None) -> None:
        """Add a function that is called before the window closes; if it returns False, the window remains open.

        `pending` is a function that returns the attempt to close that is waiting for the user or for saving, or None.
        If specified, it replaces the `pending` function of earlier calls.
        """
        self._guards.append(guard)
        self._pending_attempt = pending or self._pending_attempt

    def is_closing(self) -> bool:
        """Return whether a request to close the window is waiting for the user or for saving."""
        return self._is_asking or (self._attempt is not None and self._attempt is self._pending_attempt())

    def open_paths(self, paths: list[str]) -> None:
        """Open files and folders, or queue the request until `set_openers` is called."""
        if not paths:
            return
        if self._open_paths is None:
            self._queued_requests.append(partial(self.open_paths, paths))
        else:
            self._open_paths(paths)

    def open_sample(self, key: str) -> None:
        """Open a sample, such as "en-de", or queue the request until `set_openers` is called."""
        if self._open_sample is None:
            self._queued_requests.append(partial(self.open_sample, key))
        else:
            self._open_sample(key)

    def rate_sample(self) -> None:
        """Run the command that offers to rate a sample, or queue the request until `set_openers` is called."""
        if self._open_sample is None:
            self._queued_requests.append(self.rate_sample)
        else:
            self.commands[PRACTICE[0]].trigger()

    def show_area(self, id: str) -> None:
        """Show a work area."""
        self.areas.show_area(id)

    def set_area_available(self, id: str, available: bool) -> None:
        """Show the button of a work area and enable its command, or hide the button and disable the command."""
        self.areas.rail.set_area_visible(id, available)
        self.commands[f"view.area-{id}"].setEnabled(available)

    def area(self, id: str) -> QWidget:
        """Return the widget of an area, building the widget first if necessary."""
        return self.areas.widget(id)

    def add_recent(self, *paths: str) -> None:
        """Add an entry at the top of the recent files: a path, several paths opened together, or a server address."""
        self.settings.add_recent(*paths)
        self._list_recent()

    def set_document(self, name: str, *, modified: bool = False) -> None:
        """Set the document name in the title bar; if `modified`, mark it as having unsaved edits."""
        # Qt replaces [*] with its mark, but [*][*] with [*]
        title = isolate_bidi(name).replace("[*]", "[*][*]")
        self.setWindowTitle(f"{title}[*] – {APP_NAME}" if name else APP_NAME)
        self.setWindowModified(modified and bool(name))

    def _lay_out(self) -> None:
        self.setObjectName("shell")
        self.setWindowIcon(icons.program_icon())
        self.set_document("")
        self.setAcceptDrops(True)
        self.setMinimumSize(640, 420)
        self.setCentralWidget(self.areas)
        self.setStatusBar(self.status)

    def _connect(self) -> None:
        handlers: dict[str, Callable[[], object]] = {
            "file.open-folder": self._ask_folder,
            "file.open-files": self._ask_files,
            "file.quit": self.close,
            "view.start": self.areas.show_start,
            "help.commands": self._show_palette,
            "help.shortcuts": partial(self._show_help, "shortcuts"),
            "help.glossary": partial(self._show_help, "glossary"),
            "help.about": self._show_about,
            **{f"file.sample-{key}": partial(self.open_sample, key) for key, _, _ in SAMPLES},
        }
        for id, handler in handlers.items():
            self.commands.connect_to(id, handler)
        page = self.start_page
        page.open_sample.connect(self.open_sample)
        page.practice_requested.connect(self.rate_sample)
        page.open_paths.connect(self.open_paths)
        page.folder_requested.connect(self._ask_folder)
        page.files_requested.connect(self._ask_files)
        page.removal_requested.connect(self._forget)
        self.jobs.failed.connect(self._job_failed)
        self.areas.shown.connect(self.menus.show_area)
        for action in (self.commands.about_to_run, self.areas.rail.chosen):
            action.connect(self.notices.remove_reports)

    def _restore(self) -> None:
        state = self.settings.state("window")
        if not (state and self.restoreGeometry(state)):
            screen = QGuiApplication.primaryScreen().availableSize()
            self.resize(
                min(DEFAULT_SIZE[0], screen.width() - FRAME_MARGIN_PX),
                min(DEFAULT_SIZE[1], screen.height() - FRAME_MARGIN_PX),
            )
        self._list_recent()

    def _list_recent(self) -> None:
        self.start_page.set_recent(self.settings.existing_recent_paths())

    def _forget(self, path: str) -> None:
        self.settings.forget_recent(path)
        self._list_recent()

    def _open_recent(self, entry: str) -> None:
        self.open_paths(split_paths(entry))

    def _ask_folder(self) -> None:
        self.open_paths(dialogs.ask_folder(self, self.settings))

    def _ask_files(self) -> None:
        self.open_paths(dialogs.ask_files(self, self.settings))

    def _job_failed(self, name: str, error: object) -> None:
        self.notices.from_error(error)  # type: ignore[arg-type]

    def _show_palette(self) -> None:
        from qe_desktop.ui.shell.command_palette import CommandPalette

        CommandPalette(self.commands, self).show()

    def _show_help(self, page: str) -> None:
        from qe_desktop.ui.shell.help_dialog import HelpDialog

        dialog = raise_open_dialog(self, HelpDialog)
        if dialog is None:
            HelpDialog(self.commands, self, page, is_rating=self.areas.current == "rate").show()
        else:
            dialog.pages.show_page(page)

    def _show_about(self) -> None:
        from qe_desktop.ui.shell.help_dialog import AboutDialog

        if raise_open_dialog(self, AboutDialog) is None:
            AboutDialog(self.settings, self.log_file, self).show()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files and folders that are dragged anywhere into the window."""
        if dialogs.dropped_paths(event.mimeData()):
            event.acceptProposedAction()
            self.start_page.set_drop_highlighted(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Remove the highlight of the drop area."""
        self.start_page.set_drop_highlighted(False)

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the dropped files."""
        self.start_page.set_drop_highlighted(False)
        paths = dialogs.dropped_paths(event.mimeData())
        if paths:
            event.acceptProposedAction()
            self.open_paths(paths)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Store a key that no widget handled, unless the commands already have their handlers."""
        self._early_keys.store_key(event)
        super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        """Update the full-screen command when the state of the window changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self.commands["view.full-screen"].setChecked(self.isFullScreen())

    def _may_close(self) -> bool:
        self._is_asking = True
        try:
            return all(guard() for guard in self._guards)
        finally:
            self._is_asking = False

    def closeEvent(self, event: QCloseEvent) -> None:
        """If all close guards agree, store the window geometry and cancel running jobs; otherwise, do not close."""
        if self._is_closed:
            return
        if self._is_asking or not self._may_close():
            self._attempt = self._pending_attempt()
            event.ignore()
            return
        self._is_closed = True
        self.settings.save_state("window", bytes(self.saveGeometry().data()))
        self.settings.save()
        # no questions remain, so the window is hidden while running jobs end
        self.hide()
        self.jobs.close()
        event.accept()
        self.closed.emit()
