"""Press keys in the real window over a project, and print the saving times as JSON; run in a separate process.

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
from tests.benchmarks.event_loop import run_event_loop_until
from tests.benchmarks.measured_window import print_measurements

PRESSES = 200


def measure(app: QApplication, shell: Shell, joined: MainController, project: str) -> dict[str, float]:
    shell.open_paths([project])
    run_event_loop_until(lambda: joined.workspace.project is not None and joined.scores.state == "ready")
    view, service = shell.area("inspect").view, joined.projects.service
    saved_times: list[float] = []
    service.saved.connect(lambda text: saved_times.append(time.perf_counter()) if text.startswith("Saved ") else None)

    def press() -> tuple[float, float]:
        """Make one edit, and return the time until it is painted and the time until it is shown as saved.

        Painting is processor time of the GUI thread; saving, on other threads, is wall-clock time.
        """
        QTest.keyClick(view, Qt.Key.Key_Down)
        run_event_loop_until(lambda: not service.pending)
        app.processEvents()
        saved_times.clear()
        start, thread_start = time.perf_counter(), time.thread_time()
        shell.area("inspect").reader.set_locked(False)
        QTest.keyClick(view, Qt.Key.Key_Space)
        app.processEvents()
        painted = time.thread_time() - thread_start
        run_event_loop_until(lambda: bool(saved_times))
        return painted, saved_times[0] - start

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
    print_measurements(measure, *sys.argv[1:])
