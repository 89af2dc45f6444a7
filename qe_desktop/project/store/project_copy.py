"""Copying of a project to a file or server, and of its campaigns to a file for raters."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Boolean, Connection, Integer, Table, func, insert, literal, select, text, update

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import new_uid
from qe_desktop.project.store.database import Database, make_engine
from qe_desktop.project.store.location import Location
from qe_desktop.project.store.project_creation import (
    empty_tables_on_server,
    make_empty_file,
    make_tables,
    new_file,
    open_new_database,
)
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.event_table import suspend_event_checks

COPY_BATCH_ROWS = 2_000
"""Number of rows in memory at a time, except for rows of `chunks`, which are large (`TRANSFER_BATCH_CHUNKS`)."""
TRANSFER_BATCH_CHUNKS = 4


def copy_project(source: Database, target: Location, *, person: str, replace: bool = False) -> None:
    """Copy a project atomically to another location. The copy has its own uid.

    Raises QeError for raters, and if the target is the project itself, exists (unless `replace`, for a file), or cannot
    be written.
    """
    source.require_owner(tr("only the owner of the project can copy it"))
    if target.path is None:
        _copy_to_server(source, target, person)
        return
    with new_file(target, replace=replace) as part:
        _reject_own_file(source, target)
        # objects that another program added to the file are not copied
        rebuild = source.is_server or source.has_foreign_objects
        if rebuild:
            make_empty_file(part, target)
        else:
            _vacuum_into(source, part)
        with closing(open_new_database(part)) as copy, copy.transaction() as connection:
            if rebuild:
                make_tables(connection, person=person, title="")
                with source.reading() as reading:
                    _copy_tables(reading, connection)
            _set_new_uid(connection, source, person)


def _reject_own_file(source: Database, target: Location) -> None:
    """Raise QeError if the target of a copy is the file of the project itself."""
    path, own_path = target.path, source.location.path
    if own_path is not None and path is not None and path.exists() and path.samefile(own_path):
        raise QeError(tr("this is the project itself"), hint=tr("Use another name."), place=target.place)


def _vacuum_into(source: Database, part: Path) -> None:
    """Copy the file with SQLite's VACUUM INTO; the copy is compact, and consistent even if other clients write."""
    with source.reading() as connection:
        driver = connection.connection.dbapi_connection
        assert isinstance(driver, sqlite3.Connection)
        # as bytes, because file names may not be valid Unicode
        driver.execute("VACUUM INTO CAST(? AS TEXT)", (os.fsencode(part),))


def _copy_to_server(source: Database, target: Location, person: str) -> None:
    with closing(Database(target, make_engine(target))) as database, database.transaction() as connection:
        empty_tables_on_server(connection, target, person=person, title="")
        with source.reading() as reading:
            # COPY requires row-level security to be off, which is safe: the tables are not visible to others yet
            _set_force_rls(connection, on=False)
            _copy_tables(reading, connection)
            _set_force_rls(connection, on=True)
        _set_new_uid(connection, source, person)


def _set_force_rls(connection: Connection, *, on: bool) -> None:
    for name in schema.metadata.tables:
        connection.exec_driver_sql(f"ALTER TABLE {name} {'FORCE' if on else 'NO FORCE'} ROW LEVEL SECURITY")


def _set_new_uid(connection: Connection, source: Database, person: str) -> None:
    """Give the copy its own uid, and log its origin."""
    key = schema.meta.c.key
    connection.execute(update(schema.meta).where(key == "project").values(value=new_uid()))
    row = {
        "uid": new_uid(), "at": time.time(), "who": person, "what": "project copied",
        "details": {"from": str(source.location)},
    }  # fmt: skip
    connection.execute(insert(schema.audit).values(row))


def _copy_tables(source: Connection, target: Connection) -> None:
    metadata = {
        row.key: row.value for row in source.execute(select(schema.meta)) if row.key not in ("schema", "project")
    }
    for key, value in metadata.items():
        target.execute(update(schema.meta).where(schema.meta.c.key == key).values(value=value))
    for table in schema.metadata.sorted_tables:
        if table is schema.rating_events:
            with suspend_event_checks(target):
                _copy_table(source, target, table)
        elif table is not schema.meta:
            _copy_table(source, target, table)


def _copy_table(source: Connection, target: Connection, table: Table) -> None:
    """Copy a table's rows as the drivers return them; both databases store the same text, numbers and bytes."""
    columns = [column for column in table.columns if column.name != "tx"]
    statement = select(*columns).order_by(*table.primary_key.columns)
    flags = [index for index, column in enumerate(columns) if isinstance(column.type, Boolean)]
    names = [target.dialect.identifier_preparer.quote(column.name) for column in columns]
    batch = TRANSFER_BATCH_CHUNKS if table is schema.chunks else COPY_BATCH_ROWS
    rows = _stream(source, statement, batch)
    driver: Any = target.connection.dbapi_connection
    if target.dialect.name == "sqlite":
        marks = ", ".join("?" * len(names))
        while chunk := list(islice(rows, batch)):
            driver.executemany(f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})", chunk)
        return
    with driver.cursor() as cursor, cursor.copy(f"COPY {table.name} ({', '.join(names)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(_with_booleans(row, flags))
    if "seq" in table.c:
        counter = f"pg_get_serial_sequence('{table.name}', 'seq')"
        target.execute(text(f"SELECT setval({counter}, max(seq)) FROM {table.name} HAVING max(seq) > 0"))


def _with_booleans(row: Sequence[Any], flags: Sequence[int]) -> Sequence[Any]:
    """Convert 0 and 1 to booleans in boolean columns."""
    if not flags:
        return row
    return [bool(value) if index in flags else value for index, value in enumerate(row)]


def _stream(connection: Connection, statement: Any, batch: int) -> Iterator[Sequence[Any]]:
    """Yield rows, fetched in batches."""
    compiled = str(statement.compile(dialect=connection.dialect))
    connection.execute(text("SELECT 1"))
    driver: Any = connection.connection.dbapi_connection
    new_cursor = driver.cursor() if connection.dialect.name == "sqlite" else driver.cursor(name="qe_copy")
    with closing(new_cursor) as cursor:
        cursor.execute(compiled)
        while rows := cursor.fetchmany(batch):
            yield from rows


COPIED_TABLES = (schema.campaigns, schema.passages, schema.outputs, schema.screens)
"""Tables that raters need; see `permissions.READABLE_COLUMNS`."""


def copy_for_raters(source: Database, target: Location, *, replace: bool = False) -> None:
    """Write the campaigns, without their keys, to a new file atomically.

    Raises QeError for raters, if the project lacks campaigns, and if the target is not a file, is the project itself,
    exists (unless `replace`), or cannot be written.
    """
    source.require_owner(tr("only the owner of the project can copy it"))
    if target.path is None:
        raise QeError(tr("a copy for raters must be a file"), hint=tr("Specify a file."), place=target.place)
    with new_file(target, replace=replace) as part:
        _reject_own_file(source, target)
        make_empty_file(part, target)
        with closing(open_new_database(part)) as copy, copy.transaction() as connection:
            make_tables(connection, person="", title="")
            with source.reading() as reading:
                title = reading.execute(select(schema.meta.c.value).where(schema.meta.c.key == "title")).scalar()
                connection.execute(update(schema.meta).where(schema.meta.c.key == "title").values(value=title))
                for table in COPIED_TABLES:
                    _copy_without_order(reading, connection, table)
            if not connection.execute(select(func.count()).select_from(schema.campaigns)).scalar():
                raise QeError(
                    tr("the project has no campaign to rate"),
                    hint=tr("Set up a campaign first."),
                    place=source.location.place,
                )


def _copy_without_order(source: Connection, target: Connection, table: Table) -> None:
    """Copy a table in the order of its primary key, because the order of the design would reveal the systems."""
    key = list(table.primary_key.columns)
    columns = [column for column in table.columns if column.name != "place"]
    if "place" in table.c:
        new_place = func.row_number().over(order_by=key) - literal(1, Integer)
        columns.append(new_place.label("place"))  # type: ignore[arg-type]
    rows = source.execute(select(*columns).order_by(*key))
    for batch in rows.mappings().partitions(COPY_BATCH_ROWS):
        target.execute(insert(table), [dict(row) for row in batch])
