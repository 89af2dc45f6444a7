"""Which files this program has open as projects.

Closing any handle of a file lets go of all locks that the program has on it (POSIX), those of SQLite among them:
another program would then take the project for closed, and remove the journal that is being written. So nobody may open
and close the files of an open project but SQLite, which knows of this; and a file that is being read becomes an open
project only once it is closed.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from pathlib import Path

Identity = tuple[int, int]
"""Device and number of a file: what tells it from others, whatever it is called."""
JOURNALS = ("-wal", "-shm", "-journal")
"""The endings of the files that SQLite keeps, and locks, with a database."""
PATIENCE = 30.0
"""Seconds that opening a project waits for the end of reading its file."""

_TURN = threading.Condition()
_OPEN: Counter[Identity] = Counter()
_READ: Counter[Identity] = Counter()


def identity_of(path: str | Path) -> Identity | None:
    """The identity of the file at a path; None where there is none."""
    try:
        state = os.stat(path)
    except (OSError, ValueError):
        return None
    return state.st_dev, state.st_ino


def is_open_here(path: str | Path) -> bool:
    """Whether the file is a project that this program has open, or SQLite's journal of one: it must not be opened."""
    files = _identities(path)
    with _TURN:
        return any(_OPEN[file] > 0 for file in files)


def _identities(path: str | Path) -> list[Identity]:
    """The identity of a file, and that of the database that it is the journal of, by its name."""
    files = [identity_of(path)]
    try:
        real = os.path.realpath(path)
    except (OSError, ValueError):
        real = ""
    files += [identity_of(real.removesuffix(ending)) for ending in JOURNALS if real.endswith(ending)]
    return [file for file in files if file is not None]


def begin_reading(path: str | Path) -> Identity | None:
    """Note that a file is read now, until `end_reading`; None where it is open here, and must not be."""
    files = _identities(path)
    with _TURN:
        if not files or any(_OPEN[file] > 0 for file in files):
            return None
        _READ[files[-1]] += 1
        return files[-1]


def end_reading(file: Identity) -> None:
    """Note that a file was read and closed."""
    with _TURN:
        _less(_READ, file)
        _TURN.notify_all()


def hold(file: Identity) -> None:
    """Note that a file is open once more; those who read it just now are waited for."""
    with _TURN:
        _TURN.wait_for(lambda: not _READ[file], PATIENCE)
        _OPEN[file] += 1


def let_go(file: Identity) -> None:
    """Note that a file was closed once."""
    with _TURN:
        _less(_OPEN, file)


def _less(counter: Counter[Identity], file: Identity) -> None:
    counter[file] -= 1
    if counter[file] <= 0:
        del counter[file]
