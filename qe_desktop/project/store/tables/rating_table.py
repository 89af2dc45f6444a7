"""Sets of ratings that came from files, kept as they were.

An import can be taken back, and its rows stay: a row that says so stands behind them as a set of nothing, whose
`sha256` tells what it does (`withdrawn` or `restored`), a number and to which import. An import is a set, called by its
hash, or the events that came with a file, called by the window that they have.
"""

from __future__ import annotations

import json
import math
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
from qe_desktop.project.store.tables.blobs import pack_bytes, read_bytes, unpack_bytes, write_bytes
from qe_desktop.project.store.tables.cell_validation import (
    validate_condition,
    validate_fields,
    validate_integer,
    validate_names,
    validate_positions,
)
from qe_desktop.project.store.tables.json_codec import dataclass_fields

_LENGTH = 8


def pack_ratings(ratings: Ratings) -> bytes:
    """Ratings as bytes: a JSON header with the names and the forms of the columns, then the columns."""
    header: dict[str, Any] = {
        "origin": ratings.origin,
        "notes": to_english(ratings.notes),
        "ranges": [list(one) for one in ratings.ranges],
        "comments": [dataclass_fields(comment) for comment in ratings.comments],
    }
    parts: list[bytes] = []
    for name, table in (("scores", ratings.scores), ("pairs", ratings.pairs)):
        held: dict[str, Any] = {}
        for one in fields(table):
            value = getattr(table, one.name)
            if isinstance(value, np.ndarray):
                data = np.ascontiguousarray(value, value.dtype.newbyteorder("<"))
                held[one.name] = {"form": data.dtype.str, "items": len(data)}
                parts.append(data.tobytes())
            else:
                held[one.name] = list(value)
        header[name] = held
    head = json.dumps(header, ensure_ascii=True).encode()
    return pack_bytes(b"".join([len(head).to_bytes(_LENGTH, "little"), head, *parts]))


def unpack_ratings(data: bytes) -> Ratings:
    """The ratings that `pack` wrote. Damaged, or another error of a value, for anything else."""
    raw = unpack_bytes(data)
    begin = _LENGTH + int.from_bytes(raw[:_LENGTH], "little")
    header = json.loads(raw[_LENGTH:begin])
    scores, begin = _table(ScoreRatings, header["scores"], raw, begin)
    pairs, _ = _table(PairRatings, header["pairs"], raw, begin)
    _check(scores)
    _check(pairs)
    _check_scores(scores)
    comments = tuple(
        _comment(**held | {"systems": validate_names(held["systems"], "systems")}) for held in header["comments"]
    )
    origin, notes = (
        validate_names([header["origin"]], "where ratings are from")[0],
        validate_names(header["notes"], "remarks"),
    )
    return Ratings(scores, pairs, comments, origin, notes, _ranges(header.get("ranges", [])))


def _ranges(held: Any) -> tuple[tuple[str, float, float], ...]:
    """The ranges of scales; none in sets that were written before these were told."""
    validate_condition(
        isinstance(held, list) and all(isinstance(one, list) and len(one) == 3 for one in held), "ranges of scales"
    )
    names = validate_names([one[0] for one in held], "scales")
    ends = [(float(low), float(high)) for _, low, high in held]
    validate_condition(all(math.isfinite(low) and math.isfinite(high) for low, high in ends), "ranges of scales")
    return tuple((name, *both) for name, both in zip(names, ends, strict=True))


def _comment(started: float, **held: Any) -> Comment:
    return replace(
        validate_fields(Comment(**held, started=0.0)), started=started if type(started) is float else math.nan
    )


def _table(kind: type[Any], held: dict[str, Any], raw: bytes, begin: int) -> tuple[Any, int]:
    columns: dict[str, Any] = {}
    for one in fields(kind):
        if one.name not in held:
            # written before ratings told their campaign
            continue
        value = held[one.name]
        if isinstance(value, list):
            columns[one.name] = validate_names(value, one.name)
            continue
        form = np.dtype(_FORMS[value["form"]])
        items = validate_integer(value["items"], one.name)
        columns[one.name] = np.frombuffer(raw, form, items, begin).astype(form.newbyteorder("="), copy=False)
        begin += form.itemsize * items
    return kind(**columns), begin


_FORMS = {"<i4": "<i4", "<i2": "<i2", "<f8": "<f8", "|u1": "u1"}
"""What columns of ratings are made of."""


def _check(table: ScoreRatings | PairRatings) -> None:
    """Names stand where names do, numbers where numbers do, and every code is one of a name."""
    like = {one.name: getattr(_EMPTY[type(table)], one.name) for one in fields(table)}
    for name, value in like.items():
        held = getattr(table, name)
        validate_condition(type(held) is type(value), f"{name} of ratings are something else")
        validate_condition(
            isinstance(held, tuple) or held.dtype == value.dtype, f"{name} of ratings are something else"
        )
    for name, names in table.NAMES.items():
        validate_positions(getattr(table, name), len(getattr(table, names)), name)
    validate_positions(table.role, len(ItemRole), "roles")
    for times in (table.started, table.seconds):
        validate_condition(not np.isinf(times).any(), "ratings are of no time")


def _check_scores(scores: ScoreRatings) -> None:
    validate_positions(scores.flags, 1 << len(RatingFlag), "remarks of ratings")
    validate_condition(not np.isinf(scores.value).any(), "ratings are no numbers")


_EMPTY: dict[type[Any], Any] = {ScoreRatings: ScoreRatings.of(()), PairRatings: PairRatings.of(())}


_AWAY, _BACK = "withdrawn", "restored"


def write_set(
    connection: Connection, ratings: Ratings, packed: bytes, *, file: str, sha256: str, who: str
) -> tuple[str, int]:
    """Write a set; its uid, and how many ratings and judgements it holds."""
    uid, rows = new_uid(), len(ratings.scores) + len(ratings.pairs)
    data = write_bytes(connection, packed)
    values = {"uid": uid, "at": time.time(), "who": who, "file": file, "sha256": sha256, "rows": rows, "data": data}
    connection.execute(insert(schema.rating_sets).values(values))
    return uid, rows


def withdrawn_imports(connection: Connection) -> set[str]:
    """The imports that were taken back, by the hash of a set or the window of events. For owners."""
    table = schema.rating_sets.c
    state: dict[str, str] = {}
    for said in connection.execute(
        select(table.sha256).where(table.sha256.contains(":")).order_by(table.seq)
    ).scalars():
        act, _, rest = said.partition(":")
        state[rest.partition(":")[2]] = act
    return {name for name, act in state.items() if act == _AWAY}


def write_withdrawal(connection: Connection, name: str, *, file: str, who: str, away: bool) -> None:
    """Add the row that takes an import back (`away`), or brings it again."""
    table = schema.rating_sets.c
    before = connection.execute(select(table.seq).where(table.sha256.contains(":"))).all()
    nothing = Ratings.of()
    sha256 = f"{_AWAY if away else _BACK}:{len(before) + 1}:{name}"
    write_set(connection, nothing, pack_ratings(nothing), file=file, sha256=sha256, who=who)


def not_withdrawn(connection: Connection) -> ColumnElement[bool]:
    """The condition that events were not taken back. For owners."""
    gone = sorted(withdrawn_imports(connection))
    return schema.rating_events.c.window.notin_(gone) if gone else true()


def read_sets(connection: Connection) -> list[Ratings]:
    """The sets that count, in the order in which they came, with their files as origins."""
    table, gone = schema.rating_sets.c, withdrawn_imports(connection)
    held = connection.execute(select(table.file, table.data, table.sha256).order_by(table.seq)).all()
    rows = [row for row in held if ":" not in row.sha256 and row.sha256 not in gone]
    return [
        replace(unpack_ratings(read_bytes(connection, row.data)), origin=validate_names([row.file], "a file")[0])
        for row in rows
    ]


def find_same_set(connection: Connection, ratings: Ratings) -> str:
    """The hash of the set that holds the same ratings, whatever it is called and was noted of it; empty for none.

    A set that counts comes before one that was taken back.
    """
    table, wanted, gone = schema.rating_sets.c, _bare(ratings), withdrawn_imports(connection)
    size = len(ratings.scores) + len(ratings.pairs)
    held = connection.execute(select(table.sha256, table.data).where(table.rows == size).order_by(table.seq)).all()
    for row in sorted((row for row in held if ":" not in row.sha256), key=lambda row: row.sha256 in gone):
        if _bare(unpack_ratings(read_bytes(connection, row.data))) == wanted:
            return str(row.sha256)
    return ""


def _bare(ratings: Ratings) -> bytes:
    return pack_ratings(replace(ratings, origin="", notes=()))


def read_counting_sets(connection: Connection, uids: Sequence[str]) -> Ratings | None:
    """The sets of these uids together, as they were, in this order, without those that were taken back."""
    table, gone = schema.rating_sets.c, withdrawn_imports(connection)
    held = {uid: connection.execute(select(table.sha256, table.data).where(table.uid == uid)).one() for uid in uids}
    found = [unpack_ratings(read_bytes(connection, row.data)) for row in held.values() if row.sha256 not in gone]
    return join_ratings(found) if found else None
