"""Sets of ratings imported from files.

Withdrawing or restoring an import does not change its rows. Instead, an empty set is added, whose `sha256` consists of
`withdrawn` or `restored`, a number and the import's name, separated by colons. An import is either a set or the events
of a file; its name is the hash of the set or the `window` of the events.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Connection, insert, select, true

from qe_desktop.corpus import Comment, ItemRole, PairRatings, RatingFlag, Ratings, ScoreRatings, join_ratings
from qe_desktop.i18n.messages import to_english
from qe_desktop.project.events import new_uid
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.blobs import (
    join_header,
    pack_bytes,
    read_bytes,
    split_header,
    unpack_bytes,
    write_bytes,
)
from qe_desktop.project.store.tables.cell_codec import (
    dataclass_fields,
    validate_condition,
    validate_fields,
    validate_integer,
    validate_names,
    validate_positions,
)


def pack_ratings(ratings: Ratings) -> bytes:
    """Encode ratings as a JSON header with names and column formats, followed by the columns."""
    header: dict[str, Any] = {
        "origin": ratings.origin,
        "notes": to_english(ratings.notes),
        "ranges": [list(bounds) for bounds in ratings.ranges],
        "comments": [dataclass_fields(comment) for comment in ratings.comments],
    }
    parts: list[bytes] = []
    for name, table in (("scores", ratings.scores), ("pairs", ratings.pairs)):
        columns: dict[str, Any] = {}
        for field in fields(table):
            value = getattr(table, field.name)
            if isinstance(value, np.ndarray):
                data = np.ascontiguousarray(value, value.dtype.newbyteorder("<"))
                columns[field.name] = {"form": data.dtype.str, "items": len(data)}
                parts.append(data.tobytes())
            else:
                columns[field.name] = list(value)
        header[name] = columns
    return pack_bytes(join_header(json.dumps(header, ensure_ascii=True), parts))


def unpack_ratings(data: bytes) -> Ratings:
    """Decode ratings that `pack_ratings` encoded.

    Raises ValueError (such as CorruptRowError), LookupError, TypeError or zlib.error if `data` is invalid.
    """
    raw = unpack_bytes(data)
    header, begin = split_header(raw)
    scores, begin = _table(ScoreRatings, header["scores"], raw, begin)
    pairs, _ = _table(PairRatings, header["pairs"], raw, begin)
    _check(scores)
    _check(pairs)
    _check_scores(scores)
    comments = tuple(
        _comment(**comment | {"systems": validate_names(comment["systems"], "systems")})
        for comment in header["comments"]
    )
    origin, notes = (
        validate_names([header["origin"]], "the origin of ratings")[0],
        validate_names(header["notes"], "notes"),
    )
    return Ratings(scores, pairs, comments, origin, notes, _ranges(header.get("ranges", [])))


def _ranges(ranges: Any) -> tuple[tuple[str, float, float], ...]:
    """Return the name, minimum and maximum of each scale; empty for sets of older versions, which have no ranges."""
    validate_condition(
        isinstance(ranges, list) and all(isinstance(item, list) and len(item) == 3 for item in ranges),
        "ranges of scales",
    )
    names = validate_names([item[0] for item in ranges], "scales")
    ends = [end for item in ranges for end in item[1:]]
    # false for NaN, infinity, and integers that are too large for a float
    validate_condition(
        all(isinstance(end, int | float) and abs(end) <= sys.float_info.max for end in ends), "ranges of scales"
    )
    return tuple(
        (name, float(lowest), float(highest)) for name, (_, lowest, highest) in zip(names, ranges, strict=True)
    )


def _comment(started: float, **values: Any) -> Comment:
    return replace(
        validate_fields(Comment(**values, started=0.0)), started=started if type(started) is float else math.nan
    )


def _table(kind: type[Any], header: dict[str, Any], raw: bytes, begin: int) -> tuple[Any, int]:
    columns: dict[str, Any] = {}
    for field in fields(kind):
        if field.name not in header:
            # sets of older versions have no campaign
            continue
        value = header[field.name]
        if isinstance(value, list):
            columns[field.name] = validate_names(value, field.name)
            continue
        form = np.dtype(_DTYPES[value["form"]])
        items = validate_integer(value["items"], field.name)
        columns[field.name] = np.frombuffer(raw, form, items, begin).astype(form.newbyteorder("="), copy=False)
        begin += form.itemsize * items
    return kind(**columns), begin


_DTYPES = {"<i4": "<i4", "<i2": "<i2", "<f8": "<f8", "|u1": "u1"}
"""NumPy dtypes of columns, by their names in the header; no others are allowed."""


def _check(table: ScoreRatings | PairRatings) -> None:
    """Raise CorruptRowError for columns of the wrong type, codes without a name, unknown roles, and infinite times."""
    expected_columns = {field.name: getattr(_EMPTY[type(table)], field.name) for field in fields(table)}
    for name, value in expected_columns.items():
        column = getattr(table, name)
        validate_condition(type(column) is type(value), f"{name} of ratings have the wrong type")
        validate_condition(
            isinstance(column, tuple) or column.dtype == value.dtype, f"{name} of ratings have the wrong type"
        )
    for name, names in table.NAMES.items():
        validate_positions(getattr(table, name), len(getattr(table, names)), name)
    validate_positions(table.role, len(ItemRole), "roles")
    for times in (table.started, table.seconds):
        validate_condition(not np.isinf(times).any(), "ratings have an invalid time")


def _check_scores(scores: ScoreRatings) -> None:
    validate_positions(scores.flags, 1 << len(RatingFlag), "flags of ratings")
    validate_condition(not np.isinf(scores.value).any(), "ratings are not numbers")


_EMPTY: dict[type[Any], Any] = {ScoreRatings: ScoreRatings.of(()), PairRatings: PairRatings.of(())}


_WITHDRAWN, _RESTORED = "withdrawn", "restored"


def write_set(
    connection: Connection, ratings: Ratings, packed: bytes, *, file: str, sha256: str, who: str
) -> tuple[str, int]:
    """Write a set of ratings; return its uid and its number of ratings."""
    uid, rows = new_uid(), len(ratings.scores) + len(ratings.pairs)
    data = write_bytes(connection, packed)
    values = {"uid": uid, "at": time.time(), "who": who, "file": file, "sha256": sha256, "rows": rows, "data": data}
    connection.execute(insert(schema.rating_sets).values(values))
    return uid, rows


def withdrawn_imports(connection: Connection) -> set[str]:
    """Names of withdrawn imports (the hash of a set, or the `window` of a file's events). For owners only."""
    table = schema.rating_sets.c
    state: dict[str, str] = {}
    for entry in connection.execute(
        select(table.sha256).where(table.sha256.contains(":")).order_by(table.seq)
    ).scalars():
        action, _, remainder = entry.partition(":")
        state[remainder.partition(":")[2]] = action
    return {name for name, action in state.items() if action == _WITHDRAWN}


def write_withdrawal(connection: Connection, name: str, *, file: str, who: str, away: bool) -> None:
    """Add a row that withdraws the import `name` if `away` is true, or else restores it."""
    table = schema.rating_sets.c
    before = connection.execute(select(table.seq).where(table.sha256.contains(":"))).all()
    empty_ratings = Ratings.of()
    sha256 = f"{_WITHDRAWN if away else _RESTORED}:{len(before) + 1}:{name}"
    write_set(connection, empty_ratings, pack_ratings(empty_ratings), file=file, sha256=sha256, who=who)


def not_withdrawn(connection: Connection) -> ColumnElement[bool]:
    """Return an SQL condition that is true for events that are not withdrawn. For owners only."""
    withdrawn = sorted(withdrawn_imports(connection))
    return schema.rating_events.c.window.notin_(withdrawn) if withdrawn else true()


def read_sets(connection: Connection) -> list[Ratings]:
    """Read the sets that are not withdrawn, in stored order; the origin of each set is the name of its file."""
    table, withdrawn = schema.rating_sets.c, withdrawn_imports(connection)
    stored = connection.execute(select(table.file, table.data, table.sha256).order_by(table.seq)).all()
    rows = [row for row in stored if ":" not in row.sha256 and row.sha256 not in withdrawn]
    return [
        replace(unpack_ratings(read_bytes(connection, row.data)), origin=validate_names([row.file], "a file")[0])
        for row in rows
    ]


def find_same_set(connection: Connection, ratings: Ratings) -> str:
    """Return the hash of a stored set that is equal to `ratings`; empty if there is none.

    Origins and notes are not compared. Sets that are not withdrawn take precedence.
    """
    table, packed, withdrawn = schema.rating_sets.c, _pack_for_comparison(ratings), withdrawn_imports(connection)
    size = len(ratings.scores) + len(ratings.pairs)
    candidates = connection.execute(
        select(table.sha256, table.data).where(table.rows == size).order_by(table.seq)
    ).all()
    for row in sorted((row for row in candidates if ":" not in row.sha256), key=lambda row: row.sha256 in withdrawn):
        if _pack_for_comparison(unpack_ratings(read_bytes(connection, row.data))) == packed:
            return str(row.sha256)
    return ""


def _pack_for_comparison(ratings: Ratings) -> bytes:
    return pack_ratings(replace(ratings, origin="", notes=()))


def read_counting_sets(connection: Connection, uids: Sequence[str]) -> Ratings | None:
    """Read and join the sets in `uids` that are not withdrawn, in the order of `uids`; None if all are withdrawn."""
    table, withdrawn = schema.rating_sets.c, withdrawn_imports(connection)
    stored = {uid: connection.execute(select(table.sha256, table.data).where(table.uid == uid)).one() for uid in uids}
    sets = [unpack_ratings(read_bytes(connection, row.data)) for row in stored.values() if row.sha256 not in withdrawn]
    return join_ratings(sets) if sets else None
