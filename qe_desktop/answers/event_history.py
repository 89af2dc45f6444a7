"""A rater's events folded into what holds now: values, time, and what can be undone or done again.

Events are only ever added. Undoing and redoing are events, too, so the same history comes back after a restart, and two
devices of one rater that have seen the same events agree.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import attrgetter

COMMENT, SKIP, RANKS, REVEAL, SEEN, PROFILE = "comment", "skip", "ranks", "reveal", "seen", "profile"
"""Fields of events that are no scale; see `RatingEvent`."""


class RatingAction(enum.StrEnum):
    """What an event does."""

    RATE = "rate"
    UNDO = "undo"
    REDO = "redo"


EventValue = float | str | tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class RatingEvent:
    """One thing that a rater did; events are only ever added.

    `field` is a scale ("adequacy", "fluency", "score"), "ranks" (`value`: a rank of each output of the screen, in the
    order shown, 0 for one that has none yet), "skip" (`value`: the reason; empty takes the skip back), "comment",
    "reveal" (the source came into view), "seen" (the screen was left; only time counts), or, with no screen, "profile"
    (JSON text of languages and expertise). `seconds` is active time since the screen was shown or since its last
    event, idle time left out. UNDO and REDO name in `refers` the event they take back or bring again, and repeat its
    screen and field. `at` is Unix time.
    """

    uid: str
    campaign: str
    screen: str
    rater: str
    at: float
    field: str
    value: EventValue = None
    seconds: float = 0.0
    action: RatingAction = RatingAction.RATE
    refers: str = ""


COMMENT_MERGE_SECONDS = 30.0
"""Seconds within which one comment event goes on with the one before: undo takes back both, not single letters."""
EVENT_ORDER_KEY = attrgetter("at", "uid")
"""What events are ordered by."""
# members are looked up once: it costs more than all else that is asked of an event
_RATE, _UNDO = RatingAction.RATE, RatingAction.UNDO


def sort_events(events: Iterable[RatingEvent]) -> list[RatingEvent]:
    """Events by time, each uid once; those of the same moment by uid, so that the order is the same everywhere."""
    return sorted({event.uid: event for event in events}.values(), key=EVENT_ORDER_KEY)


def group_by_rater(events: Iterable[RatingEvent]) -> dict[str, list[RatingEvent]]:
    """Each rater's events in their order."""
    apart: dict[str, list[RatingEvent]] = {}
    for event in events:
        apart.setdefault(event.rater, []).append(event)
    return {rater: sort_events(own) for rater, own in apart.items()}


@dataclass(slots=True, eq=False)
class JudgementStep:
    """A judgement that holds until it is undone; `after_reveal`: given with the source or reference in view."""

    event: RatingEvent
    after_reveal: bool


@dataclass(slots=True, eq=False)
class ScreenState:
    """What holds for one screen: its judgements in the order given, comments, active seconds, and when it began."""

    began: float
    seconds: float = 0.0
    revealed: bool = False
    steps: list[JudgementStep] = field(default_factory=list)
    comments: list[JudgementStep] = field(default_factory=list)

    def of(self, name: str) -> list[JudgementStep]:
        """Where a field's judgements stand: comments apart from all others."""
        return self.comments if name == COMMENT else self.steps

    def step(self, name: str) -> JudgementStep | None:
        """The judgement that holds for a field."""
        return next((step for step in reversed(self.of(name)) if step.event.field == name), None)

    def value(self, name: str) -> EventValue:
        """The value that holds for a field, None where there is none."""
        # a loop, because this is asked of every event
        for step in reversed(self.comments if name == COMMENT else self.steps):
            if step.event.field == name:
                return step.event.value
        return None

    @property
    def skipped(self) -> str:
        """The reason for which the screen is skipped; empty where it is not. A later judgement takes a skip back."""
        if not self.steps or self.steps[-1].event.field != SKIP:
            return ""
        return str(self.steps[-1].event.value or "")

    def values(self) -> dict[str, EventValue]:
        """All that holds, by field."""
        held = {step.event.field: step.event.value for step in (*self.steps, *self.comments)}
        held[SKIP] = self.skipped
        return {name: value for name, value in held.items() if value not in (None, "")}


class EventHistory:
    """The fold. `apply` takes events in their order; nothing else changes it."""

    def __init__(self, events: Iterable[RatingEvent] = ()) -> None:
        self.screens: dict[str, ScreenState] = {}
        self.profile: RatingEvent | None = None
        self._done: dict[str, JudgementStep] = {}
        self._taken_back: dict[str, JudgementStep] = {}
        self._redo: list[str] = []
        self._open_comment: JudgementStep | None = None
        for event in events:
            self.apply(event)

    @property
    def undoable(self) -> RatingEvent | None:
        """What undo would take back."""
        return next(reversed(self._done.values())).event if self._done else None

    @property
    def redoable(self) -> RatingEvent | None:
        """What redo would bring again."""
        return self._taken_back[self._redo[-1]].event if self._redo else None

    def apply(self, event: RatingEvent) -> None:
        """Fold one more event in, which comes after all before it."""
        if event.field == PROFILE:
            self.profile = event
            return
        state = self.screens.get(event.screen)
        if state is None:
            state = self.screens[event.screen] = ScreenState(event.at - event.seconds)
        state.seconds += event.seconds
        if event.action != _RATE:
            (self._undo if event.action == _UNDO else self._redo_step)(event.refers, state)
        elif event.field == REVEAL:
            state.revealed = True
        elif event.field == SEEN:
            self._open_comment = None
        else:
            self._judge(event, state)

    def _judge(self, event: RatingEvent, state: ScreenState) -> None:
        if _says_nothing_new(event, state):
            return
        step = JudgementStep(event, state.revealed)
        before, self._open_comment = self._open_comment, None
        self._redo.clear()
        if event.field == COMMENT:
            if before is not None and _goes_on(before.event, event):
                state.comments.pop()
                self._done.pop(before.event.uid, None)
                if _says_nothing_new(event, state):
                    return
            self._open_comment = step
        state.of(event.field).append(step)
        self._done[event.uid] = step

    def _undo(self, uid: str, state: ScreenState) -> None:
        self._open_comment = None
        step = self._done.get(uid)
        # an undo takes back what was said of its own screen
        if step is None or step not in state.of(step.event.field):
            return
        del self._done[uid]
        state.of(step.event.field).remove(step)
        self._taken_back[uid] = step
        self._redo.append(uid)

    def _redo_step(self, uid: str, state: ScreenState) -> None:
        self._open_comment = None
        step = self._taken_back.get(uid)
        if step is None or self.screens[step.event.screen] is not state:
            return
        del self._taken_back[uid]
        state.of(step.event.field).append(step)
        self._done[uid] = step
        if uid in self._redo:
            self._redo.remove(uid)


def _says_nothing_new(event: RatingEvent, state: ScreenState) -> bool:
    """Whether the event gives a value that holds already, so that undoing it would seem to do nothing."""
    if event.field == SKIP:
        return str(event.value or "") == state.skipped
    if event.field == COMMENT:
        return str(event.value or "") == str(state.value(COMMENT) or "")
    return event.value == state.value(event.field) and not state.skipped


def _goes_on(before: RatingEvent, after: RatingEvent) -> bool:
    return before.screen == after.screen and after.at - before.at <= COMMENT_MERGE_SECONDS
