"""Session of one rater in a campaign: screens, answers and missing answers, derived from events."""

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
from qe_desktop.i18n.messages import join_names, tr
from qe_desktop.ratings.campaign import Campaign, Output, Passage, Screen
from qe_desktop.ratings.event_validation import MAX_SECONDS, MAX_TEXT_CHARS, EventValidator, clean_text
from qe_desktop.ratings.protocols import get_protocol
from qe_desktop.ratings.rater_progress import RaterProfile, ScreenStatus, screen_status

__all__ = ["RaterSession", "ScreenStatus"]

MIN_EVENT_SECONDS = 1e-6
"""Minimum time in seconds from the last known event to a new event, even if the clock returns an earlier time."""


class RaterSession:
    """State of one rater. Each change produces a `RatingEvent`, which the caller stores; events restore the state.

    Screens and events of other raters are ignored, as are invalid events (see `event_validation`). `clock` returns Unix
    time; `new_uid` returns an id for a new event. `number`, `missing_answers`, `status` and the methods that depend on
    the status raise QeError if a screen is not assigned to the rater.
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
        own_screens = sorted(
            (screen for screen in screens if screen.rater == rater), key=lambda screen: screen.position
        )
        self.screens: tuple[Screen, ...] = tuple(own_screens)
        self._index_by_uid = {screen.uid: index for index, screen in enumerate(self.screens)}
        self._validator = EventValidator(campaign, self.screens)
        self._training_count = sum(screen.training for screen in self.screens)
        self._passages = {passage.segment: passage for passage in passages}
        self._outputs = {output.uid: output for output in outputs}
        self._clock = clock
        self._new_uid = new_uid
        self._events: list[RatingEvent] = []
        self._known_uids: set[str] = set()
        self._history = EventHistory()
        self._status: dict[str, ScreenStatus] = {}
        self._handled_count = 0
        self.merge(events)

    # --- screens

    def screen(self, uid: str) -> Screen:
        """Return a screen by its uid. Raises QeError if it is not assigned to the rater."""
        if uid not in self._index_by_uid:
            raise QeError(tr("this item is not assigned to the rater"), hint=tr("Open the campaign again."))
        return self.screens[self._index_by_uid[uid]]

    def output(self, uid: str) -> Output:
        """Return an output by its uid. Raises KeyError if it is unknown."""
        return self._outputs[uid]

    def passage(self, segment: int) -> Passage:
        """Return the texts of a segment; they are empty if the campaign does not display the segment."""
        return self._passages.get(segment) or Passage(segment)

    def number(self, uid: str) -> int:
        """Return the 1-based number of an item; training items are numbered separately."""
        screen, index = self.screen(uid), self._index_by_uid[uid]
        return index + 1 if screen.training else index + 1 - self._training_count

    # --- answers

    @property
    def events(self) -> Sequence[RatingEvent]:
        """All known events of the rater, in order of time."""
        return self._events

    @property
    def profile(self) -> RaterProfile | None:
        """Answers of the rater about languages and expertise; None if there are no answers yet."""
        event = self._history.profile
        return None if event is None else RaterProfile.of(str(event.value or ""))

    def _state(self, uid: str) -> ScreenState:
        return self._history.screens.get(uid) or ScreenState(0.0)

    def values(self, uid: str) -> dict[str, EventValue]:
        """Return the current values of a screen by field, without empty values."""
        return self._state(uid).values()

    def value(self, uid: str, field: str) -> EventValue:
        """Return the current value of one field of a screen; None if there is none."""
        return self.values(uid).get(field)

    def seconds(self, uid: str) -> float:
        """Return the active seconds spent on a screen."""
        return self._state(uid).seconds

    def is_revealed(self, uid: str) -> bool:
        """Return whether the source or reference of a screen may already be displayed."""
        return not self.protocol.target_only and (not self.protocol.target_first or self._state(uid).revealed)

    def was_changed_after_reveal(self, uid: str) -> bool:
        """Return whether the first scale has a value that was entered after the source or reference was displayed."""
        step = self._state(uid).step(self.protocol.fields[0])
        return self.protocol.target_first and step is not None and step.after_reveal and step.event.value is not None

    def missing_answers(self, uid: str) -> list[str]:
        """Return texts that ask for the missing answers of a screen; empty if the screen is done or skipped."""
        screen, state = self.screen(uid), self._state(uid)
        values = state.values()
        missing = [] if state.skip_reason else self.protocol.missing_answers(values)
        return [answer.completion_hint(values.get(answer.name), len(screen.outputs)) for answer in missing]

    def status(self, uid: str) -> ScreenStatus:
        """Return the status of a screen."""
        self.screen(uid)
        return self._status.get(uid, ScreenStatus.OPEN)

    def is_done(self, uid: str) -> bool:
        """Return whether a screen has all answers and is not skipped."""
        return self.status(uid) is ScreenStatus.DONE

    def is_skipped(self, uid: str) -> bool:
        """Return whether a screen is skipped."""
        return self.status(uid) is ScreenStatus.SKIPPED

    def is_handled(self, uid: str) -> bool:
        """Return whether a screen is done or skipped."""
        return self.status(uid).is_handled

    def progress(self) -> tuple[int, int]:
        """Return the number of items done or skipped, and the number of all items; training is left out."""
        return self._handled_count, len(self.screens) - self._training_count

    def first_open(self) -> str | None:
        """Return the uid of the first screen that is neither done nor skipped; None if there is no such screen."""
        return next((screen.uid for screen in self.screens if not self.is_handled(screen.uid)), None)

    def next_open(self, after: str | None = None) -> str | None:
        """Return the uid of the next screen that is neither done nor skipped; None if there is no such screen.

        The search begins after the screen `after` (by default, at the first screen) and wraps around.
        """
        if after is None:
            return self.first_open()
        self.screen(after)
        begin = self._index_by_uid[after] + 1
        candidates = (*self.screens[begin:], *self.screens[:begin])
        return next((screen.uid for screen in candidates if not self.is_handled(screen.uid)), None)

    # --- actions

    def rate(self, uid: str, field: str, value: EventValue = None, seconds: float = 0.0) -> RatingEvent:
        """Set a field of a screen and return the new event. `field` is any value that `RatingEvent.field` can have.

        On a scale, the value None removes the rating; in ranks, 0 removes the rank of an output. `seconds` is clipped
        to 0..`MAX_SECONDS`. Raises QeError, and changes nothing, if the screen is not assigned to the rater, or if the
        field is unknown, cannot be rated yet or cannot have this value.
        """
        if field == PROFILE:
            return self._add(self._event("", PROFILE, _checked_text(value)))
        screen = self.screen(uid)
        return self._add(self._event(uid, field, self._validate_value(screen, field, value), seconds))

    def reveal(self, uid: str, seconds: float = 0.0) -> RatingEvent:
        """Reveal the source or reference of a screen.

        Raises QeError if the screen is not assigned to the rater, if the protocol never displays these texts, or if it
        hides them until the first scale is rated and this scale has no rating.
        """
        return self.rate(uid, REVEAL, None, seconds)

    def skip(self, uid: str, reason: str, seconds: float = 0.0) -> RatingEvent:
        """Skip a screen with a reason; an empty reason cancels the skip. Raises QeError as `rate` does."""
        return self.rate(uid, SKIP, reason, seconds)

    def comment(self, uid: str, text: str, seconds: float = 0.0) -> RatingEvent:
        """Set or replace the comment on a screen; an empty text removes the comment.

        Raises QeError as `rate` does.
        """
        return self.rate(uid, COMMENT, text, seconds)

    def leave(self, uid: str, seconds: float = 0.0) -> RatingEvent:
        """Record the time spent on a screen when the rater leaves it. Raises QeError as `rate` does."""
        return self.rate(uid, SEEN, None, seconds)

    def set_profile(self, profile: RaterProfile) -> RatingEvent:
        """Set the answers about languages and expertise. Raises QeError if the answers are too long."""
        return self.rate("", PROFILE, profile.text())

    def undo(self, seconds: float = 0.0) -> RatingEvent | None:
        """Undo the last judgement, skip or comment; return the undo event, or None if there is nothing to undo."""
        return self._add_reversal(self._history.undoable_event, RatingAction.UNDO, seconds)

    def redo(self, seconds: float = 0.0) -> RatingEvent | None:
        """Redo the last undone action; return the redo event, or None if there is nothing to redo."""
        return self._add_reversal(self._history.redoable_event, RatingAction.REDO, seconds)

    @property
    def undo_text(self) -> str:
        """Description of the action to undo, such as “fluency 4, item 12”; empty if there is none."""
        return self._action_text(self._history.undoable_event)

    @property
    def redo_text(self) -> str:
        """Description of the action to redo; empty if there is none."""
        return self._action_text(self._history.redoable_event)

    def merge(self, events: Iterable[RatingEvent]) -> set[str]:
        """Add stored events; events that are known, invalid or by other raters are ignored.

        Return the uids of the screens that may have changed.
        """
        new = [
            event
            for event in sort_events(events)
            if event.rater == self.rater and event.uid not in self._known_uids and not self._validator.problem(event)
        ]
        if not new:
            return set()
        is_out_of_order = bool(self._events) and EVENT_ORDER_KEY(new[0]) < EVENT_ORDER_KEY(self._events[-1])
        self._known_uids.update(event.uid for event in new)
        if is_out_of_order:
            self._events = sort_events([*self._events, *new])
            self._history = EventHistory(self._events)
            changed_screens = set(self._history.screens)
        else:
            self._events += new
            for event in new:
                self._history.apply(event)
            changed_screens = {event.screen for event in new if event.screen}
        for uid in changed_screens:
            self._update_status(uid)
        return changed_screens

    # --- internals

    def _validate_value(self, screen: Screen, field: str, value: EventValue) -> EventValue:
        if field in (SKIP, COMMENT):
            return _checked_text(value).strip() if field == SKIP else _checked_text(value)
        if field == SEEN:
            return None
        first = self.protocol.fields[0]
        if field == REVEAL:
            if self.protocol.target_only:
                raise QeError(tr("this protocol never displays the source or reference"))
            if self.protocol.target_first and not self.is_revealed(screen.uid) and first not in self.values(screen.uid):
                raise QeError(
                    tr("{scale} must be rated before the source or reference is displayed", scale=self._title(first)),
                    hint=tr("Rate this first: {scale}.", scale=self._title(first)),
                )
            return None
        answer = self.protocol.answer(field)
        if answer is None:
            raise QeError(
                tr("“{field}” is not a field of this item", field=field),
                hint=tr("Fields of this item: {scales}.", scales=join_names([*map(self._title, self.protocol.fields)])),
            )
        if value is not None and field != first and not self.is_revealed(screen.uid):
            raise QeError(
                tr("{scale} can only be rated after the source or reference is displayed", scale=self._title(field)),
                hint=tr("Rate this first: {scale}.", scale=self._title(first)),
            )
        return answer.validate(value, len(screen.outputs))

    def _title(self, field: str) -> str:
        """Return the name of an answer, as used within a sentence, in the language of the interface."""
        answer = self.protocol.answer(field)
        return answer.sentence_name if isinstance(answer, ScaleAnswer) else tr("ranks")

    def _event(
        self,
        uid: str,
        field: str,
        value: EventValue,
        seconds: float = 0.0,
        action: RatingAction = RatingAction.RATE,
        refers: str = "",
    ) -> RatingEvent:
        event_time = max(self._clock(), self._events[-1].at + MIN_EVENT_SECONDS) if self._events else self._clock()
        spent = min(max(0.0, seconds), MAX_SECONDS) if math.isfinite(seconds) else 0.0
        return RatingEvent(
            self._new_uid(), self.campaign.uid, uid, self.rater, event_time, field, value, spent, action, refers
        )  # fmt: skip

    def _add_reversal(self, event: RatingEvent | None, action: RatingAction, seconds: float) -> RatingEvent | None:
        if event is None:
            return None
        return self._add(self._event(event.screen, event.field, None, seconds, action, event.uid))

    def _add(self, event: RatingEvent) -> RatingEvent:
        self._events.append(event)
        self._known_uids.add(event.uid)
        self._history.apply(event)
        if event.screen:
            self._update_status(event.screen)
        return event

    def _update_status(self, uid: str) -> None:
        """Update the status of a screen, and the number of items done or skipped."""
        if uid not in self._index_by_uid:
            return
        old_status = self._status.get(uid, ScreenStatus.OPEN)
        new_status = screen_status(self.protocol, self._state(uid))
        self._status[uid] = new_status
        if not self.screen(uid).training:
            self._handled_count += new_status.is_handled - old_status.is_handled

    def _action_text(self, event: RatingEvent | None) -> str:
        if event is None:
            return ""
        if event.screen not in self._index_by_uid:
            return event.field
        screen = self.screen(event.screen)
        judgement, number = self._judgement(event), self.number(screen.uid)
        if screen.training:
            return tr("{judgement}, training item {number:,}", judgement=judgement, number=number)
        return tr("{judgement}, item {number:,}", judgement=judgement, number=number)

    def _judgement(self, event: RatingEvent) -> str:
        """Describe a judgement, such as “fluency 4” or “rank 2 for C”."""
        if event.field == SKIP:
            return tr("skip") if event.value else tr("skip cancelled")
        if event.field == COMMENT:
            return tr("comment")
        answer = self.protocol.answer(event.field)
        return event.field if answer is None else answer.describe_change(event.value, self._previous_value(event))

    def _previous_value(self, event: RatingEvent) -> EventValue:
        """Return the previous value of the field that the event changed. Undo restores this value; redo replaces it."""
        events = [step.event for step in self._state(event.screen).steps if step.event.field == event.field]
        earlier = events[:-1] if events and events[-1].uid == event.uid else events
        return earlier[-1].value if earlier else None


def _checked_text(value: EventValue) -> str:
    text = clean_text(str(value or ""))
    if len(text) > MAX_TEXT_CHARS:
        raise QeError(
            tr("the text has {n:,} characters; the maximum is {most:,}", "", len(text), most=MAX_TEXT_CHARS),
            hint=tr("Shorten the text."),
        )
    return text
