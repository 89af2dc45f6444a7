"""One rater's work in a campaign: what to judge, what was said, what is missing; folded from events."""

from __future__ import annotations

import math
import time
import uuid
from collections.abc import Callable, Iterable, Sequence

from qe_desktop.answers.event_history import (
    COMMENT,
    EVENT_ORDER_KEY,
    PROFILE,
    REVEAL,
    SEEN,
    SKIP,
    EventHistory,
    EventValue,
    RatingAction,
    RatingEvent,
    ScreenState,
    sort_events,
)
from qe_desktop.answers.scale import ScaleAnswer
from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import Campaign, Output, Passage, Screen
from qe_desktop.ratings.event_validation import MAX_SECONDS, MAX_TEXT_CHARS, EventValidator, clean_text
from qe_desktop.ratings.protocols import get_protocol
from qe_desktop.ratings.rater_profile import RaterProfile
from qe_desktop.ratings.rater_progress import ScreenStatus, screen_status

__all__ = ["RaterSession", "ScreenStatus"]

MIN_EVENT_SECONDS = 1e-6
"""A new event is at least so many seconds later than all that are known, whatever the clock says."""


class RaterSession:
    """A rater's state. Every change is a `RatingEvent`, which the caller keeps; the events give the same state again.

    `screens` may hold other raters' screens and `events` other raters' events; they are left out, and so is what no
    program writes (see `admitting`). `clock` gives Unix
    time and `new_uid` an event's name.
    """

    def __init__(
        self,
        campaign: Campaign,
        screens: Iterable[Screen],
        passages: Iterable[Passage],
        outputs: Iterable[Output],
        events: Iterable[RatingEvent],
        *,
        rater: str,
        clock: Callable[[], float] = time.time,
        new_uid: Callable[[], str] = lambda: uuid.uuid4().hex,
    ) -> None:
        self.campaign = campaign
        self.rater = rater
        self.protocol = get_protocol(campaign.protocol)
        self.scales: tuple[ScaleAnswer, ...] = self.protocol.scales_for(campaign)
        mine = sorted((screen for screen in screens if screen.rater == rater), key=lambda screen: screen.position)
        self.screens: tuple[Screen, ...] = tuple(mine)
        self._place = {screen.uid: place for place, screen in enumerate(self.screens)}
        self._admission = EventValidator(campaign, self.screens)
        self._trained = sum(screen.training for screen in self.screens)
        self._passages = {passage.segment: passage for passage in passages}
        self._outputs = {output.uid: output for output in outputs}
        self._clock = clock
        self._new_uid = new_uid
        self._events: list[RatingEvent] = []
        self._known: set[str] = set()
        self._history = EventHistory()
        self._status: dict[str, ScreenStatus] = {}
        self._handled = 0
        self.merge(events)

    # --- what to judge

    def screen(self, uid: str) -> Screen:
        """A screen by its uid."""
        if uid not in self._place:
            raise QeError(tr("this item is not among the rater's items"), hint=tr("Open the campaign again."))
        return self.screens[self._place[uid]]

    def output(self, uid: str) -> Output:
        """An output by its uid."""
        return self._outputs[uid]

    def passage(self, segment: int) -> Passage:
        """A segment's texts; empty ones where the campaign does not show the segment."""
        return self._passages.get(segment) or Passage(segment)

    def number(self, uid: str) -> int:
        """The item's number, from 1; training items are counted by themselves."""
        screen, place = self.screen(uid), self._place[uid]
        return place + 1 if screen.training else place + 1 - self._trained

    # --- what was said

    @property
    def events(self) -> Sequence[RatingEvent]:
        """All events that are known, in their order."""
        return self._events

    @property
    def profile(self) -> RaterProfile | None:
        """What the rater said about languages and expertise; None until it was asked."""
        event = self._history.profile
        return None if event is None else RaterProfile.of(str(event.value or ""))

    def _state(self, uid: str) -> ScreenState:
        return self._history.screens.get(uid) or ScreenState(0.0)

    def values(self, uid: str) -> dict[str, EventValue]:
        """What holds for a screen, by field; fields without a value are not there."""
        return self._state(uid).values()

    def value(self, uid: str, field: str) -> EventValue:
        """What holds for one field of a screen, None where there is none."""
        return self.values(uid).get(field)

    def seconds(self, uid: str) -> float:
        """Active seconds spent on a screen."""
        return self._state(uid).seconds

    def revealed(self, uid: str) -> bool:
        """Whether the source or reference may be in view."""
        return not self.protocol.target_only and (not self.protocol.target_first or self._state(uid).revealed)

    def changed_after_reveal(self, uid: str) -> bool:
        """Whether the scale that was asked first holds a value that was given once the source had been in view."""
        step = self._state(uid).step(self.protocol.fields[0])
        return self.protocol.target_first and step is not None and step.after_reveal and step.event.value is not None

    def missing(self, uid: str) -> list[str]:
        """What a screen still needs, in words; nothing where it is done or skipped."""
        screen, state = self.screen(uid), self._state(uid)
        values = state.values()
        lacking = [] if state.skipped else self.protocol.lacking(values)
        return [answer.missing(values.get(answer.name), len(screen.outputs)) for answer in lacking]

    def status(self, uid: str) -> ScreenStatus:
        """How far a screen is."""
        self.screen(uid)
        return self._status.get(uid, ScreenStatus.OPEN)

    def is_done(self, uid: str) -> bool:
        """Whether everything that a screen asks is rated."""
        return self.status(uid) is ScreenStatus.DONE

    def is_skipped(self, uid: str) -> bool:
        """Whether a screen is skipped."""
        return self.status(uid) is ScreenStatus.SKIPPED

    def is_handled(self, uid: str) -> bool:
        """Whether a screen needs nothing more: done or skipped."""
        return self.status(uid).is_handled

    def progress(self) -> tuple[int, int]:
        """How many items are done or skipped, and how many there are; training is left out."""
        return self._handled, len(self.screens) - self._trained

    def first_open(self) -> str | None:
        """The first screen that still needs something, training first."""
        return next((screen.uid for screen in self.screens if not self.is_handled(screen.uid)), None)

    def next_open(self, after: str | None = None) -> str | None:
        """The next screen after `after` that still needs something; from the beginning again after the last."""
        if after is None:
            return self.first_open()
        self.screen(after)
        begin = self._place[after] + 1
        around = (*self.screens[begin:], *self.screens[:begin])
        return next((screen.uid for screen in around if not self.is_handled(screen.uid)), None)

    # --- what the rater does

    def rate(self, uid: str, field: str, value: EventValue = None, seconds: float = 0.0) -> RatingEvent:
        """Give a value to a field of a screen; a QeError says what is wrong with it, and nothing has changed then.

        None takes a scale's value away, zeros those of ranks. `field` may be any that `RatingEvent` names.
        """
        if field == PROFILE:
            return self._add(self._event("", PROFILE, _checked_text(value)))
        screen = self.screen(uid)
        return self._add(self._event(uid, field, self._checked(screen, field, value), seconds))

    def reveal(self, uid: str, seconds: float = 0.0) -> RatingEvent:
        """The source or reference comes into view; a QeError before the first scale is rated."""
        return self.rate(uid, REVEAL, None, seconds)

    def skip(self, uid: str, reason: str, seconds: float = 0.0) -> RatingEvent:
        """Skip a screen and say why; an empty reason takes the skip back."""
        return self.rate(uid, SKIP, reason, seconds)

    def comment(self, uid: str, text: str, seconds: float = 0.0) -> RatingEvent:
        """What the rater has to say about a screen, the whole text each time."""
        return self.rate(uid, COMMENT, text, seconds)

    def leave(self, uid: str, seconds: float = 0.0) -> RatingEvent:
        """Another screen comes into view; only the time counts."""
        return self.rate(uid, SEEN, None, seconds)

    def set_profile(self, profile: RaterProfile) -> RatingEvent:
        """What the rater says about languages and expertise."""
        return self.rate("", PROFILE, profile.text())

    def undo(self, seconds: float = 0.0) -> RatingEvent | None:
        """Take the last judgement, skip or comment back; None where there is none. The event names its screen."""
        return self._again(self._history.undoable, RatingAction.UNDO, seconds)

    def redo(self, seconds: float = 0.0) -> RatingEvent | None:
        """Bring again what was undone last; None where there is nothing."""
        return self._again(self._history.redoable, RatingAction.REDO, seconds)

    @property
    def undo_text(self) -> str:
        """What undo would take back, such as “fluency 4, item 12”; empty where there is nothing."""
        return self._named(self._history.undoable)

    @property
    def redo_text(self) -> str:
        """What redo would bring again; empty where there is nothing."""
        return self._named(self._history.redoable)

    def merge(self, events: Iterable[RatingEvent]) -> set[str]:
        """Take in events of the same rater from elsewhere; those that are known count once.

        Returns the screens that they touch.
        """
        new = [
            event
            for event in sort_events(events)
            if event.rater == self.rater and event.uid not in self._known and not self._admission.problem(event)
        ]
        if not new:
            return set()
        late = bool(self._events) and EVENT_ORDER_KEY(new[0]) < EVENT_ORDER_KEY(self._events[-1])
        self._known.update(event.uid for event in new)
        if late:
            self._events = sort_events([*self._events, *new])
            self._history = EventHistory(self._events)
            touched = set(self._history.screens)
        else:
            self._events += new
            for event in new:
                self._history.apply(event)
            touched = {event.screen for event in new if event.screen}
        for uid in touched:
            self._count(uid)
        return touched

    # --- behind it

    def _checked(self, screen: Screen, field: str, value: EventValue) -> EventValue:
        if field in (SKIP, COMMENT):
            return _checked_text(value).strip() if field == SKIP else _checked_text(value)
        if field == SEEN:
            return None
        first = self.protocol.fields[0]
        if field == REVEAL:
            if self.protocol.target_only:
                raise QeError(tr("this protocol never shows the source or reference"))
            if self.protocol.target_first and not self.revealed(screen.uid) and first not in self.values(screen.uid):
                raise QeError(
                    tr("{scale} is rated before the source or reference is shown", scale=first),
                    hint=tr("Rate {scale} first.", scale=first),
                )
            return None
        answer = self.protocol.answer(field)
        if answer is None:
            raise QeError(tr("“{field}” is not asked here", field=field), hint=_instruction(self.protocol.fields))
        if value is not None and field != first and not self.revealed(screen.uid):
            raise QeError(
                tr("{scale} is rated once the source or reference is shown", scale=field),
                hint=tr("Rate {scale} first.", scale=first),
            )
        return answer.checked(value, len(screen.outputs))

    def _event(
        self,
        uid: str,
        field: str,
        value: EventValue,
        seconds: float = 0.0,
        action: RatingAction = RatingAction.RATE,
        refers: str = "",
    ) -> RatingEvent:
        at = max(self._clock(), self._events[-1].at + MIN_EVENT_SECONDS) if self._events else self._clock()
        spent = min(max(0.0, seconds), MAX_SECONDS) if math.isfinite(seconds) else 0.0
        return RatingEvent(
            self._new_uid(), self.campaign.uid, uid, self.rater, at, field, value, spent, action, refers
        )  # fmt: skip

    def _again(self, event: RatingEvent | None, action: RatingAction, seconds: float) -> RatingEvent | None:
        if event is None:
            return None
        return self._add(self._event(event.screen, event.field, None, seconds, action, event.uid))

    def _add(self, event: RatingEvent) -> RatingEvent:
        self._events.append(event)
        self._known.add(event.uid)
        self._history.apply(event)
        if event.screen:
            self._count(event.screen)
        return event

    def _count(self, uid: str) -> None:
        """Keep a screen's status, and the number of items that are done or skipped."""
        if uid not in self._place:
            return
        before = self._status.get(uid, ScreenStatus.OPEN)
        now = screen_status(self.protocol, self._state(uid))
        self._status[uid] = now
        if not self.screen(uid).training:
            self._handled += now.is_handled - before.is_handled

    def _named(self, event: RatingEvent | None) -> str:
        if event is None:
            return ""
        if event.screen not in self._place:
            return event.field
        screen = self.screen(event.screen)
        said, number = self._judgement(event), self.number(screen.uid)
        if screen.training:
            return tr("{judgement}, training item {number:,}", judgement=said, number=number)
        return tr("{judgement}, item {number:,}", judgement=said, number=number)

    def _judgement(self, event: RatingEvent) -> str:
        """A judgement in words, such as “fluency 4” or “rank 2 for C”."""
        if event.field == SKIP:
            return tr("skip") if event.value else tr("skip taken back")
        if event.field == COMMENT:
            return tr("comment")
        answer = self.protocol.answer(event.field)
        return event.field if answer is None else answer.said(event.value, self._before(event))

    def _before(self, event: RatingEvent) -> EventValue:
        """What held for the event's field before it: what undoing it would bring back, or redoing it would replace."""
        held = [step.event for step in self._state(event.screen).steps if step.event.field == event.field]
        earlier = held[:-1] if held and held[-1].uid == event.uid else held
        return earlier[-1].value if earlier else None


def _checked_text(value: EventValue) -> str:
    text = clean_text(str(value or ""))
    if len(text) > MAX_TEXT_CHARS:
        raise QeError(
            tr("the text has {n:,} characters, and at most {most:,} can be kept", "", len(text), most=MAX_TEXT_CHARS),
            hint=tr("Shorten it."),
        )
    return text


def _instruction(fields: Sequence[str]) -> str:
    if len(fields) == 1:
        return tr("Rate {scale}.", scale=fields[0])
    return tr("Rate {scales} and {last}.", scales=", ".join(fields[:-1]), last=fields[-1])
