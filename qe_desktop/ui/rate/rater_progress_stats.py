"""Progress of a rater: counts and pace."""

from __future__ import annotations

from bisect import bisect_left, insort
from statistics import median

from qe_desktop.ratings.rater_session import RaterSession, ScreenStatus


class RaterProgressStats:
    """Median active time and item counts by status of a rater, updated incrementally; training items are excluded."""

    def __init__(self, work: RaterSession) -> None:
        self._work = work
        self._status: dict[str, ScreenStatus] = {}
        self._spent: dict[str, float] = {}
        self._seconds: list[float] = []
        self.counts: dict[ScreenStatus, int] = {}
        """Number of items by status."""
        self.rebuild()

    @property
    def median_seconds(self) -> float | None:
        """Median active time of done items in seconds; None if no done item has a recorded time."""
        return median(self._seconds) if self._seconds else None

    def rebuild(self) -> None:
        """Recount all items."""
        self._status = {screen.uid: ScreenStatus.OPEN for screen in self._work.screens if not screen.training}
        self.counts = dict.fromkeys(ScreenStatus, 0)
        self.counts[ScreenStatus.OPEN] = len(self._status)
        self._spent, self._seconds = {}, []
        for uid in self._status:
            self.refresh(uid)

    def refresh(self, uid: str) -> None:
        """Update the counts and times after an item changed; a training item is ignored."""
        before = self._status.get(uid)
        if before is None:
            return
        now = self._status[uid] = self._work.status(uid)
        self.counts[before] -= 1
        self.counts[now] += 1
        old_seconds = self._spent.pop(uid, None)
        if old_seconds is not None:
            del self._seconds[bisect_left(self._seconds, old_seconds)]
        seconds = self._work.seconds(uid)
        if now is ScreenStatus.DONE and seconds > 0:
            self._spent[uid] = seconds
            insort(self._seconds, seconds)
