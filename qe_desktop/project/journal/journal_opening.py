"""Opening of bilingual files with their journal, which is created or continued while the files are read."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from qe_desktop.corpus import Corpus, QeError, ReviewStatus, TranslationJob
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.document_corpus import job_column_choice
from qe_desktop.formats.bilingual.document_rewrite import FINAL_STATUSES
from qe_desktop.formats.bilingual.plain_lines import line_to_content
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.formats.io.files import CheckCancelled, never_cancelled
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import ReviewField, ReviewValue
from qe_desktop.project.journal.carried_review import (
    CarriedReview,
    carry_layers,
    carry_review,
    carry_tag_edits,
    edits_of,
    fields_not_in_files,
    known_targets,
    unsaved_segments,
)
from qe_desktop.project.journal.corpus_comparison import is_restorable
from qe_desktop.project.journal.file_journal import FileJournal, JournalReport
from qe_desktop.project.journal.journal_folder import JournalEntry, JournalFolder, JournalLock
from qe_desktop.project.journal.segment_matching import match_segments, segment_identities
from qe_desktop.project.journal.typing_draft import TypingDraft, read_draft
from qe_desktop.project.reviewed_files import WrittenFile, sha256_hex
from qe_desktop.project.session import Session
from qe_desktop.project.session_restore import missing_rows, restore_session
from qe_desktop.project.store.errors import DamagedProjectError
from qe_desktop.project.store.project import Project

MIN_KNOWN_SHARE = 0.5
"""Minimum share of targets that were in the journal; below it, the file has a new translation."""
WRITE_WAIT_S = 5.0
"""Seconds to wait until a new journal is written, before it is used instead of a former one."""
LOCK_WAIT_S, LOCK_INTERVAL_S = 1.0, 0.02
"""Seconds to wait for a journal in use, and between two attempts."""
_LOG = logging.getLogger(__name__)


class JournalOpening:
    """Opening of files with their journal, in a background job: `with_mt` while they are read, then `finish`.

    If the journal cannot be used, the files are opened without it, and the report has the reason.
    """

    def __init__(self, folder: JournalFolder, person: str, watch: CheckCancelled = never_cancelled) -> None:
        self._folder = folder
        self._person = person
        self._watch = watch
        self._files: tuple[WrittenFile, ...] = ()
        self._storable: dict[int, frozenset[ReviewStatus | None]] = {}
        """Decisions that the files can store, by reviewed segment, and None if they can store its note."""
        self._stored: FileJournal | None = None
        self._matched: dict[int, int] = {}
        self._translated: set[int] = set()
        """Segments of the files that have a new translation."""
        self._is_same = False
        """Whether the files are as this program last read or wrote them."""
        self._is_replaced = False
        """Whether a new journal has everything that the stored one has."""
        self._originals: list[Segment] | None = None
        """Segments of the files as they were when the stored journal began; None until they are needed."""
        self._draft: TypingDraft | None = None
        self._damaged: Path | None = None
        self._problem: QeError | None = None

    # --- while the files are read

    def with_mt(self, documents: Sequence[Document], paths: Sequence[Path]) -> Sequence[Document]:
        """Return the documents with the MT that their targets were edited from, if a journal stores it."""
        self._files = tuple(
            WrittenFile(os.path.realpath(path), sha256_hex(document.text.data))
            for document, path in zip(documents, paths, strict=True)
        )
        try:
            self._stored = self._open_stored()
            if self._stored is None:
                return documents
            self._match(self._stored, documents)
            if not self._matched:
                self._close_stored()
                return documents
            return self._documents_with_mt(self._stored.session, documents)
        except (QeError, OSError) as error:
            self._fail(error)
            return documents

    def _open_stored(self) -> FileJournal | None:
        entry = self._folder.find(self._files)
        if entry is None:
            return None
        lock = self._lock(entry)
        if lock is None:
            raise QeError(
                tr("the file is open in another window"),
                hint=tr("Edits in this window are stored only when you save the file."),
            )
        project = None
        try:
            project = Project.open(entry.database, person=self._person)
            if project.read_only:
                raise QeError(project.read_only, hint=tr("Edits are stored only when you save the file."))
            own = project.settings(own=True)
            session = restore_session(project, own)
            if session is None or session.corpus.job is None:
                raise DamagedProjectError(tr("the journal has no bilingual file"), hint=tr("A new one is created."))
        except BaseException as error:
            if project is not None:
                project.close(0)
            lock.release()
            if not isinstance(error, DamagedProjectError):
                raise
            # it stays where it is, and a new one is created
            _LOG.warning("the journal %s cannot be read: %s", entry.database, error)
            self._damaged = entry.database
            return None
        self._draft = read_draft(entry.draft)
        return FileJournal(project, session, entry, lock, own)

    def _lock(self, entry: JournalEntry) -> JournalLock | None:
        """Lock a journal; wait for a moment, because a cancelled job of this program may not have released it yet."""
        end = time.monotonic() + LOCK_WAIT_S
        while (lock := entry.lock()) is None and time.monotonic() < end:
            self._watch()
            time.sleep(LOCK_INTERVAL_S)
        return lock

    def _match(self, stored: FileJournal, documents: Sequence[Document]) -> None:
        session, job = stored.session, stored.session.corpus.job
        assert job is not None
        # a moved file gets a new journal, because the stored one has the former path
        self._is_same = (
            [file.path for file in stored.entry.files] == [file.path for file in self._files]
            and sum(len(document.segments) for document in documents) == session.corpus.size
            and all(file.sha256 == _last_hash(session, job, number) for number, file in enumerate(self._files))
            and all(
                job_column_choice(file) == document.choice for file, document in zip(job.files, documents, strict=True)
            )
        )
        if self._is_same:
            self._matched = {number: number for number in range(session.corpus.size)}
            return
        before = [parse_document(file.data, file.name, job_column_choice(file)) for file in job.files]
        self._originals = [segment for document in before for segment in document.segments]
        self._watch()
        matched = match_segments(segment_identities(documents), segment_identities(before))
        self._watch()
        self._matched = self._without_new_translation(stored, documents, matched)

    def _without_new_translation(
        self, stored: FileJournal, documents: Sequence[Document], matched: dict[int, int]
    ) -> dict[int, int]:
        """Return the matches, without untouched segments of other targets if most targets were never in the journal.

        The files then have a new translation, which is their MT. Without matches, it gets a journal of its own, unless
        edits that were not saved would be lost.
        """
        job, reviewing = stored.session.corpus.job, stored.session.reviewing
        assert job is not None
        targets = [segment.target_line for document in documents for segment in document.segments]
        known = {new: old for new, old in matched.items() if targets[new] in known_targets(reviewing, job, old)}
        if len(known) >= MIN_KNOWN_SHARE * len(matched):
            return matched
        touched = {*reviewing.touched()}
        if touched.isdisjoint(known.values()) and not unsaved_segments(reviewing, stored.entry.saved):
            return {}
        self._translated = {*matched} - {*known}
        return {new: old for new, old in matched.items() if new in known or old in touched}

    def _documents_with_mt(self, session: Session, documents: Sequence[Document]) -> list[Document]:
        job, touched = session.corpus.job, {*session.reviewing.touched()}
        assert job is not None
        result: list[Document] = []
        number = 0
        for document in documents:
            segments: list[Segment] = []
            for segment in document.segments:
                old = self._matched.get(number)
                if old is not None:
                    if old in touched:
                        self._storable[number] = _storable(document, segment)
                    elif not job.mt[old]:
                        # translated by others since
                        self._translated.add(number)
                    if number not in self._translated:
                        segment = self._with_mt(segment, job, old)
                segments.append(segment)
                number += 1
            result.append(replace(document, segments=segments))
        return result

    def _with_mt(self, segment: Segment, job: TranslationJob, old: int) -> Segment:
        """Return a segment with the MT of a segment of the journal, unless its target or file already has it."""
        line = job.mt[old]
        if segment.loaded is not None or segment.target_line == line:
            return segment
        try:
            mt = line_to_content(line, segment.source, segment.target, other_codes=True)
        except QeError:
            # only the MT had the code, for example
            if self._originals is None:
                self._originals = [
                    original
                    for file in job.files
                    for original in parse_document(file.data, file.name, job_column_choice(file)).segments
                ]
            original = self._originals[old]
            mt = (original.target or ()) if original.loaded is None else original.loaded
        return segment._replace(loaded=mt)

    # --- when all files were read

    def finish(self, corpus: Corpus) -> tuple[Session, FileJournal | None, JournalReport]:
        """Return the session of the files, its journal (None without one), and what was restored."""
        if corpus.job is None or not self._files:
            return Session(corpus, person=self._person), None, JournalReport()
        journal, stored = None, self._stored
        session = Session(corpus, person=self._person)
        if self._problem is None:
            try:
                if stored is None:
                    journal = self._create(session)
                elif self._is_same and is_restorable(corpus, stored.session.corpus):
                    journal = self._continue(stored, corpus, corpus.job)
                else:
                    journal = self._rebuild(stored, corpus, corpus.job)
                session = journal.session
            except (QeError, OSError) as error:
                self._fail(error)
        if stored is not None and stored is not journal:
            self._close_stored()
            if journal is not None and self._is_replaced and journal.project.flush(WRITE_WAIT_S):
                stored.entry.remove()
        if journal is None:
            return session, None, JournalReport(problem=self._problem)
        if self._damaged is not None:
            journal.report = JournalReport(damaged=self._damaged)
        return session, journal, journal.report

    def cancel(self) -> None:
        """Close the journal that was opened, if the files are not opened."""
        self._close_stored()

    def _close_stored(self) -> None:
        if self._stored is not None:
            self._stored.project.close(0)
            self._stored.lock.release()
            self._stored = None

    def _create(self, session: Session) -> FileJournal:
        entry = self._folder.new_entry(self._files)
        lock = entry.lock()
        if lock is None:
            raise QeError(tr("the journal is in use"), hint=tr("Open the file again."))
        corpus, project = session.corpus, None
        layers = tuple(corpus.layers.values())
        try:
            project = Project.create(
                entry.database, corpus, person=self._person, title=corpus.name, uids=session.layer_uids()
            )
            with suppress(OSError):
                entry.database.chmod(0o600)
            project.append(missing_rows(session, project, layers))
            if not project.flush(WRITE_WAIT_S) and project.writer.trouble is not None:
                raise project.writer.trouble
            # once the journal has a description, it is used instead of a former one
            entry.write()
        except BaseException:
            if project is not None:
                project.close(0)
            lock.release()
            entry.remove()
            raise
        journal = FileJournal(project, session, entry, lock)
        _record(journal)
        return journal

    def _continue(self, stored: FileJournal, corpus: Corpus, now: TranslationJob) -> FileJournal:
        """Continue the journal of files that are as this program last read or wrote them."""
        session = stored.session
        _record(stored)
        layers = [layer for key, layer in corpus.layers.items() if key not in session.corpus.layers]
        if layers:
            session.bring(layers, (), tr("data added"))
        stored.note_files(dict(enumerate(self._files)))
        self._compare(stored, now)
        return stored

    def _rebuild(self, stored: FileJournal, corpus: Corpus, now: TranslationJob) -> FileJournal:
        """Create a journal for files that were changed by other programs, with what fits of the stored one."""
        carried = carry_review(stored.session, now, self._matched, stored.entry.saved)
        same_mt = {new: old for new, old in self._matched.items() if new not in self._translated}
        for layer in carry_layers(stored.session.view, corpus, same_mt):
            corpus = corpus.with_layer(layer)
        session = Session(
            corpus, person=self._person, reviews=carried.rows, visits=carried.visits,
            thresholds=stored.session.thresholds(),
        )  # fmt: skip
        edits = carry_tag_edits(stored.session, session, same_mt)
        for edit in edits.carried:
            session.apply(edit)
        journal = self._create(session)
        journal.own = stored.own
        take_over = {
            segment: dict.fromkeys(fields)
            for segment, fields in carried.changed.items()
            if not session.view.is_locked(segment)
        }
        if take_over:
            session.reviewing.set(take_over)
        self._compare(journal, now, stored, carried)
        self._is_replaced = not carried.unmatched and edits.is_complete and not stored.project.writer.refused
        return journal

    def _stores(self, segment: int, field: ReviewField, value: ReviewValue) -> bool:
        """Whether the file of a reviewed segment, as it was read, can store a status or a note."""
        return (None if field is ReviewField.NOTE else value) in self._storable.get(segment, ())

    def _compare(
        self, journal: FileJournal, now: TranslationJob, stored: FileJournal | None = None,
        carried: CarriedReview | None = None,
    ) -> None:  # fmt: skip
        """Restore the draft, and determine what is not in the files."""
        session = journal.session
        saved = (stored or journal).entry.saved
        missing = fields_not_in_files(session.view, session.reviewing, now, saved, self._stores)
        session.reviewing.compare_with_files(*missing)
        restored = self._restore_draft(session)
        unmatched = edits_of(stored.session.view, carried.unmatched) if stored is not None and carried else ()
        journal.report = JournalReport(
            len(session.reviewing.unsaved()), restored, tuple(carried.changed) if carried is not None else (), unmatched
        )

    def _restore_draft(self, session: Session) -> int | None:
        """Set the target or note that was being typed when the program was killed; return its segment, if any."""
        draft = self._draft
        if draft is None:
            return None
        segment = next((new for new, old in self._matched.items() if old == draft.segment), None)
        if segment is None or not draft.is_current(session, segment):
            return None
        try:
            session.reviewing.set({segment: {draft.field: draft.text}})
        except QeError:
            return None
        return segment

    def _fail(self, error: QeError | OSError) -> None:
        if isinstance(error, OSError):
            message = tr("the journal cannot be written: {reason}", reason=error.strerror or str(error))
            error = QeError(message, hint=tr("Edits are stored only when you save the file."))
        self._problem = error


def _record(journal: FileJournal) -> None:
    project = journal.project
    journal.session.keep_in(project.append, project.person, project.window, journal=True)


def _storable(document: Document, segment: Segment) -> frozenset[ReviewStatus | None]:
    """Decisions that the file of a segment can store, and None if it can store a note."""
    decisions = [status for status in FINAL_STATUSES if document.can_store(segment, status)]
    return frozenset(decisions if segment.note_place is None else [*decisions, None])


def _last_hash(session: Session, job: TranslationJob, number: int) -> str:
    """SHA-256 of a file when it was last read or written."""
    place = session.places.get(number)
    return sha256_hex(job.files[number].data) if place is None else place.sha256
