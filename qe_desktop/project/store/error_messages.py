"""What goes wrong with a database, in plain words."""

from __future__ import annotations

import logging
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.project.store.errors import LockTimeoutError, PasswordError, RejectedError, TransientError
from qe_desktop.project.store.location import Location

_LOG = logging.getLogger(__name__)

_SQLITE: dict[str, tuple[type[QeError], str, str]] = {
    "SQLITE_BUSY": (
        TransientError,
        tr("another program is writing to the project and does not let go of it"),
        tr("Close the other program; what you do is kept and saved as soon as it can be."),
    ),
    "SQLITE_LOCKED": (
        TransientError,
        tr("the project is locked by another part of the program"),
        tr("Try again in a moment."),
    ),
    "SQLITE_FULL": (
        TransientError,
        tr("the disk is full"),
        tr("Make room on it; what you do is kept in memory and saved as soon as there is room."),
    ),
    "SQLITE_IOERR": (
        TransientError,
        tr("the disk cannot be read or written"),
        tr("See whether the drive is still there."),
    ),
    "SQLITE_CANTOPEN": (
        TransientError,
        tr("the file cannot be opened"),
        tr("See whether it is still there, and its rights."),
    ),
    "SQLITE_READONLY": (
        TransientError,
        tr("the file cannot be written to"),
        tr("See to its rights and those of its folder, or save the project elsewhere."),
    ),
    "SQLITE_NOMEM": (TransientError, tr("the computer's memory is full"), tr("Close other programs.")),
    "SQLITE_CORRUPT": (
        TransientError,
        tr("the project's file is damaged"),
        tr("Open a copy of it; nothing was changed. “sqlite3 FILE .recover” can save what is left."),
    ),
    "SQLITE_NOTADB": (
        TransientError,
        tr("this is not a project: the file is damaged, or of another program"),
        tr("Open a copy of it, or choose another file."),
    ),
    "SQLITE_TOOBIG": (
        RejectedError,
        tr("the value is too large for the project's file"),
        tr("Save the project on a server."),
    ),
}

_DAMAGED = ("malformed", "Could not decode to UTF-8", "no such column", "no such table", "unsupported file format")
"""Signs in SQLite's words that the file is not as it was written."""
_PERMANENT_CODES = ("22", "23", "44", "42501")
"""Classes and codes of PostgreSQL for what is wrong with a row itself; all else is kept and tried again."""

LOCK_NOT_AVAILABLE = "55P03"
"""PostgreSQL's code for what was not to be had within `lock_timeout`."""
INVALID_PASSWORD = "28P01"
"""PostgreSQL's code for a password that is not the right one, or is missing."""
AUTH_METHOD_REJECTED = "require_auth"
"""Stands for the code that libpq does not give where a server asks for a password in a way that is not allowed."""
_POSTGRESQL: dict[str, tuple[str, str]] = {
    INVALID_PASSWORD: (
        tr("the server does not accept the password"),
        tr("Give the right one, or set PGPASSWORD or ~/.pgpass."),
    ),
    AUTH_METHOD_REJECTED: (
        tr("the server asks for the password in another way than scram-sha-256, which is not safe"),
        tr("Have it use scram-sha-256; require_auth=md5 in the address allows md5, for example."),
    ),
    "28000": (tr("the server does not let this user in"), tr("Ask whoever runs it.")),
    "3D000": (tr("there is no such database on the server"), tr("Create it first, or check its name.")),
    "42501": (tr("the server does not allow this to your role"), tr("The owner of the project can.")),
    "53100": (tr("the server's disk is full"), tr("Ask whoever runs it; what you do is kept and sent again.")),
    "53300": (tr("the server has too many connections"), tr("What you do is kept and sent again.")),
    "57014": (tr("the server took too long"), tr("What you do is kept and sent again.")),
    "25006": (
        tr("the server takes no changes now: it is a copy that can only be read"),
        tr("Connect to the main server."),
    ),
}


def translate_error(error: BaseException, location: Location) -> QeError:
    """A database's error as one for people: Refused where a row is not wanted, Trouble where it may pass."""
    cause: BaseException = error
    if isinstance(error, DBAPIError) and error.orig is not None:
        cause = error.orig
    if location.path is not None:
        return _of_sqlite(cause, location)
    return _of_postgresql(error, cause, location)


def _of_sqlite(cause: BaseException, location: Location) -> QeError:
    name = getattr(cause, "sqlite_errorname", "") or ""
    if any(sign in str(cause) for sign in _DAMAGED):
        name = "SQLITE_CORRUPT"
    for known, (kind, message, hint) in _SQLITE.items():
        if name.startswith(known):
            return kind(message, hint=hint, place=location.place)
    refused = isinstance(cause, (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.ProgrammingError))
    return _fallback_error(refused, cause, location)


def _of_postgresql(error: BaseException, cause: BaseException, location: Location) -> QeError:
    state = getattr(cause, "sqlstate", None) or ""
    if state == LOCK_NOT_AVAILABLE:
        message = tr("somebody else holds the project’s tables")
        return LockTimeoutError(message, hint=tr("Try again in a moment."), place=location.place)
    code = state or _connection_error_code(str(cause))
    message, hint = _POSTGRESQL.get(code, ("", ""))
    if state.startswith(_PERMANENT_CODES) and not (isinstance(error, DBAPIError) and error.connection_invalidated):
        return (
            RejectedError(message, hint=hint, place=location.place)
            if message
            else _fallback_error(True, cause, location)
        )
    if message:
        kind = PasswordError if code == INVALID_PASSWORD else TransientError
        return kind(message, hint=hint, place=location.place)
    if not state or state.startswith(("08", "57P")):
        return TransientError(
            tr("the server cannot be reached: {error}", error=_first_line(cause, location)),
            hint=tr("Check that it runs; what was done in an open project is kept, and sent as soon as it answers."),
            place=location.place,
        )
    return _fallback_error(False, cause, location)


def _fallback_error(refused: bool, cause: BaseException, location: Location) -> QeError:
    """What has no words of ours: those of the database."""
    message = tr("the project's database says: {error}", error=_first_line(cause, location))
    return RejectedError(message, place=location.place) if refused else TransientError(message, place=location.place)


def _connection_error_code(text: str) -> str:
    """The code that a failed connection would have had, which libpq tells only in words."""
    for sign, state in (
        ("password authentication failed", INVALID_PASSWORD),
        ("no password supplied", INVALID_PASSWORD),
        ("authentication method requirement", AUTH_METHOD_REJECTED),
        ("no pg_hba.conf entry", "28000"),
        ("is not permitted to log in", "28000"),
        ("too many connections", "53300"),
        ("too many clients", "53300"),
        ("remaining connection slots", "53300"),
    ):
        if sign in text:
            return state
    if 'database "' in text and "does not exist" in text:
        return "3D000"
    return "28000" if 'role "' in text and "does not exist" in text else ""


def _first_line(cause: BaseException, location: Location) -> str:
    diagnosis = getattr(cause, "diag", None)
    text = getattr(diagnosis, "message_primary", None) or next(iter(str(cause).strip().splitlines()), "")
    return location.clean(text.removeprefix("connection failed: ")) or type(cause).__name__


@contextmanager
def translate_errors(location: Location) -> Iterator[None]:
    """Turn a database's errors within the block into those for people."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise translate_error(error, location) from None
    except Exception as error:
        # psycopg is imported only where there is a server
        if type(error).__module__.partition(".")[0] != "psycopg":
            raise
        raise translate_error(error, location) from None


@contextmanager
def translate_corruption(location: Location) -> Iterator[None]:
    """Say that a project is damaged where what was read from it makes no sense."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, zlib.error) as error:
        # SQLite keeps no check sums: bytes that were overwritten come back as what they look like
        _LOG.error("a project could not be read", exc_info=error)
        message, hint = _SQLITE["SQLITE_CORRUPT"][1:]
        raise QeError(message, hint=hint, place=location.place) from error
