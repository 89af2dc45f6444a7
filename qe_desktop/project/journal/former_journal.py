"""Former journal of files that are opened again."""

from __future__ import annotations

from collections.abc import Mapping

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.project.journal.file_journal import FileJournal
from qe_desktop.project.journal.former_review import FormerReview
from qe_desktop.project.journal.journal_folder import JournalEntry, JournalLock
from qe_desktop.project.journal.typing_draft import read_draft
from qe_desktop.project.session import Session
from qe_desktop.project.session_restore import restore_session
from qe_desktop.project.store.errors import DamagedProjectError
from qe_desktop.project.store.project import Project


class FormerJournal(FormerReview):
    """Former journal of some of the opened files, in the state in which it was closed.

    For `numbers`, see `FormerReview`. Without a `lock`, the journal is only read. The constructor raises
    DamagedProjectError if the journal is damaged, and another QeError if it is read-only or cannot be opened.
    """

    def __init__(self, entry: JournalEntry, lock: JournalLock | None, person: str, numbers: Mapping[int, int]) -> None:
        self.journal = _open_journal(entry, lock or JournalLock(), person)
        super().__init__(self.journal.session, [file.path for file in entry.files], entry.saved, numbers)
        self.draft = read_draft(entry.draft)

    @property
    def is_complete(self) -> bool:
        """Whether all files of the journal are among the opened files, and the database rejected none of its rows."""
        return len(self._numbers) == len(self.job.files) and not self.journal.project.writer.rejected_rows

    def close(self) -> None:
        """Close the journal without changing it."""
        self.journal.project.close(0)
        self.journal.lock.release()

    def restore_draft(self, session: Session) -> int | None:
        """Set the target or note that was being typed when the program was killed; return the segment.

        Returns None if there is no draft, or if the draft is out of date or cannot be set.
        """
        draft = self.draft
        if draft is None:
            return None
        segment = next((new for new, old in self.matched.items() if old == draft.segment), None)
        if segment is None or not draft.is_current(session, segment):
            return None
        try:
            session.reviewing.set({segment: {draft.field: draft.text}})
        except QeError:
            return None
        return segment


def _open_journal(entry: JournalEntry, lock: JournalLock, person: str) -> FileJournal:
    project = None
    try:
        project = Project.open(entry.database, person=person)
        if project.read_only:
            raise QeError(project.read_only, hint=tr("Edits are stored only when you save the file."))
        user_settings = project.settings(own_only=True)
        session = restore_session(project, user_settings)
        if session is None or session.corpus.job is None:
            # the user sees this only if another window has locked the journal
            hint = tr("Close the other window in which the file is open, then open the file again.")
            raise DamagedProjectError(tr("the stored edits cannot be read"), hint=hint)
    except BaseException:
        if project is not None:
            project.close(0)
        lock.release()
        raise
    return FileJournal(project, session, entry, lock, user_settings)
