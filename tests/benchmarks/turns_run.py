"""Starts the program and prints its longest turn from the first paint on, as JSON; run in a process of its own.

By the clock, as a timer that should fire every two milliseconds is late, and in processor time of the window's thread,
to which what other threads and programs do does not count. The program ends when all is imported that comes ahead,
and what was to be opened is open.

python -m tests.benchmarks.turns_run [PATH …]
"""

from __future__ import annotations

import json
import sys
import time

from PySide6.QtCore import Qt, QTimer

from qe_desktop.ui import app as program
from qe_desktop.ui.shell import window

EVERY = 2
"""Milliseconds between two looks."""
QUIET = 100
"""Looks in a row that find nothing to do before the program ends."""
LAST = "qe_desktop.ui.scores.post_editing.post_editing_page"
"""The last of what is imported ahead."""


class Shell(window.Shell):
    """The window, and how long its turns were."""

    def __init__(self, settings):
        super().__init__(settings)
        self.turns = []
        self.quiet = 0
        self.timer = QTimer(self)
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.timeout.connect(self.look)
        self.start_page.painted.connect(self.begin, Qt.ConnectionType.SingleShotConnection)

    def begin(self):
        self.last = time.perf_counter(), time.thread_time()
        self.timer.start(EVERY)

    def look(self):
        now = time.perf_counter(), time.thread_time()
        self.turns.append((now[0] - self.last[0], now[1] - self.last[1]))
        self.last = now
        opened = not sys.argv[1:] or self.areas.current == "inspect"
        waits = opened and LAST in sys.modules and self.jobs.idle()
        self.quiet = self.quiet + 1 if waits else 0
        if self.quiet > QUIET:
            # closing deals with events, and it would be told once more
            self.timer.stop()
            clock, own = map(max, zip(*self.turns, strict=True))
            print(json.dumps({"clock": clock, "own": own}))
            sys.stdout.flush()
            self.close()


if __name__ == "__main__":
    program.Shell = Shell
    program.main(sys.argv[1:])
