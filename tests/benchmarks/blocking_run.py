"""Compares systems in the real window and prints how long it was kept from answering, as JSON; in a process of its own.

python -m tests.benchmarks.blocking_run SCORES TASK
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QApplication

from qe_desktop.ui.shell.window import Shell
from qe_desktop.ui.wiring import Wiring
from tests.benchmarks.waiting import until
from tests.benchmarks.whole_window import print_measured


class Turns:
    """Waits as `until` does, and knows the longest turn of the event loop since it was asked last.

    In processor time of the window's thread, which is asleep while nothing happens: what others do does not count.
    """

    def __init__(self) -> None:
        self._longest = 0.0

    def until(self, holds: Callable[[], bool]) -> None:
        """Deal with events until something holds."""

        def held() -> bool:
            now = time.thread_time()
            self._longest = max(self._longest, now - self._begun)
            done = holds()
            self._begun = time.thread_time()
            return done

        self._begun = time.thread_time()
        until(held)

    def since(self) -> float:
        """The longest since this was asked last."""
        longest, self._longest = self._longest, 0.0
        return longest


def measure(app: QApplication, shell: Shell, joined: Wiring, scores: str, task: str) -> dict[str, float]:
    turns = Turns()
    shell.open_paths([scores])
    keeper = joined.comparison
    turns.until(lambda: keeper.state == "ready")
    shell.show_area("scores")
    # the area is painted for the first time before anything is measured
    for _ in range(5):
        app.processEvents()
    turns.until(shell.jobs.idle)
    told: list[float] = []
    keeper.changed.connect(lambda: told.append(keeper.progress))
    turns.since()

    def compared(metric: str) -> float:
        """Test by a metric whose test draws, and wait for it."""
        told.clear()
        keeper.set_metric(metric)
        keeper.run()
        turns.until(lambda: keeper.state == "ready" and metric in keeper.result.metrics)
        assert any(0 < progress < 1 for progress in told), "no progress was shown"
        return turns.since()

    found = {"compare": compared("MAE")}
    keeper.run()
    turns.until(lambda: keeper.progress > 0)
    keeper.cancel()
    turns.until(lambda: keeper.state == "waiting")
    turns.since()
    desk = joined.findings
    desk.read(Path(task))
    turns.until(lambda: desk.page.shown.found is not None and len(desk.page.shown.found.findings.pairs) > 1)
    found["findings"] = turns.since()
    return found


if __name__ == "__main__":
    print_measured(measure, *sys.argv[1:])
