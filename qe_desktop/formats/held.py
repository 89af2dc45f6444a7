"""Whether another program has a file open, as far as it says so: by a lock, or by a file that it keeps beside it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from qe_desktop.formats.open_files import begin_reading, end_reading, is_open_here

try:
    import fcntl
except ImportError:
    # on Windows a file that is open elsewhere refuses to be replaced
    fcntl = None  # type: ignore[assignment]

_REFUSED = (errno.EAGAIN, errno.EACCES)


def is_held(path: Path) -> bool:
    """Whether somebody else holds a lock on a file, or has it open in LibreOffice or Excel, as far as that is told."""
    try:
        real = path.resolve()
        beside = (real.with_name(f".~lock.{real.name}#"), real.with_name(f"~${real.name}"))
        return any(one.exists() for one in beside) or _is_locked(real)
    except (OSError, ValueError):
        return False


def _is_locked(path: Path) -> bool:
    """Whether another process has an exclusive lock, of a whole file (flock) or of a part of it (POSIX)."""
    if fcntl is None or not hasattr(os, "O_NONBLOCK"):
        return False
    read = begin_reading(path)
    if read is None:
        # closing it would let go of the locks that this program has on an open project
        return is_open_here(path)
    number = -1
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        for lock in (fcntl.flock, fcntl.lockf):
            try:
                lock(number, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno in _REFUSED:
                    return True
        return False
    finally:
        if number >= 0:
            # what was locked to find out is free again
            os.close(number)
        end_reading(read)
