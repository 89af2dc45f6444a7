"""A project's database while it is open: its connections, and what this person may do there."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import SQLAlchemyError

from qe_desktop.corpus import QeError
from qe_desktop.formats.io.file_locks import Identity, register_open, unregister_open
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import new_uid
from qe_desktop.project.store.engine import BUSY_SECONDS, IMMEDIATE
from qe_desktop.project.store.error_messages import translate_corruption, translate_errors
from qe_desktop.project.store.errors import TransientError
from qe_desktop.project.store.file_watch import FILE_MOVED, FILE_TRUNCATED, JOURNAL_MISSING, FileWatch
from qe_desktop.project.store.location import Location
from qe_desktop.project.store.tables import schema

Role = Literal["owner", "rater"]


@dataclass(slots=True)
class Database:
    """An engine, its location, and the role one has there. `window` names this running program in what it writes."""

    location: Location
    engine: Engine
    role: Role = "owner"
    user: str = ""
    read_only: str = ""
    warning: str = ""
    """In words what is not safe about the connection; empty where nothing is."""
    window: str = field(default_factory=new_uid)
    is_foreign: bool = False
    """Whether another program put something of its own into the file, which no copy should have."""
    watch: FileWatch | None = None
    settle_later: Callable[[], None] | None = None
    """Asks for `settle` again after a while."""
    _file: Identity | None = None
    _wrong: str = ""
    _last: Mapping[str, Sequence[str]] = field(default_factory=dict)
    _held: bool = False

    def __post_init__(self) -> None:
        if self.location.path is not None:
            self.watch = FileWatch(self.location.path)
            self._file = self.watch.file
        if self._file is not None:
            register_open(self._file)
            self._held = True

    @property
    def is_server(self) -> bool:
        """Whether this is PostgreSQL."""
        return self.location.is_server

    @contextmanager
    def reading(self, *, owners: str = "") -> Iterator[Connection]:
        """A connection to read with: what it reads is of one moment; errors in words.

        `owners` says what is read here that a rater may not see. A file that was moved is still read, for its copy:
        connections that were opened before have it.
        """
        if owners:
            self.refuse_raters(owners)
        with translate_errors(self.location), translate_corruption(self.location), self.engine.connect() as connection:
            if self.is_server:
                connection = connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            yield connection

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction that is committed at the end of the block, for making what is not yet there."""
        self.refuse_disturbed()
        with translate_errors(self.location), self.engine.connect() as connection:
            connection = connection.execution_options(**IMMEDIATE)
            with connection.begin():
                yield connection
        # what went into a file that has no name any more is not saved
        self.refuse_disturbed()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction that is committed at the end of the block; errors in words.

        Writers of one project wait for each other here, so that the order of the rows is the order of the commits.
        Raters do not: they could make others wait.
        """
        if self.read_only:
            raise QeError(self.read_only, hint=tr("Save the project elsewhere to go on."), place=self.location.place)
        with self.transaction() as connection:
            if self.is_server and self.role == "owner":
                project = select(schema.meta.c.value).where(schema.meta.c.key == "project")
                connection.execute(project.with_for_update())
            yield connection

    @contextmanager
    def writing_whole(self) -> Iterator[Connection]:
        """As `writing`, for what is committed by itself: it is put into the file at once (see `settle`).

        The file may be copied while the project is open, and a copy without a campaign is of no use to its raters.
        """
        with self.writing() as connection:
            yield connection
        if not self.settle() and self.settle_later is not None:
            self.settle_later()

    def rows(self, connection: Connection, statement: Any) -> Any:
        """The driver's own cursor over a statement without parameters: for a million rows, which need no wrapping."""
        text = str(statement.compile(dialect=connection.dialect, compile_kwargs={"literal_binds": True}))
        driver = connection.connection.dbapi_connection
        assert driver is not None
        cursor = driver.cursor()
        cursor.execute(text)
        return cursor

    def refuse_raters(self, message: str) -> None:
        """A QeError that says `message` where a rater asks for what only the owner may see."""
        if self.role == "rater":
            raise QeError(message, hint=tr("You are connected as a rater."), place=self.location.place)

    def refuse_disturbed(self) -> None:
        """Trouble where the files are not those that were opened any more: moved, removed, replaced or cut short.

        SQLite would go on writing into a file that nobody finds again. What it has committed is put into the file,
        wherever that is now: the journal beside it is not moved with it, and one that was removed is nobody's.
        """
        wrong = "" if self.watch is None else self.watch.wrong()
        if not wrong and self.watch is not None and self.watch.has_shorter_journal and not self._keeps(self._last):
            wrong = JOURNAL_MISSING
        if wrong and not self._wrong and wrong != FILE_TRUNCATED:
            self._wrong = wrong
            self.settle()
        self._wrong = wrong
        if wrong:
            message, hint = _FILE_CHANGE_MESSAGES[wrong]
            raise TransientError(message, hint=hint, place=self.location.place)

    def refuse_unkept(self, written: Mapping[str, Sequence[str]]) -> None:
        """Trouble where rows that were committed (uids by table) are not there for somebody who looks anew."""
        if self.watch is None:
            return
        if not self._keeps(written):
            raise TransientError(
                tr("the project's file does not keep what is written to it"),
                hint=tr("Save a copy of the project. What you do meanwhile is kept."),
                place=self.location.place,
            )
        self._last = {table: uids[-1:] for table, uids in written.items()}
        self.watch.committed()

    def _keeps(self, written: Mapping[str, Sequence[str]]) -> bool:
        """Whether rows are there for a connection that has read nothing yet."""
        assert self.watch is not None
        try:
            with closing(self.watch.look()) as connection:
                return all(_count(connection, table, uids) == len(set(uids)) for table, uids in written.items())
        except sqlite3.Error:
            return False

    def settle(self) -> bool:
        """Put all that was committed into the file itself, as far as nobody else is at it; it never waits for them.

        Until then some of it stands in the journal beside the file, and would not be in a copy of the file alone. False
        where some of it does because somebody reads or writes just now.
        """
        if self._file is None or self.read_only:
            return True
        if self._wrong and not getattr(self.engine.pool, "checkedin", int)():
            # a new connection would be one to the other file
            return True
        busy = 0
        with suppress(sqlite3.Error, SQLAlchemyError), closing(self.engine.raw_connection()) as connection:
            driver: Any = connection.driver_connection
            driver.execute("PRAGMA busy_timeout=0")
            try:
                [(busy, *_)] = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                driver.execute(f"PRAGMA busy_timeout={round(BUSY_SECONDS * 1000)}")
        return not busy

    def close(self) -> None:
        """Let go of all connections."""
        with suppress(TransientError):
            self.refuse_disturbed()
        self.engine.dispose()
        if self._file is not None and self._held:
            self._held = False
            unregister_open(self._file)


def _count(connection: sqlite3.Connection, table: str, uids: Sequence[str]) -> int:
    """How many rows of a table have one of these uids."""
    found = 0
    for low in range(0, len(uids), 500):
        some = uids[low : low + 500]
        asked = f"SELECT count(*) FROM {table} WHERE uid IN ({','.join('?' * len(some))})"
        found += connection.execute(asked, some).fetchone()[0]
    return found


_FILE_CHANGE_MESSAGES = {
    FILE_MOVED: (
        tr("the project's file was moved, removed or replaced by another one"),
        tr("Put it back, or save a copy of the project. What you do meanwhile is kept."),
    ),
    FILE_TRUNCATED: (
        tr("the project's file was cut short by another program"),
        tr("Put a copy from before in its place. What you do meanwhile is kept."),
    ),
    JOURNAL_MISSING: (
        tr("the journal beside the project's file was removed or replaced while the project was open"),
        tr("Close the project in all windows, and open it again. What you do meanwhile is kept."),
    ),
}
