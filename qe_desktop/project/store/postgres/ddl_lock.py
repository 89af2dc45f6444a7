"""Changing tables on a server while others are connected: never waiting for long, and saying for whom."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, text

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.project.store.database import Database
from qe_desktop.project.store.errors import LockTimeoutError
from qe_desktop.project.store.tables.schema import POSTGRESQL_SCHEMA

LOCK_WAIT_SECONDS = 5
"""How long a change of tables waits for transactions of others: all that comes after it would have to wait, too."""

_HOLDERS = text(
    "SELECT DISTINCT a.usename, a.pid FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid"
    " JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE n.nspname = :schema AND l.granted AND l.pid <> pg_backend_pid()"
    " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) ORDER BY a.usename, a.pid"
)


@contextmanager
def ddl_transaction(database: Database) -> Iterator[Connection]:
    """A transaction in which tables, policies or rights are changed, committed at the end of the block.

    QeError, with nothing changed, where somebody holds the tables for longer than `WAIT_SECONDS`; it says who.
    """
    try:
        # a project that is open already has its writers wait for each other
        with database.writing() if database.user else database.transaction() as connection:
            if database.is_server:
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{LOCK_WAIT_SECONDS}s'")
            yield connection
    except LockTimeoutError as error:
        raise _locked_error(database, error) from None


def _locked_error(database: Database, error: LockTimeoutError) -> QeError:
    with database.reading() as connection:
        found = [
            (str(row.usename), int(row.pid)) for row in connection.execute(_HOLDERS, {"schema": POSTGRESQL_SCHEMA})
        ]
    if not found:
        return error
    named = ", ".join(tr("{role} (process {process})", role=name, process=pid) for name, pid in found)
    return LockTimeoutError(
        tr(
            "nothing was changed, for a transaction that is not over holds the project’s tables: that of {names}",
            names=named,
        ),
        hint=tr("Have it ended, or end it with SELECT pg_terminate_backend(PROCESS), and try again."),
        place=error.place,
    )
