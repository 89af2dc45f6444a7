"""Imports what is looked at later while the window has nothing else to do, so that no first look waits for it."""

from __future__ import annotations

from PySide6.QtCore import QObject

from qe_desktop.ui.import_plan import ImportPlan
from qe_desktop.ui.jobs import Jobs, Progress
from qe_desktop.ui.parts.in_turns import InTurns, Turns
from qe_desktop.ui.scores.needed import imported
from qe_desktop.wording import tr

WAIT = 100
"""Milliseconds after which it is looked again whether something is still being done."""
LAST = (
    "qe_desktop.ui.rate.area", "qe_desktop.ui.campaigns.pages",
    "qe_desktop.ui.shell.help_sheet", "qe_desktop.ui.shell.command_palette", "qe_desktop.ui.preferences",
)  # fmt: skip
"""What is imported after the pages of scores: people and help are looked at later."""


def import_ahead(jobs: Jobs, parent: QObject) -> InTurns:
    """Begin as soon as nothing is being done, and go on whenever nothing else is."""
    return InTurns(_idly(jobs), parent)


def _idly(jobs: Jobs) -> Turns:
    rest = _imported(jobs)
    own = False
    while True:
        while not own and not jobs.idle():
            yield WAIT
        pause = next(rest, None)
        if pause is None:
            return
        # what runs is its own import on another thread
        own = pause > 0
        yield pause


def _imported(jobs: Jobs) -> Turns:
    yield from imported(jobs)
    plans: list[ImportPlan] = []

    def import_below(progress: Progress) -> None:
        plan = ImportPlan(*LAST)
        plan.import_below(progress.check)
        plans.append(plan)

    job = jobs.submit(tr("Getting ready"), import_below)
    while job.future is not None and not job.future.done():
        yield WAIT
    for plan in plans:
        for _ in plan.import_window():
            yield 0
