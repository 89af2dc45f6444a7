"""Validation of rating events: an event is valid if this program could have written it under the campaign's protocol.

Other programs may also write events. Invalid events are left out and reported; they do not affect the events of other
raters. A database server enforces the same rules when events are written
(`qe_desktop.project.store.tables.event_table`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from qe_desktop.answers.event_history import COMMENT, PROFILE, REVEAL, SEEN, SKIP, RatingAction, RatingEvent
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ratings.campaign import Campaign, Screen
from qe_desktop.ratings.protocols import get_protocol

MAX_TEXT_CHARS = 10_000
"""Maximum number of characters of a comment, a skip reason or a profile."""
MAX_NAME_CHARS = 100
"""Maximum number of characters of an event's id."""
MAX_SECONDS = 86_400.0
"""Maximum number of active seconds of one event."""
MAX_UNIX_TIME = 4_102_444_800.0
"""Latest valid time of an event, as Unix time: the start of the year 2100."""
TEXT_FIELDS = (COMMENT, SKIP, PROFILE)
EMPTY_FIELDS = (REVEAL, SEEN)
_MAX_LISTED_REASONS = 3
"""Maximum number of reasons listed in the note on the skipped rows of a rater."""
_NOT_TEXT_MESSAGES = {
    COMMENT: tr("comment is not text"),
    SKIP: tr("skip reason is not text"),
    PROFILE: tr("profile is not text"),
}
# cached, as every event needs it
_RATE_ACTION = RatingAction.RATE
_INVALID_CHARACTERS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Matches lone surrogates, and control characters other than tab and line feed."""


def clean_text(text: str) -> str:
    """Convert line breaks to LF, and substitute `�` for characters that databases or files reject."""
    return _INVALID_CHARACTERS.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


@dataclass(frozen=True, slots=True)
class SkippedRows:
    """Number of one rater's rows that were skipped for one reason."""

    rater: str
    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class RaterEvents:
    """Valid events of a campaign in stored order, and numbers of rows that were skipped as invalid."""

    events: list[RatingEvent]
    skipped_rows: tuple[SkippedRows, ...] = ()


class EventValidator:
    """Validator that separates valid from invalid events of a campaign."""

    def __init__(self, campaign: Campaign, screens: Iterable[Screen]) -> None:
        self._campaign = campaign.uid
        self._answers = {answer.name: answer for answer in get_protocol(campaign.protocol).answers}
        self._screens: Mapping[str, Screen] = {screen.uid: screen for screen in screens}

    def problem(self, event: RatingEvent) -> str:
        """Return why an event is invalid, without quoting the event's value; empty if the event is valid."""
        screen = self._screens.get(event.screen)
        if event.campaign != self._campaign:
            return tr("event of another campaign")
        if (event.field == PROFILE) != (not event.screen):
            return tr("missing or unexpected item")
        if event.screen and (screen is None or screen.rater != event.rater):
            return tr("unknown item or item of another rater")
        return event_problem(event) or self._value_problem(event, len(screen.outputs) if screen else 0)

    def _value_problem(self, event: RatingEvent, outputs: int) -> str:
        field, value = event.field, event.value
        answer = self._answers.get(field)
        if answer is not None and event.action is _RATE_ACTION:
            return answer.problem(value, outputs)
        if field in TEXT_FIELDS:
            return "" if value is None or isinstance(value, str) else _NOT_TEXT_MESSAGES[field]
        if answer is None and field not in EMPTY_FIELDS:
            return tr("unknown field")
        return "" if value is None else tr("unexpected value")

    def split(self, events: Iterable[RatingEvent]) -> tuple[list[RatingEvent], tuple[SkippedRows, ...]]:
        """Return the valid events in the given order, and the numbers of invalid events by rater and reason."""
        valid: list[RatingEvent] = []
        invalid_counts: Counter[tuple[str, str]] = Counter()
        for event in events:
            problem = self.problem(event)
            if problem:
                invalid_counts[event.rater, problem] += 1
            else:
                valid.append(event)
        return valid, describe_skipped(invalid_counts)


def event_problem(event: RatingEvent) -> str:
    """Return the reason why an event would be invalid in every campaign; empty if there is no such reason."""
    if not event.uid or not _is_name(event.uid) or (event.refers and not _is_name(event.refers)):
        return tr("invalid event ID")
    if (event.action is _RATE_ACTION) != (not event.refers):
        return tr("invalid undo or redo")
    if not 0 <= event.at <= MAX_UNIX_TIME:
        return tr("invalid time")
    if not 0 <= event.seconds <= MAX_SECONDS:
        return tr("invalid number of seconds")
    if not isinstance(event.value, str):
        return ""
    if len(event.value) > MAX_TEXT_CHARS:
        return tr("text longer than {n:,} characters", "", MAX_TEXT_CHARS)
    return "" if event.value == clean_text(event.value) else tr("text with invalid characters")


def describe_skipped(counts: Mapping[tuple[str, str], int]) -> tuple[SkippedRows, ...]:
    """Convert numbers of skipped rows, keyed by (rater, reason), to `SkippedRows`."""
    return tuple(SkippedRows(rater, reason, count) for (rater, reason), count in counts.items())


def skipped_notes(skipped_rows: Sequence[SkippedRows]) -> list[str]:
    """Return a sentence for each rater with skipped rows, which states the number of rows and the reasons."""
    by_rater: dict[str, Counter[str]] = {}
    for skipped in skipped_rows:
        by_rater.setdefault(skipped.rater, Counter())[skipped.reason] += skipped.count
    notes = []
    for rater, reasons in by_rater.items():
        count = reasons.total()
        named = [
            tr("{reason} ({times:,})", reason=reason, times=times) if len(reasons) > 1 else reason
            for reason, times in reasons.most_common()
        ]
        name, listed, unlisted_count = (
            _quote_rater(rater),
            join_localized(", ", named[:_MAX_LISTED_REASONS]),
            len(named) - _MAX_LISTED_REASONS,
        )
        notes.append(
            tr(
                "{n:,} invalid {n:row|rows} of {rater} {n:was|were} left out: {reasons}",
                "",
                count,
                rater=name,
                reasons=listed,
            )
            if unlisted_count <= 0
            else tr(
                "{n:,} invalid {n:row|rows} of {rater} {n:was|were} left out: {reasons} and {more} more "
                "{more:reason|reasons}",
                "",
                count,
                rater=name,
                reasons=listed,
                more=unlisted_count,
            )
        )
    return notes


def _quote_rater(rater: str) -> str:
    return clean_text(rater if len(rater) <= MAX_NAME_CHARS else f"{rater[:MAX_NAME_CHARS]}…")


def _is_name(text: str) -> bool:
    return len(text) <= MAX_NAME_CHARS and text.isascii() and text.isprintable()
