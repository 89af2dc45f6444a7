"""A lock on an open file that ends with the program, whatever ends that: `flock`, or on Windows a byte far behind."""

from __future__ import annotations

import os

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]
try:
    import msvcrt
except ImportError:  # everywhere else
    msvcrt = None  # type: ignore[assignment]

_FAR = 1 << 30
"""Where the byte is that Windows locks: nobody could read one within the file."""


def lock(file: int) -> bool:
    """Lock an open file for this program alone; False where another one has."""
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif msvcrt is not None:
            os.lseek(file, _FAR, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
            os.lseek(file, 0, os.SEEK_SET)
    except OSError:
        return False
    return True
