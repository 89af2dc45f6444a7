"""Opening of projects, with checks that run before the project is changed."""

from __future__ import annotations

import stat
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, inspect, select, text

from qe_desktop.corpus import QeError
from qe_desktop.formats.files_in_use import (
    begin_reading,
    end_reading,
    file_identity,
    is_open_here,
    register_open,
    unregister_open,
)
from qe_desktop.i18n.messages import tr
from qe_desktop.project.store.database import APPLICATION_ID, Database, Role, is_writable, make_engine
from qe_desktop.project.store.errors import DamagedProjectError
from qe_desktop.project.store.file_watch import journal_path
from qe_desktop.project.store.location import PROJECT_SUFFIX, Location, is_local
from qe_desktop.project.store.project_creation import unexpected_objects
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.migrations import ddl_transaction, migrate

SQLITE_MAGIC = b"SQLite format 3\0"
"""First bytes of SQLite files."""
_HEADER_BYTES = 100
_FILE_NAME_HINT = tr("Specify a {suffix} file.", suffix=PROJECT_SUFFIX)


def open_database(location: Location) -> Database:
    """Open the database at a location and migrate it to the newest schema. Raises QeError if either fails."""
    database = (
        Database(location, make_engine(location)) if location.path is None else _open_file(location.path, location)
    )
    try:
        if database.is_server:
            _read_user_and_role(database)
        _migrate_if_needed(database)
        if database.watch is not None and not database.read_only:
            database.watch.record_journal()
    except BaseException:
        database.close()
        raise
    return database


def _open_file(path: Path, location: Location) -> Database:
    """Open a file, read-only if it is not writable or another program changed its schema.

    Raises QeError if the file is missing, unreadable, damaged, not a project, or made by a newer version.
    """
    reading = begin_reading(path)
    try:
        if reading is not None or not is_open_here(path):
            _check_header(path, location)
    finally:
        if reading is not None:
            end_reading(reading)
    file = file_identity(path)
    if file is None:
        raise QeError(tr("no such project"), hint=tr("Check its name."), place=location.place)
    # once connected, this process must not open the file directly: closing it would drop SQLite's locks
    register_open(file)
    try:
        return _connect(path, location)
    finally:
        unregister_open(file)


def _connect(path: Path, location: Location) -> Database:
    notice = tr("The project is read-only: its file or folder is not writable.")
    changes = _inspect_file(path, location)
    if changes:
        notice = tr("The project is read-only: another program changed its file ({change}).", change=changes)
    elif is_writable(path):
        notice = ""
    engine = _reading_engine(path, location) if notice else make_engine(location)
    return Database(location, engine, read_only=notice, has_foreign_objects=bool(changes))


def _reading_engine(path: Path, location: Location) -> Engine:
    """Return an engine that reads a file, in SQLite's immutable mode if SQLite cannot create its journal files.

    Raises QeError if immutable mode is needed but the file has a journal, which would be ignored.
    """
    engine = make_engine(location, read_only=True)
    if _can_read(engine):
        return engine
    engine.dispose()
    return make_engine(location, read_only=True, immutable=_has_no_journal(path, location))


def _inspect_file(path: Path, location: Location) -> str:
    """Describe another program's change to a file's schema, without writing to the file; empty if there is none."""
    engine = make_engine(location, for_inspection=True) if is_writable(path) else _reading_engine(path, location)
    with closing(Database(location, engine)) as database:
        version = _supported_version(database)
        with database.reading() as connection:
            return unexpected_objects(connection, location, older=version < schema.VERSION)


def _check_header(path: Path, location: Location) -> None:
    """Raise QeError unless the path is a complete project file, judged by its first bytes and its size."""
    try:
        state = path.stat()
        if stat.S_ISDIR(state.st_mode):
            raise IsADirectoryError
        if not stat.S_ISREG(state.st_mode):
            # a pipe could block forever
            raise QeError(tr("this is not a regular file"), hint=_FILE_NAME_HINT, place=location.place)
        size = state.st_size
        with path.open("rb") as file:
            head = file.read(_HEADER_BYTES)
    except FileNotFoundError:
        raise QeError(tr("no such project"), hint=tr("Check its name."), place=location.place) from None
    except IsADirectoryError:
        raise QeError(tr("this is a folder, not a project"), hint=_FILE_NAME_HINT, place=location.place) from None
    except OSError as error:
        message = tr("the project cannot be read: {reason}", reason=error.strerror or error)
        raise QeError(message, hint=tr("Check its permissions."), place=location.place) from None
    if not head.startswith(SQLITE_MAGIC):
        damaged = tr("not a QE Desktop project, or the start of the file is damaged")
        message = damaged if size else tr("the file is empty")
        hint = tr("A project is a {suffix} file. If it is damaged, open a backup.", suffix=PROJECT_SUFFIX)
        raise DamagedProjectError(message, hint=hint, place=location.place)
    if len(head) < _HEADER_BYTES:
        raise _truncated_error(location)
    if int.from_bytes(head[68:72], "big") != APPLICATION_ID:
        message = tr("a database of another program, not a QE Desktop project")
        raise DamagedProjectError(
            message, hint=tr("Select a {suffix} file.", suffix=PROJECT_SUFFIX), place=location.place
        )
    page = int.from_bytes(head[16:18], "big")
    # the page count is valid only if its change counter matches, and the rest of the file may still be in the journal,
    # if a checkpoint was interrupted
    is_size_current = head[24:28] == head[92:96] and not _journal_size(path)
    if is_size_current and size < int.from_bytes(head[28:32], "big") * (65536 if page == 1 else page):
        raise _truncated_error(location)


def _truncated_error(location: Location) -> DamagedProjectError:
    return DamagedProjectError(
        tr("the project's file is damaged: its end is missing"),
        hint=tr("Nothing was changed. Copy the file again from its source."),
        place=location.place,
    )


def _can_read(engine: Engine) -> bool:
    try:
        with engine.connect() as connection:
            connection.execute(text("SELECT 1 FROM sqlite_master")).first()
    except Exception:
        return False
    return True


def _journal_size(path: Path) -> int:
    """Size of a file's journal in bytes; 0 if it has none."""
    try:
        return journal_path(path).stat().st_size
    except OSError:
        return 0


def _has_no_journal(path: Path, location: Location) -> bool:
    if _journal_size(path):
        raise QeError(
            tr(
                "the project was not closed properly, and its last changes in {journal} cannot be read",
                journal=f"{path.name}-wal",
            ),
            hint=tr("Copy both files to a writable folder and open the copy."),
            place=location.place,
        )
    return True


def _read_user_and_role(database: Database) -> None:
    """Set the user's name and role, the warning about an insecure connection, and whether the server is read-only."""
    with database.reading() as connection:
        database.user = connection.execute(text("SELECT current_user")).scalar_one()
        database.role = connected_role(connection, database.location)
        driver: Any = connection.connection.dbapi_connection
        if not driver.pgconn.ssl_in_use and not is_local(driver.info.hostaddr):
            database.warning = tr(
                "The connection to {host} is not encrypted: others on the network can read and change data. Add "
                "sslmode=verify-full to the address.",
                host=driver.info.host,
            )
        if connection.execute(text("SELECT pg_is_in_recovery()")).scalar_one():
            database.read_only = tr("The project is read-only: the server is a replica.")


def connected_role(connection: Connection, location: Location) -> Role:
    """Role of the connected user: owner or rater. Raises QeError if the project is missing or access is denied."""
    privileges = connection.execute(
        text(
            "SELECT pg_has_role(t.tableowner::name, 'USAGE') AS owner,"
            " has_schema_privilege(:schema, 'USAGE') AS usage"
            " FROM pg_tables t WHERE t.schemaname = :schema AND t.tablename = 'meta'"
        ),
        {"schema": schema.POSTGRESQL_SCHEMA},
    ).first()
    if privileges is None:
        raise QeError(
            tr("no project in this database"),
            hint=tr("Check the name of the database, or use File ▸ Save as project on a server."),
            command_hint=tr("Create one with: qe-desktop project create URL FILE…"),
            place=location.place,
        )
    if privileges.owner:
        return "owner"
    rates = text("SELECT has_any_column_privilege('rating_events', 'INSERT')")
    if privileges.usage and connection.execute(rates).scalar_one():
        return "rater"
    raise QeError(
        tr("your role has no access to this project"),
        hint=tr("Its owner can grant access with “qe-desktop project secure”."),
        place=location.place,
    )


def schema_version(connection: Connection, location: Location) -> int:
    """Version of a project's schema. Raises DamagedProjectError if tables are missing or the version is not valid."""
    if not inspect(connection).has_table("meta"):
        message = tr("the project is damaged: its tables are missing")
        raise DamagedProjectError(message, hint=tr("Open a backup."), place=location.place)
    version = connection.execute(select(schema.meta.c.value).where(schema.meta.c.key == "schema")).scalar()
    if type(version) is not int or version < 1:
        message = tr("the project is damaged: its version is missing or invalid")
        raise DamagedProjectError(message, hint=tr("Open a backup."), place=location.place)
    return version


def _supported_version(database: Database) -> int:
    """Version of the schema. Raises QeError if the version is missing, invalid or newer than the program supports."""
    location = database.location
    with database.reading() as connection:
        version = schema_version(connection, location)
    if version > schema.VERSION:
        raise QeError(
            tr(
                "the project was made by a newer version of QE Desktop (schema {schema}; this version supports "
                "up to {known})",
                schema=version,
                known=schema.VERSION,
            ),
            hint=tr("Nothing was changed. Install the latest version of QE Desktop."),
            place=location.place,
        )
    return version


def _migrate_if_needed(database: Database) -> None:
    """Migrate an older schema to the newest version.

    Raises QeError if the schema is newer than the program supports. Raises QeError for an older schema if the project
    is read-only or the user is a rater.
    """
    version, location = _supported_version(database), database.location
    if version == schema.VERSION:
        return
    if database.read_only:
        message = tr(
            "the project was made by an older version of QE Desktop and is read-only, so it cannot be upgraded"
        )
        raise QeError(message, hint=tr("Copy it to a writable folder and open the copy."), place=location.place)
    if database.role == "rater":
        message = tr("the project was made by an older version of QE Desktop and must be upgraded")
        raise QeError(message, hint=tr("Ask its owner to open it with this version."), place=location.place)
    with ddl_transaction(database) as connection:
        # another program may have migrated it since
        migrate(connection, schema_version(connection, location))
        if not database.is_server:
            unexpected_objects(connection, location)
