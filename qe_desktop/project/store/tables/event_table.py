"""Table of rating events; unreadable rows are skipped and reported."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from sqlalchemy import Connection, Text, func, select, text, type_coerce

from qe_desktop.answers.event_history import EventValue, RatingAction, RatingEvent
from qe_desktop.i18n.messages import tr
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.cell_codec import dataclass_fields, encode_value
from qe_desktop.ratings.event_validation import (
    MAX_NAME_CHARS,
    MAX_SECONDS,
    MAX_TEXT_CHARS,
    MAX_UNIX_TIME,
    SkippedRows,
    clean_text,
    describe_skipped,
    event_problem,
)

MAX_EVENT_CHARS = 12 * MAX_TEXT_CHARS + 2
"""Maximum length of a value as ASCII JSON, in characters; one character of a text may need two escape sequences."""
_MAX_INTEGER = 2**53
_ACTIONS = {action.value: action for action in RatingAction}


def event_values(event: RatingEvent, window: str) -> dict[str, Any]:
    """Return an event as a table row; times and durations out of range become 0."""
    return dataclass_fields(event) | {
        "at": event.at if 0 <= event.at <= MAX_UNIX_TIME else 0.0,
        "value": encode_value(clean_text(event.value) if isinstance(event.value, str) else event.value),
        "seconds": event.seconds if 0 <= event.seconds <= MAX_SECONDS else 0.0,
        "action": event.action.value,
        "window": window,
    }


def read_events(connection: Connection, *conditions: Any) -> list[RatingEvent]:
    """Events that match the conditions and that the user may see, in stored order; unreadable events are skipped."""
    return read_event_rows(connection, *conditions)[0]


def read_event_rows(connection: Connection, *conditions: Any) -> tuple[list[RatingEvent], tuple[SkippedRows, ...]]:
    """Return the same events as `read_events`, and the count of skipped rows per rater and reason."""
    table = schema.rating_events.c

    def part(name: str, max_chars: int) -> Any:
        # read as text, whatever the type of the cell, truncated to one character more than is valid
        return func.substr(type_coerce(table[name], Text), 1, max_chars + 1)

    query = (
        select(
            part("uid", MAX_NAME_CHARS),
            table.campaign,
            table.screen,
            table.rater,
            table.at,
            part("field", MAX_NAME_CHARS),
            part("value", MAX_EVENT_CHARS),
            table.seconds,
            part("action", MAX_NAME_CHARS),
            part("refers", MAX_NAME_CHARS),
        )
        .where(*conditions)
        .order_by(table.seq)
    )
    return decode_events(connection.execute(query))


def decode_events(rows: Iterable[Any]) -> tuple[list[RatingEvent], tuple[SkippedRows, ...]]:
    """Decode rows of events; also return the count of skipped rows per rater and reason.

    The columns of `rows` are uid, campaign, screen, rater, at, field, value, seconds, action and refers.
    """
    events: list[RatingEvent] = []
    skipped: Counter[tuple[str, str]] = Counter()
    values: dict[str | None, EventValue] = {}
    for row in rows:
        try:
            events.append(_event(row, values))
        except _UnreadableError as error:
            skipped[str(row[3]), str(error)] += 1
    return events, describe_skipped(skipped)


class _UnreadableError(Exception):
    """Error that states why a row is not a valid event; the message does not quote the row."""


def _event(row: Any, values: dict[str | None, EventValue]) -> RatingEvent:
    uid, campaign, screen, rater, at, field, written, seconds, action, refers = row
    if not all(isinstance(text, str) for text in (uid, campaign, screen, rater, field, refers)):
        raise _UnreadableError(tr("damaged row"))
    if action not in _ACTIONS:
        raise _UnreadableError(tr("unknown action"))
    if not (isinstance(at, float | int) and isinstance(seconds, float | int)):
        raise _UnreadableError(tr("invalid time"))
    if written not in values:
        values[written] = _value(written)
    event = RatingEvent(uid, campaign, screen, rater, at, field, values[written], seconds, _ACTIONS[action], refers)
    problem = event_problem(event)
    if problem:
        raise _UnreadableError(problem)
    return event


def _value(written: Any) -> EventValue:
    """Decode a JSON value. Raises _UnreadableError if it is invalid; the protocol may reject a decoded value later."""
    if written is None:
        return None
    if not isinstance(written, str):
        raise _UnreadableError(tr("unreadable value"))
    if len(written) > MAX_EVENT_CHARS:
        raise _UnreadableError(tr("text longer than {n:,} characters", "", MAX_TEXT_CHARS))
    try:
        value = json.loads(written, parse_constant=_reject_constant)
    except (ValueError, RecursionError):
        raise _UnreadableError(tr("unreadable value")) from None
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list) and all(type(rank) is int and abs(rank) < _MAX_INTEGER for rank in value):
        return tuple(value)
    # false for NaN; `math.isfinite` would fail for an integer of hundreds of digits
    if isinstance(value, float | int) and not isinstance(value, bool) and abs(value) <= _MAX_INTEGER:
        return value
    raise _UnreadableError(tr("unreadable value"))


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(name)


_TRIGGER = "rating_events_checked"
_JSON_TEXT_PATTERN = (
    r'^"([]-~ !#-[]|\\["\\/nt]'
    r"|\\u(?!00[01][0-9a-fA-F]|007[fF]|00[89][0-9a-fA-F])([0-9a-ce-fA-CE-F][0-9a-fA-F]{3}|[dD][0-7][0-9a-fA-F]{2})"
    r"|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    r')*"$'
)
"""Regular expression for JSON strings that this program writes: ASCII, without unpaired surrogates, and without control
characters other than tab and line feed.
"""

CHECK_EVENT = f"""
CREATE OR REPLACE FUNCTION check_rating_event() RETURNS trigger LANGUAGE plpgsql
SET search_path = qe_desktop, pg_temp AS $check$
DECLARE
    shown int;
    bounds json;
    before double precision;
    is_owner boolean := pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE');
BEGIN
    IF NEW.uid !~ '^[ -~]{{1,{MAX_NAME_CHARS}}}$' OR NEW.refers !~ '^[ -~]{{0,{MAX_NAME_CHARS}}}$'
        OR length(NEW."window") > {MAX_NAME_CHARS} OR length(NEW.rater) > 1000
    THEN
        RAISE EXCEPTION 'an identifier of the event is invalid' USING ERRCODE = 'check_violation';
    END IF;
    IF NEW.action NOT IN ('rate', 'undo', 'redo') OR (NEW.action = 'rate') <> (NEW.refers = '') THEN
        RAISE EXCEPTION 'the action of the event is invalid' USING ERRCODE = 'check_violation';
    END IF;
    IF NOT NEW.seconds BETWEEN 0 AND {MAX_SECONDS:.0f} THEN
        RAISE EXCEPTION 'the duration is not 0 to {MAX_SECONDS:,.0f} seconds' USING ERRCODE = 'check_violation';
    END IF;
    -- rows that a rater may not see are treated as missing
    SELECT c.takes INTO bounds FROM campaigns c WHERE c.uid = NEW.campaign;
    IF NEW.field <> 'profile' THEN
        SELECT json_array_length(CAST(s.outputs AS json)) INTO shown FROM screens s
        WHERE s.campaign = NEW.campaign AND s.uid = NEW.screen AND s.rater = NEW.rater;
    ELSIF NEW.screen = '' AND bounds IS NOT NULL THEN
        shown := 0;
    END IF;
    IF shown IS NULL THEN
        RAISE EXCEPTION 'the rater has no such item' USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF octet_length(NEW.value) > {MAX_EVENT_CHARS} THEN
        RAISE EXCEPTION 'the text has more than {MAX_TEXT_CHARS:,} characters' USING ERRCODE = 'check_violation';
    ELSIF NEW.field IN ('comment', 'skip', 'profile') THEN
        IF NEW.value !~ '{_JSON_TEXT_PATTERN}' THEN
            RAISE EXCEPTION 'the text is invalid' USING ERRCODE = 'check_violation';
        ELSIF char_length(CAST(NEW.value AS json) #>> '{{}}') > {MAX_TEXT_CHARS} THEN
            RAISE EXCEPTION 'the text has more than {MAX_TEXT_CHARS:,} characters' USING ERRCODE = 'check_violation';
        END IF;
    ELSIF NEW.field NOT IN ('reveal', 'seen') AND bounds -> NEW.field IS NULL THEN
        RAISE EXCEPTION 'the campaign has no such field' USING ERRCODE = 'check_violation';
    ELSIF NEW.action <> 'rate' OR NEW.field IN ('reveal', 'seen') THEN
        IF NEW.value IS NOT NULL THEN
            RAISE EXCEPTION 'this event must not have a value' USING ERRCODE = 'check_violation';
        END IF;
    ELSIF NEW.field = 'ranks' THEN
        IF NEW.value IS NULL OR NEW.value !~ '^\\[[0-9](,[0-9])*\\]$'
            OR json_array_length(CAST(NEW.value AS json)) <> shown
            OR EXISTS (
                SELECT FROM json_array_elements_text(CAST(NEW.value AS json)) AS given(rank)
                WHERE CAST(given.rank AS int) NOT BETWEEN CAST(bounds -> NEW.field ->> 0 AS int)
                    AND CAST(bounds -> NEW.field ->> 1 AS int)
            )
        THEN
            RAISE EXCEPTION 'the ranks do not fit the screen' USING ERRCODE = 'check_violation';
        END IF;
    ELSIF NEW.value !~ '^(0|[1-9][0-9]{{0,3}})\\.0$' OR CAST(NEW.value AS numeric) NOT BETWEEN
        CAST(bounds -> NEW.field ->> 0 AS int) AND CAST(bounds -> NEW.field ->> 1 AS int)
    THEN
        RAISE EXCEPTION 'the value is not on the scale' USING ERRCODE = 'check_violation';
    END IF;
    IF NOT is_owner THEN
        SELECT e.at INTO before FROM rating_events e WHERE e.campaign = NEW.campaign AND e.rater = NEW.rater
        ORDER BY e.at DESC LIMIT 1;
        NEW.at := greatest(CAST(extract(epoch FROM clock_timestamp()) AS double precision), before + 1e-6);
    ELSIF NOT NEW.at BETWEEN 0 AND {MAX_UNIX_TIME:.0f} THEN
        RAISE EXCEPTION 'the time is invalid' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $check$
"""
"""PostgreSQL trigger function. It runs as the current user, so it cannot see rows that are hidden from this user."""

_SQLITE_TRIGGER = f"""
CREATE TRIGGER {_TRIGGER} BEFORE INSERT ON rating_events WHEN NOT coalesce(
    NEW.action IN ('rate', 'undo', 'redo') AND (NEW.action = 'rate') = (NEW.refers = '')
    AND NEW.at BETWEEN 0 AND {MAX_UNIX_TIME:.0f} AND NEW.seconds BETWEEN 0 AND {MAX_SECONDS:.0f}
    AND length(NEW.uid) BETWEEN 1 AND {MAX_NAME_CHARS} AND length(NEW.refers) <= {MAX_NAME_CHARS}
    AND length(NEW."window") <= {MAX_NAME_CHARS} AND length(NEW.field) BETWEEN 1 AND {MAX_NAME_CHARS}
    AND (NEW.field = 'profile') = (NEW.screen = '')
    AND coalesce(length(NEW.value), 0) <= {MAX_EVENT_CHARS} AND CASE
        WHEN NEW.value IS NULL THEN 1
        WHEN NEW.field IN ('comment', 'skip', 'profile') THEN NEW.value GLOB '"*"'
        WHEN NEW.action <> 'rate' OR NEW.field IN ('reveal', 'seen') THEN 0
        WHEN NEW.field = 'ranks' THEN NEW.value GLOB '[[][0-9]*]' AND NOT NEW.value GLOB '*[^][0-9,]*'
        ELSE NEW.value GLOB '[0-9]*.0' AND NOT NEW.value GLOB '*[^0-9.]*' AND length(NEW.value) <= 6
    END, 0)
BEGIN SELECT RAISE(ABORT, 'the event is not in order'); END
"""


def check_events(connection: Connection) -> None:
    """Create the trigger that validates new events. On a server, the trigger may already exist."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_SQLITE_TRIGGER.strip())
        return
    # the driver interprets a single % as a parameter
    connection.exec_driver_sql(CHECK_EVENT.replace("%", "%%"))
    trigger_query = text(
        f"SELECT FROM pg_trigger WHERE tgrelid = CAST('rating_events' AS regclass) AND tgname = '{_TRIGGER}'"
    )
    if connection.execute(trigger_query).first() is None:
        connection.exec_driver_sql(
            f"CREATE TRIGGER {_TRIGGER} BEFORE INSERT ON rating_events FOR EACH ROW"
            " EXECUTE FUNCTION check_rating_event()"
        )
        connection.exec_driver_sql("CREATE INDEX rating_events_by_time ON rating_events (campaign, rater, at)")


@contextmanager
def suspend_event_checks(connection: Connection) -> Iterator[None]:
    """Context manager that suspends the validation of new events while a project is copied."""
    sqlite = connection.dialect.name == "sqlite"
    connection.exec_driver_sql(
        f"DROP TRIGGER {_TRIGGER}" if sqlite else f"ALTER TABLE rating_events DISABLE TRIGGER {_TRIGGER}"
    )
    yield
    if sqlite:
        check_events(connection)
    else:
        connection.exec_driver_sql(f"ALTER TABLE rating_events ENABLE TRIGGER {_TRIGGER}")
