"""Events of raters as rows, and back: what cannot be read is left out and named, and keeps nobody from the rest."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable
from typing import Any, NoReturn

from sqlalchemy import Connection, Text, func, select, type_coerce

from qe_desktop.answers.events import Action, RatingEvent, Value
from qe_desktop.project.store import schema
from qe_desktop.project.store.campaign_json import cells_of, value_out
from qe_desktop.ratings.admitting import (
    LATEST,
    MOST_NAME,
    MOST_SECONDS,
    MOST_TEXT,
    LeftOut,
    clean_text,
    counted_out,
    form_problem,
)
from qe_desktop.wording import tr

MOST_WRITTEN = 12 * MOST_TEXT + 2
"""Characters of a value as JSON in ASCII: a text's, each of which may be a pair of escapes."""
_WHOLE = 2**53
_ACTIONS = {action.value: action for action in Action}


def event_values(event: RatingEvent, window: str) -> dict[str, Any]:
    """An event as a row."""
    return cells_of(event) | {
        "at": event.at if 0 <= event.at <= LATEST else 0.0,
        "value": value_out(clean_text(event.value) if isinstance(event.value, str) else event.value),
        "seconds": event.seconds if 0 <= event.seconds <= MOST_SECONDS else 0.0,
        "action": event.action.value,
        "window": window,
    }


def read_events(connection: Connection, *conditions: Any) -> list[RatingEvent]:
    """The events that fulfil conditions and that one may see, in the order in which they were kept."""
    return read_event_rows(connection, *conditions)[0]


def read_event_rows(connection: Connection, *conditions: Any) -> tuple[list[RatingEvent], tuple[LeftOut, ...]]:
    """The same, and what of the rows could not be read."""
    table = schema.rating_events.c

    def part(name: str, most: int) -> Any:
        # as it stands there, whatever that is, and no more of it than can be right
        return func.substr(type_coerce(table[name], Text), 1, most + 1)

    wanted = (
        select(
            part("uid", MOST_NAME), table.campaign, table.screen, table.rater, table.at, part("field", MOST_NAME),
            part("value", MOST_WRITTEN), table.seconds, part("action", MOST_NAME), part("refers", MOST_NAME),
        )
        .where(*conditions)
        .order_by(table.seq)
    )  # fmt: skip
    return events_of(connection.execute(wanted))


def events_of(rows: Iterable[Any]) -> tuple[list[RatingEvent], tuple[LeftOut, ...]]:
    """The events of rows (uid, campaign, screen, rater, at, field, value, seconds, action, refers), and what is not."""
    found: list[RatingEvent] = []
    wrong: Counter[tuple[str, str]] = Counter()
    values: dict[str | None, Value] = {}
    for row in rows:
        try:
            found.append(_event(row, values))
        except _UnreadableError as error:
            wrong[str(row[3]), str(error)] += 1
    return found, counted_out(wrong)


class _UnreadableError(Exception):
    """Why a row is no event, in words without what stands in it."""


def _event(row: Any, values: dict[str | None, Value]) -> RatingEvent:
    uid, campaign, screen, rater, at, field, written, seconds, action, refers = row
    if not all(isinstance(text, str) for text in (uid, campaign, screen, rater, field, refers)):
        raise _UnreadableError(tr("a row that is damaged"))
    if action not in _ACTIONS:
        raise _UnreadableError(tr("an action that does not exist"))
    if not (isinstance(at, float | int) and isinstance(seconds, float | int)):
        raise _UnreadableError(tr("a time that cannot be"))
    if written not in values:
        values[written] = _value(written)
    event = RatingEvent(uid, campaign, screen, rater, at, field, values[written], seconds, _ACTIONS[action], refers)
    problem = form_problem(event)
    if problem:
        raise _UnreadableError(problem)
    return event


def _value(written: Any) -> Value:
    """A value from its JSON. What is no value of any protocol is told apart later; what is no JSON is told here."""
    if written is None:
        return None
    if not isinstance(written, str):
        raise _UnreadableError(tr("a value that cannot be read"))
    if len(written) > MOST_WRITTEN:
        raise _UnreadableError(tr("a text of more than {n:,} characters", "", MOST_TEXT))
    try:
        held = json.loads(written, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise _UnreadableError(tr("a value that cannot be read")) from None
    if isinstance(held, str):
        return clean_text(held)
    if isinstance(held, list) and all(type(rank) is int and abs(rank) < _WHOLE for rank in held):
        return tuple(held)
    if isinstance(held, float | int) and math.isfinite(held) and abs(held) <= _WHOLE:
        return held
    raise _UnreadableError(tr("a value that cannot be read"))


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)
