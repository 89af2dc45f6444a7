"""Starts the window: application, settings, hooks, shell; everything slow comes after the first paint."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLibraryInfo, QLocale, QStandardPaths, QTimer, QTranslator
from PySide6.QtWidgets import QApplication

from qe_desktop import __version__
from qe_desktop.ui.collecting import Collector
from qe_desktop.ui.import_plan import ImportPlan
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.parts.in_turns import InTurns, Turns
from qe_desktop.ui.places import is_address
from qe_desktop.ui.settings import FILE_VARIABLE, Settings
from qe_desktop.ui.shell.asked_to_end import HANGUP
from qe_desktop.ui.shell.failures import Failures
from qe_desktop.ui.shell.start_page import SAMPLES
from qe_desktop.ui.shell.window import Shell
from qe_desktop.wording import ENGLISH, Language, spoken, tr

if TYPE_CHECKING:
    from qe_desktop.ui.wiring import Wiring

_AREAS = ("qe_desktop.ui.wiring", "qe_desktop.ui.scores.panel")
"""What the areas need and the start page does not, with the panel that is shown when something is first opened."""

SWITCH = 0.0001
"""Seconds after which a job that computes lets the window's thread go on. It waits so long each time that Qt let the
interpreter go, which one paint does a hundred times and more: with Python's five milliseconds a paint beside a job
takes half a second. Jobs take no longer for it, as the window's thread wants the interpreter only in its turns.
"""


def main(argv: list[str], systems: Sequence[str] = ()) -> int:
    """Open the window on paths or the address of a project, or on a sample after `demo`; returns the exit code.

    `systems` are QE systems to run on what is opened, each as NAME=COMMAND.
    """
    app = application()
    settings = Settings()
    failures = Failures(log_folder())
    failures.install()
    collector = Collector()
    switch = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH)
    try:
        return _run(app, settings, failures, argv, systems)
    finally:
        sys.setswitchinterval(switch)
        failures.remove()
        gc.unfreeze()
        collector.deleteLater()


def application() -> QApplication:
    """The one QApplication, named so that the desktop finds settings and icon.

    It is given no arguments: Qt would take options out of names of files, also one that names a folder of plugins.
    """
    QApplication.setApplicationName("QE Desktop")
    QApplication.setOrganizationName("QE Desktop")
    QApplication.setApplicationVersion(__version__)
    QApplication.setDesktopFileName("qe-desktop")
    running = QApplication.instance()
    app = running if isinstance(running, QApplication) else QApplication(["qe-desktop"])
    speak(app, spoken())
    return app


def speak(app: QApplication, language: Language) -> None:
    """Have Qt say its own texts in the language where it can.

    All is laid out from left to right: painters of numbers, matrices and keys know no other way yet.
    """
    if language is ENGLISH:
        return
    locale, folder = QLocale(language.code), QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    own = QTranslator(app)
    if own.load(locale, "qtbase", "_", folder):
        app.installTranslator(own)


def log_folder() -> Path:
    """Where the log is: beside a settings file that was named, else where the desktop keeps data of programs."""
    named = os.environ.get(FILE_VARIABLE)
    if named:
        return Path(named).resolve().parent
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppLocalDataLocation))


def _run(app: QApplication, settings: Settings, failures: Failures, argv: list[str], systems: Sequence[str]) -> int:
    shell = Shell(settings)
    shell.qe_systems = tuple(systems)
    shell.log_file = str(failures.log_file)
    failures.happened.connect(shell.notices.show_message)
    ending = _Ending(shell)
    failures.interrupted.connect(ending.end)
    filling = _Filling(shell, failures)
    shell.start_page.painted.connect(filling.start)
    _ask_for(shell, argv)
    shell.show()
    # a window that is closed before there are events to deal with would leave a program behind that nobody sees
    QTimer.singleShot(0, failures, failures.listen_to_signals)
    code = int(app.exec())
    if not shell.jobs.close(0):
        # a job that never looks up would keep the process alive for ever
        failures.remove()
        sys.stdout.flush()
        os._exit(code)
    return code


def _ask_for(shell: Shell, argv: list[str]) -> None:
    if argv[:1] == ["demo"]:
        shell.open_sample(argv[1] if len(argv) > 1 else SAMPLES[0][0])
    else:
        shell.open_paths([path if is_address(path) else os.path.abspath(path) for path in argv])


class _Filling:
    """Has the areas added after the first paint.

    What they import comes first: on another thread what knows no Qt, then a module in each turn of the event loop, so
    that the window answers all the time.
    """

    def __init__(self, shell: Shell, failures: Failures) -> None:
        self._shell = shell
        self._failures = failures

    def start(self) -> None:
        """Begin once the page that was just drawn is on the screen."""
        QTimer.singleShot(0, self._shell, self._submit)

    def _submit(self) -> None:
        crash = self._failures.last_crash()
        if crash is not None:
            self._shell.notices.show_message(crash)
        self._shell.jobs.submit(tr("Getting ready"), _import_below, self._fill)

    def _fill(self, plan: ImportPlan) -> None:
        InTurns(self._turns(plan), self._shell)

    def _turns(self, plan: ImportPlan) -> Turns:
        for _ in plan.import_window():
            yield 0
        wired(self._shell)
        yield 0
        from qe_desktop.ui.ahead import import_ahead

        import_ahead(self._shell.jobs, self._shell)


def wired(shell: Shell) -> Wiring:
    """The window with its areas.

    What stands by then stays until the program ends, so the garbage collector need not look through it again: it would
    do so for a key press in some two hundred, and hold it up by several times what it takes.
    """
    from qe_desktop.ui import wiring

    joined = wiring.Wiring(shell)
    gc.freeze()
    return joined


def _import_below(progress: Progress) -> ImportPlan:
    plan = ImportPlan(*_AREAS)
    plan.import_below(progress.check)
    return plan


class _Ending:
    """Ctrl+C closes the window as its button does; pressed again, it ends the program without asking."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._asked = False

    def end(self, number: int) -> None:
        """End, first politely, by a signal of this number."""
        if self._asked:
            if number == HANGUP:
                # a terminal that is closed may say so twice, and nobody there could have answered in between
                return
            os._exit(130)
        self._asked = True
        self._shell.close()
        self._asked = False
