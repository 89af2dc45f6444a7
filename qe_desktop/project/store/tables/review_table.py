"""The tables of the review: targets, statuses and notes that were set, and what was recorded; rows in and out."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from sqlalchemy import Connection, Text, func, select, type_coerce

from qe_desktop.corpus import ReviewStatus
from qe_desktop.corpus.highlight_spans import DisplayedHighlights
from qe_desktop.corpus.tag_voting import VotingRule
from qe_desktop.formats.io.limits import MAX_SEGMENT_TOKENS, MAX_SEGMENTS
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import EditAction, ReviewField, ReviewRow, ReviewValue, VisitRow
from qe_desktop.project.review.review_edits import are_valid_values, is_valid_value
from qe_desktop.project.review.visits import KeyKind, Visit
from qe_desktop.project.store.errors import RejectedError
from qe_desktop.project.store.tables.cell_validation import (
    CorruptRowError,
    validate_condition,
    validate_fields,
    validate_names,
)
from qe_desktop.project.store.tables.corpus_columns import read_facts
from qe_desktop.project.store.tables.json_codec import decode_visit, encode_visit
from qe_desktop.project.store.tables.schema import reviews, visits, windows
from qe_desktop.project.undo.undo_manager import MAX_STEP
from qe_desktop.ratings.event_validation import MAX_NAME_CHARS, MAX_UNIX_TIME

MAX_NOTE_CHARS = 10_000
"""Characters of what was done in words, and of whose highlights were shown."""
MAX_TYPED_CHANGES = 100_000
"""Changes of a target in one visit: somebody who types ten a second for almost three hours."""
MAX_KEY_COUNT = 2**53


def validate_review(row: ReviewRow, segments: int = MAX_SEGMENTS) -> ReviewRow:
    """The row as it is. Damaged where it is none that the program makes, or about none of so many segments."""
    names = (row.uid, row.refers, row.group)
    validate_condition(
        all(type(one) is str and len(one) <= MAX_NAME_CHARS for one in names) and row.uid, "a review row has no name"
    )
    validate_condition(type(row.text) is str and len(row.text) <= MAX_NOTE_CHARS, "a review row says too much")
    _check_segment_and_time(row.segment, row.at, segments)
    validate_condition(
        type(row.step) is int and 0 <= row.step < MAX_STEP, "a review row has no place in the order of steps"
    )
    validate_condition(isinstance(row.action, EditAction), "a review row does nothing that there is to do")
    validate_condition(
        (row.action is EditAction.EDIT) == (not row.refers), "a review row is about none, or about another one"
    )
    validate_condition(row.fields or row.refers, "a review row sets nothing")
    validate_condition(
        len({*row.fields}) == len(row.fields) == len(row.values) == len(row.befores), "a review row is not whole"
    )
    for values in (row.values, row.befores):
        for field, value in zip(row.fields, values, strict=True):
            validate_condition(is_valid_value(field, value), f"a {field.value} is none that is set in review")
    return row


def are_valid_reviews(rows: Sequence[ReviewRow], segments: int) -> bool:
    """Whether `sound_review` takes each of these rows, looked up by columns, as a project has many of them. Where not,
    it says which is damaged.
    """
    names = [name for row in rows for name in (row.uid, row.refers, row.group)]
    said, places = [row.text for row in rows], [row.segment for row in rows]
    times, steps = [row.at for row in rows], [row.step for row in rows]
    kinds = {type(one) for column in (names, said) for one in column} <= {str}
    if not (kinds and set(map(type, (*places, *steps))) <= {int} and set(map(type, times)) <= {float, int}):
        return False
    return (
        max(map(len, names), default=0) <= MAX_NAME_CHARS
        and all([row.uid for row in rows])
        and max(map(len, said), default=0) <= MAX_NOTE_CHARS
        and min(places, default=0) >= 0
        and max(places, default=-1) < segments
        and min(steps, default=0) >= 0
        and max(steps, default=0) < MAX_STEP
        and all([0 <= at <= MAX_UNIX_TIME for at in times])
        and all([(row.action is EditAction.EDIT) == (not row.refers) for row in rows])
        and all([row.fields or row.refers for row in rows])
        and _are_set_soundly(rows)
    )


def _are_set_soundly(rows: Sequence[ReviewRow]) -> bool:
    """Whether the rows set fields to what these may be set to."""
    by_fields: defaultdict[tuple[ReviewField, ...], list[tuple[ReviewValue, ...]]] = defaultdict(list)
    for row in rows:
        by_fields[row.fields] += (row.values, row.befores)
    return all(
        len({*fields}) == len(fields)
        and set(map(len, found)) == {len(fields)}
        and all(are_valid_values(field, column) for field, column in zip(fields, zip(*found, strict=True), strict=True))
        for fields, found in by_fields.items()
    )


def validate_visit(row: VisitRow, segments: int = MAX_SEGMENTS) -> VisitRow:
    """The same for what was recorded."""
    validate_fields(row)
    validate_condition(0 < len(row.uid) <= MAX_NAME_CHARS, "a visit has no name")
    _check_segment_and_time(row.segment, row.at, segments)
    _ensure_visit(row.visit)
    return row


def _check_segment_and_time(segment: object, at: object, segments: int) -> None:
    validate_condition(type(segment) is int and 0 <= segment < segments, "a row of the review is about no segment")
    validate_condition(type(at) in (float, int) and 0 <= at <= MAX_UNIX_TIME, "a row of the review is of no time")  # type: ignore[operator]


def _ensure_visit(visit: Visit) -> None:
    numbers = (visit.opened, visit.closed, visit.seconds, visit.pauses, visit.away, visit.limit)
    validate_condition(
        all(math.isfinite(one) and 0 <= one <= MAX_UNIX_TIME for one in numbers), "a visit took a time that cannot be"
    )
    counts = (visit.gaps_300, visit.gaps_1000, *(count for _, count in visit.keys))
    validate_condition(all(0 <= count < MAX_KEY_COUNT for count in counts), "keys were not pressed so often")
    validate_condition(
        len({kind for kind, _ in visit.keys}) == len(visit.keys) <= len(KeyKind), "a kind of keys is there twice"
    )
    _check_highlights(visit.shown)
    validate_condition(
        max(len(visit.before), len(visit.after)) <= MAX_SEGMENT_TOKENS, "a target has too many characters"
    )
    validate_condition(len(visit.typed) <= MAX_TYPED_CHANGES, "more was typed than anybody types")
    for one in visit.typed:
        validate_condition(
            0 <= one.after <= MAX_UNIX_TIME and 0 <= one.place <= MAX_SEGMENT_TOKENS, "something was typed nowhere"
        )
        validate_condition(
            max(len(one.removed), len(one.inserted)) <= MAX_SEGMENT_TOKENS, "more was typed at once than a target takes"
        )


def _check_highlights(shown: DisplayedHighlights) -> None:
    validate_condition(
        sum(map(len, shown.names)) <= MAX_NOTE_CHARS, "the names of whose highlights were shown are none"
    )
    validate_condition(not shown.agreement or shown.agreement in [*VotingRule], "nobody agrees in this way")
    ends = [0, *(place for one in shown.stretches or () for place in (one.start, one.end)), MAX_SEGMENT_TOKENS]
    validate_condition(all(one <= other for one, other in pairwise(ends)), "what was highlighted is out of order")


MAX_REVIEW_CHARS = 12 * 2 * MAX_SEGMENT_TOKENS + 100
"""Characters of the values of a row as JSON in ASCII: a target and a note, each character a pair of escapes."""
ROWS_PER_QUERY = 10_000
"""Rows that are read and checked in one go."""
_DECODED = json.JSONDecoder().decode
_ACTIONS = {int(action): action for action in EditAction}
MAX_VISIT_BYTES = 1 << 24
"""The same of what was recorded in one visit."""


def review_values(row: ReviewRow, window: int) -> dict[str, Any]:
    """A row as one of the table. Refused for one that could not be read again."""
    row = row._replace(at=_time(row.at))
    try:
        validate_review(row)
    except (CorruptRowError, TypeError, AttributeError):
        raise _rejected_error() from None
    return {
        "uid": row.uid, "window": window, "at": row.at, "action": int(row.action), "segment": row.segment,
        "fields": [field.value for field in row.fields], "afters": list(row.values), "befores": list(row.befores),
        "refers": row.refers, "bundle": row.group, "text": row.text,
        "step": row.step or None,
    }  # fmt: skip


def visit_values(row: VisitRow, window: int) -> dict[str, Any]:
    """What was recorded as a row of the table. Refused for what could not be read again."""
    row = replace(row, at=_time(row.at))
    try:
        details = encode_visit(validate_visit(row).visit)
    except (CorruptRowError, TypeError, AttributeError):
        raise _rejected_error() from None
    if len(json.dumps(details, ensure_ascii=True)) > MAX_VISIT_BYTES:
        raise _rejected_error()
    return {"uid": row.uid, "window": window, "at": row.at, "segment": row.segment, "details": details}


def _time(at: float) -> float:
    """The time by somebody's clock; 0 where that is before all computers, or long after this one."""
    return at if 0 <= at <= MAX_UNIX_TIME else 0.0


def _rejected_error() -> RejectedError:
    return RejectedError(tr("a row of the review is none that a project keeps"))


def review_rows(connection: Connection, *conditions: Any) -> list[ReviewRow]:
    """The rows that fulfil conditions, in order. Damaged where one is none that the program makes."""
    table = reviews.c
    wanted = (
        select(
            table.seq, table.uid, table.window, table.at, table.action, table.segment, _part(table.fields),
            _part(table.afters), _part(table.befores), table.refers, table.bundle, table.text, table.step,
        )
        .where(*conditions)
        .order_by(table.seq)
    )  # fmt: skip
    who, segments = _ClientNames(connection), _segments(connection)
    fields = _FieldColumns()
    found: list[ReviewRow] = []
    for some in connection.execute(wanted).partitions(ROWS_PER_QUERY):
        rows = [
            ReviewRow(
                uid, segment, fields[named], _values(afters), _values(befores), _ACTIONS[action], refers, bundle, text,
                at, *who[window], seq, step or 0,
            )
            for seq, uid, window, at, action, segment, named, afters, befores, refers, bundle, text, step in some
        ]  # fmt: skip
        if not are_valid_reviews(rows, segments):
            # which one is not, and why
            rows = [validate_review(row, segments) for row in rows]
        found += rows
    return found


class _FieldColumns(dict[str, tuple[ReviewField, ...]]):
    """What rows set, by how that stands there."""

    def __missing__(self, named: str) -> tuple[ReviewField, ...]:
        self[named] = tuple(ReviewField(name) for name in validate_names(_list(named), "what was set"))
        return self[named]


def visit_rows(connection: Connection, *conditions: Any) -> list[VisitRow]:
    """What was recorded, in order, as far as it fulfils conditions. Damaged where it is none that the program makes."""
    table = visits.c
    wanted = select(
        table.seq, table.uid, table.window, table.at, table.segment, _part(table.details, MAX_VISIT_BYTES)
    ).where(*conditions)
    who, segments = _ClientNames(connection), _segments(connection)
    found = []
    for seq, uid, window, at, segment, details in connection.execute(wanted.order_by(table.seq)):
        person, of = who[window]
        row = VisitRow(segment, decode_visit(_json(details, MAX_VISIT_BYTES)), at, person, of, uid, seq)
        found.append(validate_visit(row, segments))
    return found


def _part(column: Any, most: int = MAX_REVIEW_CHARS) -> Any:
    """A cell as it stands there, whatever that is, and no more of it than can be right."""
    return func.substr(type_coerce(column, Text), 1, most + 1)


def _segments(connection: Connection) -> int:
    facts = read_facts(connection)
    return 0 if facts is None else facts.size


class _ClientNames(dict[int, tuple[str, str]]):
    """Who wrote a row, and in which running program, by its number."""

    def __init__(self, connection: Connection) -> None:
        rows = connection.execute(select(windows.c.seq, windows.c.person, windows.c.uid))
        super().__init__((seq, (person, uid)) for seq, person, uid in rows)
        validate_names([name for both in self.values() for name in both], "the windows")


def _json(text: Any, most: int) -> Any:
    if type(text) is not str or len(text) > most:
        raise CorruptRowError("a row of the review is longer than any")
    return _DECODED(text)


def _list(text: Any) -> list[Any]:
    found = _json(text, MAX_REVIEW_CHARS)
    if type(found) is not list:
        raise CorruptRowError("a row of the review sets nothing")
    return found


def _values(text: Any) -> tuple[ReviewValue, ...]:
    return tuple(_list(text))


def review_counts(rows: Sequence[ReviewRow], recorded: Sequence[VisitRow]) -> dict[str, Any]:
    """How many segments have a target, a status or a note of somebody's now, and what was recorded."""
    now: dict[tuple[int, ReviewField], ReviewValue] = {}
    for row in rows:
        for field, value in zip(row.fields, row.values, strict=True):
            now[row.segment, field] = value
    statuses = [value for (_, field), value in now.items() if field is ReviewField.STATUS]
    return {
        "edited": sum(field is ReviewField.TARGET and value is not None for (_, field), value in now.items()),
        "confirmed": statuses.count(ReviewStatus.CONFIRMED),
        "rejected": statuses.count(ReviewStatus.REJECTED),
        "noted": sum(field is ReviewField.NOTE and value is not None for (_, field), value in now.items()),
        "rows": len(rows),
        "visits": len(recorded),
        "visited": len({row.segment for row in recorded}),
        "seconds": sum(row.visit.seconds for row in recorded),
    }
