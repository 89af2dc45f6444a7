"""Files that are being written beside those that they will replace, and those that a killed program left.

Such a file is locked for as long as its program runs and has not put it in its place, so that another can tell which
ones nobody writes any more.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:
    # Windows has no such locks: what was left stays there
    fcntl = None  # type: ignore[assignment]

_NAME = re.compile(r"\.qe-desktop-[0-9a-f]{12}\.unfinished")
TRIES = 8
"""New files that another program may take for left ones, between their making and their locking."""


@contextmanager
def unfinished(folder: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """A new file in a folder and its path; it is removed at the end unless it was renamed by then. OSError as usual.

    Before, what killed programs left in the folder is removed.
    """
    remove_left(folder)
    path, file = _made(folder)
    # the lock lasts until both are closed, so also after all is written
    held = os.dup(file.fileno()) if fcntl is not None else -1
    try:
        with file:
            yield path, file
    finally:
        path.unlink(missing_ok=True)
        if held >= 0:
            os.close(held)


def _made(folder: Path) -> tuple[Path, BinaryIO]:
    for _ in range(TRIES):
        path = folder / f".qe-desktop-{secrets.token_hex(6)}.unfinished"
        file = path.open("xb")
        if _is_ours(path, file):
            return path, file
        file.close()
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))


def _is_ours(path: Path, file: BinaryIO) -> bool:
    """Lock a new file; False where another program had removed it before."""
    if fcntl is None:
        return True
    # some file systems have no locks, and there nothing is removed either
    with suppress(OSError):
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    return path.exists()


def remove_left(folder: Path) -> None:
    """Remove the files of ours that nobody writes any more."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                _remove_if_left(entry.path)


def _remove_if_left(path: str) -> None:
    with suppress(OSError):
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(path)
        finally:
            os.close(number)
