"""Opening of bilingual files with their journal, which is continued, created, or rebuilt from former journals."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from qe_desktop.corpus import Corpus, Layer, MetricColumn, QeError, Ratings, TranslationJob
from qe_desktop.corpus.columns import Documents, NumberColumn, TagColumn
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.corpus.ratings import RatingTable
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.files import never_cancelled
from qe_desktop.i18n.messages import tr
from qe_desktop.project.journal.file_journal import FileJournal, JournalEntry, JournalFolder, JournalLock, JournalReport
from qe_desktop.project.journal.file_reload import carry_session, mark_unsaved
from qe_desktop.project.journal.former_review import FormerReview, opened_files
from qe_desktop.project.journal.typing_draft import read_draft
from qe_desktop.project.reviewed_files import WrittenFile
from qe_desktop.project.session import Session
from qe_desktop.project.session_restore import missing_rows, restore_session
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
        """Return the documents; if a journal stores the MT from which targets were edited, the MT is added."""
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
            # once the description is written, the new journal is used instead of the former journals
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
        """Continue and return the journal of files that have not changed since this program last read or wrote them."""
        session = stored.session
        _start_recording(stored)
        layers = [layer for key, layer in corpus.layers.items() if key not in session.corpus.layers]
        if layers:
            session.add_layers(layers, (), tr("data added"))
        stored.record_files(dict(enumerate(self._files)))
        self._compare(stored, now)
        return stored

    def _rebuild(self, corpus: Corpus, now: TranslationJob) -> FileJournal:
        """Return a new journal made from former ones, for files that others changed or that form a new combination."""
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
        """Whether all files of the journal are among the opened files, and no row of the journal was rejected."""
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


_NAMED_COLUMNS = ("texts", "translations", "references", "metric_scores")


def is_restorable(corpus: Corpus, stored: Corpus) -> bool:
    """Return whether a stored corpus has all data of `corpus`, the corpus of the current files.

    Layers may be missing from the stored corpus. Layers that come from the bilingual files themselves may differ,
    because targets may have been edited since the corpus was stored.
    """
    if corpus.size != stored.size or corpus.eos != stored.eos:
        return False
    if any(getattr(corpus, name).keys() - getattr(stored, name).keys() for name in _NAMED_COLUMNS):
        return False
    return _are_texts_equal(corpus, stored) and _are_scores_equal(corpus, stored) and _are_parts_equal(corpus, stored)


def _are_texts_equal(corpus: Corpus, stored: Corpus) -> bool:
    named = ((corpus.translations, stored.translations), (corpus.references, stored.references))
    return all(column.data == stored.texts[role].data for role, column in corpus.texts.items()) and all(
        column.data == before[name].data for now, before in named for name, column in now.items()
    )


def _are_scores_equal(corpus: Corpus, stored: Corpus) -> bool:
    job_files = () if corpus.job is None else corpus.job.files
    files = {"", *(name for file in job_files for name in (file.name, file.path))}
    layers = [(layer, stored.layers[key]) for key, layer in corpus.layers.items() if key in stored.layers]
    return all(layer.origin in files or _is_same_layer(layer, before) for layer, before in layers) and all(
        _is_same_metric(column, stored.metric_scores[name]) for name, column in corpus.metric_scores.items()
    )


def _is_same_layer(layer: Layer, before: Layer) -> bool:
    column, former = layer.column, before.column
    if isinstance(column, TagColumn | NumberColumn):
        return column == former
    return not isinstance(former, TagColumn | NumberColumn) and np.array_equal(column, former, equal_nan=True)


def _is_same_metric(column: MetricColumn, before: MetricColumn) -> bool:
    return (
        column.better == before.better
        and column.systems.keys() == before.systems.keys()
        and all(np.array_equal(scores, before.systems[name], equal_nan=True) for name, scores in column.systems.items())
    )


def _are_parts_equal(corpus: Corpus, stored: Corpus) -> bool:
    if corpus.language_pair and corpus.language_pair != stored.language_pair:
        return False
    return (
        (corpus.alignments is None or corpus.alignments == stored.alignments)
        and _are_documents_equal(corpus.documents, stored.documents)
        and _are_ratings_known(corpus.ratings, stored.ratings)
    )


def _are_documents_equal(now: Documents | None, before: Documents | None) -> bool:
    if now is None or before is None:
        return now is None
    return now.names == before.names and np.array_equal(now.of_segment, before.of_segment)


def _are_ratings_known(now: Ratings | None, before: Ratings | None) -> bool:
    """Return whether `before` begins with the ratings and comments of `now`; `join_ratings` preserves their order."""
    if now is None or before is None:
        return now is None
    comments, stored = now.comments, before.comments[: len(now.comments)]
    return (
        [replace(comment, started=0.0) for comment in comments] == [replace(comment, started=0.0) for comment in stored]
        and set(now.ranges) <= set(before.ranges)
        and _begins_with(before.scores, now.scores)
        and _begins_with(before.pairs, now.pairs)
    )


def _begins_with(table: RatingTable[Any], first: RatingTable[Any]) -> bool:
    size = len(first)
    if len(table) < size:
        return False
    table = table.take(np.arange(size))
    numbers = [name for name in first.ROW._fields if name not in first.NAMES]
    return all(np.array_equal(getattr(table, name), getattr(first, name), equal_nan=True) for name in numbers) and all(
        table.texts(name) == first.texts(name) for name in first.NAMES
    )
