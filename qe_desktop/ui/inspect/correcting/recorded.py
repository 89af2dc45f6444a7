"""What is known of the work on segments, and what may be done to them."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.corpus import QeError, Status, View
from qe_desktop.project.events import VisitRow
from qe_desktop.wording import tr


class Seconds:
    """The time of work that was recorded, by segment; visits are added up once."""

    def __init__(self) -> None:
        self._of: dict[int, float] = {}
        self._heard = 0

    def hear(self, visits: Sequence[VisitRow]) -> None:
        """Take over what was recorded since; `visits` are all, in their order."""
        for row in visits[self._heard :]:
            self._of[row.segment] = self._of.get(row.segment, 0.0) + row.visit.seconds
        self._heard = len(visits)

    def of(self, segment: int) -> float:
        """The seconds of work on a segment."""
        return self._of.get(segment, 0.0)


def given(view: View, segment: int, line: str) -> str | None:
    """What the session is given for a target: nothing where it is as it was loaded."""
    return None if line == view.corpus.mt_line(segment) else line


def refuse_locked(view: View, segment: int) -> None:
    """A QeError where a segment is locked."""
    if view.status(segment) is Status.LOCKED:
        message = tr("segment {number:,} is locked, and its target may not change", number=segment + 1)
        raise QeError(message, hint=tr("Unlock it in your translation program; a note can be written here."))
