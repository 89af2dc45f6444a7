"""Looks after the files of an open project: what another program did to them shows before and after each commit."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from qe_desktop.formats.io.file_locks import Identity, file_identity

FILE_MOVED, FILE_TRUNCATED, JOURNAL_MISSING = "moved", "cut", "no journal"
"""What became of the files of a project: another one has its place, or it is shorter, or its journal is another one."""


class FileWatch:
    """The file of a project as it was when it was opened; `journal` is noted once SQLite has made it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = file_identity(path)
        self._journal: Identity | None = None
        self._size = _size(path)
        self._journal_size = 0

    @property
    def journal(self) -> Path:
        """Where SQLite keeps what is not in the file yet."""
        return journal_path(self.path)

    def note_journal(self) -> None:
        """A connection is open: from now on the journal may not be another one, nor be gone."""
        self._journal = file_identity(self.journal)

    @property
    def has_shorter_journal(self) -> bool:
        """Whether the journal is shorter than after one's last commit: put into the file, or cut by somebody else."""
        return _size(self.journal) < self._journal_size

    def committed(self) -> None:
        """Note how long the journal is now."""
        self._journal_size = _size(self.journal)

    def wrong(self) -> str:
        """What became of the files; nothing where they are the ones that were opened."""
        if file_identity(self.path) != self.file:
            return FILE_MOVED
        if self._journal is not None and file_identity(self.journal) != self._journal:
            return JOURNAL_MISSING
        size = _size(self.path)
        if size < self._size and not self._is_whole():
            return FILE_TRUNCATED
        self._size = size
        return ""

    def _is_whole(self) -> bool:
        """Whether a file that became smaller did so by being put in order."""
        try:
            with closing(self.look()) as connection:
                return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
        except sqlite3.Error:
            return False

    def look(self) -> sqlite3.Connection:
        """A new connection, which has read nothing of the file yet and changes nothing in it."""
        uri = f"{self.path.as_uri()}?mode=ro"
        return sqlite3.connect(uri, uri=True, timeout=1.0, isolation_level=None, check_same_thread=False)


def journal_path(path: Path) -> Path:
    """The journal of a project's file: beside what a link leads to, where SQLite has it."""
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    return target.with_name(f"{target.name}-wal")


def _size(path: Path) -> int:
    """The bytes of a file; 0 where there is none."""
    try:
        return path.stat().st_size
    except OSError:
        return 0
