"""Journal that stores all changes made in a session of bilingual files, and the folder of the journals."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from qe_desktop.corpus import QeError
from qe_desktop.formats.atomic_write import write_bytes
from qe_desktop.formats.files_in_use import JOURNAL_SUFFIXES
from qe_desktop.project.journal.carried_review import SegmentEdit
from qe_desktop.project.journal.typing_draft import TypedText, TypingDraft, remove_draft
from qe_desktop.project.reviewed_files import WrittenFile
from qe_desktop.project.session import Session
from qe_desktop.project.store.project import Project
from qe_desktop.project.store.spool import data_folder, lock_file, remove_spools

_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class JournalReport:
    """Result of restoring the former review when files are opened.

    `unsaved` is the number of segments whose review is not in the files. `draft` is the segment whose target or note
    was being typed when the program was killed. `changed` are the segments whose target, status or note others changed
    in the files. `unmatched` are the texts of reviewed segments that the files no longer contain. `updated` is the
    number of unreviewed segments that others changed. `problem` is the reason why no journal is used. `damaged` is the
    path of an unreadable journal, which is kept although a new one was created.
    """

    unsaved: int = 0
    draft: int | None = None
    changed: tuple[int, ...] = ()
    unmatched: tuple[SegmentEdit, ...] = ()
    updated: int = 0
    problem: QeError | None = None
    damaged: Path | None = None


@dataclass(slots=True)
class FileJournal:
    """Journal that is open for the files of a session and stores all further changes.

    Errors when writing the description of the journal are only logged, and errors when writing a draft are ignored,
    because the database stores the edits.
    """

    project: Project
    session: Session
    entry: JournalEntry
    lock: JournalLock
    user_settings: dict[str, Any] = field(default_factory=dict)
    """Settings of the user that the journal stores."""
    row_count_at_discard: int | None = None
    """Number of review rows when the user discarded the edits that are not in the files; None if none were discarded.

    The discarded edits are undone when the journal is closed, unless rows have been added since.
    """
    report: JournalReport = field(default_factory=JournalReport)

    _has_draft: bool = False

    @property
    def is_storing(self) -> bool:
        """Whether all edits are stored or will be stored shortly."""
        writer = self.project.writer
        return writer.error is None or writer.is_stored

    def record_files(self, written_files: Mapping[int, WrittenFile], saved: float = 0.0) -> None:
        """Record the paths and hashes of files, which `written_files` contains by file number.

        `saved` is the Unix time in seconds of the review state that was saved in all files; 0 keeps the previous time.
        """
        files = [written_files.get(number, known) for number, known in enumerate(self.entry.files)]
        # journals are looked up by the real path, even if a file was opened through a link
        files = [replace(file, path=os.path.realpath(file.path)) for file in files]
        self.entry = self.entry.with_files(files, saved)
        _try_write(self.entry)

    def store_draft(self, typed: TypedText) -> None:
        """Store a text that is being typed, to be restored after a crash unless an edit of the segment follows."""
        draft = TypingDraft.of(typed, self.session)
        self._has_draft = True
        with suppress(OSError):
            # the text is soon committed to the journal, and an error is reported then
            draft.write(self.entry.draft)

    def clear_draft(self) -> None:
        """Delete the stored draft, because nothing is being typed."""
        if self._has_draft:
            self._has_draft = False
            remove_draft(self.entry.draft)

    def revert_unsaved(self) -> None:
        """Undo the edits that are not in the files, after the user has discarded them; they can be redone."""
        if self.session.reviewing.is_unsaved:
            self.session.reviewing.revert_unsaved()

    def close(self, seconds: float) -> int:
        """Wait at most `seconds` for pending rows to be saved, and close; return the number of rows not saved."""
        if self.row_count_at_discard == len(self.session.reviewing.rows()):
            self.revert_unsaved()
        unsaved_count = self.project.close(seconds)
        self.clear_draft()
        self.entry = self.entry.with_files(self.entry.files)
        _try_write(self.entry)
        self.lock.release()
        return unsaved_count


def _try_write(entry: JournalEntry) -> None:
    try:
        entry.write()
    except (QeError, OSError) as error:
        _LOG.warning("a journal could not be written: %s", error)


RETENTION_DAYS = 90
"""Number of days for which a journal is kept after its last use."""
MAX_DESCRIPTION_BYTES = 1 << 20
"""Maximum size in bytes of the description of a journal; a larger file is not a valid description."""
DATABASE_SUFFIX = ".qedesk"
_DESCRIPTION_SUFFIX, _LOCK_SUFFIX, _DRAFT_SUFFIX = ".json", ".lock", ".draft"
_SUFFIXES = (
    DATABASE_SUFFIX, *(DATABASE_SUFFIX + suffix for suffix in JOURNAL_SUFFIXES), _DESCRIPTION_SUFFIX,
    _DRAFT_SUFFIX,
)  # fmt: skip
"""Suffixes of the files of a journal, except its lock file."""
_MAX_TIME = 1e11
"""Maximum Unix time in a description, in seconds; later times are invalid."""


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """Journal of one or more files that are opened together.

    `files` are the paths of the files, with the SHA-256 hash that each file had when it was last read or written.
    `used` is the Unix time in seconds when the journal was last used, and `saved` when the files were last saved (0:
    never).
    """

    stem: Path
    files: tuple[WrittenFile, ...]
    used: float
    saved: float = 0.0

    @property
    def database(self) -> Path:
        """Path of the project file that stores the journal."""
        return self._path(DATABASE_SUFFIX)

    @property
    def size(self) -> int:
        """Total size in bytes of the database, description and draft of the journal."""
        total = 0
        for suffix in _SUFFIXES:
            with suppress(OSError):
                total += self._path(suffix).stat().st_size
        return total

    @property
    def draft(self) -> Path:
        """Path of the file that stores the target or note being typed."""
        return self._path(_DRAFT_SUFFIX)

    def _path(self, suffix: str) -> Path:
        return self.stem.with_name(self.stem.name + suffix)

    def with_files(self, files: Sequence[WrittenFile], saved: float = 0.0) -> JournalEntry:
        """Return a copy with these files and the current time as `used`; `saved` 0 keeps the time of the last save."""
        return replace(self, files=tuple(files), used=time.time(), saved=saved or self.saved)

    def write(self) -> None:
        """Write the description of the journal. Raises QeError if it cannot be written."""
        description = {"files": [file.as_setting() for file in self.files], "used": self.used, "saved": self.saved}
        write_bytes(self._path(_DESCRIPTION_SUFFIX), json.dumps(description).encode())

    def lock(self) -> JournalLock | None:
        """Lock the journal for this window; return None if it is in use.

        Raises OSError if the lock file cannot be opened.
        """
        file = os.open(self._path(_LOCK_SUFFIX), os.O_CREAT | os.O_RDWR, 0o600)
        if lock_file(file):
            return JournalLock(file)
        os.close(file)
        return None

    def remove(self) -> bool:
        """Delete the journal, unless it is in use or cannot be deleted; return whether it was deleted."""
        with suppress(OSError):
            lock = self.lock()
            if lock is not None:
                try:
                    for suffix in _SUFFIXES:
                        self._path(suffix).unlink(missing_ok=True)
                finally:
                    lock.release()
                remove_spools(str(self.database))
                with suppress(OSError):
                    # Windows does not delete open files
                    self._path(_LOCK_SUFFIX).unlink(missing_ok=True)
                return True
        return False


class JournalLock:
    """Lock for exclusive use of a journal; ends with the process. Without `file`, nothing is locked."""

    def __init__(self, file: int | None = None) -> None:
        self._file: int | None = file

    def release(self) -> None:
        """Release the lock."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class JournalFolder:
    """Folder of journals, created when needed; `path` defaults to `journals` in the user's data folder."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or data_folder() / "journals"

    def entries(self) -> list[JournalEntry]:
        """All journals, most recently used first; if a journal has no valid description, its `files` are empty."""
        return sorted(self._read(), key=lambda entry: entry.used, reverse=True)

    def _read(self) -> Iterator[JournalEntry]:
        suffixes = (DATABASE_SUFFIX, _DESCRIPTION_SUFFIX)
        for stem in {path.with_suffix("") for suffix in suffixes for path in self.path.glob(f"*{suffix}")}:
            database, description = (stem.with_name(stem.name + suffix) for suffix in suffixes)
            entry = _read_entry(description) if database.exists() else None
            if entry is None:
                with suppress(OSError):
                    entry = JournalEntry(stem, (), (database if database.exists() else description).stat().st_mtime)
            if entry is not None:
                yield entry

    def find(self, files: Sequence[WrittenFile]) -> list[tuple[JournalEntry, dict[int, int]]]:
        """Return the journals of files, each with a mapping from file numbers in the journal to indices in `files`.

        The journal of a file is the most recently used one that lists the path of the file; a journal that also has
        the current hash of the file takes precedence. If no file has a journal, the files may have been moved. In this
        case, the result is the most recently used journal, if any, that has the hashes of all files in the same order
        and only paths that no longer exist.
        """
        entries = self.entries()
        chosen: dict[Path, tuple[JournalEntry, dict[int, int]]] = {}
        for number, file in enumerate(files):
            candidates = [
                (entry, index)
                for entry in entries
                for index, stored in enumerate(entry.files)
                if stored.path == file.path
            ]
            unchanged = [(entry, index) for entry, index in candidates if entry.files[index].sha256 == file.sha256]
            for entry, index in (unchanged or candidates)[:1]:
                chosen.setdefault(entry.stem, (entry, {}))[1][index] = number
        if chosen:
            return [*chosen.values()]
        hashes = [file.sha256 for file in files]
        moved = [
            entry
            for entry in entries
            if entry.files
            and [file.sha256 for file in entry.files] == hashes
            and not any(os.path.lexists(file.path) for file in entry.files)
        ]
        return [(entry, {number: number for number in range(len(files))}) for entry in moved[:1]]

    def new_entry(self, files: Sequence[WrittenFile]) -> JournalEntry:
        """Return the entry of a new journal, with an unused name. Raises OSError if the folder cannot be created."""
        self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
        stem = hashlib.sha256("\n".join(file.path for file in files).encode(errors="surrogatepass")).hexdigest()[:24]
        number = 1
        while any((self.path / f"{stem}-{number}{suffix}").exists() for suffix in (*_SUFFIXES, _LOCK_SUFFIX)):
            number += 1
        return JournalEntry(self.path / f"{stem}-{number}", tuple(files), time.time())

    def remove_old(self, now: float | None = None) -> int:
        """Delete journals not used for `RETENTION_DAYS`, except those in use; return the number of deleted journals.

        `now` is the Unix time in seconds (default: the current time).
        """
        limit = (time.time() if now is None else now) - RETENTION_DAYS * 86400
        return sum(entry.remove() for entry in self.entries() if entry.used < limit)


def _read_entry(path: Path) -> JournalEntry | None:
    """Read the description of a journal; return None if it is invalid."""
    try:
        if path.stat().st_size > MAX_DESCRIPTION_BYTES:
            return None
        description: Any = json.loads(path.read_bytes())
        used, saved, files = description["used"], description["saved"], description["files"]
        written = tuple(WrittenFile(file["path"], file["sha256"]) for file in files)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    texts = [value for file in written for value in (file.path, file.sha256)]
    if not texts or {*map(type, texts)} != {str} or not {type(used), type(saved)} <= {int, float}:
        return None
    if not (0 <= used < _MAX_TIME and 0 <= saved < _MAX_TIME):
        return None
    return JournalEntry(path.with_suffix(""), written, float(used), float(saved))
