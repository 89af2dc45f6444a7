"""Start the program, and print its longest event-loop iteration after the first paint as JSON.

Measured as wall-clock time, by the delay of a timer of two milliseconds, and as processor time of the GUI thread, which
excludes other threads and programs. The program ends when all modules are preloaded and the path is open. Run in a
separate process:

python -m tests.benchmarks.event_loop_run [PATH …]
"""

from __future__ import annotations

import json
import sys
import time

from PySide6.QtCore import Qt, QTimer

from qe_desktop.ui import app as program
from qe_desktop.ui.shell import window

EVERY = 2
"""Milliseconds between two checks."""
QUIET = 100
"""Number of consecutive idle checks before the program ends."""
LAST = "qe_desktop.ui.scores.post_editing.post_editing_page"
"""The last preloaded module."""


class Shell(window.Shell):
    """The window, which records the duration of its event-loop iterations."""

    def __init__(self, settings):
        super().__init__(settings)
        self.iterations = []
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
        self.iterations.append((now[0] - self.last[0], now[1] - self.last[1]))
        self.last = now
        opened = not sys.argv[1:] or self.areas.current == "inspect"
        waits = opened and LAST in sys.modules and self.jobs.is_idle()
        self.quiet = self.quiet + 1 if waits else 0
        if self.quiet > QUIET:
            # closing processes events, and the timer would fire again
            self.timer.stop()
            clock, own = map(max, zip(*self.iterations, strict=True))
            print(json.dumps({"clock": clock, "own": own}))
            sys.stdout.flush()
            self.close()


if __name__ == "__main__":
    program.Shell = Shell
    program.main(sys.argv[1:])
