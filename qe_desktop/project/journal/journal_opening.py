"""Opening of bilingual files with their journal, which is continued, created, or rebuilt from former journals."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from qe_desktop.corpus import Corpus, QeError, TranslationJob
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.io.files import never_cancelled
from qe_desktop.i18n.messages import tr
from qe_desktop.project.journal.carried_session import carry_session, mark_unsaved
from qe_desktop.project.journal.corpus_comparison import is_restorable
from qe_desktop.project.journal.file_journal import FileJournal, JournalReport
from qe_desktop.project.journal.former_journal import FormerJournal
from qe_desktop.project.journal.former_review import opened_files
from qe_desktop.project.journal.journal_folder import JournalEntry, JournalFolder, JournalLock
from qe_desktop.project.reviewed_files import WrittenFile
from qe_desktop.project.session import Session
from qe_desktop.project.session_restore import missing_rows
from qe_desktop.project.store.errors import DamagedProjectError
from qe_desktop.project.store.project import Project

WRITE_WAIT_S = 5.0
"""Maximum number of seconds to wait until a new journal is written; only then are former journals deleted."""
LOCK_WAIT_S, LOCK_INTERVAL_S = 1.0, 0.02
"""Maximum number of seconds to wait for a journal that is in use, and number of seconds between attempts."""
_LOG = logging.getLogger(__name__)


class JournalOpening:
    """Steps of a background job that opens files with their journal: `with_mt` while files are read, then `finish`.

    Files that were previously opened in other combinations have several former journals. If a journal cannot be used,
    the files are opened without it, and the report states the reason.
    """

    def __init__(self, folder: JournalFolder, person: str, check_cancelled: CheckCancelled = never_cancelled) -> None:
        self._folder = folder
        self._person = person
        self._check_cancelled = check_cancelled
        self._files: tuple[WrittenFile, ...] = ()
        self._formers: list[FormerJournal] = []
        """Former journals of the files, most recently used first."""
        self._replaced_journals: list[FormerJournal] = []
        """Former journals whose content is completely in the new journal, so that they can be deleted."""
        self._damaged: Path | None = None
        self._problem: QeError | None = None

    # --- while the files are read

    def with_mt(self, documents: Sequence[Document], paths: Sequence[Path]) -> Sequence[Document]:
        """Return the documents, adding the MT from which the targets were edited if a journal stores it."""
        self._files = opened_files(documents, paths)
        result = documents
        try:
            for entry, numbers in self._folder.find(self._files):
                former = self._open(entry, numbers)
                if former is None:
                    continue
                self._formers.append(former)
                former.match(documents, self._files, self._check_cancelled)
                if former.matched:
                    result = former.with_mt(result)
                else:
                    self._formers.remove(former)
                    former.close()
        except (QeError, OSError) as error:
            self._fail(error)
            return documents
        self._formers.sort(key=lambda former: former.journal.entry.used, reverse=True)
        return result

    def _open(self, entry: JournalEntry, numbers: dict[int, int]) -> FormerJournal | None:
        lock = self._lock(entry)
        if lock is None:
            # read-only, because the journal belongs to the other window
            hint = tr("Edits in this window are stored only when you save the file.")
            self._problem = QeError(tr("the file is open in another window"), hint=hint)
        try:
            return FormerJournal(entry, lock, self._person, numbers)
        except DamagedProjectError as error:
            if lock is None:
                raise
            # the damaged journal is kept, and a new one is created
            _LOG.warning("the journal %s cannot be read: %s", entry.database, error)
            self._damaged = entry.database
            return None

    def _lock(self, entry: JournalEntry) -> JournalLock | None:
        """Lock a journal; return None if it is still in use after `LOCK_WAIT_S`.

        A cancelled job that uses the journal may release it within this time.
        """
        end = time.monotonic() + LOCK_WAIT_S
        while (lock := entry.lock()) is None and time.monotonic() < end:
            self._check_cancelled()
            time.sleep(LOCK_INTERVAL_S)
        return lock

    @property
    def new_segment_numbers(self) -> dict[int, int]:
        """Mapping from former segment numbers to current ones; empty unless there is exactly one former journal."""
        return {old: new for new, old in self._formers[0].matched.items()} if len(self._formers) == 1 else {}

    # --- after all files were read

    def finish(self, corpus: Corpus) -> tuple[Session, FileJournal | None, JournalReport]:
        """Return the session of the files, its journal (None if there is none), and a report on what was restored."""
        if corpus.job is None or not self._files:
            return Session(corpus, person=self._person), None, JournalReport()
        journal, formers = None, self._formers
        session = Session(corpus, person=self._person)
        if self._problem is None:
            try:
                if not formers:
                    journal = self._create(session)
                elif formers[0].is_same and is_restorable(corpus, formers[0].journal.session.corpus):
                    journal = self._continue(formers[0].journal, corpus, corpus.job)
                else:
                    journal = self._rebuild(corpus, corpus.job)
                session = journal.session
            except (QeError, OSError) as error:
                self._fail(error)
        for former in formers:
            if former.journal is not journal:
                former.close()
        if journal is None:
            return session, None, JournalReport(problem=self._problem)
        if self._replaced_journals and journal.project.flush(WRITE_WAIT_S):
            for former in self._replaced_journals:
                former.journal.entry.remove()
        if self._damaged is not None:
            journal.report = replace(journal.report, damaged=self._damaged)
        return session, journal, journal.report

    def cancel(self) -> None:
        """Close the journals opened so far, because the files will not be opened."""
        while self._formers:
            self._formers.pop().close()

    def _create(self, session: Session) -> FileJournal:
        entry = self._folder.new_entry(self._files)
        lock = entry.lock()
        if lock is None:
            hint = tr("Close the other window, then open the file again.")
            raise QeError(tr("the file is open in another window"), hint=hint)
        corpus, project = session.corpus, None
        layers = tuple(corpus.layers.values())
        try:
            project = Project.create(
                entry.database, corpus, person=self._person, title=corpus.name, uids=session.layer_uids()
            )
            with suppress(OSError):
                entry.database.chmod(0o600)
            project.append(missing_rows(session, project, layers))
            if not project.flush(WRITE_WAIT_S) and project.writer.error is not None:
                raise project.writer.error
            # once the journal has a description, it is used instead of a former one
            entry.write()
        except BaseException:
            if project is not None:
                project.close(0)
            lock.release()
            entry.remove()
            raise
        journal = FileJournal(project, session, entry, lock)
        _start_recording(journal)
        return journal

    def _continue(self, stored: FileJournal, corpus: Corpus, now: TranslationJob) -> FileJournal:
        """Continue the journal of files that have not changed since this program last read or wrote them."""
        session = stored.session
        _start_recording(stored)
        layers = [layer for key, layer in corpus.layers.items() if key not in session.corpus.layers]
        if layers:
            session.add_layers(layers, (), tr("data added"))
        stored.record_files(dict(enumerate(self._files)))
        self._compare(stored, now)
        return stored

    def _rebuild(self, corpus: Corpus, now: TranslationJob) -> FileJournal:
        """Create a journal from parts of former ones, for files that others changed or that form a new combination."""
        formers = self._formers
        carried = carry_session(formers, corpus, now, self._person)
        journal = self._create(carried.session)
        for former in reversed(formers):
            journal.user_settings.update(former.journal.user_settings)
        carried.show_changes()
        self._compare(journal, now)
        journal.report = replace(
            journal.report, changed=tuple(carried.changed), unmatched=carried.unmatched, updated=carried.updated
        )
        self._replaced_journals = [
            former for former in formers if former.is_complete and former in carried.fully_carried
        ]
        return journal

    def _compare(self, journal: FileJournal, now: TranslationJob) -> None:
        """Determine which edits are not in the files, restore drafts, and set the report of the journal."""
        session = journal.session
        mark_unsaved(session, self._formers, now)
        drafts = [former.restore_draft(session) for former in self._formers]
        restored = next((segment for segment in drafts if segment is not None), None)
        journal.report = JournalReport(len(session.reviewing.unsaved_segments()), restored)

    def _fail(self, error: QeError | OSError) -> None:
        if isinstance(error, OSError):
            message = tr("the stored edits cannot be read or written: {reason}", reason=error.strerror or str(error))
            error = QeError(message, hint=tr("Check the permissions of the data folder and the free disk space."))
        self._problem = error


def _start_recording(journal: FileJournal) -> None:
    project = journal.project
    journal.session.set_storage(project.append, project.person, project.window, journal=True)
