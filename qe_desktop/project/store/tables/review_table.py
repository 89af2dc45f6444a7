"""Tables of the review: targets, statuses, notes, and recorded visits."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from sqlalchemy import Connection, Text, func, select, type_coerce

from qe_desktop.corpus import ReviewStatus
from qe_desktop.corpus.tag_voting import VotingRule
from qe_desktop.corpus.text_spans import DisplayedHighlights
from qe_desktop.formats.files import MAX_SEGMENT_LENGTH, MAX_SEGMENTS
from qe_desktop.project.events import EditAction, ReviewField, ReviewRow, ReviewValue, VisitRow
from qe_desktop.project.review.review_edits import are_valid_values, is_valid_value
from qe_desktop.project.review.visits import KeyKind, Visit
from qe_desktop.project.store.tables.cell_codec import (
    CorruptRowError,
    decode_visit,
    encode_visit,
    validate_condition,
    validate_fields,
    validate_names,
)
from qe_desktop.project.store.tables.corpus_columns import read_facts
from qe_desktop.project.store.tables.schema import reviews, visits, windows
from qe_desktop.project.undo_manager import MAX_STEP
from qe_desktop.ratings.event_validation import MAX_NAME_CHARS, MAX_UNIX_TIME

MAX_NOTE_CHARS = 10_000
"""Maximum length, in characters, of the description of a row, and of all names of displayed highlights together."""
MAX_TYPED_CHANGES = 100_000
"""Maximum number of changes per visit: ten per second for almost three hours."""
MAX_KEY_COUNT = 2**53


def validate_review(row: ReviewRow, segments: int = MAX_SEGMENTS) -> ReviewRow:
    """Return `row`. Raises CorruptRowError if it is invalid or its segment is not less than `segments`."""
    names = (row.uid, row.refers, row.group)
    validate_condition(
        all(type(name) is str and len(name) <= MAX_NAME_CHARS for name in names) and row.uid,
        "a review row has an invalid id",
    )
    validate_condition(
        type(row.text) is str and len(row.text) <= MAX_NOTE_CHARS, "the description of a review row is too long"
    )
    _check_segment_and_time(row.segment, row.at, segments)
    validate_condition(type(row.step) is int and 0 <= row.step < MAX_STEP, "a review row has an invalid step")
    validate_condition(isinstance(row.action, EditAction), "a review row has an unknown action")
    validate_condition((row.action is EditAction.EDIT) == (not row.refers), "a review row has an invalid reference")
    validate_condition(row.fields or row.refers, "a review row sets nothing")
    validate_condition(
        len({*row.fields}) == len(row.fields) == len(row.values) == len(row.befores), "a review row is incomplete"
    )
    for values in (row.values, row.befores):
        for field, value in zip(row.fields, values, strict=True):
            validate_condition(is_valid_value(field, value), f"a {field.value} has an invalid value")
    return row


def are_valid_reviews(rows: Sequence[ReviewRow], segments: int) -> bool:
    """Return whether `validate_review` would accept all rows. Checks column by column, which is faster."""
    names = [name for row in rows for name in (row.uid, row.refers, row.group)]
    texts, segment_numbers = [row.text for row in rows], [row.segment for row in rows]
    times, steps = [row.at for row in rows], [row.step for row in rows]
    kinds = {type(value) for column in (names, texts) for value in column} <= {str}
    if not (kinds and set(map(type, (*segment_numbers, *steps))) <= {int} and set(map(type, times)) <= {float, int}):
        return False
    return (
        max(map(len, names), default=0) <= MAX_NAME_CHARS
        and all([row.uid for row in rows])
        and max(map(len, texts), default=0) <= MAX_NOTE_CHARS
        and min(segment_numbers, default=0) >= 0
        and max(segment_numbers, default=-1) < segments
        and min(steps, default=0) >= 0
        and max(steps, default=0) < MAX_STEP
        and all([0 <= at <= MAX_UNIX_TIME for at in times])
        and all([(row.action is EditAction.EDIT) == (not row.refers) for row in rows])
        and all([row.fields or row.refers for row in rows])
        and _are_fields_valid(rows)
    )


def _are_fields_valid(rows: Sequence[ReviewRow]) -> bool:
    """Return whether the fields of each row are distinct and their new and previous values are allowed."""
    by_fields: defaultdict[tuple[ReviewField, ...], list[tuple[ReviewValue, ...]]] = defaultdict(list)
    for row in rows:
        by_fields[row.fields] += (row.values, row.befores)
    return all(
        len({*fields}) == len(fields)
        and set(map(len, columns)) == {len(fields)}
        and all(
            are_valid_values(field, column) for field, column in zip(fields, zip(*columns, strict=True), strict=True)
        )
        for fields, columns in by_fields.items()
    )


def validate_visit(row: VisitRow, segments: int = MAX_SEGMENTS) -> VisitRow:
    """Return `row`. Raises CorruptRowError if the visit is invalid or its segment is not less than `segments`."""
    validate_fields(row)
    validate_condition(0 < len(row.uid) <= MAX_NAME_CHARS, "a visit has an invalid id")
    _check_segment_and_time(row.segment, row.at, segments)
    _validate_visit_values(row.visit)
    return row


def _check_segment_and_time(segment: object, at: object, segments: int) -> None:
    validate_condition(type(segment) is int and 0 <= segment < segments, "a row of the review has an invalid segment")
    validate_condition(type(at) in (float, int) and 0 <= at <= MAX_UNIX_TIME, "a row of the review has an invalid time")  # type: ignore[operator]


def _validate_visit_values(visit: Visit) -> None:
    numbers = (visit.opened, visit.closed, visit.seconds, visit.pauses, visit.away, visit.limit)
    validate_condition(
        all(math.isfinite(number) and 0 <= number <= MAX_UNIX_TIME for number in numbers), "a visit has an invalid time"
    )
    counts = (visit.gaps_300, visit.gaps_1000, *(count for _, count in visit.keys))
    validate_condition(all(0 <= count < MAX_KEY_COUNT for count in counts), "a visit has too many keystrokes")
    validate_condition(
        len({kind for kind, _ in visit.keys}) == len(visit.keys) <= len(KeyKind), "a kind of keys is a duplicate"
    )
    _check_highlights(visit.shown)
    validate_condition(
        max(len(visit.before), len(visit.after)) <= MAX_SEGMENT_LENGTH, "a target has too many characters"
    )
    validate_condition(len(visit.typed) <= MAX_TYPED_CHANGES, "a visit has too many changes")
    for change in visit.typed:
        validate_condition(
            0 <= change.after <= MAX_UNIX_TIME and 0 <= change.place <= MAX_SEGMENT_LENGTH,
            "a change has an invalid position or time",
        )
        validate_condition(max(len(change.removed), len(change.inserted)) <= MAX_SEGMENT_LENGTH, "a change is too long")


def _check_highlights(highlights: DisplayedHighlights) -> None:
    validate_condition(sum(map(len, highlights.names)) <= MAX_NOTE_CHARS, "the names of highlights are too long")
    validate_condition(
        not highlights.agreement or highlights.agreement in [*VotingRule], "the voting rule of highlights is unknown"
    )
    ends = [
        0,
        *(offset for span in highlights.spans or () for offset in (span.start, span.end)),
        MAX_SEGMENT_LENGTH,
    ]
    validate_condition(all(start <= stop for start, stop in pairwise(ends)), "highlights are out of order")


MAX_REVIEW_CHARS = 12 * 2 * MAX_SEGMENT_LENGTH + 100
"""Maximum length, in characters, of a target and a note together, as ASCII JSON with two escapes per character."""
ROWS_PER_QUERY = 10_000
"""Number of rows that are read and validated at a time."""
_decode_json = json.JSONDecoder().decode
_ACTIONS = {int(action): action for action in EditAction}
MAX_VISIT_BYTES = 1 << 24
"""Maximum length of a visit as ASCII JSON, in bytes."""


def review_values(row: ReviewRow, window: int) -> dict[str, Any]:
    """Return the cells of a review row, by column name; `window` is the number of the client that made the row."""
    return {
        "uid": row.uid, "window": window, "at": row.at, "action": int(row.action), "segment": row.segment,
        "fields": [field.value for field in row.fields], "afters": list(row.values), "befores": list(row.befores),
        "refers": row.refers, "bundle": row.group, "text": row.text,
        "step": row.step or None,
    }  # fmt: skip


def visit_values(row: VisitRow, window: int) -> dict[str, Any]:
    """Return the cells of a visit row, by column name; `window` is the number of the client that made the row.

    Raises CorruptRowError if the visit is too long.
    """
    details = encode_visit(row.visit)
    validate_condition(len(json.dumps(details, ensure_ascii=True)) <= MAX_VISIT_BYTES, "a visit is too long")
    return {"uid": row.uid, "window": window, "at": row.at, "segment": row.segment, "details": details}


def review_rows(connection: Connection, *conditions: Any) -> list[ReviewRow]:
    """Return the review rows that match the conditions, in order of `seq`.

    Raises ValueError (such as CorruptRowError) or KeyError if a row is invalid.
    """
    table = reviews.c
    query = (
        select(
            table.seq, table.uid, table.window, table.at, table.action, table.segment, _truncated_text(table.fields),
            _truncated_text(table.afters), _truncated_text(table.befores), table.refers, table.bundle, table.text,
            table.step,
        )
        .where(*conditions)
        .order_by(table.seq)
    )  # fmt: skip
    authors, segments = _ClientNames(connection), _segments(connection)
    fields = _FieldColumns()
    result: list[ReviewRow] = []
    for batch in connection.execute(query).partitions(ROWS_PER_QUERY):
        rows = [
            ReviewRow(
                uid, segment, fields[field_names], _values(afters), _values(befores), _ACTIONS[action], refers, bundle,
                text, at, *authors[window], seq, step or 0,
            )
            for seq, uid, window, at, action, segment, field_names, afters, befores, refers, bundle, text, step in batch
        ]  # fmt: skip
        if not are_valid_reviews(rows, segments):
            # raises for the invalid row
            rows = [validate_review(row, segments) for row in rows]
        result += rows
    return result


class _FieldColumns(dict[str, tuple[ReviewField, ...]]):
    """Cache of decoded lists of review fields, by their JSON text."""

    def __missing__(self, named: str) -> tuple[ReviewField, ...]:
        self[named] = tuple(ReviewField(name) for name in validate_names(_list(named), "the fields of a review row"))
        return self[named]


def visit_rows(connection: Connection, *conditions: Any) -> list[VisitRow]:
    """Return the recorded visits that match the conditions, in order of `seq`.

    Raises ValueError (such as CorruptRowError), KeyError or TypeError if a visit is invalid.
    """
    table = visits.c
    query = select(
        table.seq, table.uid, table.window, table.at, table.segment, _truncated_text(table.details, MAX_VISIT_BYTES)
    ).where(*conditions)
    authors, segments = _ClientNames(connection), _segments(connection)
    result = []
    for seq, uid, window, at, segment, details in connection.execute(query.order_by(table.seq)):
        person, client = authors[window]
        row = VisitRow(segment, decode_visit(_json(details, MAX_VISIT_BYTES)), at, person, client, uid, seq)
        result.append(validate_visit(row, segments))
    return result


def _truncated_text(column: Any, max_chars: int = MAX_REVIEW_CHARS) -> Any:
    """Return an SQL expression for a cell as text, truncated to `max_chars` + 1 characters."""
    return func.substr(type_coerce(column, Text), 1, max_chars + 1)


def _segments(connection: Connection) -> int:
    facts = read_facts(connection)
    return 0 if facts is None else facts.size


class _ClientNames(dict[int, tuple[str, str]]):
    """Mapping from client number to person and client id."""

    def __init__(self, connection: Connection) -> None:
        rows = connection.execute(select(windows.c.seq, windows.c.person, windows.c.uid))
        super().__init__((seq, (person, uid)) for seq, person, uid in rows)
        validate_names([name for names in self.values() for name in names], "the windows")


def _json(text: Any, max_chars: int) -> Any:
    if type(text) is not str or len(text) > max_chars:
        raise CorruptRowError("a row of the review is too long")
    return _decode_json(text)


def _list(text: Any) -> list[Any]:
    values = _json(text, MAX_REVIEW_CHARS)
    if type(values) is not list:
        raise CorruptRowError("a row of the review sets nothing")
    return values


def _values(text: Any) -> tuple[ReviewValue, ...]:
    return tuple(_list(text))


def review_counts(rows: Sequence[ReviewRow], recorded: Sequence[VisitRow]) -> dict[str, Any]:
    """Return the numbers of edited, confirmed, rejected, noted and visited segments, of review rows, and of visits.

    The key `seconds` has the total working time of all visits.
    """
    now: dict[tuple[int, ReviewField], ReviewValue] = {}
    for row in rows:
        for field, value in zip(row.fields, row.values, strict=True):
            now[row.segment, field] = value
    statuses = [value for (_, field), value in now.items() if field is ReviewField.STATUS]
    return {
        "edited": sum(field is ReviewField.TARGET and value is not None for (_, field), value in now.items()),
        "confirmed": statuses.count(ReviewStatus.CONFIRMED),
        "rejected": statuses.count(ReviewStatus.REJECTED),
        "noted": sum(field is ReviewField.NOTE and bool(value) for (_, field), value in now.items()),
        "rows": len(rows),
        "visits": len(recorded),
        "visited": len({row.segment for row in recorded}),
        "seconds": sum(row.visit.seconds for row in recorded),
    }
