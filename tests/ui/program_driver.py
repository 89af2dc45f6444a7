"""Run the program through its own `main(argv)`: a script of waits and actions runs inside its event loop."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Generator

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from qe_desktop.ui import app as program
from qe_desktop.ui.main_controller import MainController
from qe_desktop.ui.shell.window import Shell
from tests.timeouts import PATIENCE

EXIT = os._exit
"""The function of the system, which tests may have replaced."""
Script = Callable[["ProgramDriver"], Generator[Callable[[], object], None, None]]


class ProgramDriver:
    """The running program of a script: its main window and controllers."""

    def __init__(self) -> None:
        self.shell: Shell | None = None

    def find_window(self) -> bool:
        """Look for the visible main window; return whether it exists with its main controller."""
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, Shell) and widget.isVisible():
                self.shell = widget
        return self.shell is not None and self.shell.findChild(MainController) is not None

    @property
    def wiring(self) -> MainController:
        assert self.shell is not None
        wiring = self.shell.findChild(MainController)
        assert wiring is not None
        return wiring

    @property
    def workspace(self):
        return self.wiring.workspace

    def is_open(self) -> bool:
        """Return whether a corpus is open and no job is running."""
        return self.workspace.session is not None and not self.shell.jobs.running_jobs()

    def is_answered(self) -> bool:
        """Return whether no question before closing is open and no save because of it is running."""
        return not self.wiring.projects.is_asking


def _run_program(argv: list[str]) -> int:
    """Run the program; with a job that still runs, it would end this process and hide the failures of a test."""
    before = os._exit
    if before is EXIT:
        os._exit = lambda code: None  # type: ignore[assignment, return-value]
    try:
        return program.main(argv)
    finally:
        os._exit = before


def run_script(argv: list[str], script: Script) -> int:
    """Run the program with a script in its event loop and return the exit code.

    The script is resumed as soon as the condition that it has yielded is true.
    """
    controller = ProgramDriver()
    failures: list[str] = []

    def all_steps() -> Generator[Callable[[], object], None, None]:
        yield controller.find_window
        yield from script(controller)

    steps = all_steps()
    waiting: list = [None, time.monotonic() + PATIENCE]

    def step() -> None:
        try:
            if waiting[0] is not None and not waiting[0]():
                assert time.monotonic() < waiting[1], (
                    "the condition that the script yielded did not become true in time"
                )
                return
            waiting[0], waiting[1] = next(steps), time.monotonic() + PATIENCE
        except StopIteration:
            end()
        except BaseException:
            failures.append(traceback.format_exc())
            end()

    def end() -> None:
        timer.stop()
        if controller.shell is not None:
            session = controller.workspace.session if controller.find_window() else None
            if session is not None:
                session.mark_saved(session.unsaved_layers())
                session.reviewing.mark_saved()
            if controller.shell.isVisible() and not failures:
                # pending changes may have to be saved first
                controller.shell.closed.connect(QApplication.quit)
                controller.shell.close()
                timer.timeout.disconnect()
                timer.timeout.connect(fail_to_close)
                timer.start(PATIENCE * 1000)
                return
            controller.shell.close()
        QApplication.exit()

    def fail_to_close() -> None:
        failures.append("the window did not close")
        QApplication.exit()

    # a script may close the window and continue
    QApplication.setQuitOnLastWindowClosed(False)
    timer = QTimer()
    timer.timeout.connect(step)
    timer.start(5)
    code = _run_program(argv)
    timer.stop()
    QApplication.setQuitOnLastWindowClosed(True)
    if controller.shell is not None:
        controller.shell.deleteLater()
    # closing the last window also posts a quit event, which would end every later event loop of this process
    QCoreApplication.removePostedEvents(QCoreApplication.instance(), int(QEvent.Type.Quit.value))
    assert not failures, failures[0]
    assert _loops_run(), "the program left an application behind in which no event loop runs"
    return code


def _loops_run() -> bool:
    loop = QEventLoop()
    QTimer.singleShot(0, loop.quit)
    return loop.exec() == 0
