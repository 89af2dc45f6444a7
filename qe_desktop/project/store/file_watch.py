"""Detection of changes that other programs make to the files of an open project."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from qe_desktop.formats.files import file_size
from qe_desktop.formats.files_in_use import Identity, file_identity

FILE_MOVED, FILE_TRUNCATED, JOURNAL_MISSING = "moved", "cut", "no journal"
"""Problems: the file was moved, removed or replaced; the file was truncated; its journal was removed or replaced."""


class FileWatch:
    """Monitor that compares the identities and sizes of a project's file and journal with the recorded ones."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = file_identity(path)
        self._journal: Identity | None = None
        self._size = file_size(path)
        self._journal_size = 0

    @property
    def journal(self) -> Path:
        """Path of the write-ahead log."""
        return journal_path(self.path)

    def record_journal(self) -> None:
        """Record the identity of the journal, so that `find_problem` detects its removal or replacement.

        The journal must exist, as it does once a connection is open.
        """
        self._journal = file_identity(self.journal)

    @property
    def has_shorter_journal(self) -> bool:
        """Whether a checkpoint or another program has shortened the journal since the last commit of this client."""
        return file_size(self.journal) < self._journal_size

    def record_commit(self) -> None:
        """Record the size of the journal after a commit."""
        self._journal_size = file_size(self.journal)

    def find_problem(self) -> str:
        """Return `FILE_MOVED`, `FILE_TRUNCATED` or `JOURNAL_MISSING`, or an empty string if both files are intact."""
        if file_identity(self.path) != self.file:
            return FILE_MOVED
        if self._journal is not None and file_identity(self.journal) != self._journal:
            return JOURNAL_MISSING
        size = file_size(self.path)
        if size < self._size and not self._is_intact():
            return FILE_TRUNCATED
        self._size = size
        return ""

    def _is_intact(self) -> bool:
        """Return whether the file passes SQLite's quick check; if so, it shrank through VACUUM, not truncation."""
        try:
            with closing(self.open_read_only()) as connection:
                return bool(connection.execute("PRAGMA quick_check(1)").fetchone() == ("ok",))
        except sqlite3.Error:
            return False

    def open_read_only(self) -> sqlite3.Connection:
        """Open a new read-only connection. Raises sqlite3.Error if that fails."""
        uri = f"{self.path.as_uri()}?mode=ro"
        return sqlite3.connect(uri, uri=True, timeout=1.0, isolation_level=None, check_same_thread=False)


def journal_path(path: Path) -> Path:
    """Path of a project's write-ahead log. If `path` is a symbolic link, the log is next to the target of the link."""
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    return target.with_name(f"{target.name}-wal")
