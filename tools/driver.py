"""The real window with somebody who opens things, presses keys and takes pictures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

TURNS = 20_000
"""Milliseconds after which something that should have happened counts as not happening."""


class Driver:
    """The window, and the keys and clicks of somebody who looks at everything."""

    def __init__(self, out: Path, size: tuple[int, int], theme: str) -> None:
        from qe_desktop.ui import app as program
        from qe_desktop.ui import main_controller
        from qe_desktop.ui.settings import Settings
        from qe_desktop.ui.shell.window import Shell

        self.app = program.create_application()
        settings = Settings()
        settings.theme = theme
        self.shell = Shell(settings)
        self.shell.resize(*size)
        self.wiring = main_controller.MainController(self.shell)
        self.out = out
        self.suffix = f"{theme}-{size[0]}x{size[1]}"
        self.shell.show()
        self.until(self.shell.isVisible)

    def until(self, holds: Callable[[], bool]) -> None:
        """Let the window work until something holds."""
        from PySide6.QtCore import QDeadlineTimer, QEventLoop, QTimer

        deadline = QDeadlineTimer(TURNS)
        # with a number of milliseconds, processEvents would not sleep, and take the interpreter from what is waited for
        beat = QTimer()
        beat.start(50)
        while not holds():
            if deadline.hasExpired():
                raise TimeoutError("the window did not get there")
            self.app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        beat.stop()

    def settle(self) -> None:
        """Wait until nothing is being computed, and everything is painted."""
        self.until(self._quiet)
        for _ in range(3):
            self.app.processEvents()
        self.until(self._quiet)

    def _quiet(self) -> bool:
        """Whether nothing is computed, and every page in view is wholly there."""
        from qe_desktop.ui.widgets.lazy_stack import LazyStackedWidget

        stacks = self.shell.findChildren(LazyStackedWidget)
        return not self.shell.jobs.running() and not any(stack.building for stack in stacks)

    def save(self, name: str) -> None:
        """Save what the window shows, with the dialog that stands before it."""
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
        """Open a folder; what was open is closed."""
        self.wiring.workspace.close()
        self.shell.open_paths([str(path)])
        self.until(lambda: self.wiring.workspace.session is not None or self.wiring.opener.sheet is not None)
        self.settle()

    def sample(self, key: str) -> None:
        """Open a bundled sample."""
        self.wiring.workspace.close()
        self.shell.open_sample(key)
        self.until(lambda: self.wiring.workspace.session is not None)
        self.settle()

    def do(self, action: str) -> None:
        """Run a command by its id."""
        self.shell.commands[action].trigger()
        self.settle()

    def close_dialogs(self) -> None:
        """Close whatever stands before the window."""
        from PySide6.QtWidgets import QApplication, QDialog

        for window in QApplication.topLevelWidgets():
            if isinstance(window, QDialog) and window.isVisible():
                window.reject()
        self.settle()
