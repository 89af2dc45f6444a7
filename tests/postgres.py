"""A real PostgreSQL server for tests, from Debian's package, on a loopback port of its own."""

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

from tests.patience import PATIENCE


def binaries() -> Path | None:
    """The folder of the newest server that is installed, or None."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    if found:
        return max(found, key=lambda path: float(path.parent.name))
    on_path = shutil.which("postgres")
    return Path(on_path).parent if on_path else None


def _as_user() -> dict[str, object]:
    """The server refuses to run as root, so that it runs as the user that Debian's package made."""
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
    """A running server. `url` gives addresses in it; roles connect over TCP and need their password."""

    folder: Path
    programs: Path
    port: int
    password: str = field(default_factory=lambda: secrets.token_hex(8))
    process: subprocess.Popen[bytes] | None = None

    def make(self) -> None:
        """Make the data folder."""
        secret = self.folder / "secret"
        secret.write_text(self.password)
        if os.geteuid() == 0:
            user = pwd.getpwnam("postgres")
            for path in (self.folder, secret):
                os.chown(path, user.pw_uid, user.pw_gid)
        command = [self.programs / "initdb", "-D", self.folder / "data", "-U", "postgres", "-E", "UTF8"]
        command += ["--locale=C", "-A", "scram-sha-256", f"--pwfile={secret}"]
        done = subprocess.run(command, capture_output=True, text=True, cwd="/", **_as_user())
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        """Start it and wait until it answers."""
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
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with contextlib.suppress(Exception):
                self.execute("SELECT 1")
                return
            assert self.process.poll() is None, self.log()
            time.sleep(0.05)
        raise AssertionError(f"the server does not answer: {self.log()}")

    def log(self) -> str:
        """What the server wrote; every statement among it."""
        return (self.folder / "log").read_text(errors="replace")

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it: SIGINT at once but in order, SIGQUIT as in a crash."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE)
            self.process = None

    def url(self, database: str, user: str = "postgres") -> str:
        """An address without a password."""
        return f"postgresql://{quote(user, safe='')}@127.0.0.1:{self.port}/{database}"

    def connect(self, database: str = "postgres", user: str = "postgres", password: str | None = None):
        """A plain connection of psycopg, each statement a transaction."""
        import psycopg

        return psycopg.connect(
            host="127.0.0.1", port=self.port, dbname=database, user=user, password=password or self.password,
            autocommit=True, connect_timeout=round(PATIENCE),
        )  # fmt: skip

    def execute(self, statement: str, database: str = "postgres") -> list[tuple]:
        """Run a statement as the superuser; its rows."""
        with self.connect(database) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def new_database(self, owner: str = "") -> str:
        """The name of a new, empty database."""
        name = f"t{secrets.token_hex(6)}"
        self.execute(f'CREATE DATABASE {name} OWNER "{owner or "postgres"}"')
        return name

    def new_role(self, name: str = "", more: str = "") -> str:
        """The name of a new role that may log in, with the password `NAME!`."""
        name = name or f"r{secrets.token_hex(4)}"
        self.execute(f"CREATE ROLE \"{name}\" LOGIN PASSWORD '{name}!' {more}")
        return name


def running_server() -> Iterator[Server]:
    """A server, stopped and removed at the end; skips where there is none."""
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
        server.make()
        server.start()
        yield server
    finally:
        # nothing of it is needed any more, so that it need not write its memory to the disk
        server.stop(signal.SIGQUIT)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """One server for all tests of a worker."""
    yield from running_server()


@dataclass(frozen=True)
class Address:
    """A database of a test's own: its URL without a password, the password, and the server."""

    url: str
    password: str
    name: str
    server: Server


@pytest.fixture
def address(postgresql: Server) -> Address:
    """An empty database."""
    name = postgresql.new_database()
    return Address(postgresql.url(name), postgresql.password, name, postgresql)
