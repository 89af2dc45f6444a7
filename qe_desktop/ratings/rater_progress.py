"""How far each rater of a campaign is: folded from the events, without Qt."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import median

from qe_desktop.answers.events import RatingEvent
from qe_desktop.answers.history import by_rater
from qe_desktop.ratings.campaign import Design, Screen
from qe_desktop.ratings.work import Work


@dataclass(frozen=True, slots=True)
class RaterProgress:
    """One rater. `done` counts items rated or skipped; times are None where there are none yet, `last` is Unix time.

    `left` is what the remaining items take in seconds, at the rater's own pace or at the protocol's.
    """

    rater: str
    done: int
    total: int
    skipped: int = 0
    comments: int = 0
    median_seconds: float | None = None
    spent: float = 0.0
    left: float = 0.0
    last: float | None = None

    @property
    def share(self) -> float:
        """How much is done, 0..1."""
        return self.done / self.total if self.total else 0.0


def progress_of_raters(design: Design, events: Iterable[RatingEvent]) -> list[RaterProgress]:
    """A row for each rater of a campaign, in the order of its list; then those who only have events."""
    screens: dict[str, list[Screen]] = {rater: [] for rater in design.campaign.raters}
    for screen in design.screens:
        screens.setdefault(screen.rater, []).append(screen)
    said = by_rater(events)
    for rater in said:
        screens.setdefault(rater, [])
    return [_row(design, rater, own, said.get(rater, [])) for rater, own in screens.items()]


def _row(design: Design, rater: str, screens: list[Screen], events: list[RatingEvent]) -> RaterProgress:
    work = Work(design.campaign, screens, (), (), events, rater=rater)
    done, total = work.progress()
    real = [screen.uid for screen in work.screens if not screen.training]
    rated = [seconds for uid in real if work.is_done(uid) and (seconds := work.seconds(uid)) > 0]
    middle = median(rated) if rated else None
    return RaterProgress(
        rater,
        done,
        total,
        skipped=sum(work.is_skipped(uid) for uid in real),
        comments=sum(bool(work.value(uid, "comment")) for uid in real),
        median_seconds=middle,
        spent=sum(work.seconds(screen.uid) for screen in work.screens),
        left=(total - done) * (middle if middle is not None else work.protocol.seconds),
        last=max((event.at for event in events), default=None),
    )
