"""Editing times of segments, targets to store, and warnings about locked segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import VisitRow


class SegmentTimes:
    """Recorded editing time per segment; each visit is added once."""

    def __init__(self) -> None:
        self._seconds: dict[int, float] = {}
        self._counted = 0

    def hear(self, visits: Sequence[VisitRow]) -> None:
        """Add the visits recorded since the last call; `visits` are all, in order."""
        for row in visits[self._counted :]:
            self._seconds[row.segment] = self._seconds.get(row.segment, 0.0) + row.visit.seconds
        self._counted = len(visits)

    def of(self, segment: int) -> float:
        """Return the editing time of a segment in seconds."""
        return self._seconds.get(segment, 0.0)


def stored_target(view: View, segment: int, line: str) -> str | None:
    """Return the target to store in the session; None if it equals the target as loaded."""
    return None if line == view.corpus.target_line(segment) else line


def warn_if_locked(say: Callable[[str], object], view: View, segment: int) -> bool:
    """Return whether a segment is locked; if so, show a message."""
    locked = view.status(segment) is ReviewStatus.LOCKED
    if locked:
        text = tr(
            "Segment {number:,} is locked in its file. Unlock it in your CAT tool. You can still write a note (F6).",
            number=segment + 1,
        )
        say(text)
    return locked
