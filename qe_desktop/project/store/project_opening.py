"""Opening a project: what is looked at before anything is touched."""

from __future__ import annotations

import stat
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, inspect, select, text

from qe_desktop.corpus import QeError
from qe_desktop.formats.io.file_locks import (
    begin_reading,
    end_reading,
    file_identity,
    is_open_here,
    register_open,
    unregister_open,
)
from qe_desktop.i18n.messages import tr
from qe_desktop.project.store.database import Database, Role
from qe_desktop.project.store.engine import APPLICATION_ID, is_writable, make_engine
from qe_desktop.project.store.file_watch import journal_path
from qe_desktop.project.store.location import PROJECT_SUFFIX, Location, is_local
from qe_desktop.project.store.postgres.ddl_lock import ddl_transaction
from qe_desktop.project.store.schema_check import unexpected_objects
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.migrations import migrate

SQLITE_MAGIC = b"SQLite format 3\0"
"""How every SQLite file begins."""
_HEADER = 100
_NAME = tr("Name a {suffix} file.", suffix=PROJECT_SUFFIX)


def open_database(location: Location) -> Database:
    """The database at a place, brought up to the newest schema. QeError in words for whatever is wrong with it."""
    database = Database(location, make_engine(location)) if location.path is None else _in_file(location.path, location)
    try:
        if database.is_server:
            _meet(database)
        _check(database)
        if database.watch is not None and not database.read_only:
            database.watch.note_journal()
    except BaseException:
        database.close()
        raise
    return database


def _in_file(path: Path, location: Location) -> Database:
    """The database in a file, to be read only where that takes no changes or another program changed it."""
    read = begin_reading(path)
    try:
        if read is not None or not is_open_here(path):
            _check_header(path, location)
    finally:
        if read is not None:
            end_reading(read)
    file = file_identity(path)
    if file is None:
        raise QeError(tr("there is no such project"), hint=tr("Check its name."), place=location.place)
    # from the first connection on, nobody here may open the file by itself
    register_open(file)
    try:
        return _connected(path, location)
    finally:
        unregister_open(file)


def _connected(path: Path, location: Location) -> Database:
    notice = tr("The project can only be read: its file or its folder takes no changes.")
    looked = _inspect_file(path, location)
    if looked:
        notice = tr("The project can only be read: another program changed its file ({change}).", change=looked)
    elif is_writable(path):
        notice = ""
    engine = _for_reading(path, location) if notice else make_engine(location)
    return Database(location, engine, read_only=notice, is_foreign=bool(looked))


def _for_reading(path: Path, location: Location) -> Engine:
    """An engine for a file that takes no changes; SQLite then needs to know that nobody else makes any."""
    engine = make_engine(location, read_only=True)
    if _answers(engine):
        return engine
    engine.dispose()
    return make_engine(location, read_only=True, immutable=_has_no_journal(path, location))


def _inspect_file(path: Path, location: Location) -> str:
    """What another program put into a file, in words; before anything is written."""
    engine = make_engine(location, looking=True) if is_writable(path) else _for_reading(path, location)
    with closing(Database(location, engine)) as looking:
        version = _version(looking)
        with looking.reading() as connection:
            return unexpected_objects(connection, location, older=version < schema.VERSION)


def _check_header(path: Path, location: Location) -> None:
    """Refuse what is no whole file of ours, by its first bytes."""
    try:
        state = path.stat()
        if stat.S_ISDIR(state.st_mode):
            raise IsADirectoryError
        if not stat.S_ISREG(state.st_mode):
            # a pipe would keep us waiting for ever
            raise QeError(tr("this is not an ordinary file"), hint=_NAME, place=location.place)
        size = state.st_size
        with path.open("rb") as file:
            head = file.read(_HEADER)
    except FileNotFoundError:
        raise QeError(tr("there is no such project"), hint=tr("Check its name."), place=location.place) from None
    except IsADirectoryError:
        raise QeError(tr("this is a folder, not a project"), hint=_NAME, place=location.place) from None
    except OSError as error:
        message = tr("the project cannot be read: {reason}", reason=error.strerror or error)
        raise QeError(message, hint=tr("Check its rights."), place=location.place) from None
    if not head.startswith(SQLITE_MAGIC):
        message = (
            tr("this is no project of QE Desktop, or its beginning is damaged") if size else tr("the file is empty")
        )
        hint = tr("A project is a {suffix} file. Open a copy of it.", suffix=PROJECT_SUFFIX)
        raise QeError(message, hint=hint, place=location.place)
    if len(head) < _HEADER:
        raise _truncated_error(location)
    if int.from_bytes(head[68:72], "big") != APPLICATION_ID:
        message = tr("this is a database of another program, not a project of QE Desktop")
        raise QeError(message, hint=tr("Choose a {suffix} file.", suffix=PROJECT_SUFFIX), place=location.place)
    page = int.from_bytes(head[16:18], "big")
    # the number of pages is to be believed only where it was written together with the rest, and the rest of the file
    # may still be in the journal: where the disk filled up while it was brought over, or the program was killed then
    known = head[24:28] == head[92:96] and not _journal_size(path)
    if known and size < int.from_bytes(head[28:32], "big") * (65536 if page == 1 else page):
        raise _truncated_error(location)


def _truncated_error(location: Location) -> QeError:
    return QeError(
        tr("the project's file is damaged: its end is missing"),
        hint=tr("Copy it again from where it came from; nothing was changed."),
        place=location.place,
    )


def _answers(engine: Engine) -> bool:
    try:
        with engine.connect() as connection:
            connection.execute(text("SELECT 1 FROM sqlite_master")).first()
    except Exception:
        return False
    return True


def _journal_size(path: Path) -> int:
    """Bytes of the journal beside a file; 0 where there is none."""
    try:
        return journal_path(path).stat().st_size
    except OSError:
        return 0


def _has_no_journal(path: Path, location: Location) -> bool:
    if _journal_size(path):
        raise QeError(
            tr(
                "the project was not closed properly, and its last changes in {journal} cannot be read here",
                journal=f"{path.name}-wal",
            ),
            hint=tr("Copy both files to a folder that you may write to, and open the copy."),
            place=location.place,
        )
    return True


def _meet(database: Database) -> None:
    """Ask a server who one is there, and what one may do."""
    with database.reading() as connection:
        database.user = connection.execute(text("SELECT current_user")).scalar_one()
        database.role = connected_role(connection, database.location)
        driver: Any = connection.connection.dbapi_connection
        if not driver.pgconn.ssl_in_use and not is_local(driver.info.hostaddr):
            database.warning = tr(
                "The connection to {host} is not encrypted: others on the way can read and change everything. Add "
                "sslmode=verify-full to the address.",
                host=driver.info.host,
            )
        if connection.execute(text("SELECT pg_is_in_recovery()")).scalar_one():
            database.read_only = tr("The project can only be read: the server is a copy of another one.")


def connected_role(connection: Connection, location: Location) -> Role:
    """What the connected role may do: everything, or rate. QeError where there is no project, or nothing is allowed."""
    found = connection.execute(
        text(
            "SELECT pg_has_role(t.tableowner::name, 'USAGE') AS owner,"
            " has_schema_privilege(:schema, 'USAGE') AS usage"
            " FROM pg_tables t WHERE t.schemaname = :schema AND t.tablename = 'meta'"
        ),
        {"schema": schema.POSTGRESQL_SCHEMA},
    ).first()
    if found is None:
        raise QeError(
            tr("there is no project in this database"),
            hint=tr("Make one with: qe-desktop project create URL FILE…"),
            place=location.place,
        )
    if found.owner:
        return "owner"
    rates = text("SELECT has_any_column_privilege('rating_events', 'INSERT')")
    if found.usage and connection.execute(rates).scalar_one():
        return "rater"
    raise QeError(
        tr("your role has no part in this project"),
        hint=tr("Its owner can let you in with the command “qe-desktop project secure”."),
        place=location.place,
    )


def schema_version(connection: Connection, location: Location) -> int:
    """The version of a project's schema."""
    if not inspect(connection).has_table("meta"):
        message = tr("the project is damaged: its tables are missing")
        raise QeError(message, hint=tr("Open a copy."), place=location.place)
    found = connection.execute(select(schema.meta.c.value).where(schema.meta.c.key == "schema")).scalar()
    if type(found) is not int or found < 1:
        message = tr("the project is damaged: it has no version")
        raise QeError(message, hint=tr("Open a copy of it."), place=location.place)
    return found


def _version(database: Database) -> int:
    """The version of the schema. QeError where it is newer than this program."""
    location = database.location
    with database.reading() as connection:
        version = schema_version(connection, location)
    if version > schema.VERSION:
        raise QeError(
            tr(
                "the project was made by a newer version of QE Desktop (schema {schema}, this one knows {known})",
                schema=version,
                known=schema.VERSION,
            ),
            hint=tr("Install the newest QE Desktop; nothing was changed."),
            place=location.place,
        )
    return version


def _check(database: Database) -> None:
    """Refuse a schema newer than this program, and bring an older one up to date."""
    version, location = _version(database), database.location
    if version == schema.VERSION:
        return
    if database.read_only:
        message = tr("the project is of an older version and can only be read, so it cannot be brought up to date")
        raise QeError(message, hint=tr("Copy it to where you may write, and open it."), place=location.place)
    if database.role == "rater":
        message = tr("the project is of an older version")
        raise QeError(message, hint=tr("Ask its owner to open it once with this program."), place=location.place)
    with ddl_transaction(database) as connection:
        # another program may have done so meanwhile
        migrate(connection, schema_version(connection, location))
        if not database.is_server:
            unexpected_objects(connection, location)
