"""Database errors, transient and permanent, and their messages for users."""

from __future__ import annotations

import logging
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, SQLAlchemyError, StatementError

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.project.store.location import Location

_LOG = logging.getLogger(__name__)


class TransientError(QeError):
    """Retryable database error (locked file, full disk, connection lost)."""


class DamagedProjectError(QeError):
    """Error for a damaged project file, or for a file that is not a project."""


class DamagedDatabaseError(DamagedProjectError, TransientError):
    """Error for damage reported by the database. Writes are retried, because a disconnected drive may be the cause."""


class UnavailableError(TransientError):
    """Error for an unreachable or overloaded server; its hint says that unsaved changes are kept and sent later."""


class LockTimeoutError(TransientError):
    """Error for a table lock that was not obtained within the timeout."""


class PasswordError(TransientError):
    """Error for a wrong or missing password."""


class RejectedError(QeError):
    """Permanent error: the database rejects a row, so retrying cannot help."""


def unexpected_rejection(error: Exception) -> RejectedError:
    """Log an error that is not a database error; return a RejectedError that gives it as the reason."""
    _LOG.error("a row could not be written", exc_info=error)
    message = tr("a change cannot be saved: {error}", error=error)
    return RejectedError(message, hint=tr("This is a bug; please report it."))


_SQLITE_ERRORS: dict[str, tuple[type[QeError], str, str]] = {
    "SQLITE_BUSY": (
        TransientError,
        tr("the project is locked by another program"),
        tr("Close the other program. Unsaved changes are kept and saved as soon as possible."),
    ),
    "SQLITE_LOCKED": (
        TransientError,
        tr("the project is locked by another part of this program"),
        tr("Try again in a moment."),
    ),
    "SQLITE_FULL": (
        TransientError,
        tr("the disk is full"),
        tr("Free some space. Unsaved changes are kept and saved as soon as possible."),
    ),
    "SQLITE_IOERR": (
        TransientError,
        tr("the disk cannot be read or written"),
        tr("Check that the drive is connected."),
    ),
    "SQLITE_CANTOPEN": (
        TransientError,
        tr("the file cannot be opened"),
        tr("Check that it exists, and check its permissions."),
    ),
    "SQLITE_READONLY": (
        TransientError,
        tr("the file cannot be written to"),
        tr("Check the permissions of the file and its folder, or save the project under another name."),
    ),
    "SQLITE_NOMEM": (TransientError, tr("out of memory"), tr("Close other programs.")),
    "SQLITE_CORRUPT": (
        DamagedDatabaseError,
        tr("the project's file is damaged"),
        tr("Nothing was changed. Open a backup, or try to recover data with “sqlite3 FILE .recover”."),
    ),
    "SQLITE_NOTADB": (
        DamagedDatabaseError,
        tr("not a project: the file is damaged or from another program"),
        tr("Open a backup or select another file."),
    ),
    "SQLITE_TOOBIG": (
        RejectedError,
        tr("a value is too large for the project's file"),
        tr("Save the project on a server."),
    ),
}

_DAMAGE_MESSAGES = (
    "malformed",
    "Could not decode to UTF-8",
    "no such column",
    "no such table",
    "unsupported file format",
)
"""Parts of SQLite messages that indicate a damaged file."""
_PERMANENT = (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.ProgrammingError, sqlite3.InterfaceError)
"""SQLite errors for invalid rows; older versions of Python raise InterfaceError for a value that cannot be bound."""
_PERMANENT_CODES = ("22", "23", "44", "42501")
"""Classes and codes of PostgreSQL errors for rejected rows; after any other error, the write is retried."""

LOCK_NOT_AVAILABLE = "55P03"
"""PostgreSQL's code for exceeding `lock_timeout`."""
INVALID_PASSWORD = "28P01"
"""PostgreSQL's code for a wrong or missing password."""
MD5_REJECTED, CLEARTEXT_REJECTED, AUTH_METHOD_REJECTED = "md5", "cleartext", "require_auth"
"""Placeholders for the error codes of disallowed authentication methods, because libpq reports none."""
_POSTGRESQL_ERRORS: dict[str, tuple[str, str]] = {
    INVALID_PASSWORD: (
        tr("the server rejected the password, or none was entered"),
        tr("Enter the correct password, or store it in PGPASSWORD or ~/.pgpass."),
    ),
    MD5_REJECTED: (
        tr("the server requests an insecure authentication method instead of scram-sha-256"),
        tr("Configure the server for scram-sha-256, or allow md5 with require_auth=md5 in the address."),
    ),
    CLEARTEXT_REJECTED: (
        tr("the server requests the password without encryption"),
        tr("Configure the server for scram-sha-256."),
    ),
    AUTH_METHOD_REJECTED: (
        tr("the server requests an authentication method that is not allowed"),
        tr("Configure the server for scram-sha-256, or change require_auth in the address."),
    ),
    "28000": (tr("the server does not allow this user to connect"), tr("Ask the server administrator.")),
    "3D000": (tr("no such database on the server"), tr("Create it first, or check its name.")),
    "42501": (
        tr("the server does not grant your role the required permission"),
        tr("Ask the owner of the project or the server administrator."),
    ),
    "53100": (
        tr("the server's disk is full"),
        tr("Ask the server administrator to free disk space. Unsaved changes are kept and sent again."),
    ),
    "53300": (
        tr("the server has too many connections"),
        tr("Try again later. Unsaved changes are kept and sent again."),
    ),
    "57014": (
        tr("the server took too long to answer"),
        tr("Try again later. Unsaved changes are kept and sent again."),
    ),
    "25006": (tr("the server is a read-only replica"), tr("Connect to the primary server.")),
}
_ERROR_TYPES: dict[str, type[TransientError]] = {
    INVALID_PASSWORD: PasswordError, "53100": UnavailableError, "53300": UnavailableError, "57014": UnavailableError,
}  # fmt: skip


def translate_error(error: BaseException, location: Location) -> QeError:
    """Convert a database error to a RejectedError for an invalid row, or a TransientError if a retry may succeed."""
    cause: BaseException = error
    if isinstance(error, StatementError) and error.orig is not None:
        cause = error.orig
        if not isinstance(error, DBAPIError):
            # a value that cannot be bound
            return _fallback_error(True, cause, location)
    if location.path is not None:
        return _sqlite_error(cause, location)
    return _postgresql_error(error, cause, location)


def _sqlite_error(cause: BaseException, location: Location) -> QeError:
    name = getattr(cause, "sqlite_errorname", "") or ""
    if any(substring in str(cause) for substring in _DAMAGE_MESSAGES):
        name = "SQLITE_CORRUPT"
    for prefix, (kind, message, hint) in _SQLITE_ERRORS.items():
        if name.startswith(prefix):
            return kind(message, hint=hint, place=location.place)
    is_permanent = isinstance(cause, _PERMANENT)
    return _fallback_error(is_permanent, cause, location)


def _postgresql_error(error: BaseException, cause: BaseException, location: Location) -> QeError:
    state = getattr(cause, "sqlstate", None) or ""
    if state == LOCK_NOT_AVAILABLE:
        message = tr("the project's tables are locked by another connection")
        return LockTimeoutError(message, hint=tr("Try again in a moment."), place=location.place)
    code = state or _connection_error_code(str(cause))
    message, hint = _POSTGRESQL_ERRORS.get(code, ("", ""))
    if state.startswith(_PERMANENT_CODES) and not (isinstance(error, DBAPIError) and error.connection_invalidated):
        return (
            RejectedError(message, hint=hint, place=location.place)
            if message
            else _fallback_error(True, cause, location)
        )
    if message:
        return _ERROR_TYPES.get(code, TransientError)(message, hint=hint, place=location.place)
    if not state or state.startswith(("08", "57P")):
        return UnavailableError(
            tr("the server cannot be reached: {error}", error=_first_line(cause, location)),
            hint=tr(
                "Check the address, and that the server is running. Unsaved changes are kept and sent as soon as it "
                "responds."
            ),
            place=location.place,
        )
    return _fallback_error(False, cause, location)


def _fallback_error(is_permanent: bool, cause: BaseException, location: Location) -> QeError:
    """Return a RejectedError or TransientError that quotes the database's message."""
    message = tr("the project's database reports an error: {error}", error=_first_line(cause, location))
    return (
        RejectedError(message, place=location.place) if is_permanent else TransientError(message, place=location.place)
    )


def _connection_error_code(text: str) -> str:
    """SQLSTATE of a failed connection, which libpq reports only as text; empty if unknown."""
    for substring, state in (
        ("password authentication failed", INVALID_PASSWORD),
        ("no password supplied", INVALID_PASSWORD),
        ("server requested a hashed password", MD5_REJECTED),
        ("server requested a cleartext password", CLEARTEXT_REJECTED),
        ("authentication method requirement", AUTH_METHOD_REJECTED),
        ("no pg_hba.conf entry", "28000"),
        ("is not permitted to log in", "28000"),
        ("too many connections", "53300"),
        ("too many clients", "53300"),
        ("remaining connection slots", "53300"),
    ):
        if substring in text:
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
    """Context manager: convert database errors in the block as `translate_error` does."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error) as error:
        raise translate_error(error, location) from None
    except Exception as error:
        # psycopg is imported only for servers
        if type(error).__module__.partition(".")[0] != "psycopg":
            raise
        raise translate_error(error, location) from None


@contextmanager
def translate_corruption(location: Location) -> Iterator[None]:
    """Context manager: raise DamagedProjectError if data of the project cannot be decoded in the block."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, zlib.error) as error:
        # SQLite has no checksums: overwritten bytes are returned as they are
        _LOG.error("a project could not be read", exc_info=error)
        if location.is_server:
            message = tr("the project on the server is damaged")
            hint = tr("Ask the server administrator to restore a backup.")
        else:
            message, hint = _SQLITE_ERRORS["SQLITE_CORRUPT"][1:]
        raise DamagedProjectError(message, hint=hint, place=location.place) from error
