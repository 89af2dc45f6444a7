"""Driver of the real window for scripts: it opens data, runs commands and saves screenshots."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

TURNS = 20_000
"""Timeout in milliseconds for a condition that a script waits for."""


class Driver:
    """Window of the program, with methods that open data, run commands and save screenshots to `out`."""

    def __init__(self, out: Path, size: tuple[int, int], theme: str, text_size: int = 100) -> None:
        from PySide6.QtGui import QCursor

        from qe_desktop.ui import app as program
        from qe_desktop.ui import main_controller
        from qe_desktop.ui.settings import Settings
        from qe_desktop.ui.shell.window import Shell

        self.app = program.create_application()
        settings = Settings()
        settings.theme, settings.text_size = theme, text_size
        self.shell = Shell(settings)
        self.shell.resize(*size)
        self.wiring = main_controller.MainController(self.shell)
        self.out = out
        self.suffix = f"{theme}-{size[0]}x{size[1]}"
        # nothing is under the pointer
        QCursor.setPos(self.app.primaryScreen().geometry().bottomRight())
        self.shell.show()
        self.until(self.shell.isVisible)

    def until(self, holds: Callable[[], bool]) -> None:
        """Process events until a condition holds. Raises TimeoutError after `TURNS` milliseconds."""
        from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer

        deadline = QDeadlineTimer(TURNS)
        # with a maximum time, processEvents would poll without releasing the interpreter to the awaited threads
        beat = QTimer()
        beat.start(50)
        while not holds():
            if deadline.hasExpired():
                raise TimeoutError("the window did not reach the expected state in time")
            self.app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        beat.stop()

    def settle(self) -> None:
        """Wait until no jobs are running and all visible pages are built and painted."""
        self.until(self._quiet)
        for _ in range(3):
            self.app.processEvents()
        self.until(self._quiet)

    def _quiet(self) -> bool:
        """Return whether no jobs are running, no page is being built, and no visible chart waits for the library."""
        from qe_desktop.ui.widgets.lazy_stack import LazyStackedWidget
        from qe_desktop.ui.widgets.plots.lazy_plot import LazyPlotWidget

        stacks, plots = self.shell.findChildren(LazyStackedWidget), self.shell.findChildren(LazyPlotWidget)
        is_building = any(stack.is_building for stack in stacks)
        return not (
            self.shell.jobs.running_jobs()
            or is_building
            or any(plot.isVisible() and plot.plot is None for plot in plots)
        )

    def save(self, name: str) -> None:
        """Save a screenshot of the window with its open dialogs; the theme and size are added to the file name."""
        from PySide6.QtCore import QPoint
        from PySide6.QtGui import QPainter
        from PySide6.QtWidgets import QApplication, QDialog

        self.settle()
        picture = self.shell.grab()
        painter = QPainter(picture)
        for window in QApplication.topLevelWidgets():
            if isinstance(window, QDialog) and window.isVisible():
                middle = QPoint(
                    (self.shell.width() - window.width()) // 2, (self.shell.height() - window.height()) // 2
                )
                painter.drawPixmap(middle, window.grab())
        painter.end()
        picture.save(str(self.out / f"{name}-{self.suffix}.png"))

    def open(self, path: Path) -> None:
        """Close the open data, open a file or folder, and wait for it or for its import dialog."""
        self.wiring.workspace.close()
        self.shell.open_paths([str(path)])
        self.until(lambda: self.wiring.workspace.session is not None or self.wiring.opener.sheet is not None)
        self.settle()

    def sample(self, key: str) -> None:
        """Close the open data and open a bundled sample, such as en-de."""
        self.wiring.workspace.close()
        self.shell.open_sample(key)
        self.until(lambda: self.wiring.workspace.session is not None)
        self.settle()

    def do(self, action: str) -> None:
        """Run a command by its id and wait until the window has settled."""
        self.shell.commands[action].trigger()
        self.settle()

    def close_dialogs(self) -> None:
        """Cancel all open dialogs."""
        from PySide6.QtWidgets import QApplication, QDialog

        for window in QApplication.topLevelWidgets():
            if isinstance(window, QDialog) and window.isVisible():
                window.reject()
        self.settle()
