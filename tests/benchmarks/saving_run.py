"""Presses keys in the real window over a project and prints how long saving took as JSON; in a process of its own.

python -m tests.benchmarks.saving_run PROJECT
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

PRESSES = 200


def main(project: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        os.environ["QE_DESKTOP_SETTINGS"] = str(Path(place) / "settings.ini")
        os.environ["XDG_DATA_HOME"] = place
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
        print(json.dumps(measure(project)))
        sys.stdout.flush()


def measure(project: str) -> dict[str, float]:
    from PySide6.QtCore import Qt
    from PySide6.QtTest import QTest

    from qe_desktop.ui import app as program
    from qe_desktop.ui.settings import Settings
    from qe_desktop.ui.shell.window import Shell
    from tests.benchmarks.waiting import until

    app = program.application([])
    shell = Shell(Settings())
    joined = program.wired(shell)
    shell.resize(1280, 800)
    shell.show()

    shell.open_paths([project])
    until(lambda: joined.workspace.project is not None and joined.scores.state == "ready")
    view, keeper = shell.area("inspect").view, joined.projects.keeper
    told: list[float] = []
    keeper.saved.connect(lambda text: told.append(time.perf_counter()) if text.startswith("Saved ") else None)

    def press() -> tuple[float, float]:
        """One edit: until the key is dealt with and painted, and until the window says that it is saved.

        What the window does is given in processor time of its thread, and saving, which others do, by the clock.
        """
        QTest.keyClick(view, Qt.Key.Key_Down)
        until(lambda: not keeper.pending)
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
    shell.close()
    shell.jobs.close()
    return {
        "saved": statistics.median(saved for _, saved in pairs),
        "worst saved": max(saved for _, saved in pairs),
        "painted": statistics.median(painted for painted, _ in pairs),
        "worst painted": max(painted for painted, _ in pairs),
    }


if __name__ == "__main__":
    main(sys.argv[1])
