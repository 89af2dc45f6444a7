"""Database errors: transient and permanent."""

from __future__ import annotations

from qe_desktop.corpus import QeError


class TransientError(QeError):
    """Retryable database error (locked file, full disk, connection lost)."""


class LockTimeoutError(TransientError):
    """A table lock was not obtained within the timeout."""


class PasswordError(TransientError):
    """The server rejects the password, or requires one."""


class RejectedError(QeError):
    """Permanent error: the database rejects the row; retrying cannot help."""
