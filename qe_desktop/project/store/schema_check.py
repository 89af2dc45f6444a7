"""Comparison of a project file's schema with the expected one.

A trigger added by another program could delete saved rows, and a view could replace a table. A file with missing or
different tables is rejected. A file is opened read-only if it has additional tables, or if other objects are
additional, missing or different.
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
_CONSTRAINT_KEYWORDS = frozenset(
    ("check", "collate", "conflict", "default", "generated", "always", "strict", "without", "deferrable")
)
"""SQL keywords of constraints and table options, whose occurrences in the definition of a table are counted."""

TableShape = frozenset[Any]


@dataclass(frozen=True, slots=True)
class SchemaObjects:
    """Objects of a schema: tables by name, and other objects (triggers, indices, views) by type and name.

    A table is represented by the set of its columns, keys and constraints, another object by the tokens of its SQL.
    """

    tables: dict[str, TableShape]
    other_objects: dict[tuple[str, str], tuple[str, ...]]


def unexpected_objects(connection: Connection, location: Location, *, older: bool = False) -> str:
    """Describe the first change that another program made to a file's schema; empty if there is none.

    Raises QeError if a table is missing or different. `older` is for files with an older schema: tables are not
    compared, and only objects that the newest schema lacks or defines differently are reported.
    """
    expected, present = _expected_schema(), _schema_of(connection)
    if not older:
        for name, shape in expected.tables.items():
            if present.tables.get(name) != shape:
                raise QeError(
                    _unexpected_message(name, missing=name not in present.tables),
                    hint=tr("Nothing was changed. Open an earlier backup."),
                    place=location.place,
                )
    additional = [("table", name) for name in present.tables if name not in expected.tables]
    additional += [named for named, text in present.other_objects.items() if expected.other_objects.get(named) != text]
    if additional:
        return _additional_label(*additional[0])
    missing = [] if older else [named for named in expected.other_objects if named not in present.other_objects]
    return _missing_label(*missing[0]) if missing else ""


def _unexpected_message(table: str, *, missing: bool) -> str:
    if missing:
        return tr("the project is damaged or was changed by another program: table “{table}” is missing", table=table)
    return tr(
        "the project is damaged or was changed by another program: table “{table}” is not defined as expected",
        table=table,
    )


def _additional_label(kind: str, name: str) -> str:
    """Return the label of an additional or different object, whose type may be any text in a corrupt file."""
    labels = {
        "table": tr("table “{name}”", name=name),
        "index": tr("index “{name}”", name=name),
        "trigger": tr("trigger “{name}”", name=name),
        "view": tr("view “{name}”", name=name),
    }
    return labels.get(kind) or tr("{kind} “{name}”", kind=kind, name=name)


def _missing_label(kind: str, name: str) -> str:
    if kind == "trigger":
        return tr("missing trigger “{name}”", name=name)
    return tr("missing index “{name}”", name=name)


@cache
def _expected_schema() -> SchemaObjects:
    """Expected schema, read from an empty project in memory."""
    engine = create_engine("sqlite://", poolclass=StaticPool)
    with engine.begin() as connection:
        make_tables(connection, person="", title="")
        expected = _schema_of(connection)
    engine.dispose()
    return expected


def _schema_of(connection: Connection) -> SchemaObjects:
    names = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
    parts: dict[str, set[Any]] = {}
    other_objects: dict[tuple[str, str], tuple[str, ...]] = {}
    for kind, name, sql in connection.exec_driver_sql(names).all():
        words = _words(str(sql))
        if kind == "table":
            rules = [("rule", word, words.count(word)) for word in _CONSTRAINT_KEYWORDS if word in words]
            parts[str(name)] = {*rules, ("virtual", "virtual" in words[:2])}
        else:
            other_objects[str(kind), str(name)] = words
    for part_kind, statement in _TABLE_PART_QUERIES.items():
        for table, *part in connection.exec_driver_sql(statement).all():
            if str(table) in parts:
                parts[str(table)].add((part_kind, *part))
    return SchemaObjects({name: frozenset(shape) for name, shape in parts.items()}, other_objects)


@lru_cache(maxsize=500)
def _words(sql: str) -> tuple[str, ...]:
    """Tokens of an SQL statement, in lower case and without double quotes."""
    return tuple(word.strip('"').lower() for word in _TOKEN.findall(sql))


_FROM_TABLES = "FROM sqlite_master AS m"
_TABLE_PART_QUERIES = {
    "column": f'SELECT m.name, c.name, c.type, c."notnull", c.dflt_value, c.pk, c.hidden {_FROM_TABLES},'
    " pragma_table_xinfo(m.name) AS c WHERE m.type = 'table'",
    "key": f'SELECT m.name, k."table", k."from", k."to", k.on_update, k.on_delete {_FROM_TABLES},'
    " pragma_foreign_key_list(m.name) AS k WHERE m.type = 'table'",
    "unique": f'SELECT m.name, i."unique", i.origin, x.seqno, x.name, x."desc", x.coll {_FROM_TABLES},'
    " pragma_index_list(m.name) AS i, pragma_index_xinfo(i.name) AS x"
    " WHERE m.type = 'table' AND i.origin <> 'c' AND x.key",
}
"""Queries for the columns and keys of tables.

The results do not depend on whether a column was created with its table or added later.
"""
