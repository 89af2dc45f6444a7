"""Database of an open project: engine, transactions and the user's role."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Connection, Engine, create_engine, event, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import QueuePool

from qe_desktop.corpus import QeError
from qe_desktop.formats.files_in_use import Identity, register_open, unregister_open
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import new_uid
from qe_desktop.project.store.errors import TransientError, translate_corruption, translate_errors
from qe_desktop.project.store.file_watch import FILE_MOVED, FILE_TRUNCATED, JOURNAL_MISSING, FileWatch, journal_path
from qe_desktop.project.store.location import REQUIRE_AUTH, SCRAM, Location
from qe_desktop.project.store.tables import schema
from qe_desktop.project.store.tables.schema import POSTGRESQL_SCHEMA

APPLICATION_ID = 0x51454450
"""Identifier of project files in the SQLite header (“QEDP”)."""
BUSY_SECONDS = 2.0
"""Seconds that SQLite waits for a concurrent writer before a write fails (and is retried)."""
CONNECT_SECONDS = 5
_MIN_REQUIRE_AUTH_VERSION = 160000
"""First version of libpq with `require_auth`."""
IMMEDIATE = {"qe_immediate": True}
"""Execution options of connections that write: SQLite acquires the write lock at the start of a transaction."""


def make_engine(
    location: Location, *, read_only: bool = False, immutable: bool = False, for_inspection: bool = False
) -> Engine:
    """Create an engine; nothing is opened yet. Raises QeError if the PostgreSQL driver is missing.

    The keyword arguments apply only to files. With `for_inspection`, WAL mode is not enabled, so that a file can be
    inspected without being changed. `immutable` is for files whose journal SQLite cannot create.
    """
    if location.path is not None:
        return _file_engine(location.path, read_only=read_only, immutable=immutable, for_inspection=for_inspection)
    return _server_engine(location)


def _file_engine(path: Path, *, read_only: bool, immutable: bool, for_inspection: bool) -> Engine:
    mode = "ro" if read_only else "rw"
    uri = f"{path.as_uri()}?mode={mode}{'&immutable=1' if immutable else ''}"

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(
            uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=64
        )

    engine = create_engine("sqlite://", creator=connect, pool_size=5, max_overflow=5, poolclass=QueuePool)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: object) -> None:
        connection.execute("PRAGMA foreign_keys=ON")
        # FULL: commits are on disk even after a power failure
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("PRAGMA temp_store=MEMORY")
        if not read_only and not for_inspection:
            connection.execute("PRAGMA journal_mode=WAL")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get("qe_immediate", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")

    return engine


def _server_engine(location: Location) -> Engine:
    try:
        import psycopg
    except ImportError:
        raise QeError(
            tr("a project on a server needs psycopg, which is not installed"),
            hint=tr('Install it with: pip install "qe-desktop[postgres]"'),
            place=location.place,
        ) from None
    url = location.engine_url()
    host = url.host or str(url.query.get("host", ""))
    auth_is_set = REQUIRE_AUTH in url.query or "PGREQUIREAUTH" in os.environ
    is_socket = all(name.startswith("/") for name in host.split(","))
    # an impostor server must not receive the password; older drivers lack the option
    auth_option = (
        {} if auth_is_set or is_socket or psycopg.pq.version() < _MIN_REQUIRE_AUTH_VERSION else {REQUIRE_AUTH: SCRAM}
    )
    return create_engine(
        url,
        pool_pre_ping=True,
        pool_size=4,
        # two windows of a rater stay below the role's limit (`server_setup.MAX_RATER_CONNECTIONS`)
        max_overflow=4,
        connect_args={
            **auth_option,
            "connect_timeout": CONNECT_SECONDS,
            "application_name": "qe-desktop",
            "client_encoding": "utf8",
            # detect an unreachable server within seconds, even during a write
            "keepalives_idle": 5,
            "keepalives_interval": 2,
            "keepalives_count": 3,
            "tcp_user_timeout": 10_000,
            "options": f"-c search_path={POSTGRESQL_SCHEMA},pg_temp -c idle_in_transaction_session_timeout=30000",
        },
    )


def is_writable(path: Path) -> bool:
    """Return whether a file and the folder of its journal are writable."""
    return os.access(path, os.W_OK) and os.access(journal_path(path).parent, os.W_OK)


Role = Literal["owner", "rater"]


@dataclass(slots=True)
class Database:
    """Database of an open project: its location and engine, and the user's role.

    `window` is the id of this client in the rows that the client writes.
    """

    location: Location
    engine: Engine
    role: Role = "owner"
    user: str = ""
    read_only: str = ""
    warning: str = ""
    """Warning about an insecure connection; empty if there is none."""
    window: str = field(default_factory=new_uid)
    has_foreign_objects: bool = False
    """Whether another program added objects to the file; copies must not contain these."""
    watch: FileWatch | None = None
    checkpoint_later: Callable[[], None] | None = None
    """Function that schedules another call of `checkpoint`."""
    _file: Identity | None = None
    _file_problem: str = ""
    _last_written: Mapping[str, Sequence[str]] = field(default_factory=dict)
    _is_registered: bool = False

    def __post_init__(self) -> None:
        if self.location.path is not None:
            self.watch = FileWatch(self.location.path)
            self._file = self.watch.file
        if self._file is not None:
            register_open(self._file)
            self._is_registered = True

    @property
    def is_server(self) -> bool:
        """Whether the database is on a PostgreSQL server."""
        return self.location.is_server

    @contextmanager
    def reading(self, *, owners: str = "") -> Iterator[Connection]:
        """Context manager: read-only connection to a consistent snapshot; database errors are translated.

        If only owners may read the data, `owners` is the error message for raters. A file that was moved can still be
        read (and copied) through open connections.
        """
        if owners:
            self.require_owner(owners)
        with translate_errors(self.location), translate_corruption(self.location), self.engine.connect() as connection:
            if self.is_server:
                connection = connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Context manager: transaction that commits at the end of the block, without the checks of `writing`.

        Database errors are translated. `require_intact_files`, which may raise TransientError, is called before the
        block and after the commit.
        """
        self.require_intact_files()
        with translate_errors(self.location), self.engine.connect() as connection:
            connection = connection.execution_options(**IMMEDIATE)
            with connection.begin():
                yield connection
        # rows written to a file that was moved during the transaction are not saved
        self.require_intact_files()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Context manager: transaction that commits at the end of the block; database errors are translated.

        Raises QeError if the project is read-only. Owners' transactions are serialized, so that rows are numbered in
        the order of the commits. Raters' transactions on a server are not serialized, because a rater could block
        other raters.
        """
        if self.read_only:
            raise QeError(
                self.read_only, hint=tr("Save the project under another name to continue."), place=self.location.place
            )
        with self.transaction() as connection:
            if self.is_server and self.role == "owner":
                project = select(schema.meta.c.value).where(schema.meta.c.key == "project")
                connection.execute(project.with_for_update())
            yield connection

    @contextmanager
    def writing_with_checkpoint(self) -> Iterator[Connection]:
        """Like `writing`, but call `checkpoint` after the commit; if other clients prevent the checkpoint, retry later.

        Used for campaigns: a copy of the file for raters, made while the project is open, must contain all campaigns.
        """
        with self.writing() as connection:
            yield connection
        if not self.checkpoint() and self.checkpoint_later is not None:
            self.checkpoint_later()

    def rows(self, connection: Connection, statement: Any) -> Any:
        """Execute a statement with its values as literals; return the driver's cursor, whose rows are plain tuples."""
        text = str(statement.compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True}))
        driver = connection.connection.dbapi_connection
        assert driver is not None
        cursor = driver.cursor()
        cursor.execute(text)
        return cursor

    def require_owner(self, message: str) -> None:
        """Raise QeError with `message` for raters."""
        if self.role == "rater":
            hint = tr("You are connected as a rater. Ask the owner of the project.")
            raise QeError(message, hint=hint, place=self.location.place)

    def require_intact_files(self) -> None:
        """Raise TransientError if the files were moved, removed, replaced or truncated since they were opened.

        SQLite would go on writing to a file that was moved. Before the error is raised, committed rows are checkpointed
        into that file, because its journal was not moved with it.
        """
        problem = "" if self.watch is None else self.watch.find_problem()
        if (
            not problem
            and self.watch is not None
            and self.watch.has_shorter_journal
            and not self._has_rows(self._last_written)
        ):
            problem = JOURNAL_MISSING
        if problem and not self._file_problem and problem != FILE_TRUNCATED:
            self._file_problem = problem
            self.checkpoint()
        self._file_problem = problem
        if problem:
            message, hint = _FILE_CHANGE_MESSAGES[problem]
            raise TransientError(message, hint=hint, place=self.location.place)

    def check_committed(self, written: Mapping[str, Sequence[str]]) -> None:
        """Raise TransientError if a new connection lacks committed rows; `written` maps tables to uids of rows."""
        if self.watch is None:
            return
        if not self._has_rows(written):
            raise TransientError(
                tr("the latest changes are missing from the project's file"),
                hint=tr("Save a copy of the project. In the meantime, your changes are kept."),
                place=self.location.place,
            )
        self._last_written = {table: uids[-1:] for table, uids in written.items()}
        self.watch.record_commit()

    def _has_rows(self, written: Mapping[str, Sequence[str]]) -> bool:
        """Return whether a new connection finds all rows in `written`; False if reading fails."""
        assert self.watch is not None
        try:
            with closing(self.watch.open_read_only()) as connection:
                return all(_count(connection, table, uids) == len(set(uids)) for table, uids in written.items())
        except sqlite3.Error:
            return False

    def checkpoint(self) -> bool:
        """Checkpoint the journal into the file unless other clients prevent that; never blocks.

        Before the checkpoint, a copy of the file without the journal lacks the latest rows. Returns False if other
        clients prevented the checkpoint; otherwise True, even after an error or if no checkpoint was attempted.
        """
        if self._file is None or self.read_only:
            return True
        if self._file_problem and not getattr(self.engine.pool, "checkedin", int)():
            # a new connection would open the file that is at the path now
            return True
        is_busy = 0
        with suppress(sqlite3.Error, SQLAlchemyError), closing(self.engine.raw_connection()) as connection:
            driver: Any = connection.driver_connection
            driver.execute("PRAGMA busy_timeout=0")
            try:
                [(is_busy, *_)] = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                driver.execute(f"PRAGMA busy_timeout={round(BUSY_SECONDS * 1000)}")
        return not is_busy

    def close(self) -> None:
        """Close all connections."""
        with suppress(TransientError):
            self.require_intact_files()
        self.engine.dispose()
        if self._file is not None and self._is_registered:
            self._is_registered = False
            unregister_open(self._file)


def _count(connection: sqlite3.Connection, table: str, uids: Sequence[str]) -> int:
    """Number of rows in `table` whose uid is in `uids`."""
    total = 0
    for start in range(0, len(uids), 500):
        batch = uids[start : start + 500]
        query = f"SELECT count(*) FROM {table} WHERE uid IN ({','.join('?' * len(batch))})"
        total += connection.execute(query, batch).fetchone()[0]
    return total


_FILE_CHANGE_MESSAGES = {
    FILE_MOVED: (
        tr("the project's file was moved, removed or replaced"),
        tr("Put it back, or save a copy of the project. In the meantime, your changes are kept."),
    ),
    FILE_TRUNCATED: (
        tr("the project's file was truncated by another program"),
        tr("Replace it with an earlier copy. In the meantime, your changes are kept."),
    ),
    JOURNAL_MISSING: (
        tr("the project's journal file (-wal) was removed or replaced while the project was open"),
        tr("Close the project in all windows and open it again. In the meantime, your changes are kept."),
    ),
}
