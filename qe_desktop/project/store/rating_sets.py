"""Sets of ratings that came from files, kept as they were.

An import can be taken back, and its rows stay: a row that says so stands behind them as a set of nothing, whose
`sha256` tells what it does (`withdrawn` or `restored`), a number and to which import. An import is a set, called by its
hash, or the events that came with a file, called by the window that they have.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import ColumnElement, Connection, insert, select, true

from qe_desktop.corpus import Ratings, joined
from qe_desktop.project.events import new_uid
from qe_desktop.project.store import schema
from qe_desktop.project.store.blobs import keep_bytes, read_bytes
from qe_desktop.project.store.cells import of_names
from qe_desktop.project.store.rating_packing import pack, unpack

_AWAY, _BACK = "withdrawn", "restored"


def write_set(
    connection: Connection, ratings: Ratings, packed: bytes, *, file: str, sha256: str, who: str
) -> tuple[str, int]:
    """Write a set; its uid, and how many ratings and judgements it holds."""
    uid, rows = new_uid(), len(ratings.scores) + len(ratings.pairs)
    data = keep_bytes(connection, packed)
    values = {"uid": uid, "at": time.time(), "who": who, "file": file, "sha256": sha256, "rows": rows, "data": data}
    connection.execute(insert(schema.rating_sets).values(values))
    return uid, rows


def withdrawn(connection: Connection) -> set[str]:
    """The imports that were taken back, by the hash of a set or the window of events. For owners."""
    table = schema.rating_sets.c
    state: dict[str, str] = {}
    for said in connection.execute(
        select(table.sha256).where(table.sha256.contains(":")).order_by(table.seq)
    ).scalars():
        act, _, rest = said.partition(":")
        state[rest.partition(":")[2]] = act
    return {name for name, act in state.items() if act == _AWAY}


def write_mark(connection: Connection, name: str, *, file: str, who: str, away: bool) -> None:
    """Add the row that takes an import back (`away`), or brings it again."""
    table = schema.rating_sets.c
    before = connection.execute(select(table.seq).where(table.sha256.contains(":"))).all()
    nothing = Ratings.of()
    sha256 = f"{_AWAY if away else _BACK}:{len(before) + 1}:{name}"
    write_set(connection, nothing, pack(nothing), file=file, sha256=sha256, who=who)


def counting(connection: Connection) -> ColumnElement[bool]:
    """The condition that events were not taken back. For owners."""
    gone = sorted(withdrawn(connection))
    return schema.rating_events.c.window.notin_(gone) if gone else true()


def read_sets(connection: Connection) -> list[Ratings]:
    """The sets that count, in the order in which they came, with their files as origins."""
    table, gone = schema.rating_sets.c, withdrawn(connection)
    held = connection.execute(select(table.file, table.data, table.sha256).order_by(table.seq)).all()
    rows = [row for row in held if ":" not in row.sha256 and row.sha256 not in gone]
    return [replace(unpack(read_bytes(connection, row.data)), origin=of_names([row.file], "a file")[0]) for row in rows]


def same_set(connection: Connection, ratings: Ratings) -> str:
    """The hash of the set that holds the same ratings, whatever it is called and was noted of it; empty for none.

    A set that counts comes before one that was taken back.
    """
    table, wanted, gone = schema.rating_sets.c, _bare(ratings), withdrawn(connection)
    size = len(ratings.scores) + len(ratings.pairs)
    held = connection.execute(select(table.sha256, table.data).where(table.rows == size).order_by(table.seq)).all()
    for row in sorted((row for row in held if ":" not in row.sha256), key=lambda row: row.sha256 in gone):
        if _bare(unpack(read_bytes(connection, row.data))) == wanted:
            return str(row.sha256)
    return ""


def _bare(ratings: Ratings) -> bytes:
    return pack(replace(ratings, origin="", notes=()))


def read_standing(connection: Connection, uids: Sequence[str]) -> Ratings | None:
    """The sets of these uids together, as they were, in this order, without those that were taken back."""
    table, gone = schema.rating_sets.c, withdrawn(connection)
    held = {uid: connection.execute(select(table.sha256, table.data).where(table.uid == uid)).one() for uid in uids}
    found = [unpack(read_bytes(connection, row.data)) for row in held.values() if row.sha256 not in gone]
    return joined(found) if found else None
