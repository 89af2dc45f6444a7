"""SQLAlchemy engines for projects, configured for durable commits."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.project.store.file_watch import journal_path
from qe_desktop.project.store.location import REQUIRE_AUTH, SCRAM, Location
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
