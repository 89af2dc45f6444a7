"""Other uses of a file: as an open project, by another program, or through other hard links.

If a process closes any handle of a file, it loses all its POSIX locks on the file, including those of SQLite. Another
process would then regard the project as closed and remove the journal that is being written. So only SQLite may open
and close the files of an open project, and opening a project waits until all readers have closed its file.
"""

from __future__ import annotations

import errno
import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr

Identity = tuple[int, int]
"""Device and inode numbers of a file, which identify it under any name."""
JOURNAL_SUFFIXES = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite creates and locks with a database."""
READ_WAIT_SECONDS = 30.0
"""Maximum number of seconds that opening a project waits for readers of its file."""

_CONDITION = threading.Condition()
_OPEN_COUNTS: Counter[Identity] = Counter()
"""Number of times that each file is open as a project in this process."""
_READER_COUNTS: Counter[Identity] = Counter()
"""Number of readers of each file in this process; opening the file as a project waits for them."""


def file_identity(path: str | Path) -> Identity | None:
    """Identity of the file at a path; None if there is no file or the path cannot be accessed."""
    try:
        state = os.stat(path)
    except (OSError, ValueError):
        return None
    return state.st_dev, state.st_ino


def is_open_here(path: str | Path) -> bool:
    """Whether a file is the database or a journal of a project open in this process, and so must not be opened."""
    files = _identities(path)
    with _CONDITION:
        return any(_OPEN_COUNTS[file] > 0 for file in files)


def _identities(path: str | Path) -> list[Identity]:
    """Return the identity of a file and, if it is named like a journal, of its database; missing files are omitted."""
    files = [file_identity(path)]
    try:
        real = os.path.realpath(path)
    except (OSError, ValueError):
        real = ""
    files += [file_identity(real.removesuffix(ending)) for ending in JOURNAL_SUFFIXES if real.endswith(ending)]
    return [file for file in files if file is not None]


def begin_reading(path: str | Path) -> Identity | None:
    """Register a file as being read, and return the identity to be passed to `end_reading`.

    For a journal, it is the identity of the database, if there is one. Returns None if the file is missing or part of
    an open project.
    """
    files = _identities(path)
    with _CONDITION:
        if not files or any(_OPEN_COUNTS[file] > 0 for file in files):
            return None
        _READER_COUNTS[files[-1]] += 1
        return files[-1]


def end_reading(file: Identity) -> None:
    """Unregister a file that has been read and closed."""
    with _CONDITION:
        _decrement(_READER_COUNTS, file)
        _CONDITION.notify_all()


def register_open(file: Identity) -> None:
    """Wait until nothing reads a file, at most `READ_WAIT_SECONDS`, then count one more opening of it as a project."""
    with _CONDITION:
        _CONDITION.wait_for(lambda: not _READER_COUNTS[file], READ_WAIT_SECONDS)
        _OPEN_COUNTS[file] += 1


def unregister_open(file: Identity) -> None:
    """Undo one call of `register_open`."""
    with _CONDITION:
        _decrement(_OPEN_COUNTS, file)


def _decrement(counter: Counter[Identity], file: Identity) -> None:
    counter[file] -= 1
    if counter[file] <= 0:
        del counter[file]


try:
    import fcntl
except ImportError:
    # on Windows a file that is open elsewhere cannot be replaced
    fcntl = None  # type: ignore[assignment]

_LOCKED_ERRNOS = (errno.EAGAIN, errno.EACCES)


def is_open_elsewhere(path: Path) -> bool:
    """Return whether a file is open in another program, or is open as a project in this process.

    A program is detected by its locks or, for LibreOffice and Excel, by its lock file. Returns False if
    detection is not possible.
    """
    try:
        real = path.resolve()
        lock_files = (real.with_name(f".~lock.{real.name}#"), real.with_name(f"~${real.name}"))
        return any(file.exists() for file in lock_files) or _is_locked(real)
    except (OSError, ValueError):
        return False


def _is_locked(path: Path) -> bool:
    """Whether another process has an exclusive lock on the whole file (flock) or a part of it (POSIX).

    Also true if the file belongs to a project that is open in this process.
    """
    if fcntl is None or not hasattr(os, "O_NONBLOCK"):
        return is_open_here(path)
    identity = begin_reading(path)
    if identity is None:
        # closing it would release this program's locks on an open project
        return is_open_here(path)
    number = -1
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        for lock in (fcntl.flock, fcntl.lockf):
            try:
                lock(number, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno in _LOCKED_ERRNOS:
                    return True
        return False
    finally:
        if number >= 0:
            # release the locks taken for the test
            os.close(number)
        end_reading(identity)


_hard_links: ContextVar[dict[Path, int] | None] = ContextVar("hard_links", default=None)


def count_hard_links(path: Path) -> int:
    """Return the number of hard links to a file in addition to `path`; 0 if it cannot be determined.

    These links keep the old content if `path` is replaced.
    """
    try:
        return path.stat().st_nlink - 1
    except OSError:
        return 0


def hard_links_text(links: int, file: str) -> str:
    """Return a note about the other hard links to a file of which one name was replaced; `links` is at least 1."""
    return tr(
        "{n:,} other hard {n:link|links} to {file} still {n:has|have} the old content.", "", links, file=file,
    )  # fmt: skip


@contextmanager
def collect_hard_links() -> Iterator[dict[Path, int]]:
    """Yield a mapping from each file replaced in this context to the number of its other hard links, if it has any."""
    links: dict[Path, int] = {}
    token = _hard_links.set(links)
    try:
        yield links
    finally:
        _hard_links.reset(token)


@contextmanager
def collect_hard_link_notes() -> Iterator[list[str]]:
    """Yield a list for notes about replaced files that have other hard links, one note per file.

    The notes are added when the context ends without an error.
    """
    notes: list[str] = []
    with collect_hard_links() as links:
        yield notes
    notes += [hard_links_text(number, escape_label(path.name)) for path, number in links.items()]


def record_hard_links(target: Path, links: int) -> None:
    """Record that a file with `links` other hard links was replaced, if the current context collects such files."""
    collected = _hard_links.get()
    if links > 0 and collected is not None:
        collected[target] = links
