"""Transactions for schema changes on a server in use, with lock timeouts and errors that name the lock holders."""

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
"""Lock timeout of schema changes; while a change waits to lock a table, later transactions on the table also wait."""

_HOLDERS = text(
    "SELECT DISTINCT a.usename, a.pid FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid"
    " JOIN pg_class c ON c.oid = l.relation JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE n.nspname = :schema AND l.granted AND l.pid <> pg_backend_pid()"
    " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) ORDER BY a.usename, a.pid"
)


@contextmanager
def ddl_transaction(database: Database) -> Iterator[Connection]:
    """Context manager: transaction for changes to tables, policies or privileges, committed at the end of the block.

    If tables stay locked for `LOCK_WAIT_SECONDS`, nothing is changed and LockTimeoutError is raised. The error message
    names the roles that hold locks, if any are found.
    """
    try:
        # writers of an open project are serialized
        with database.writing() if database.user else database.transaction() as connection:
            if database.is_server:
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{LOCK_WAIT_SECONDS}s'")
            yield connection
    except LockTimeoutError as error:
        raise _locked_error(database, error) from None


def _locked_error(database: Database, error: LockTimeoutError) -> QeError:
    with database.reading() as connection:
        blockers = [
            (str(row.usename), int(row.pid)) for row in connection.execute(_HOLDERS, {"schema": POSTGRESQL_SCHEMA})
        ]
    if not blockers:
        return error
    holders = ", ".join(tr("{role} (process {process})", role=name, process=pid) for name, pid in blockers)
    return LockTimeoutError(
        tr("nothing was changed: the project's tables are locked by {names}", names=holders),
        hint=tr(
            "Wait until the transaction of each process ends, or end the process with "
            "SELECT pg_terminate_backend(PROCESS). Then try again."
        ),
        place=error.place,
    )
