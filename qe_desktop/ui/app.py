"""Application start: settings, crash handler and main window. Slow imports follow after the first paint."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLibraryInfo, QLocale, QStandardPaths, Qt, QTimer, QTranslator
from PySide6.QtWidgets import QApplication

from qe_desktop import __version__
from qe_desktop.arguments import DEMO
from qe_desktop.i18n.messages import ENGLISH, Language, current_language, tr
from qe_desktop.ui.garbage_collection import GarbageCollectionTimer, freeze, unfreeze
from qe_desktop.ui.jobs import IncrementalTask, Progress, TaskSteps
from qe_desktop.ui.preflight import HANGUP
from qe_desktop.ui.preload import ImportPlan
from qe_desktop.ui.project_paths import is_address
from qe_desktop.ui.settings import FILE_VARIABLE, Settings
from qe_desktop.ui.shell.crash_handler import CrashHandler
from qe_desktop.ui.shell.start_page import SAMPLES
from qe_desktop.ui.shell.window import Shell

if TYPE_CHECKING:
    from qe_desktop.ui.main_controller import MainController

_AREA_MODULES = ("qe_desktop.ui.main_controller", "qe_desktop.ui.scores.score_side_panel")
"""Modules that are needed by the areas of the window and by the score panel, but not by the start page."""

SWITCH_INTERVAL_S = 0.0001
"""Time in seconds after which a background job releases the GIL for the waiting GUI thread.

Qt releases the GIL over a hundred times per paint, and each time the GUI thread waits this long to get the GIL back.
With Python's default of five milliseconds, a paint during a job takes half a second. Jobs do not slow down, because the
GUI thread needs the GIL only while it handles events.
"""


def main(argv: list[str], systems: Sequence[str] = ()) -> int:
    """Open the window and return the exit code of the program.

    `argv` contains paths, the address of a project, or `demo` and optionally the name of a sample (default: the first
    sample). `systems` are QE systems to run on the opened corpus, each as NAME=COMMAND.
    """
    app = create_application()
    settings = Settings()
    crash_handler = CrashHandler(log_folder())
    crash_handler.install()
    collector = GarbageCollectionTimer()
    switch = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    try:
        return _run(app, settings, crash_handler, collector, argv, systems)
    finally:
        sys.setswitchinterval(switch)
        crash_handler.remove()
        unfreeze()
        collector.deleteLater()


def create_application() -> QApplication:
    """Return the QApplication, creating it if necessary, and set the names that locate its settings and icon.

    Command-line arguments are not passed to Qt, because Qt could mistake file names for its own options, such as the
    option that sets the plugin folder.
    """
    QApplication.setApplicationName("QE Desktop")
    QApplication.setOrganizationName("QE Desktop")
    QApplication.setApplicationVersion(__version__)
    QApplication.setDesktopFileName("qe-desktop")
    running = QApplication.instance()
    app = running if isinstance(running, QApplication) else QApplication(["qe-desktop"])
    install_qt_translation(app, current_language())
    return app


def install_qt_translation(app: QApplication, language: Language) -> None:
    """Install the translation of Qt's own texts into a language, if Qt provides one.

    The layout direction remains left to right, because painted keyboard shortcuts do not support right-to-left layouts
    yet.
    """
    if language is ENGLISH:
        return
    # set explicitly, because Qt's translations of Arabic, Hebrew and Persian would mirror the layout
    app.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    locale, folder = QLocale(language.code), QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    translator = QTranslator(app)
    if translator.load(locale, "qtbase", "_", folder):
        app.installTranslator(translator)


def log_folder() -> Path:
    """Return the log folder.

    If the environment variable `FILE_VARIABLE` specifies a settings file, the folder of that file is returned.
    Otherwise, the local data folder of the application is returned.
    """
    named = os.environ.get(FILE_VARIABLE)
    if named:
        return Path(named).resolve().parent
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation))


def _run(
    app: QApplication,
    settings: Settings,
    crash_handler: CrashHandler,
    collector: GarbageCollectionTimer,
    argv: list[str],
    systems: Sequence[str],
) -> int:
    shell = Shell(settings)
    shell.qe_systems = tuple(systems)
    shell.log_file = str(crash_handler.log_file) if crash_handler.has_log_file else ""
    crash_handler.error_occurred.connect(shell.notices.show_message)
    shell.corpus_closing.connect(collector.collect_frozen_later)
    interrupt_handler = _InterruptHandler(shell)
    crash_handler.interrupted.connect(interrupt_handler.end)
    startup_sequence = _StartupSequence(shell, crash_handler)
    shell.start_page.painted.connect(startup_sequence.start)
    _open_arguments(shell, argv)
    shell.show()
    # a window that is closed before the event loop starts would leave a hidden process
    QTimer.singleShot(0, crash_handler, crash_handler.listen_to_signals)
    code = int(app.exec())
    if not shell.jobs.close(0):
        # a job that never checks for cancellation would keep the process alive
        crash_handler.remove()
        sys.stdout.flush()
        os._exit(code)
    return code


def _open_arguments(shell: Shell, argv: list[str]) -> None:
    if argv[:1] == [DEMO]:
        shell.open_sample(argv[1] if len(argv) > 1 else SAMPLES[0][0])
    else:
        shell.open_paths([path if is_address(path) else os.path.abspath(path) for path in argv])


class _StartupSequence:
    """Sequence of steps that adds the areas to the window after the first paint.

    The first steps import modules. Modules that do not use Qt are imported on another thread. The others are then
    imported on the GUI thread, one per event-loop iteration, so that the window remains responsive.
    """

    def __init__(self, shell: Shell, crash_handler: CrashHandler) -> None:
        self._shell = shell
        self._crash_handler = crash_handler

    def start(self) -> None:
        """Schedule the first step, which runs when the painted page is on the screen."""
        QTimer.singleShot(0, self._shell, self._submit)

    def _submit(self) -> None:
        crash = self._crash_handler.last_crash()
        if crash is not None:
            self._shell.notices.show_message(crash)
        self._shell.jobs.submit(tr("Loading"), _import_core, self._fill)

    def _fill(self, plan: ImportPlan) -> None:
        IncrementalTask(self._startup_steps(plan), self._shell)

    def _startup_steps(self, plan: ImportPlan) -> TaskSteps:
        for _ in plan.import_window():
            yield 0
        build_main_controller(self._shell)
        yield 0
        from qe_desktop.ui.preload import preload_modules

        preload_modules(self._shell.jobs, self._shell)


def build_main_controller(shell: Shell) -> MainController:
    """Build the main controller with the areas of the window.

    All objects that exist when this function returns live until the program exits, so garbage collection excludes them.
    Scanning them would make about one key press in two hundred several times slower.
    """
    from qe_desktop.ui import main_controller

    controller = main_controller.MainController(shell)
    freeze()
    return controller


def _import_core(progress: Progress) -> ImportPlan:
    plan = ImportPlan(*_AREA_MODULES)
    plan.import_below(progress.check)
    return plan


class _InterruptHandler:
    """Handler of termination signals, such as Ctrl+C: the first closes the window, the second ends the process."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def end(self, number: int) -> None:
        """Close the window; if the window is already closing, end the process.

        `number` is the signal number. A hangup never ends the process, because a closed terminal may send it twice.
        """
        if not self._shell.is_closing():
            self._shell.close()
        elif number != HANGUP:
            os._exit(130)
