"""A project as a whole from one place to another: file or server, either way, every row as it is."""

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
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.engine import make_engine
from qe_desktop.project.store.location import Location
from qe_desktop.project.store.project_creation import (
    empty_tables_on_server,
    make_empty_file,
    make_tables,
    new_file,
    open_new_database,
)
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.event_table import unchecked_events

COPY_BATCH_ROWS = 2_000
"""Rows that are held at once; of chunks, which are large, only a few."""
TRANSFER_BATCH_CHUNKS = 4


def copy_project(source: Database, target: Location, *, person: str, replace: bool = False) -> None:
    """Write a project to another place, where it is there wholly or not at all. The copy gets a uid of its own."""
    source.refuse_raters(tr("Copies of the project only the owner of the project may see"))
    if target.path is None:
        _to_server(source, target, person)
        return
    with new_file(target, replace=replace) as part:
        if source.location.path is not None and target.path.exists() and target.path.samefile(source.location.path):
            raise QeError(tr("this is the project itself"), hint=tr("Choose another name."), place=target.place)
        # what another program put into a file is not copied with it
        anew = source.is_server or source.is_foreign
        if anew:
            make_empty_file(part, target)
        else:
            _vacuum_into(source, part)
        with closing(open_new_database(part)) as copy, copy.transaction() as connection:
            if anew:
                make_tables(connection, person=person, title="")
                with source.reading() as reading:
                    _copy_tables(reading, connection)
            _rename(connection, source, person)


def _vacuum_into(source: Database, part: Path) -> None:
    """SQLite's own copy: of one moment, compact, whoever writes meanwhile."""
    with source.reading() as connection:
        driver = connection.connection.dbapi_connection
        assert isinstance(driver, sqlite3.Connection)
        # as bytes, for a name need not be text that can be encoded
        driver.execute("VACUUM INTO CAST(? AS TEXT)", (os.fsencode(part),))


def _to_server(source: Database, target: Location, person: str) -> None:
    with closing(Database(target, make_engine(target))) as database, database.transaction() as connection:
        empty_tables_on_server(connection, target, person=person, title="")
        with source.reading() as reading:
            # a server takes no bulk copy into tables that keep people apart, and nobody else sees them yet
            _force(connection, on=False)
            _copy_tables(reading, connection)
            _force(connection, on=True)
        _rename(connection, source, person)


def _force(connection: Connection, *, on: bool) -> None:
    for name in schema.metadata.tables:
        connection.exec_driver_sql(f"ALTER TABLE {name} {'FORCE' if on else 'NO FORCE'} ROW LEVEL SECURITY")


def _rename(connection: Connection, source: Database, person: str) -> None:
    """Give the copy its own uid, and log where it is from."""
    key = schema.meta.c.key
    connection.execute(update(schema.meta).where(key == "project").values(value=new_uid()))
    row = {
        "uid": new_uid(), "at": time.time(), "who": person, "what": "project copied",
        "details": {"from": str(source.location)},
    }  # fmt: skip
    connection.execute(insert(schema.audit).values(row))


def _copy_tables(source: Connection, target: Connection) -> None:
    about = {row.key: row.value for row in source.execute(select(schema.meta)) if row.key not in ("schema", "project")}
    for key, value in about.items():
        target.execute(update(schema.meta).where(schema.meta.c.key == key).values(value=value))
    for table in schema.metadata.sorted_tables:
        if table is schema.rating_events:
            with unchecked_events(target):
                _copy_table(source, target, table)
        elif table is not schema.meta:
            _copy_table(source, target, table)


def _copy_table(source: Connection, target: Connection, table: Table) -> None:
    """Copy a table's rows as the drivers have them; both keep the same text, numbers and bytes."""
    columns = [column for column in table.columns if column.name != "tx"]
    statement = select(*columns).order_by(*table.primary_key.columns)
    flags = [place for place, column in enumerate(columns) if isinstance(column.type, Boolean)]
    names = [target.dialect.identifier_preparer.quote(column.name) for column in columns]
    batch = TRANSFER_BATCH_CHUNKS if table is schema.chunks else COPY_BATCH_ROWS
    rows = _stream(source, statement, batch)
    driver: Any = target.connection.dbapi_connection
    if target.dialect.name == "sqlite":
        marks = ", ".join("?" * len(names))
        while some := list(islice(rows, batch)):
            driver.executemany(f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({marks})", some)
        return
    with driver.cursor() as cursor, cursor.copy(f"COPY {table.name} ({', '.join(names)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(_with_flags(row, flags))
    if "seq" in table.c:
        counter = f"pg_get_serial_sequence('{table.name}', 'seq')"
        target.execute(text(f"SELECT setval({counter}, max(seq)) FROM {table.name} HAVING max(seq) > 0"))


def _with_flags(row: Sequence[Any], flags: Sequence[int]) -> Sequence[Any]:
    """A row in which 0 and 1 are truth values where the column is one."""
    if not flags:
        return row
    return [bool(value) if place in flags else value for place, value in enumerate(row)]


def _stream(connection: Connection, statement: Any, batch: int) -> Iterator[Sequence[Any]]:
    """Rows one after the other, of which only a few are held at once."""
    compiled = str(statement.compile(dialect=connection.dialect))
    connection.execute(text("SELECT 1"))
    driver: Any = connection.connection.dbapi_connection
    made = driver.cursor() if connection.dialect.name == "sqlite" else driver.cursor(name="qe_copy")
    with closing(made) as cursor:
        cursor.execute(compiled)
        while rows := cursor.fetchmany(batch):
            yield from rows


COPIED_TABLES = (schema.campaigns, schema.passages, schema.outputs, schema.screens)
"""What raters need; see `server_rights.READABLE`."""


def copy_for_raters(source: Database, target: Location, *, replace: bool = False) -> None:
    """Write the campaigns to a new file, which is there wholly or not at all. QeError for raters, and where there is
    no campaign.
    """
    source.refuse_raters(tr("Copies of the project only the owner of the project may see"))
    if target.path is None:
        raise QeError(tr("a copy for raters is a file"), hint=tr("Name a file."), place=target.place)
    with new_file(target, replace=replace) as part:
        if source.location.path is not None and target.path.exists() and target.path.samefile(source.location.path):
            raise QeError(tr("this is the project itself"), hint=tr("Choose another name."), place=target.place)
        make_empty_file(part, target)
        with closing(open_new_database(part)) as copy, copy.transaction() as connection:
            make_tables(connection, person="", title="")
            with source.reading() as reading:
                title = reading.execute(select(schema.meta.c.value).where(schema.meta.c.key == "title")).scalar()
                connection.execute(update(schema.meta).where(schema.meta.c.key == "title").values(value=title))
                for table in COPIED_TABLES:
                    _copy(reading, connection, table)
            if not connection.execute(select(func.count()).select_from(schema.campaigns)).scalar():
                raise QeError(
                    tr("the project has no campaign, so there is nothing to rate in a copy of it"),
                    hint=tr("Set up a campaign first."),
                    place=source.location.place,
                )


def _copy(source: Connection, target: Connection, table: Table) -> None:
    """Copy a table in the order of its key; the place of a row in the design would give systems away."""
    key = list(table.primary_key.columns)
    columns = [column for column in table.columns if column.name != "place"]
    if "place" in table.c:
        place = func.row_number().over(order_by=key) - literal(1, Integer)
        columns.append(place.label("place"))  # type: ignore[arg-type]
    rows = source.execute(select(*columns).order_by(*key))
    for some in rows.mappings().partitions(COPY_BATCH_ROWS):
        target.execute(insert(table), [dict(row) for row in some])
