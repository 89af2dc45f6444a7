"""Which events count: what a rater's program can have written, by the protocol of the campaign.

Events come from people who may write anything, past the program too. What is not in order is left out and named, and
changes nothing that anybody else said. A server holds raters to the same rules when they write
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
"""Characters of a comment, a reason or a profile."""
MAX_NAME_CHARS = 100
"""Characters of an event's name."""
MAX_SECONDS = 86_400.0
"""Active seconds of one event."""
MAX_UNIX_TIME = 4_102_444_800.0
"""The beginning of the year 2100, as Unix time."""
TEXT_FIELDS = (COMMENT, SKIP, PROFILE)
EMPTY_FIELDS = (REVEAL, SEEN)
_NAMED = 3
"""How many different reasons are told of one rater."""
_NO_TEXT = {
    COMMENT: tr("a comment that is no text"),
    SKIP: tr("a skip that is no text"),
    PROFILE: tr("a profile that is no text"),
}
# looked up once, for every event is asked
_RATE = RatingAction.RATE
_BROKEN = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters but tabs and line ends, and halves of surrogate pairs."""


def clean_text(text: str) -> str:
    """A text that databases, files and pages take: line ends as one character, what none of them takes as `�`."""
    return _BROKEN.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))


@dataclass(frozen=True, slots=True)
class SkippedRows:
    """Rows of one rater that could not be read, for one reason."""

    rater: str
    reason: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class RaterEvents:
    """What raters said in a campaign, in the order in which it was kept; what is not in order is only counted."""

    events: list[RatingEvent]
    left_out: tuple[SkippedRows, ...] = ()


class EventValidator:
    """Tells the events of a campaign that count from those that do not."""

    def __init__(self, campaign: Campaign, screens: Iterable[Screen]) -> None:
        self._campaign = campaign.uid
        self._answers = {answer.name: answer for answer in get_protocol(campaign.protocol).answers}
        self._screens: Mapping[str, Screen] = {screen.uid: screen for screen in screens}

    def problem(self, event: RatingEvent) -> str:
        """What is wrong with an event, in words without the value itself; empty where it counts."""
        screen = self._screens.get(event.screen)
        if event.campaign != self._campaign:
            return tr("an event of another campaign")
        if (event.field == PROFILE) != (not event.screen):
            return tr("an event that names no item, or an item that it is not about")
        if event.screen and (screen is None or screen.rater != event.rater):
            return tr("an event for an item that the rater does not have")
        return event_problem(event) or self._value_problem(event, len(screen.outputs) if screen else 0)

    def _value_problem(self, event: RatingEvent, outputs: int) -> str:
        field, value = event.field, event.value
        answer = self._answers.get(field)
        if answer is not None and event.action is _RATE:
            return answer.problem(value, outputs)
        if field in TEXT_FIELDS:
            return "" if value is None or isinstance(value, str) else _NO_TEXT[field]
        if answer is None and field not in EMPTY_FIELDS:
            return tr("a field that is not asked")
        return "" if value is None else tr("a value where there is none")

    def split(self, events: Iterable[RatingEvent]) -> tuple[list[RatingEvent], tuple[SkippedRows, ...]]:
        """The events that count, in their order, and what was left out of the others."""
        good: list[RatingEvent] = []
        wrong: Counter[tuple[str, str]] = Counter()
        for event in events:
            problem = self.problem(event)
            if problem:
                wrong[event.rater, problem] += 1
            else:
                good.append(event)
        return good, describe_skipped(wrong)


def event_problem(event: RatingEvent) -> str:
    """What is wrong with an event whatever the campaign; empty where nothing is."""
    if not event.uid or not _is_name(event.uid) or (event.refers and not _is_name(event.refers)):
        return tr("an event without a proper name")
    if (event.action is _RATE) != (not event.refers):
        return tr("an undo that names nothing, or a rating that names another one")
    if not 0 <= event.at <= MAX_UNIX_TIME:
        return tr("a time that cannot be")
    if not 0 <= event.seconds <= MAX_SECONDS:
        return tr("a number of seconds that cannot be")
    if not isinstance(event.value, str):
        return ""
    if len(event.value) > MAX_TEXT_CHARS:
        return tr("a text of more than {n:,} characters", "", MAX_TEXT_CHARS)
    return "" if event.value == clean_text(event.value) else tr("a damaged text")


def describe_skipped(wrong: Mapping[tuple[str, str], int]) -> tuple[SkippedRows, ...]:
    """What was left out, counted by rater and reason, as values."""
    return tuple(SkippedRows(rater, reason, count) for (rater, reason), count in wrong.items())


def skipped_notes(left: Sequence[SkippedRows]) -> list[str]:
    """What was left out, a sentence for each rater."""
    by_rater: dict[str, Counter[str]] = {}
    for one in left:
        by_rater.setdefault(one.rater, Counter())[one.reason] += one.count
    notes = []
    for rater, reasons in by_rater.items():
        count = reasons.total()
        named = [
            tr("{reason} ({times:,})", reason=reason, times=times) if len(reasons) > 1 else reason
            for reason, times in reasons.most_common()
        ]
        shown, said, more = _quote_rater(rater), join_localized(", ", named[:_NAMED]), len(named) - _NAMED
        notes.append(
            tr("of {rater}, {n:,} {n:row was|rows were} left out: {reasons}", "", count, rater=shown, reasons=said)
            if more <= 0
            else tr(
                "of {rater}, {n:,} {n:row was|rows were} left out: {reasons} and {more} more {more:reasons|reasons}",
                "",
                count,
                rater=shown,
                reasons=said,
                more=more,
            )
        )
    return notes


def _quote_rater(rater: str) -> str:
    return clean_text(rater if len(rater) <= MAX_NAME_CHARS else f"{rater[:MAX_NAME_CHARS]}…")


def _is_name(text: str) -> bool:
    return len(text) <= MAX_NAME_CHARS and text.isascii() and text.isprintable()
