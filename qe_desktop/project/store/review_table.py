"""The tables of the review: targets, statuses and notes that were set, and what was recorded; rows in and out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Text, func, select, type_coerce

from qe_desktop.corpus import Status
from qe_desktop.formats.limits import LONGEST
from qe_desktop.project.events import EditAction, Reviewed, ReviewField, ReviewRow, VisitRow
from qe_desktop.project.store.cells import Damaged, of_names
from qe_desktop.project.store.corpus_columns import read_facts
from qe_desktop.project.store.review_checks import are_sound, sound_review, sound_visit
from qe_desktop.project.store.schema import reviews, visits, windows
from qe_desktop.project.store.troubles import Refused
from qe_desktop.project.store.visit_json import visit_in, visit_out
from qe_desktop.ratings.admitting import LATEST
from qe_desktop.wording import tr

MOST_WRITTEN = 12 * 2 * LONGEST + 100
"""Characters of the values of a row as JSON in ASCII: a target and a note, each character a pair of escapes."""
AT_ONCE = 10_000
"""Rows that are read and checked in one go."""
_DECODED = json.JSONDecoder().decode
_ACTIONS = {int(action): action for action in EditAction}
MOST_RECORDED = 1 << 24
"""The same of what was recorded in one visit."""


def review_values(row: ReviewRow, window: int) -> dict[str, Any]:
    """A row as one of the table. Refused for one that could not be read again."""
    row = replace(row, at=_time(row.at))
    try:
        sound_review(row)
    except (Damaged, TypeError, AttributeError):
        raise _refused() from None
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
        details = visit_out(sound_visit(row).visit)
    except (Damaged, TypeError, AttributeError):
        raise _refused() from None
    if len(json.dumps(details, ensure_ascii=True)) > MOST_RECORDED:
        raise _refused()
    return {"uid": row.uid, "window": window, "at": row.at, "segment": row.segment, "details": details}


def _time(at: float) -> float:
    """The time by somebody's clock; 0 where that is before all computers, or long after this one."""
    return at if 0 <= at <= LATEST else 0.0


def _refused() -> Refused:
    return Refused(tr("a row of the review is none that a project keeps"))


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
    who, segments = _Windows(connection), _segments(connection)
    fields = _Fields()
    found: list[ReviewRow] = []
    for some in connection.execute(wanted).partitions(AT_ONCE):
        rows = [
            ReviewRow(
                uid, segment, fields[named], _values(afters), _values(befores), _ACTIONS[action], refers, bundle, text,
                at, *who[window], seq, step or 0,
            )
            for seq, uid, window, at, action, segment, named, afters, befores, refers, bundle, text, step in some
        ]  # fmt: skip
        if not are_sound(rows, segments):
            # which one is not, and why
            rows = [sound_review(row, segments) for row in rows]
        found += rows
    return found


class _Fields(dict[str, tuple[ReviewField, ...]]):
    """What rows set, by how that stands there."""

    def __missing__(self, named: str) -> tuple[ReviewField, ...]:
        self[named] = tuple(ReviewField(name) for name in of_names(_list(named), "what was set"))
        return self[named]


def visit_rows(connection: Connection, *conditions: Any) -> list[VisitRow]:
    """What was recorded, in order, as far as it fulfils conditions. Damaged where it is none that the program makes."""
    table = visits.c
    wanted = select(
        table.seq, table.uid, table.window, table.at, table.segment, _part(table.details, MOST_RECORDED)
    ).where(*conditions)
    who, segments = _Windows(connection), _segments(connection)
    found = []
    for seq, uid, window, at, segment, details in connection.execute(wanted.order_by(table.seq)):
        person, of = who[window]
        row = VisitRow(segment, visit_in(_json(details, MOST_RECORDED)), at, person, of, uid, seq)
        found.append(sound_visit(row, segments))
    return found


def _part(column: Any, most: int = MOST_WRITTEN) -> Any:
    """A cell as it stands there, whatever that is, and no more of it than can be right."""
    return func.substr(type_coerce(column, Text), 1, most + 1)


def _segments(connection: Connection) -> int:
    facts = read_facts(connection)
    return 0 if facts is None else facts.size


class _Windows(dict[int, tuple[str, str]]):
    """Who wrote a row, and in which running program, by its number."""

    def __init__(self, connection: Connection) -> None:
        rows = connection.execute(select(windows.c.seq, windows.c.person, windows.c.uid))
        super().__init__((seq, (person, uid)) for seq, person, uid in rows)
        of_names([name for both in self.values() for name in both], "the windows")


def _json(text: Any, most: int) -> Any:
    if type(text) is not str or len(text) > most:
        raise Damaged("a row of the review is longer than any")
    return _DECODED(text)


def _list(text: Any) -> list[Any]:
    found = _json(text, MOST_WRITTEN)
    if type(found) is not list:
        raise Damaged("a row of the review sets nothing")
    return found


def _values(text: Any) -> tuple[Reviewed, ...]:
    return tuple(_list(text))


def counts(rows: Sequence[ReviewRow], recorded: Sequence[VisitRow]) -> dict[str, Any]:
    """How many segments have a target, a status or a note of somebody's now, and what was recorded."""
    now: dict[tuple[int, ReviewField], Reviewed] = {}
    for row in rows:
        for field, value in zip(row.fields, row.values, strict=True):
            now[row.segment, field] = value
    statuses = [value for (_, field), value in now.items() if field is ReviewField.STATUS]
    return {
        "edited": sum(field is ReviewField.TARGET and value is not None for (_, field), value in now.items()),
        "confirmed": statuses.count(Status.CONFIRMED),
        "rejected": statuses.count(Status.REJECTED),
        "noted": sum(field is ReviewField.NOTE and value is not None for (_, field), value in now.items()),
        "rows": len(rows),
        "visits": len(recorded),
        "visited": len({row.segment for row in recorded}),
        "seconds": sum(row.visit.seconds for row in recorded),
    }
