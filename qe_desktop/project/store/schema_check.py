"""What another program put into a project's file, or took out of it: the schema beside the one that we make.

A trigger of somebody else's lets rows vanish that were said to be saved, a view in the place of a table shows what it
likes. A file whose tables are not ours is refused; one with more in it than ours is only read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from sqlalchemy import Connection, create_engine
from sqlalchemy.pool import StaticPool

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.project.store.location import Location
from qe_desktop.project.store.project_creation import make_tables

_TOKEN = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\w+|[^\s\w]")
_RULES = frozenset(
    ("check", "collate", "conflict", "default", "generated", "always", "strict", "without", "deferrable")
)
"""Words that say more of a table than its columns and keys do."""

TableShape = frozenset[Any]


@dataclass(frozen=True, slots=True)
class SchemaObjects:
    """Tables by what they are made of; all else (triggers, indices, views) by name, as it is written."""

    tables: dict[str, TableShape]
    others: dict[tuple[str, str], tuple[str, ...]]


def unexpected_objects(connection: Connection, location: Location, *, older: bool = False) -> str:
    """What another program changed in a file, in words; nothing where it is as we make it.

    QeError where its tables are not ours. Of an `older` schema only what nobody of us puts there is told.
    """
    ours, theirs = _expected_schema(), _schema_of(connection)
    if not older:
        for name, shape in ours.tables.items():
            if theirs.tables.get(name) != shape:
                raise QeError(
                    _unexpected_message(name, missing=name not in theirs.tables),
                    hint=tr("Open a copy of it from before; nothing was changed."),
                    place=location.place,
                )
    more = [("table", name) for name in theirs.tables if name not in ours.tables]
    more += [named for named, text in theirs.others.items() if ours.others.get(named) != text]
    if more:
        return _more(*more[0])
    missing = [] if older else [named for named in ours.others if named not in theirs.others]
    return _missing(*missing[0]) if missing else ""


def _unexpected_message(table: str, *, missing: bool) -> str:
    if missing:
        return tr("the project is damaged, or another program changed it: its table “{table}” is missing", table=table)
    return tr(
        "the project is damaged, or another program changed it: its table “{table}” is not as it was made", table=table
    )


def _more(kind: str, name: str) -> str:
    """What is in a file beside ours; SQLite knows no other kinds, but somebody may have written one into it."""
    said = {
        "table": tr("table “{name}”", name=name),
        "index": tr("index “{name}”", name=name),
        "trigger": tr("trigger “{name}”", name=name),
        "view": tr("view “{name}”", name=name),
    }
    return said.get(kind) or tr("{kind} “{name}”", kind=kind, name=name)


def _missing(kind: str, name: str) -> str:
    if kind == "trigger":
        return tr("missing trigger “{name}”", name=name)
    return tr("missing index “{name}”", name=name)


@cache
def _expected_schema() -> SchemaObjects:
    """The schema that we make, from a project in memory."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as connection:
        make_tables(connection, person="", title="")
        found = _schema_of(connection)
    engine.dispose()
    return found


def _schema_of(connection: Connection) -> SchemaObjects:
    names = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    parts: dict[str, set[Any]] = {}
    others: dict[tuple[str, str], tuple[str, ...]] = {}
    for kind, name, sql in connection.exec_driver_sql(names).all():
        words = _words(str(sql))
        if kind == "table":
            rules = [("rule", word, words.count(word)) for word in _RULES if word in words]
            parts[str(name)] = {*rules, ("virtual", "virtual" in words[:2])}
        else:
            others[str(kind), str(name)] = words
    for what, statement in _PARTS.items():
        for table, *part in connection.exec_driver_sql(statement).all():
            if str(table) in parts:
                parts[str(table)].add((what, *part))
    return SchemaObjects({name: frozenset(found) for name, found in parts.items()}, others)


@lru_cache(maxsize=500)
def _words(sql: str) -> tuple[str, ...]:
    """What a statement says, however it is laid out."""
    return tuple(word.strip('"').lower() for word in _TOKEN.findall(sql))


_OF_TABLES = "FROM sqlite_master AS m"
_PARTS = {
    "column": f'SELECT m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden {_OF_TABLES},'
    " pragma_table_xinfo(m.name) AS c WHERE m.type = 'table'",
    "key": f'SELECT m.name, k."table", k."from", k."to", k.on_update, k.on_delete {_OF_TABLES},'
    " pragma_foreign_key_list(m.name) AS k WHERE m.type = 'table'",
    "unique": f'SELECT m.name, i."unique", i.origin, x.seqno, x.name, x."desc", x.coll {_OF_TABLES},'
    " pragma_index_list(m.name) AS i, pragma_index_xinfo(i.name) AS x"
    " WHERE m.type = 'table' AND i.origin <> 'c' AND x.key",
}
"""What tables are made of, however that is written: a column may have been added later."""
