"""Compare systems in the real window, and print as JSON how long the event loop was blocked; run in a separate process.

python -m tests.benchmarks.blocking_run SCORES TASK MANY_SCORES MANY_TASK TEXTS TAGS
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QApplication

from qe_desktop.studies.meta_eval.agreement_statistics import AGREEMENT_STATISTICS
from qe_desktop.ui.main_controller import MainController
from qe_desktop.ui.scores.area import PAGES
from qe_desktop.ui.scores.meta_evaluation.commands import VIEWS
from qe_desktop.ui.scores.studies.commands import VIEWS as STUDY_VIEWS
from qe_desktop.ui.scores.studies.study import StudyOptions
from qe_desktop.ui.shell.window import Shell
from qe_desktop.ui.widgets.lazy_stack import LazyStackedWidget
from tests.benchmarks.event_loop import run_event_loop_until
from tests.benchmarks.measured_window import measures_wall_clock, print_measurements

ALPHAS = (0.01, 0.02, 0.04)
FEW_ROUNDS = 1_000
AT_REST = 0.001
"""Seconds of sleep between iterations measured by wall-clock time, which would otherwise include the waiting."""
QUIET = 12
"""Number of idle iterations after which all incremental painting is done."""


class IterationTimer:
    """Waits for conditions, and records the longest event-loop iteration since the last query.

    Times are processor times of the GUI thread, which sleeps while nothing happens, so other work does not count. On
    request they are wall-clock times, which include everything that an iteration waits for: jobs, and the machine.
    """

    def __init__(self) -> None:
        self._longest = 0.0

    def until(self, is_met: Callable[[], bool]) -> None:
        """Process events until a condition is true."""

        def condition() -> bool:
            now = time.thread_time()
            self._longest = max(self._longest, now - self._start)
            done = is_met()
            self._start = time.thread_time()
            return done

        if measures_wall_clock():
            self._wait_by_the_clock(is_met)
        else:
            self._start = time.thread_time()
            run_event_loop_until(condition)

    def _wait_by_the_clock(self, is_met: Callable[[], bool]) -> None:
        def condition() -> bool:
            start = time.perf_counter()
            QApplication.processEvents()
            self._longest = max(self._longest, time.perf_counter() - start)
            return is_met()

        run_event_loop_until(condition, sleep_s=AT_REST)

    def take_longest(self) -> float:
        """Return the longest iteration since the last query."""
        longest, self._longest = self._longest, 0.0
        return longest


class MeasuredWindow:
    """The real window, and the longest event-loop iteration of the GUI thread."""

    def __init__(self, app: QApplication, shell: Shell, joined: MainController) -> None:
        self.app, self.shell, self.joined = app, shell, joined
        self.service = joined.comparison
        self.iterations = IterationTimer()

    def open(self, scores: str, systems: int) -> None:
        """Open scores, wait until they are compared, and paint the Scores area for the first time."""
        # the program would ask before it opens another corpus
        self.joined.workspace.close()
        self.shell.open_paths([scores])
        service = self.service
        self.iterations.until(lambda: service.state == "ready" and len(service.scores.layers) == systems)
        self.shell.show_area("scores")
        self.settle()

    def settle(self) -> None:
        """Wait until no job runs and everything is painted."""
        quiet = iter(range(QUIET))
        self.iterations.until(lambda: self._is_idle() and next(quiet, None) is None)

    def _is_idle(self) -> bool:
        stacks = self.shell.findChildren(LazyStackedWidget)
        return self.shell.jobs.is_idle() and not any(stack.is_building for stack in stacks)

    def longest(self, work: Callable[[], object]) -> float:
        """Return the longest iteration until all effects of some work are painted; the work runs as in a click."""
        self.settle()
        self.iterations.take_longest()
        now = time.perf_counter if measures_wall_clock() else time.thread_time
        start = now()
        work()
        self.app.processEvents()
        first = now() - start
        self.settle()
        return max(first, self.iterations.take_longest())

    def smallest(self, *works: Callable[[], object]) -> float:
        """Return the smallest of the longest iterations of several similar works."""
        return min(self.longest(work) for work in works)


def measure(
    app: QApplication,
    shell: Shell,
    joined: MainController,
    scores: str,
    task: str,
    many_scores: str,
    many_task: str,
    texts: str,
    tags: str,
) -> dict[str, float]:
    window = MeasuredWindow(app, shell, joined)
    result = {"pages": open_all_pages(window, tags)}
    window.open(scores, 17)
    result |= {"compare": compare_by(window, "MAE"), "findings": compute_findings(window, task)}
    result["findings judged"] = change_significance_options(window, many_task)
    window.open(many_scores, 40)
    result["pictures"] = show_each_chart(window)
    options = [replace(window.service.options, alpha=alpha) for alpha in ALPHAS]
    result["matrix judged"] = window.smallest(*(partial(window.service.set_options, changed) for changed in options))
    result["theme"] = change_theme(window)
    window.open(texts, 4)
    result["translations"] = compare_every_metric(window)
    result["metrics and people"] = run_meta_evaluation(window)
    window.open(tags, 17)
    result["studies"] = run_studies(window)
    return result


def open_all_pages(window: MeasuredWindow, tags: str) -> float:
    """Show the Scores area and each of its pages for the first time, with their first computations."""
    window.shell.open_paths([tags])
    window.iterations.until(lambda: window.shell.areas.current == "inspect")
    shown = [partial(window.shell.show_area, "scores"), *(window.shell.commands[page.show].trigger for page in PAGES)]
    return max(window.longest(show) for show in shown)


def run_studies(window: MeasuredWindow) -> float:
    """Stop and restart each study of metrics, and show its tables and its chart."""
    area: Any = window.shell.area("scores")
    area.pages.show_page("studies")
    page = area.pages.page("studies")
    page.services["sampling"].set_study_options(StudyOptions(errors="5 5.01 5.05 5.1 5.2"))
    window.iterations.take_longest()
    times = []
    for name, service in page.services.items():
        page.show_study(name)
        window.settle()
        service.run()
        window.iterations.until(lambda service=service: service.progress > 0)
        service.cancel()
        window.iterations.until(lambda service=service: service.state in ("waiting", "ready"))
        service.run()
        window.iterations.until(lambda service=service: service.state == "ready" and not service.is_outdated)
        times.append(window.iterations.take_longest())
        times += [window.longest(partial(page.views.show_view, view)) for view in STUDY_VIEWS]
    return max(times)


def run_meta_evaluation(window: MeasuredWindow) -> float:
    """Stop and restart a meta-evaluation, then show each of its views, statistics and significance levels."""
    area: Any = window.shell.area("scores")
    area.pages.show_page("people")
    page = area.pages.page("people")
    service, views = page.service, page.views
    window.iterations.take_longest()
    service.run()
    window.iterations.until(lambda: service.progress > 0)
    service.cancel()
    window.iterations.until(lambda: service.state == "waiting")
    service.run()
    window.iterations.until(lambda: service.state == "ready")
    window.settle()
    times = [window.iterations.take_longest()]
    times += [window.longest(partial(views.show_view, name)) for name in VIEWS]
    times += [window.longest(partial(service.set_statistic, statistic.name)) for statistic in AGREEMENT_STATISTICS]
    times.append(window.longest(partial(window.service.set_options, replace(window.service.options, alpha=0.02))))
    times.append(window.longest(partial(page.show_picture, page.view.cells.index(1, 1))))
    return max(times)


def compare_every_metric(window: MeasuredWindow) -> float:
    """Compare by each translation metric in turn, and cancel one comparison."""
    service = window.service
    longest = compare_by(window, "TER")
    for metric in window.joined.workspace.level.metrics:
        service.set_metric(metric)
        service.run()
        window.iterations.until(lambda metric=metric: service.state == "ready" and metric in service.result.metrics)
        longest = max(longest, window.iterations.take_longest())
    return longest


def compare_by(window: MeasuredWindow, metric: str) -> float:
    """Run the resampling tests of a metric, then cancel another run."""
    service, progress_values = window.service, list[float]()
    service.progressed.connect(lambda: progress_values.append(service.progress))
    window.iterations.take_longest()
    service.set_metric(metric)
    service.run()
    window.iterations.until(lambda: service.state == "ready" and metric in service.result.metrics)
    assert any(0 < progress < 1 for progress in progress_values), "no progress was shown"
    longest = window.iterations.take_longest()
    service.run()
    window.iterations.until(lambda: service.progress > 0)
    service.cancel()
    window.iterations.until(lambda: service.state == "waiting")
    window.iterations.take_longest()
    return longest


def compute_findings(window: MeasuredWindow, task: str) -> float:
    """Compute the table of all metrics for a folder."""
    service = window.joined.findings.folder_service
    window.joined.findings.read(Path(task))
    window.iterations.until(lambda: service.state == "ready")
    return window.iterations.take_longest()


def change_significance_options(window: MeasuredWindow, task: str) -> float:
    """Change the correction and alpha for the table of many systems, pairs and metrics."""
    from qe_desktop.metrics import WORD_METRICS

    service = window.joined.findings.folder_service
    window.shell.settings.columns = {"scores": list(WORD_METRICS)[:7]}
    window.service.set_options(replace(window.service.options, rounds=FEW_ROUNDS))
    window.settle()
    compute_findings(window, task)
    assert [len(service.result.metrics), len(service.result.findings.pairs)] == [7, 8]
    options = [replace(window.service.options, correction="holm", alpha=alpha) for alpha in ALPHAS]
    shortest = window.smallest(*(partial(window.service.set_options, changed) for changed in options))
    assert service.result.findings.options.alpha == ALPHAS[-1]
    return shortest


def show_each_chart(window: MeasuredWindow) -> float:
    """Show each chart for the first time."""
    area: Any = window.shell.area("scores")
    area.pages.show_page("systems")
    gallery = area.systems.gallery
    tabs = [index for index in range(gallery.count()) if gallery.isTabVisible(index)]
    assert len(tabs) > 3
    times = [window.longest(partial(gallery.setCurrentIndex, index)) for index in (*tabs[1:], tabs[0])]
    shown = gallery.current_plot()
    assert shown is not None
    assert shown.plot is not None
    return max(times)


def change_theme(window: MeasuredWindow) -> float:
    """Change the theme while a matrix of many systems is visible."""
    from qe_desktop.ui import theme

    return window.smallest(*(partial(theme.apply, window.app, name) for name in ("dark", "light", "contrast", "light")))


if __name__ == "__main__":
    print_measurements(measure, *sys.argv[1:])
