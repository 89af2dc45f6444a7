"""Preloading of modules while the window is idle, so that pages open without delay."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module

from PySide6.QtCore import QObject

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.jobs import JobRunner, Progress
from qe_desktop.ui.startup.incremental_task import IncrementalTask, TaskSteps
from qe_desktop.ui.startup.module_import_plan import ImportPlan

CORE_MODULES = (
    "qe_desktop.formats.ratings", "qe_desktop.levels.findings", "qe_desktop.levels.shared_task",
    "qe_desktop.project.campaign_views", "qe_desktop.report.findings", "qe_desktop.report.meta_evaluation",
    "qe_desktop.report.post_editing", "qe_desktop.studies.meta_eval.meta_eval_inputs", "qe_desktop.studies.charts",
)  # fmt: skip
"""Modules without widgets, imported on another thread; the pages of the Scores area depend on these modules."""
AREA_MODULES = ("plot_tabs", "systems_page", "scores_controller")
PAGE_MODULES = (
    "area", "page_registry", "findings.findings_controller", "meta_evaluation.meta_evaluation_controller",
    "studies.studies_controller", "post_editing.post_editing_controller", "findings.findings_page",
    "meta_evaluation.meta_evaluation_tabs", "meta_evaluation.meta_evaluation_page", "studies.study_tabs",
    "studies.studies_page", "post_editing.post_editing_page",
)  # fmt: skip
"""Modules of the Scores area imported after `CORE_MODULES`, one per event-loop iteration on the GUI thread."""
IMPORT_POLL_MS = 10
"""Milliseconds between checks of whether the import of `CORE_MODULES` has finished."""


def import_core(jobs: JobRunner) -> TaskSteps:
    """Import `CORE_MODULES` on another thread; yield `IMPORT_POLL_MS` until the import has finished."""
    if all(name in sys.modules for name in CORE_MODULES):
        return
    job = jobs.submit(tr("Loading"), _import_core_modules)
    while job.future is not None and not job.future.done():
        yield IMPORT_POLL_MS


def import_pages(jobs: JobRunner) -> TaskSteps:
    """Incrementally import `AREA_MODULES`, `CORE_MODULES` and `PAGE_MODULES`, in this order."""
    yield from import_area()
    yield from import_core(jobs)
    yield from _import_steps(PAGE_MODULES)


def import_area() -> TaskSteps:
    """Incrementally import `AREA_MODULES`, which are needed to build the Scores area."""
    return _import_steps(AREA_MODULES)


def _import_steps(names: Iterable[str]) -> TaskSteps:
    package = "qe_desktop.ui.scores"
    for name in names:
        if f"{package}.{name}" not in sys.modules:
            import_module(f"{package}.{name}")
            yield 0


def _import_core_modules(progress: Progress) -> None:
    for name in CORE_MODULES:
        progress.check()
        import_module(name)


IDLE_POLL_MS = 100
"""Milliseconds between checks of whether jobs are running."""
LAST_PRELOADED = (
    "qe_desktop.ui.rate.area", "qe_desktop.ui.campaigns.campaign_controller",
    "qe_desktop.ui.shell.help_dialog", "qe_desktop.ui.shell.command_palette", "qe_desktop.ui.preferences_dialog",
)  # fmt: skip
"""Modules that are imported after the pages of the Scores area: ratings, help and dialogs."""


def preload_modules(jobs: JobRunner, parent: QObject) -> IncrementalTask:
    """Start and return a task that imports modules whenever no jobs are running."""
    return IncrementalTask(_preload_when_idle(jobs), parent)


def _preload_when_idle(jobs: JobRunner) -> TaskSteps:
    steps = _preload_steps(jobs)
    is_importing = False
    while True:
        while not is_importing and not jobs.is_idle():
            yield IDLE_POLL_MS
        pause = next(steps, None)
        if pause is None:
            return
        # the running job is the task's own import on another thread
        is_importing = pause > 0
        yield pause


def _preload_steps(jobs: JobRunner) -> TaskSteps:
    yield from import_pages(jobs)
    plans: list[ImportPlan] = []

    def import_below(progress: Progress) -> None:
        plan = ImportPlan(*LAST_PRELOADED)
        plan.import_below(progress.check)
        plans.append(plan)

    job = jobs.submit(tr("Loading"), import_below)
    while job.future is not None and not job.future.done():
        yield IDLE_POLL_MS
    for plan in plans:
        for _ in plan.import_window():
            yield 0
