"""Journal that stores all changes made in a session of bilingual files."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from qe_desktop.corpus import QeError
from qe_desktop.project.journal.carried_review import SegmentEdit
from qe_desktop.project.journal.journal_folder import JournalEntry, JournalLock
from qe_desktop.project.journal.typing_draft import TypedText, TypingDraft, remove_draft
from qe_desktop.project.reviewed_files import WrittenFile
from qe_desktop.project.session import Session
from qe_desktop.project.store.project import Project

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
        """Record the paths and hashes of files; `written_files` maps file numbers to them.

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
