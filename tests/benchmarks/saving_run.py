"""Presses keys in the real window over a project and prints how long saving took as JSON; in a process of its own.

python -m tests.benchmarks.saving_run PROJECT
"""

from __future__ import annotations

import statistics
import sys
import time

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qe_desktop.ui.main_controller import MainController
from qe_desktop.ui.shell.window import Shell
from tests.benchmarks.waiting import until
from tests.benchmarks.whole_window import print_measured

PRESSES = 200


def measure(app: QApplication, shell: Shell, joined: MainController, project: str) -> dict[str, float]:
    shell.open_paths([project])
    until(lambda: joined.workspace.project is not None and joined.scores.state == "ready")
    view, service = shell.area("inspect").view, joined.projects.service
    told: list[float] = []
    service.saved.connect(lambda text: told.append(time.perf_counter()) if text.startswith("Saved ") else None)

    def press() -> tuple[float, float]:
        """One edit: until the key is dealt with and painted, and until the window says that it is saved.

        What the window does is given in processor time of its thread, and saving, which others do, by the clock.
        """
        QTest.keyClick(view, Qt.Key.Key_Down)
        until(lambda: not service.pending)
        app.processEvents()
        told.clear()
        begun, working = time.perf_counter(), time.thread_time()
        QTest.keyClick(view, Qt.Key.Key_Space)
        app.processEvents()
        painted = time.thread_time() - working
        until(lambda: bool(told))
        return painted, told[0] - begun

    for _ in range(10):
        press()
    pairs = [press() for _ in range(PRESSES)]
    return {
        "saved": statistics.median(saved for _, saved in pairs),
        "worst saved": max(saved for _, saved in pairs),
        "painted": statistics.median(painted for painted, _ in pairs),
        "worst painted": max(painted for painted, _ in pairs),
    }


if __name__ == "__main__":
    print_measured(measure, *sys.argv[1:])
