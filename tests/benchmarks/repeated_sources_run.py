"""Work in the real window on a bilingual file in which thousands of sources repeat.

Prints the longest event-loop iteration of the GUI thread in each step as JSON.

python -m tests.benchmarks.repeated_sources_run JOB
"""

from __future__ import annotations

import sys
from functools import partial

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import ReviewStatus
from qe_desktop.project.events import ReviewField
from qe_desktop.project.review.review_edits import check_all_fields
from qe_desktop.ui.main_controller import MainController
from qe_desktop.ui.shell.window import Shell
from tests.benchmarks.bilingual_file_run import TIMES, TranslatorSteps
from tests.benchmarks.blocking_run import MeasuredWindow
from tests.benchmarks.measured_window import print_measurements

SAME = "OK"


def measure(app: QApplication, shell: Shell, joined: MainController, job: str) -> dict[str, float]:
    return Repeating(MeasuredWindow(app, shell, joined)).measure(job)


class Repeating(TranslatorSteps):
    """Steps of a translator in one of thousands of identical segments."""

    def measure(self, job: str) -> dict[str, float]:
        window, controller = self.window, self.area.review.controller
        times = {"open": self.open(job)}
        identical = [index for index in range(self.session.corpus.size) if self.session.view.target(index) == SAME]
        first = iter(identical)
        self.workspace.go_to(next(first))
        times["typing"] = window.longest(controller.open)
        keys = [partial(QTest.keyClicks, controller.panel.edit, key) for key in "xyz"]
        times["key"] = window.smallest(*keys)
        times["edit"] = window.longest(controller.flush)
        confirmed = []
        for segment in (next(first) for _ in range(TIMES)):
            self.workspace.go_to(segment)
            controller.open()
            confirmed.append(window.longest(controller.confirm))
        times["confirm"] = min(confirmed)
        controller.stop_editing()
        times["undo"] = window.smallest(*[self.workspace.undo] * TIMES)
        # the last undo went to an identical segment
        window.longest(controller.confirm)
        times["propagate"] = window.longest(self.area.review.propagation.apply)
        confirmed = self.session.view.statuses()[identical] == ReviewStatus.CONFIRMED
        assert confirmed.all()
        times["propagate undone"] = window.longest(self.workspace.undo)
        self.workspace.undo()
        view = self.session.view
        remaining = {index: {ReviewField.TARGET: "Gut"} for index in identical if view.target(index) == SAME}
        # the program checks them in a job
        times["replace"] = window.longest(partial(controller.set_checked, check_all_fields(view, remaining)))
        assert self.session.view.target(identical[-1]) == "Gut"
        times["replace undone"] = window.longest(self.workspace.undo)
        # discard the edits, about which closing would ask
        self.workspace.close()
        return times


if __name__ == "__main__":
    print_measurements(measure, *sys.argv[1:])
