"""Status of screens and progress of raters, computed from events, and the profile of each rater."""

from __future__ import annotations

import enum
import json
from collections.abc import Iterable, Sequence, Set
from dataclasses import asdict, dataclass, fields
from statistics import median

from qe_desktop.answers.event_history import COMMENT, EventHistory, RatingEvent, ScreenState, group_by_rater
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ratings.campaign import Campaign, Screen
from qe_desktop.ratings.event_validation import MAX_TEXT_CHARS, EventValidator, clean_text
from qe_desktop.ratings.protocols import Protocol, get_protocol


class ScreenStatus(enum.Enum):
    """Status of a screen."""

    OPEN = "open"
    BEGUN = "begun"
    DONE = "done"
    SKIPPED = "skipped"

    @property
    def is_handled(self) -> bool:
        """Whether the screen is done or skipped."""
        return self in (ScreenStatus.DONE, ScreenStatus.SKIPPED)


def screen_status(protocol: Protocol, state: ScreenState) -> ScreenStatus:
    """Return the status of a screen, given its state."""
    if state.skip_reason:
        return ScreenStatus.SKIPPED
    values = state.values()
    if not protocol.missing_answers(values):
        return ScreenStatus.DONE
    return ScreenStatus.BEGUN if any(field in values for field in protocol.fields) else ScreenStatus.OPEN


@dataclass(frozen=True, slots=True)
class RaterProgress:
    """Progress of one rater: `done` of `total` items are rated or skipped; training items are not counted.

    `median_seconds` is the median time of rated items; None if no rated item has a time. `last_event_time` (Unix time)
    is None without events. `spent_seconds` is the active time in seconds, including training. `remaining_seconds` is
    the estimated time in seconds for the remaining items, including training. The estimate uses the rater's own pace
    or, while that is unknown, `Protocol.estimated_seconds` (as `estimate_workload` does).
    """

    rater: str
    done: int
    total: int
    skipped: int = 0
    comments: int = 0
    median_seconds: float | None = None
    spent_seconds: float = 0.0
    remaining_seconds: float = 0.0
    last_event_time: float | None = None

    @property
    def share(self) -> float:
        """Share of items rated or skipped, 0..1; 0 if there are no items."""
        return self.done / self.total if self.total else 0.0


def raters_progress(
    campaign: Campaign, screens: Iterable[Screen], events: Iterable[RatingEvent]
) -> list[RaterProgress]:
    """Return the progress of each rater: first the raters of the campaign, then others with screens or events.

    Training items are not counted, but the times include training.
    """
    screens, protocol = list(screens), get_protocol(campaign.protocol)
    valid, _ = EventValidator(campaign, screens).split(events)
    screens_by_rater: dict[str, list[Screen]] = {rater: [] for rater in campaign.raters}
    for screen in screens:
        screens_by_rater.setdefault(screen.rater, []).append(screen)
    events_by_rater = group_by_rater(valid)
    # identical outputs are displayed once, but such a screen takes the full time
    outputs = max((len(screen.outputs) for screen in screens), default=0)
    return [
        _progress(protocol, rater, screens_by_rater.get(rater, []), outputs, events_by_rater.get(rater, []))
        for rater in screens_by_rater | events_by_rater
    ]


def _progress(
    protocol: Protocol, rater: str, screens: Sequence[Screen], outputs: int, events: Sequence[RatingEvent]
) -> RaterProgress:
    states = EventHistory(events).screens
    counted_screens = [screen for screen in screens if not screen.training]
    started = [(state, screen_status(protocol, state)) for item in counted_screens if (state := states.get(item.uid))]
    statuses = [status for _, status in started]
    rated = [state.seconds for state, status in started if status is ScreenStatus.DONE and state.seconds > 0]
    handled = sum(status.is_handled for status in statuses)
    median_seconds = median(rated) if rated else None
    open_screens = len(counted_screens) - handled
    if open_screens:
        training_states = [states[item.uid] for item in screens if item.training and item.uid in states]
        training = len(screens) - len(counted_screens)
        open_screens += training - sum(screen_status(protocol, state).is_handled for state in training_states)
    return RaterProgress(
        rater,
        handled,
        len(counted_screens),
        skipped=statuses.count(ScreenStatus.SKIPPED),
        comments=sum(bool(state.value(COMMENT)) for state, _ in started),
        median_seconds=median_seconds,
        spent_seconds=sum(state.seconds for state in states.values()),
        remaining_seconds=protocol.estimated_seconds(open_screens, outputs)
        if median_seconds is None
        else open_screens * median_seconds,
        last_event_time=max((event.at for event in events), default=None),
    )


def rater_progress_counts(
    campaign: Campaign, screens: Iterable[Screen], events: Iterable[RatingEvent]
) -> dict[str, tuple[int, int]]:
    """Return the number of items done or skipped and the number of all items for each rater, without training.

    Raters without items are included only if the campaign lists them.
    """
    progress = raters_progress(campaign, screens, events)
    return {
        rater.rater: (rater.done, rater.total) for rater in progress if rater.total or rater.rater in campaign.raters
    }


def imported_item_notes(
    campaign: Campaign, screens: Iterable[Screen], events: Iterable[RatingEvent], new_uids: Set[str]
) -> list[str]:
    """Return one note per rater on the items that have new events: how many are rated, skipped, and for training.

    `events` are all valid events of a file; `new_uids` are the ids of the new events among them.
    """
    screen_of, protocol = {screen.uid: screen for screen in screens}, get_protocol(campaign.protocol)
    notes = []
    for rater, rater_events in group_by_rater(events).items():
        changed = {event.screen for event in rater_events if event.uid in new_uids} & screen_of.keys()
        states = EventHistory(rater_events).screens
        statuses = [(screen_of[uid].training, screen_status(protocol, states[uid])) for uid in changed if uid in states]
        rated = statuses.count((False, ScreenStatus.DONE))
        skipped = statuses.count((False, ScreenStatus.SKIPPED))
        training = sum(is_training and status.is_handled for is_training, status in statuses)
        if not changed:
            continue
        parts = [tr("{n:,} {n:item|items} rated", "", rated)]
        parts += [tr("{n:,} skipped", "", skipped)] if skipped else []
        parts += [tr("{n:,} training {n:item|items}", "", training)] if training else []
        notes.append(tr("{rater}: {items}", rater=rater, items=join_localized(", ", parts)))
    return notes


LANGUAGE_LEVELS = ("first language", "very good", "good", "basic", "none")
"""Levels of language proficiency, best first. Profiles store these texts, and `EXPERTISE_LEVELS`, in English."""
EXPERTISE_LEVELS = (
    "professional translator",
    "translation student",
    "linguist",
    "machine translation developer or researcher",
    "none of these",
)


@dataclass(frozen=True, slots=True)
class RaterProfile:
    """Answers of a rater about languages and expertise; missing answers are empty.

    The language levels are from `LANGUAGE_LEVELS`, and `expertise` is from `EXPERTISE_LEVELS`.
    """

    source_level: str = ""
    target_level: str = ""
    other_languages: str = ""
    expertise: str = ""
    remarks: str = ""

    def text(self) -> str:
        """Return the profile as JSON text for the value of a “profile” event."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def of(cls, text: str) -> RaterProfile:
        """Parse a profile from JSON text; unknown fields are ignored.

        The profile is empty if the text is not a JSON object.
        """
        try:
            values = json.loads(text)
        except (ValueError, RecursionError):
            return cls()
        if not isinstance(values, dict):
            return cls()
        field_names = {field.name for field in fields(cls)}
        values_of_fields = {
            name: str(value) for name, value in values.items() if name in field_names and value is not None
        }
        return cls(**{name: clean_text(text)[:MAX_TEXT_CHARS] for name, text in values_of_fields.items()})
