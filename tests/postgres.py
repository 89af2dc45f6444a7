"""A PostgreSQL server for tests, from Debian's package, on a loopback port of its own."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.timeouts import PATIENCE


def binaries() -> Path | None:
    """Return the folder of the newest installed server, or None."""
    folders = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    if folders:
        return max(folders, key=lambda path: float(path.parent.name))
    on_path = shutil.which("postgres")
    return Path(on_path).parent if on_path else None


def _as_user() -> dict[str, object]:
    """Return the user for the server process: it refuses to run as root, so the user of Debian's package runs it."""
    if os.geteuid() != 0:
        return {}
    user = pwd.getpwnam("postgres")
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def _has_user() -> bool:
    try:
        pwd.getpwnam("postgres")
    except KeyError:
        return False
    return True


def _die_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)


@dataclass
class Server:
    """A running server. `url` returns addresses of databases; roles connect over TCP with their password."""

    folder: Path
    programs: Path
    port: int
    password: str = field(default_factory=lambda: secrets.token_hex(8))
    process: subprocess.Popen[bytes] | None = None

    def initialize(self) -> None:
        """Initialize the data folder."""
        secret = self.folder / "secret"
        secret.write_text(self.password)
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            for path in (self.folder, secret):
                os.chown(path, user.pw_uid, user.pw_gid)
        command = [self.programs / "initdb", "-D", self.folder / "data", "-U", "postgres", "-E", "UTF8"]
        command += ["--locale=C", "-A", "scram-sha-256", f"--pwfile={secret}"]
        process = subprocess.run(command, capture_output=True, text=True, cwd="/", **_as_user())
        assert process.returncode == 0, process.stderr

    def start(self) -> None:
        """Start the server and wait until it accepts connections."""
        settings = {
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": str(self.folder),
            "max_connections": "60",
            "log_statement": "all",
        }
        command: list[object] = [self.programs / "postgres", "-D", self.folder / "data", "-p", self.port]
        command += [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(
            [str(part) for part in command], stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/",
            preexec_fn=_die_with_parent, **_as_user(),
        )  # fmt: skip
        log.close()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with contextlib.suppress(Exception):
                self.execute("SELECT 1")
                return
            assert self.process.poll() is None, self.log()
            time.sleep(0.05)
        raise AssertionError(f"the server does not answer: {self.log()}")

    def log(self) -> str:
        """Return the log of the server, which includes every statement."""
        return (self.folder / "log").read_text(errors="replace")

    def stop(self, signal_number: signal.Signals = signal.SIGINT) -> None:
        """Stop the server: fast shutdown by SIGINT, immediate shutdown as in a crash by SIGQUIT."""
        if self.process is not None:
            self.process.send_signal(signal_number)
            self.process.wait(PATIENCE)
            self.process = None

    def url(self, database: str, user: str = "postgres") -> str:
        """Return an address without a password."""
        return f"postgresql://{quote(user, safe='')}@127.0.0.1:{self.port}/{database}"

    def connect(self, database: str = "postgres", user: str = "postgres", password: str | None = None):
        """Return a psycopg connection in autocommit mode."""
        import psycopg

        return psycopg.connect(
            host="127.0.0.1", port=self.port, dbname=database, user=user, password=password or self.password,
            autocommit=True, connect_timeout=round(PATIENCE),
        )  # fmt: skip

    def execute(self, statement: str, database: str = "postgres") -> list[tuple]:
        """Run a statement as the superuser and return its rows."""
        with self.connect(database) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def new_database(self, owner: str = "") -> str:
        """Create an empty database and return its name."""
        name = f"t{secrets.token_hex(6)}"
        self.execute(f'CREATE DATABASE {name} OWNER "{owner or "postgres"}"')
        return name

    def new_role(self, name: str = "", options: str = "") -> str:
        """Create a role that may log in with the password `NAME!`, and return its name."""
        name = name or f"r{secrets.token_hex(4)}"
        self.execute(f"CREATE ROLE \"{name}\" LOGIN PASSWORD '{name}!' {options}")
        return name


def running_server() -> Iterator[Server]:
    """Yield a server that is stopped and removed at the end; skip the test if none is installed."""
    programs = binaries()
    if programs is None:
        pytest.skip("PostgreSQL's server is not installed (apt-get install postgresql)")
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    if os.geteuid() == 0 and not _has_user():
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    folder = Path(tempfile.mkdtemp(prefix="qe-desktop-postgresql-"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = Server(folder, programs, port)
    try:
        server.initialize()
        server.start()
        yield server
    finally:
        # the data is discarded, so an immediate shutdown is enough
        server.stop(signal.SIGQUIT)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """One server for all tests of a worker."""
    yield from running_server()


@dataclass(frozen=True)
class Address:
    """A database for one test: its URL without a password, the password, the name, and the server."""

    url: str
    password: str
    name: str
    server: Server


@pytest.fixture
def address(postgresql: Server) -> Address:
    """An empty database."""
    name = postgresql.new_database()
    return Address(postgresql.url(name), postgresql.password, name, postgresql)
