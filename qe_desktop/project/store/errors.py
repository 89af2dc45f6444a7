"""Two kinds of trouble with a database: that which may pass, and that which will not."""

from __future__ import annotations

from qe_desktop.corpus import QeError


class TransientError(QeError):
    """Something that may pass by itself, such as a locked file, a full disk or a server that went away."""


class LockTimeoutError(TransientError):
    """A table that somebody else holds, and does not let go of within the time that one waits."""


class PasswordError(TransientError):
    """A server that wants a password, or another one."""


class RejectedError(QeError):
    """Something that the database will not take, however often it is asked."""
