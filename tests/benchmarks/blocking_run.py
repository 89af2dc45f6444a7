"""Compares systems in the real window and prints how long it was kept from answering, as JSON; in a process of its own.

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
from qe_desktop.ui.scores.meta_evaluation.commands import VIEWS
from qe_desktop.ui.scores.page_registry import PAGES
from qe_desktop.ui.scores.studies.commands import VIEWS as STUDY_VIEWS
from qe_desktop.ui.scores.studies.study import StudyOptions
from qe_desktop.ui.shell.window import Shell
from qe_desktop.ui.widgets.lazy_stack import LazyStackedWidget
from tests.benchmarks.waiting import until
from tests.benchmarks.whole_window import by_the_clock, print_measured

ALPHAS = (0.01, 0.02, 0.04)
FEW_ROUNDS = 1_000
AT_REST = 0.001
"""Seconds of sleep between turns that are watched by the clock, which nothing else could tell from waiting in one."""
QUIET = 12
"""Turns without work beside the window after which all is painted that is painted piece by piece."""


class Turns:
    """Waits as `until` does, and knows the longest turn of the event loop since it was asked last.

    In processor time of the window's thread, which is asleep while nothing happens: what others do does not count. By
    the clock, where that is asked for, with all that it waits for in its turns: jobs that compute, and the machine.
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

        if by_the_clock():
            self._watch(holds)
        else:
            self._begun = time.thread_time()
            until(held)

    def _watch(self, holds: Callable[[], bool]) -> None:
        def held() -> bool:
            begun = time.perf_counter()
            QApplication.processEvents()
            self._longest = max(self._longest, time.perf_counter() - begun)
            return holds()

        until(held, asleep=AT_REST)

    def since(self) -> float:
        """The longest since this was asked last."""
        longest, self._longest = self._longest, 0.0
        return longest


class Window:
    """The real window, and the longest turn of its thread."""

    def __init__(self, app: QApplication, shell: Shell, joined: MainController) -> None:
        self.app, self.shell, self.joined = app, shell, joined
        self.service = joined.comparison
        self.turns = Turns()

    def open(self, scores: str, systems: int) -> None:
        """Open scores, have them compared, and the area painted for the first time."""
        # what is opened beside something else is asked about
        self.joined.workspace.close()
        self.shell.open_paths([scores])
        service = self.service
        self.turns.until(lambda: service.state == "ready" and len(service.scores.layers) == systems)
        self.shell.show_area("scores")
        self.settle()

    def settle(self) -> None:
        """Wait until nothing is computed, and all is painted."""
        quiet = iter(range(QUIET))
        self.turns.until(lambda: self._waits() and next(quiet, None) is None)

    def _waits(self) -> bool:
        stacks = self.shell.findChildren(LazyStackedWidget)
        return self.shell.jobs.idle() and not any(stack.building for stack in stacks)

    def longest(self, work: Callable[[], object]) -> float:
        """The longest turn until all is painted that follows from some work, which is done as by a click."""
        self.settle()
        self.turns.since()
        now = time.perf_counter if by_the_clock() else time.thread_time
        begun = now()
        work()
        self.app.processEvents()
        first = now() - begun
        self.settle()
        return max(first, self.turns.since())

    def least(self, *works: Callable[[], object]) -> float:
        """The same of several that are alike."""
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
    window = Window(app, shell, joined)
    found = {"pages": first_looks(window, tags)}
    window.open(scores, 17)
    found |= {"compare": compared(window, "MAE"), "findings": computed(window, task)}
    found["findings judged"] = judged(window, many_task)
    window.open(many_scores, 40)
    found["pictures"] = first_seen(window)
    options = [replace(window.service.options, alpha=alpha) for alpha in ALPHAS]
    found["matrix judged"] = window.least(*(partial(window.service.set_options, other) for other in options))
    found["theme"] = themed(window)
    window.open(texts, 4)
    found["translations"] = every_metric(window)
    found["metrics and people"] = beside_people(window)
    window.open(tags, 17)
    found["studies"] = studied(window)
    return found


def first_looks(window: Window, tags: str) -> float:
    """The Scores area and each of its pages, seen for the first time, with what they compute at once."""
    window.shell.open_paths([tags])
    window.turns.until(lambda: window.shell.areas.current == "inspect")
    shown = [partial(window.shell.show_area, "scores"), *(window.shell.commands[page.show].trigger for page in PAGES)]
    return max(window.longest(show) for show in shown)


def studied(window: Window) -> float:
    """Each study of metrics, which is stopped and made again, with its tables and its picture."""
    area: Any = window.shell.area("scores")
    area.pages.show_page("studies")
    page = area.pages.page("studies")
    page.services["sampling"].set_wish(StudyOptions(errors="5 5.01 5.05 5.1 5.2"))
    window.turns.since()
    found = []
    for name, service in page.services.items():
        page.show_study(name)
        window.settle()
        service.run()
        window.turns.until(lambda service=service: service.progress > 0)
        service.cancel()
        window.turns.until(lambda service=service: service.state in ("waiting", "ready"))
        service.run()
        window.turns.until(lambda service=service: service.state == "ready" and not service.late)
        found.append(window.turns.since())
        found += [window.longest(partial(page.views.show_view, view)) for view in STUDY_VIEWS]
    return max(found)


def beside_people(window: Window) -> float:
    """A study of metrics and people, stopped and made again; then each of its views, orders and judgements."""
    area: Any = window.shell.area("scores")
    area.pages.show_page("people")
    page = area.pages.page("people")
    service, views = page.service, page.views
    window.turns.since()
    service.run()
    window.turns.until(lambda: service.progress > 0)
    service.cancel()
    window.turns.until(lambda: service.state == "waiting")
    service.run()
    window.turns.until(lambda: service.state == "ready")
    window.settle()
    found = [window.turns.since()]
    found += [window.longest(partial(views.show_view, name)) for name in VIEWS]
    found += [window.longest(partial(service.set_figure, one.name)) for one in AGREEMENT_STATISTICS]
    found.append(window.longest(partial(window.service.set_options, replace(window.service.options, alpha=0.02))))
    found.append(window.longest(partial(page.show_picture, page.view.cells.index(1, 1))))
    return max(found)


def every_metric(window: Window) -> float:
    """All metrics of translations, one after the other, of which one is cancelled."""
    service = window.service
    longest = compared(window, "TER")
    for metric in window.joined.workspace.level.metrics:
        service.set_metric(metric)
        service.run()
        window.turns.until(lambda metric=metric: service.state == "ready" and metric in service.result.metrics)
        longest = max(longest, window.turns.since())
    return longest


def compared(window: Window, metric: str) -> float:
    """Tests by a metric whose test draws, and their cancelling."""
    service, told = window.service, list[float]()
    service.changed.connect(lambda: told.append(service.progress))
    window.turns.since()
    service.set_metric(metric)
    service.run()
    window.turns.until(lambda: service.state == "ready" and metric in service.result.metrics)
    assert any(0 < progress < 1 for progress in told), "no progress was shown"
    found = window.turns.since()
    service.run()
    window.turns.until(lambda: service.progress > 0)
    service.cancel()
    window.turns.until(lambda: service.state == "waiting")
    window.turns.since()
    return found


def computed(window: Window, task: str) -> float:
    """The findings of a folder."""
    service = window.joined.findings.of_folder
    window.joined.findings.read(Path(task))
    window.turns.until(lambda: service.state == "ready")
    return window.turns.since()


def judged(window: Window, task: str) -> float:
    """Another correction and alpha for the findings of many systems, pairs and metrics."""
    from qe_desktop.metrics import WORD_METRICS

    service = window.joined.findings.of_folder
    window.shell.settings.columns = {"scores": list(WORD_METRICS)[:7]}
    window.service.set_options(replace(window.service.options, rounds=FEW_ROUNDS))
    window.settle()
    computed(window, task)
    assert [len(service.result.metrics), len(service.result.findings.pairs)] == [7, 8]
    options = [replace(window.service.options, correction="holm", alpha=alpha) for alpha in ALPHAS]
    least = window.least(*(partial(window.service.set_options, other) for other in options))
    assert service.result.findings.options.alpha == ALPHAS[-1]
    return least


def first_seen(window: Window) -> float:
    """Each picture when it is seen for the first time, of which there is one."""
    area: Any = window.shell.area("scores")
    area.pages.show_page("systems")
    gallery = area.systems.gallery
    tabs = [place for place in range(gallery.count()) if gallery.isTabVisible(place)]
    assert len(tabs) > 3
    found = [window.longest(partial(gallery.setCurrentIndex, place)) for place in (*tabs[1:], tabs[0])]
    place = gallery.place()
    assert place is not None
    assert place.plot is not None
    return max(found)


def themed(window: Window) -> float:
    """Another theme, with a matrix of many systems in view."""
    from qe_desktop.ui import theme

    return window.least(*(partial(theme.apply, window.app, name) for name in ("dark", "light", "contrast", "light")))


if __name__ == "__main__":
    print_measured(measure, *sys.argv[1:])
