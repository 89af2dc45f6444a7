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
