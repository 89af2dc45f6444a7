"""Journal of opened bilingual files: created or continued while the files are read."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from qe_desktop.corpus import Corpus, QeError, TranslationJob
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.document_corpus import job_column_choice
from qe_desktop.formats.bilingual.plain_lines import line_to_content
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.formats.io.files import CheckCancelled, never_cancelled
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import ReviewField, SettingRow
from qe_desktop.project.journal.carried_review import (
    CarriedReview,
    carry_layers,
    carry_review,
    edits_of,
    fields_not_in_files,
    known_targets,
)
from qe_desktop.project.journal.journal_folder import JournalEntry, JournalFolder, JournalLock
from qe_desktop.project.journal.segment_matching import match_segments, segment_identities
from qe_desktop.project.reviewed_files import WrittenFile, sha256_hex
from qe_desktop.project.session import Session
from qe_desktop.project.session_restore import missing_rows, restore_session
from qe_desktop.project.store.project import Project

MIN_KNOWN_SHARE = 0.5
"""Minimum share of targets that the journal knows; below it, the file is a new translation and begins a new journal."""
REPLACE_WAIT_S = 5.0
"""Seconds to wait until a new journal is written, before the one that it replaces is deleted."""
LOCK_WAIT_S, LOCK_INTERVAL_S = 1.0, 0.02
"""Seconds to wait for a journal in use, and between two attempts."""
DRAFT_SETTING = "journal/draft"
"""Name of the setting that stores the target being typed."""
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class JournalReport:
    """What was restored when files were opened.

    `unsaved` is the number of segments whose review is not in the files, `draft` the segment whose target was being
    typed when the program was killed. `changed` are the segments whose target another program changed, and `unmatched`
    the source and target of reviewed segments that are not in the files any more. `problem` is the reason why there is
    no journal.
    """

    unsaved: int = 0
    draft: int | None = None
    changed: tuple[int, ...] = ()
    unmatched: tuple[tuple[str, str], ...] = ()
    problem: QeError | None = None


@dataclass(slots=True)
class FileJournal:
    """Open journal of the files of a session, which stores all further changes.

    Methods that write files raise nothing: what cannot be written is logged.
    """

    project: Project
    session: Session
    entry: JournalEntry
    lock: JournalLock
    own: dict[str, Any] = field(default_factory=dict)
    """Stored settings of the user."""
    discards: bool = False
    """Whether edits that are not in the files are undone when the journal is closed."""
    report: JournalReport = field(default_factory=JournalReport)

    def note_files(self, places: Mapping[int, WrittenFile]) -> None:
        """Record the state of the files after they were saved."""
        files = tuple(places.get(number, known) for number, known in enumerate(self.entry.files))
        self.entry = self.entry.with_files(files, saved=True)
        _try(self.entry.write)

    def store_draft(self, segment: int, line: str) -> None:
        """Store the target that is being typed, as a line with codes; it is restored unless an edit follows."""
        project, now = self.project, time.time()
        value = {"segment": segment, "target": line, "at": now}
        project.append([SettingRow(DRAFT_SETTING, value, project.person, now, project.person, project.window)])

    def revert_unsaved(self) -> None:
        """Undo what is not in the files, after the user discarded it; it can be redone when they are opened again."""
        if self.session.reviewing.is_unsaved:
            self.session.reviewing.revert_unsaved()

    def close(self, seconds: float) -> int:
        """Save pending rows for at most `seconds` and close; return the number of rows that were not saved."""
        if self.discards:
            self.revert_unsaved()
        left = self.project.close(seconds)
        self.entry = self.entry.with_files(self.entry.files)
        _try(self.entry.write)
        self.lock.release()
        return left


def _try(write: Any) -> None:
    try:
        write()
    except (QeError, OSError) as error:
        _LOG.warning("a journal could not be written: %s", error)


class JournalOpening:
    """Opening of files with their journal, in a background job: `with_mt` while they are read, then `finish`.

    If the journal cannot be used, the files are opened without it, and the report has the reason.
    """

    def __init__(self, folder: JournalFolder, person: str, watch: CheckCancelled = never_cancelled) -> None:
        self._folder = folder
        self._person = person
        self._watch = watch
        self._files: tuple[WrittenFile, ...] = ()
        self._stored: FileJournal | None = None
        self._matched: dict[int, int] = {}
        self._is_same = False
        """Whether the files are as this program last read or wrote them."""
        self._is_replaced = False
        """Whether a new journal has everything that the stored one has."""
        self._problem: QeError | None = None

    # --- while the files are read

    def with_mt(self, documents: Sequence[Document], paths: Sequence[Path]) -> Sequence[Document]:
        """Return the documents with the MT that their targets were edited from, if a journal stores it."""
        self._files = tuple(
            WrittenFile(os.path.abspath(path), sha256_hex(document.text.data))
            for document, path in zip(documents, paths, strict=True)
        )
        try:
            self._stored = self._open_stored()
            if self._stored is None:
                return documents
            self._match(self._stored, documents)
            if self._is_new_translation(self._stored.session, documents):
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
            own = project.settings(own=True)
            session = restore_session(project, own)
            if session is None or session.corpus.job is None:
                raise QeError(tr("the journal has no bilingual file"), hint=tr("A new journal is created."))
        except BaseException as error:
            if project is not None:
                project.close(0)
            lock.release()
            if not isinstance(error, QeError):
                raise
            # a damaged journal stays where it is, and a new one is created
            _LOG.warning("the journal %s cannot be read: %s", entry.database, error)
            return None
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
        )
        if self._is_same:
            self._matched = {number: number for number in range(session.corpus.size)}
            return
        before = [parse_document(file.data, file.name, job_column_choice(file)) for file in job.files]
        self._watch()
        self._matched = match_segments(segment_identities(documents), segment_identities(before))
        self._watch()

    def _documents_with_mt(self, session: Session, documents: Sequence[Document]) -> list[Document]:
        job = session.corpus.job
        assert job is not None
        result: list[Document] = []
        number = 0
        for document in documents:
            segments: list[Segment] = []
            for segment in document.segments:
                old = self._matched.get(number)
                segments.append(segment if old is None else _with_loaded(segment, job.mt[old]))
                number += 1
            result.append(replace(document, segments=segments))
        return result

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
                elif self._is_same and _fits(corpus, stored.session.corpus):
                    journal = self._continue(stored, corpus, corpus.job)
                else:
                    journal = self._rebuild(stored, corpus, corpus.job)
                session = journal.session
            except (QeError, OSError) as error:
                self._fail(error)
        if stored is not None and stored is not journal:
            self._close_stored()
            if journal is not None and self._is_replaced and journal.project.flush(REPLACE_WAIT_S):
                stored.entry.remove()
        if journal is None:
            return session, None, JournalReport(problem=self._problem)
        return session, journal, journal.report

    def cancel(self) -> None:
        """Close the journal that was opened, if the files are not opened."""
        self._close_stored()

    def _close_stored(self) -> None:
        if self._stored is not None:
            self._stored.project.close(0)
            self._stored.lock.release()
            self._stored = None

    def _is_new_translation(self, session: Session, documents: Sequence[Document]) -> bool:
        """Whether most targets of matching segments were never in the journal: the files have another MT."""
        job, reviewing = session.corpus.job, session.reviewing
        assert job is not None
        if self._is_same:
            return False
        targets = [segment.target_line for document in documents for segment in document.segments]
        known = sum(targets[new] in known_targets(reviewing, job, old) for new, old in self._matched.items())
        return known < MIN_KNOWN_SHARE * len(self._matched) or not self._matched

    def _create(self, session: Session) -> FileJournal:
        entry = self._folder.new_entry(self._files)
        lock = entry.lock()
        if lock is None:
            raise QeError(tr("the journal is in use"), hint=tr("Open the file again."))
        corpus = session.corpus
        layers = tuple(corpus.layers.values())
        try:
            project = Project.create(
                entry.database, corpus, person=self._person, title=corpus.name, uids=session.layer_uids()
            )
        except BaseException:
            lock.release()
            entry.remove()
            raise
        with suppress(OSError):
            entry.database.chmod(0o600)
        project.append(missing_rows(session, project, layers))
        entry.write()
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
        stored.entry = stored.entry.with_files(self._files)
        stored.entry.write()
        self._compare(stored, now)
        return stored

    def _rebuild(self, stored: FileJournal, corpus: Corpus, now: TranslationJob) -> FileJournal:
        """Create a journal for files that were changed by other programs, with what fits of the stored one."""
        before = stored.session.corpus.job
        assert before is not None
        carried = carry_review(stored.session.reviewing, before, now, self._matched)
        for layer in carry_layers(stored.session.view, corpus, self._matched):
            corpus = corpus.with_layer(layer)
        session = Session(
            corpus, person=self._person, reviews=carried.rows, visits=carried.visits,
            thresholds=stored.session.thresholds(),
        )  # fmt: skip
        journal = self._create(session)
        take_over = {
            segment: {ReviewField.TARGET: None, ReviewField.STATUS: None}
            for segment in carried.changed
            if not session.view.is_locked(segment)
        }
        if take_over:
            session.reviewing.set(take_over)
        self._compare(journal, now, stored, carried)
        self._is_replaced = not carried.unmatched
        return journal

    def _compare(
        self, journal: FileJournal, now: TranslationJob, stored: FileJournal | None = None,
        carried: CarriedReview | None = None,
    ) -> None:  # fmt: skip
        """Restore the draft, and determine what is not in the files."""
        session = journal.session
        saved = (stored or journal).entry.saved
        session.reviewing.compare_with_files(*fields_not_in_files(session.view, session.reviewing, now, saved))
        draft = self._restore_draft(session, (stored or journal).own.get(DRAFT_SETTING))
        unmatched = edits_of(stored.session.view, carried.unmatched) if stored is not None and carried else ()
        journal.report = JournalReport(
            len(session.reviewing.unsaved()), draft, carried.changed if carried is not None else (), unmatched
        )

    def _restore_draft(self, session: Session, draft: object) -> int | None:
        """Set the target that was being typed when the program was killed; return its segment, if any."""
        match draft:
            case {"segment": int(old), "target": str(line), "at": float(at)}:
                segment = next((new for new, former in self._matched.items() if former == old), None)
            case _:
                return None
        if segment is None or line == session.view.target(segment):
            return None
        if any(row.at >= at for row in session.reviewing.history(segment)):
            return None
        try:
            session.reviewing.set({segment: {ReviewField.TARGET: line}})
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


def _last_hash(session: Session, job: TranslationJob, number: int) -> str:
    """SHA-256 of a file when it was last read or written."""
    place = session.places.get(number)
    return sha256_hex(job.files[number].data) if place is None else place.sha256


def _with_loaded(segment: Segment, line: str) -> Segment:
    """Return a segment with its MT, given as a line with codes, unless its target or file already has it."""
    if segment.loaded is not None or segment.target_line == line:
        return segment
    try:
        return segment._replace(loaded=line_to_content(line, segment.source, segment.target, other_codes=True))
    except QeError:
        return segment


def _fits(corpus: Corpus, stored: Corpus) -> bool:
    """Whether a stored corpus has all texts, scores and ratings of a corpus, so that only layers may be missing."""
    named = ("texts", "translations", "references", "metric_scores")
    if corpus.size != stored.size or corpus.eos != stored.eos or (corpus.ratings and not stored.ratings):
        return False
    if any(getattr(corpus, name).keys() - getattr(stored, name).keys() for name in named):
        return False
    return corpus.texts.keys() <= stored.texts.keys() and all(
        corpus.texts[role].data == stored.texts[role].data for role in corpus.texts
    )
