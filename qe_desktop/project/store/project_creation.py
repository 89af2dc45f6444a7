"""Creation of projects, and comparison of the schema of a project file with that of a new project.

Schemas are compared for safety: a trigger added by another program could delete saved rows, and a view could replace a
table. A file with missing or different tables is rejected. A file is opened read-only if it has additional tables, or
if other objects are additional, missing or different.
"""

from __future__ import annotations

import hashlib
import os
import re
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, create_engine, insert, inspect, select, text, update
from sqlalchemy.pool import StaticPool

from qe_desktop.corpus import Corpus, LayerKey, QeError
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.corpus.ratings_merge import campaigns_of
from qe_desktop.formats.atomic_write import replace_file, resolve_target, unfinished_database
from qe_desktop.formats.files import never_cancelled
from qe_desktop.formats.files_in_use import JOURNAL_SUFFIXES
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import RATINGS_IMPORTED, new_uid
from qe_desktop.project.store.committer import Committer
from qe_desktop.project.store.database import APPLICATION_ID, Database, make_engine
from qe_desktop.project.store.location import Location
from qe_desktop.project.store.server_permissions import revoke_public_rights
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.corpus_columns import CorpusWriter
from qe_desktop.project.store.tables.event_table import check_events
from qe_desktop.project.store.tables.rating_table import pack_ratings, write_set


def create_database(
    location: Location,
    corpus: Corpus | None,
    *,
    person: str,
    title: str = "",
    replace: bool = False,
    uids: Mapping[LayerKey, str] | None = None,
    check_cancelled: CheckCancelled = never_cancelled,
) -> None:
    """Create a project. Raises QeError if it cannot be written, or exists (unless `replace`, for a file).

    `uids` are the uids of layers that already have one. If `check_cancelled` raises an exception, nothing is created.
    """
    title = title or (corpus.name if corpus else "")
    if location.path is None:
        with closing(Database(location, make_engine(location))) as database, database.transaction() as connection:
            check_cancelled()
            empty_tables_on_server(connection, location, person=person, title=title)
            _add_corpus(database, connection, corpus, uids or {}, person)
            check_cancelled()
        return
    with new_file(location, replace=replace) as part:
        make_empty_file(part, location)
        try:
            with closing(open_new_database(part)) as database, database.transaction() as connection:
                make_tables(connection, person=person, title=title)
                _add_corpus(database, connection, corpus, uids or {}, person)
                check_cancelled()
        except QeError as error:
            # the temporary name means nothing to the user
            raise type(error)(error.message, hint=error.hint, place=location.place) from None


def open_new_database(part: Path) -> Database:
    """Open the database in a file that is being created."""
    location = Location(part, "", None)
    return Database(location, make_engine(location))


@contextmanager
def new_file(location: Location, *, replace: bool) -> Iterator[Path]:
    """Context manager: path of a temporary file that is renamed to the project's file at the end.

    If the block fails, the temporary file is removed. If the path of the project is a symbolic link, the temporary file
    is created next to the target of the link, and the link is kept. Raises QeError if the project's file cannot be
    created, already exists (unless `replace`), or is an open project.
    """
    _check_absent(location, replace=replace)
    assert location.path is not None
    target = resolve_target(location.path)
    with ExitStack() as stack:
        try:
            part = stack.enter_context(unfinished_database(target.parent))
        except OSError as error:
            raise _unwritable_error(error, location) from None
        yield part
        _move_into_place(part, target, location)


def _check_absent(location: Location, *, replace: bool) -> None:
    """Raise QeError if the path is a folder, is in a missing folder, or is an existing file (unless `replace`)."""
    path = location.path
    assert path is not None
    if path.is_dir():
        raise QeError(tr("this is a folder"), hint=tr("Specify a file name."), place=location.place)
    if path.exists() and not replace:
        message = tr("a file with this name already exists")
        raise QeError(message, hint=tr("Use another name."), place=location.place)
    if not resolve_target(path).parent.is_dir():
        raise QeError(tr("no such folder"), hint=tr("Create the folder first."), place=location.place)


def make_empty_file(part: Path, location: Location) -> None:
    """Create an empty SQLite file with `APPLICATION_ID`. Raises QeError if it cannot be written."""
    try:
        part.touch(mode=0o644)
        with closing(sqlite3.connect(part)) as connection:
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            connection.commit()
    except (OSError, sqlite3.Error) as error:
        raise _unwritable_error(error, location) from None


def _unwritable_error(error: OSError | sqlite3.Error, location: Location) -> QeError:
    reason = getattr(error, "strerror", None) or str(error)
    return QeError(
        tr("the project cannot be written: {reason}", reason=reason),
        hint=tr("Check the permissions of the folder and the free disk space."),
        place=location.place,
    )


def _move_into_place(part: Path, target: Path, location: Location) -> None:
    """Atomically rename a finished file, whose journal must be empty, and sync it to disk.

    Raises QeError if the target is an open project, or if it cannot be replaced.
    """
    if target.exists():
        _reject_open_project(target, location)
    try:
        _sync(part)
        # SQLite would apply a leftover journal to the new file and corrupt it
        for suffix in JOURNAL_SUFFIXES:
            target.with_name(target.name + suffix).unlink(missing_ok=True)
        replace_file(part, target)
        _sync(target.parent)
    except OSError as error:
        raise _unwritable_error(error, location) from None


def _reject_open_project(path: Path, location: Location) -> None:
    """Raise QeError if the file at `path` is an open project, because replacing it would lose changes."""
    try:
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, timeout=0, isolation_level=None)) as old:
            # SQLite leaves WAL mode only if no other connection is open
            mode = old.execute("PRAGMA journal_mode").fetchone()[0]
            open_elsewhere = mode == "wal" and old.execute("PRAGMA journal_mode=DELETE").fetchone()[0] != "delete"
    except sqlite3.Error as error:
        open_elsewhere = getattr(error, "sqlite_errorname", "").startswith("SQLITE_BUSY")
    if open_elsewhere:
        message = tr("the project to be replaced is open in another window or program")
        raise QeError(message, hint=tr("Close it first."), place=location.place)


def _sync(path: Path) -> None:
    folder = path.is_dir()
    if folder and not hasattr(os, "O_DIRECTORY"):
        return  # Windows cannot sync folders, and only syncs writable files
    handle = os.open(path, os.O_RDONLY if folder else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def make_tables(connection: Connection, *, person: str, title: str) -> None:
    """Create all tables of the newest schema; all tables except `meta` are empty and append-only."""
    schema.metadata.create_all(connection, checkfirst=False)
    make_append_only(connection)
    check_events(connection)
    if connection.dialect.name == "postgresql":
        revoke_public_rights(connection)
    now = time.time()
    metadata = {"schema": schema.VERSION, "project": new_uid(), "title": title, "created": now, "created-by": person}
    connection.execute(insert(schema.meta), [{"key": key, "value": value} for key, value in metadata.items()])


def _add_corpus(
    database: Database, connection: Connection, corpus: Corpus | None, uids: Mapping[LayerKey, str], person: str
) -> None:
    if corpus is None:
        return
    now = time.time()
    window = Committer(database).window_number(connection, database.window, person, now)
    ratings = ""
    if corpus.ratings is not None:
        packed = pack_ratings(corpus.ratings)
        digest = hashlib.sha256(packed).hexdigest()
        origin = corpus.ratings.origin
        ratings, rows = write_set(connection, corpus.ratings, packed, file=origin, sha256=digest, who=person)
        details = {"file": origin, "sha256": digest, "added": rows, "known": 0, "conflicts": 0}
        details["campaigns"] = campaigns_of(corpus.ratings)
        row = {"uid": new_uid(), "at": now, "who": person, "what": RATINGS_IMPORTED, "details": details}
        connection.execute(insert(schema.audit).values(row))
    writer = CorpusWriter(connection)
    writer.extend(corpus, ratings=ratings)
    for key, layer in corpus.layers.items():
        writer.add_layer(layer, uid=uids.get(key) or new_uid(), window=window, at=now)


def empty_tables_on_server(connection: Connection, location: Location, *, person: str, title: str) -> None:
    """Create the tables of a project, or reuse the empty tables that `prepare_server` created.

    Raises QeError if the database already has a project with data.
    """
    if not inspect(connection).has_table("meta", schema=schema.POSTGRESQL_SCHEMA):
        connection.execute(text(f"CREATE SCHEMA IF NOT EXISTS {schema.POSTGRESQL_SCHEMA}"))
        make_tables(connection, person=person, title=title)
        return
    for table in schema.metadata.sorted_tables:
        row = table.name not in ("meta", "audit") and connection.execute(select(table.c[0]).limit(1)).first()
        if row:
            raise QeError(
                tr("this database already contains a project"),
                hint=tr("Open it, or use another database."),
                place=location.place,
            )
    connection.execute(update(schema.meta).where(schema.meta.c.key == "title").values(value=title))


_REFUSE_CHANGE_FUNCTION = """
CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def append_only_tables() -> list[str]:
    """Names of the append-only tables."""
    return [table.name for table in schema.metadata.sorted_tables if table.name not in schema.UPDATABLE_TABLES]


def make_append_only(connection: Connection, tables: Sequence[str] | None = None) -> None:
    """Create triggers that reject updates and deletions in `tables` (default: all tables except `meta`)."""
    tables = append_only_tables() if tables is None else tables
    if connection.dialect.name == "sqlite":
        for table in tables:
            for statement in ("UPDATE", "DELETE"):
                connection.execute(
                    text(
                        f"CREATE TRIGGER {table}_no_{statement.lower()} BEFORE {statement} ON {table} BEGIN "
                        f"SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END"
                    )
                )
        return
    connection.execute(text(_REFUSE_CHANGE_FUNCTION))
    for table in tables:
        connection.execute(
            text(
                f"CREATE TRIGGER {table}_only_added BEFORE UPDATE OR DELETE OR TRUNCATE ON {table}"
                " FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()"
            )
        )


def allow_changes(connection: Connection, table: str) -> None:
    """Drop the triggers that make a table append-only, for a migration."""
    if connection.dialect.name == "sqlite":
        for statement in ("update", "delete"):
            connection.execute(text(f"DROP TRIGGER {table}_no_{statement}"))
    else:
        connection.execute(text(f"DROP TRIGGER {table}_only_added ON {table}"))


_SQL_TOKEN = re.compile(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|\w+|[^\s\w]")
_CONSTRAINT_KEYWORDS = frozenset(
    ("check", "collate", "conflict", "default", "generated", "always", "strict", "without", "deferrable")
)
"""SQL keywords of constraints and table options, whose occurrences in the definition of a table are counted."""

TableShape = frozenset[Any]


@dataclass(frozen=True, slots=True)
class SchemaObjects:
    """Objects of a schema: tables by name, and other objects (triggers, indices, views) by type and name.

    A table is represented by the set of its columns, keys and constraints; any other object, by the tokens of its SQL.
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
    if additional:  # a trigger could delete saved rows, and a view could replace a table
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
        words = _sql_words(str(sql))
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
def _sql_words(sql: str) -> tuple[str, ...]:
    """Tokens of an SQL statement, in lower case and without double quotes."""
    return tuple(word.strip('"').lower() for word in _SQL_TOKEN.findall(sql))


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
