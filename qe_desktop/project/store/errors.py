"""Database errors: transient and permanent."""

from __future__ import annotations

import logging

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr

_LOG = logging.getLogger(__name__)


class TransientError(QeError):
    """Retryable database error (locked file, full disk, connection lost)."""


class DamagedProjectError(QeError):
    """Error for a damaged project file, or for a file that is not a project."""


class DamagedDatabaseError(DamagedProjectError, TransientError):
    """Error for damage that the database reports; writes are retried: the cause may be a disconnected drive."""


class UnavailableError(TransientError):
    """Error for an unreachable or overloaded server; its hint is about changes that wait to be sent."""


class LockTimeoutError(TransientError):
    """Failure to obtain a table lock within the timeout."""


class PasswordError(TransientError):
    """Rejection of the password by the server, or of a connection without one."""


class RejectedError(QeError):
    """Permanent error: the database rejects a row, so retrying cannot help."""


def unexpected_rejection(error: Exception) -> RejectedError:
    """Log an error that is not a database error, and return it as the reason why a row cannot be saved."""
    _LOG.error("a row could not be written", exc_info=error)
    message = tr("a change cannot be saved: {error}", error=error)
    return RejectedError(message, hint=tr("This is a bug; please report it."))
