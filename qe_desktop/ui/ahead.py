"""Imports what is looked at later while the window has nothing else to do, so that no first look waits for it."""

from __future__ import annotations

from PySide6.QtCore import QObject

from qe_desktop.ui.jobs import Jobs
from qe_desktop.ui.parts.in_turns import InTurns, Turns
from qe_desktop.ui.scores.needed import imported

WAIT = 100
"""Milliseconds after which it is looked again whether something is still being done."""


def import_ahead(jobs: Jobs, parent: QObject) -> InTurns:
    """Begin as soon as nothing is being done, and go on whenever nothing else is."""
    return InTurns(_idly(jobs), parent)


def _idly(jobs: Jobs) -> Turns:
    rest = imported(jobs)
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
