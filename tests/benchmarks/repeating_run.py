"""Works in the real window on a translator's file in which thousands of sources repeat, and prints the longest turn of
its thread in each step, as JSON.

python -m tests.benchmarks.repeating_run JOB
"""

from __future__ import annotations

import sys
from functools import partial

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qe_desktop.project.events import ReviewField
from qe_desktop.project.review.review_edits import check_all_fields
from qe_desktop.ui.main_controller import MainController
from qe_desktop.ui.shell.window import Shell
from tests.benchmarks.blocking_run import Window
from tests.benchmarks.translating_run import TIMES, Work
from tests.benchmarks.whole_window import print_measured

SAME = "OK"


def measure(app: QApplication, shell: Shell, joined: MainController, job: str) -> dict[str, float]:
    return Repeating(Window(app, shell, joined)).measured(job)


class Repeating(Work):
    """What a translator does in a segment that thousands of others are equal to."""

    def measured(self, job: str) -> dict[str, float]:
        window, controller = self.window, self.area.correcting.controller
        found = {"open": self.opened(job)}
        alike = [one for one in range(self.session.corpus.size) if self.session.view.target(one) == SAME]
        first = iter(alike)
        self.workspace.go_to(next(first))
        found["typing"] = window.longest(controller.open)
        keys = [partial(QTest.keyClicks, controller.panel.edit, key) for key in "xyz"]
        found["key"] = window.least(*keys)
        found["edit"] = window.longest(controller.flush)
        confirmed = []
        for segment in (next(first) for _ in range(TIMES)):
            self.workspace.go_to(segment)
            controller.open()
            confirmed.append(window.longest(controller.confirm))
        found["confirm"] = min(confirmed)
        controller.leave()
        found["undo"] = window.least(*[self.workspace.undo] * TIMES)
        view = self.session.view
        rest = {one: {ReviewField.TARGET: "Gut"} for one in alike if view.target(one) == SAME}
        # a job checks them
        found["replace"] = window.longest(partial(controller.set_checked, check_all_fields(view, rest)))
        assert self.session.view.target(alike[-1]) == "Gut"
        found["replace undone"] = window.longest(self.workspace.undo)
        # nothing of this is to be saved, which closing would ask about
        self.workspace.close()
        return found


if __name__ == "__main__":
    print_measured(measure, *sys.argv[1:])
