"""Current state that results from a rater's events: values, time, undo and redo.

Events are append-only. Undo and redo are events too. The history is therefore the same after a restart, and on all
devices of a rater that have the same events.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass, field
from operator import attrgetter

COMMENT, SKIP, RANKS, REVEAL, SEEN, PROFILE = "comment", "skip", "ranks", "reveal", "seen", "profile"
"""Values of `RatingEvent.field` that are not scales."""


class RatingAction(enum.StrEnum):
    """Effect of an event: a new value, or the undo or redo of an earlier event."""

    RATE = "rate"
    UNDO = "undo"
    REDO = "redo"


EventValue = float | str | tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class RatingEvent:
    """Action of a rater; events are append-only.

    `field` is a scale ("adequacy", "fluency", "score"), "ranks" (`value`: the rank of each output in the order shown, 0
    if unranked), "skip" (`value`: the reason; empty cancels the skip), "comment", "reveal" (the source or reference was
    revealed), "seen" (the screen was left; only time counts), or, without a screen, "profile" (JSON text of languages
    and expertise). `seconds` is the active time since the screen was shown or since its previous event, whichever is
    later. For UNDO and REDO, `refers` is the uid of the affected event, and `screen` and `field` are those of that
    event. `at` is Unix time.
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
"""Maximum seconds between two comment events that are merged; without merging, undo would remove single letters."""
EVENT_ORDER_KEY = attrgetter("at", "uid")
"""Sort key of events: time, then uid."""
# stored, because access to the members of an enum is the slowest part of processing an event
_RATE, _UNDO = RatingAction.RATE, RatingAction.UNDO


def sort_events(events: Iterable[RatingEvent]) -> list[RatingEvent]:
    """Return the events sorted by time, then by uid, without duplicate uids; the order is deterministic."""
    return sorted({event.uid: event for event in events}.values(), key=EVENT_ORDER_KEY)


def group_by_rater(events: Iterable[RatingEvent]) -> dict[str, list[RatingEvent]]:
    """Group the events by rater, and apply `sort_events` to the events of each rater."""
    by_rater: dict[str, list[RatingEvent]] = {}
    for event in events:
        by_rater.setdefault(event.rater, []).append(event)
    return {rater: sort_events(rater_events) for rater, rater_events in by_rater.items()}


@dataclass(slots=True, eq=False)
class JudgementStep:
    """Judgement that counts until it is undone; `after_reveal` is true if the judgement followed a reveal."""

    event: RatingEvent
    after_reveal: bool


@dataclass(slots=True, eq=False)
class ScreenState:
    """State of one screen: judgements and comments in order, start (Unix time), and active time in seconds.

    `revealed` states whether the source or reference was revealed.
    """

    started_at: float
    seconds: float = 0.0
    revealed: bool = False
    steps: list[JudgementStep] = field(default_factory=list)
    comments: list[JudgementStep] = field(default_factory=list)

    def judgements_of(self, name: str) -> list[JudgementStep]:
        """Return the list that contains the judgements of a field: `comments` for comments, otherwise `steps`."""
        return self.comments if name == COMMENT else self.steps

    def step(self, name: str) -> JudgementStep | None:
        """Current judgement of a field; None if the field has no judgement."""
        return next((step for step in reversed(self.judgements_of(name)) if step.event.field == name), None)

    def value(self, name: str) -> EventValue:
        """Current value of a field; None if the field has no value."""
        # a loop, which is faster than `step`, because this method is called for every event
        for step in reversed(self.comments if name == COMMENT else self.steps):
            if step.event.field == name:
                return step.event.value
        return None

    @property
    def skip_reason(self) -> str:
        """Reason why the screen is skipped; empty if it is not skipped. A later judgement cancels a skip."""
        if not self.steps or self.steps[-1].event.field != SKIP:
            return ""
        return str(self.steps[-1].event.value or "")

    def values(self) -> dict[str, EventValue]:
        """Current values by field; fields whose value is empty are left out."""
        current = {step.event.field: step.event.value for step in (*self.steps, *self.comments)}
        current[SKIP] = self.skip_reason
        return {name: value for name, value in current.items() if value not in (None, "")}


class EventHistory:
    """State that results from events. It is changed only by `apply`, which must receive the events in order."""

    def __init__(self, events: Iterable[RatingEvent] = ()) -> None:
        self.screens: dict[str, ScreenState] = {}
        self.profile: RatingEvent | None = None
        self._active_steps: dict[str, JudgementStep] = {}
        self._undone: dict[str, JudgementStep] = {}
        self._redo: list[str] = []
        self._open_comment: JudgementStep | None = None
        for event in events:
            self.apply(event)

    @property
    def undoable_event(self) -> RatingEvent | None:
        """Event that undo would revert; None if there is none."""
        return next(reversed(self._active_steps.values())).event if self._active_steps else None

    @property
    def redoable_event(self) -> RatingEvent | None:
        """Event that redo would restore; None if there is none."""
        return self._undone[self._redo[-1]].event if self._redo else None

    def apply(self, event: RatingEvent) -> None:
        """Apply an event, which must follow all applied events in the order of `EVENT_ORDER_KEY`."""
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
        if _is_redundant(event, state):
            return
        step = JudgementStep(event, state.revealed)
        previous, self._open_comment = self._open_comment, None
        self._redo.clear()
        if event.field == COMMENT:
            if previous is not None and _continues(previous.event, event):
                state.comments.pop()
                self._active_steps.pop(previous.event.uid, None)
                if _is_redundant(event, state):
                    return
            self._open_comment = step
        state.judgements_of(event.field).append(step)
        self._active_steps[event.uid] = step

    def _undo(self, uid: str, state: ScreenState) -> None:
        self._open_comment = None
        step = self._active_steps.get(uid)
        # an undo reverts only judgements of its own screen
        if step is None or step not in state.judgements_of(step.event.field):
            return
        del self._active_steps[uid]
        state.judgements_of(step.event.field).remove(step)
        self._undone[uid] = step
        self._redo.append(uid)

    def _redo_step(self, uid: str, state: ScreenState) -> None:
        self._open_comment = None
        step = self._undone.get(uid)
        if step is None or self.screens[step.event.screen] is not state:
            return
        del self._undone[uid]
        state.judgements_of(step.event.field).append(step)
        self._active_steps[uid] = step
        if uid in self._redo:
            self._redo.remove(uid)


def _is_redundant(event: RatingEvent, state: ScreenState) -> bool:
    """Return whether an event repeats the current value; undoing such an event would have no visible effect."""
    if event.field == SKIP:
        return str(event.value or "") == state.skip_reason
    if event.field == COMMENT:
        return str(event.value or "") == str(state.value(COMMENT) or "")
    return event.value == state.value(event.field) and not state.skip_reason


def _continues(previous: RatingEvent, after: RatingEvent) -> bool:
    return previous.screen == after.screen and after.at - previous.at <= COMMENT_MERGE_SECONDS
