"""What is known of the work on segments, and what may be done to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import VisitRow


class SegmentTimes:
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


def stored_target(view: View, segment: int, line: str) -> str | None:
    """What the session is given for a target: nothing where it is as it was loaded."""
    return None if line == view.corpus.target_line(segment) else line


def warn_if_locked(say: Callable[[str], object], view: View, segment: int) -> bool:
    """Whether a segment is locked; then say so, and what can be done."""
    locked = view.status(segment) is ReviewStatus.LOCKED
    if locked:
        text = tr(
            "Segment {number:,} is locked in its file: unlock it in your translation program, and F6 writes a note",
            number=segment + 1,
        )
        say(text)
    return locked
