"""What the Scores area and its pages import, so that it can be imported before they are looked at."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib import import_module

from qe_desktop.ui.jobs import Jobs, Progress
from qe_desktop.ui.parts.in_turns import Turns
from qe_desktop.wording import tr

BELOW = (
    "qe_desktop.formats.ratings", "qe_desktop.levels.findings", "qe_desktop.levels.folders",
    "qe_desktop.project.campaign_views", "qe_desktop.report.findings_files", "qe_desktop.report.humans",
    "qe_desktop.report.post_editing", "qe_desktop.studies.open_inputs", "qe_desktop.studies.pictures",
)  # fmt: skip
"""What the pages stand on; it knows no widgets, and is imported on another thread."""
AREA = ("gallery", "systems_page", "desk")
PAGES = (
    "area", "pages_joined", "findings.desk", "people.desk", "studies.desk", "post_editing.desk",
    "findings.page", "people.views", "people.page", "studies.views", "studies.page", "post_editing.page",
)  # fmt: skip
"""The area and its pages: each in a turn of the window's thread, on which Qt's classes are made."""
WAIT = 10
"""Milliseconds after which it is looked again whether the other thread is ready."""


def imported_below(jobs: Jobs) -> Turns:
    """Wait, in turns, until what the pages stand on is imported."""
    if all(name in sys.modules for name in BELOW):
        return
    job = jobs.submit(tr("Getting ready"), _import_below)
    while job.future is not None and not job.future.done():
        yield WAIT


def imported(jobs: Jobs) -> Turns:
    """Import all of it: on another thread what may be, and then a module a turn."""
    yield from area_imported()
    yield from imported_below(jobs)
    yield from _in_turns(PAGES)


def area_imported() -> Turns:
    """Import what the area itself is made of."""
    return _in_turns(AREA)


def _in_turns(names: Iterable[str]) -> Turns:
    here = __name__.rpartition(".")[0]
    for name in names:
        if f"{here}.{name}" not in sys.modules:
            import_module(f"{here}.{name}")
            yield 0


def _import_below(progress: Progress) -> None:
    for name in BELOW:
        progress.check()
        import_module(name)
