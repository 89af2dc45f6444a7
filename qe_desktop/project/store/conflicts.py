"""Where the events of one rater in a project and in a file disagree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from qe_desktop.answers.events import PROFILE, REVEAL, SEEN, RatingEvent, Value
from qe_desktop.answers.history import History, ordered
from qe_desktop.wording import tr


@dataclass(frozen=True, slots=True)
class EventConflict:
    """One rater said different things of one item in two places that did not know each other.

    `segment` is that of the item, `field` a scale, "ranks", "skip" or "comment"; `ours` is what the project held,
    `theirs` what the file holds.
    """

    rater: str
    segment: int
    field: str
    ours: Value
    theirs: Value
    file: str

    @property
    def item(self) -> str:
        """The item in words."""
        return tr("segment {segment:,}", segment=self.segment + 1)

    def __str__(self) -> str:
        return tr(
            "{rater}, segment {segment:,}, {field}: {ours} here, {theirs} in {file}",
            rater=self.rater,
            segment=self.segment + 1,
            field=self.field,
            ours=_said(self.ours),
            theirs=_said(self.theirs),
            file=self.file,
        )


def event_conflicts(
    ours: Sequence[RatingEvent], theirs: Sequence[RatingEvent], file: str, segment: Callable[[str], int]
) -> list[EventConflict]:
    """Conflicts between what a project holds of one rater and what a file holds of the same; `segment` gives that of a
    screen.

    Where one of them holds all that the other does, it is simply newer. Else both went on without the other, and what
    both did something about is compared: what the project's events come to with what the file's come to.
    """
    mine, yours = {event.uid for event in ours}, {event.uid for event in theirs}
    touched = _touched(event for event in ours if event.uid not in yours)
    touched &= _touched(event for event in theirs if event.uid not in mine)
    if not touched:
        return []
    one, other = History(ordered(ours)).screens, History(ordered(theirs)).screens
    found = []
    for screen, field in sorted(touched):
        first = one[screen].values().get(field) if screen in one else None
        second = other[screen].values().get(field) if screen in other else None
        if first != second:
            found.append(EventConflict(ours[0].rater, segment(screen), field, first, second, file))
    return found


def _touched(events: Iterable[RatingEvent]) -> set[tuple[str, str]]:
    return {(event.screen, event.field) for event in events if event.field not in (SEEN, REVEAL, PROFILE)}


def _said(value: Value) -> str:
    if value is None:
        return tr("nothing")
    if isinstance(value, tuple):
        return " ".join(str(rank) for rank in value)
    return f"{value:g}" if isinstance(value, float | int) else f"“{value}”"
