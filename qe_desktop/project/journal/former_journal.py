"""Former journal of files that are opened again: its segments that the files still contain, and their MT."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from qe_desktop.corpus import QeError, ReviewStatus, TranslationJob
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.document_corpus import job_column_choice
from qe_desktop.formats.bilingual.document_rewrite import FINAL_STATUSES
from qe_desktop.formats.bilingual.plain_lines import line_to_content
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import ReviewField, ReviewValue
from qe_desktop.project.journal.carried_review import known_targets, unsaved_segments
from qe_desktop.project.journal.file_journal import FileJournal
from qe_desktop.project.journal.journal_folder import JournalEntry, JournalLock
from qe_desktop.project.journal.segment_matching import match_segments, segment_identities
from qe_desktop.project.journal.typing_draft import read_draft
from qe_desktop.project.reviewed_files import WrittenFile, sha256_hex
from qe_desktop.project.session import Session
from qe_desktop.project.session_restore import restore_session
from qe_desktop.project.store.errors import DamagedProjectError
from qe_desktop.project.store.project import Project

MIN_KNOWN_SHARE = 0.5
"""Minimum share of targets known from the journal; below it, the files are assumed to have a new translation."""


class FormerJournal:
    """Open journal of some of the files that are opened now, in the state in which it was closed.

    `numbers` maps the number of each of these files in the journal to its number among the opened files. Other files of
    the journal are not opened. Without a `lock`, the journal is only read. Opening raises DamagedProjectError if the
    journal is damaged, and other errors (QeError) if it is read-only or cannot be opened.
    """

    def __init__(self, entry: JournalEntry, lock: JournalLock | None, person: str, numbers: Mapping[int, int]) -> None:
        self.journal = _open_journal(entry, lock or JournalLock(), person)
        job = self.journal.session.corpus.job
        assert job is not None
        self.job: TranslationJob = job
        self.draft = read_draft(entry.draft)
        self._numbers = numbers
        self.segments = frozenset(
            segment for number, file in enumerate(job.files) if number in numbers for segment in file.segments
        )
        """Segments of the journal whose file is opened."""
        self.matched: dict[int, int] = {}
        """Segments of the journal by the segments of the opened files."""
        self.is_same = False
        """Whether the opened files are those of the journal, as this program last read or wrote them."""
        self.translated: set[int] = set()
        """Segments of the opened files that others have translated meanwhile; their target counts as their MT."""
        self._storable: dict[int, frozenset[ReviewStatus | None]] = {}
        """Decisions that the files can store, by reviewed segment; None stands for a note."""
        self._originals: list[Segment] | None = None
        """Segments of the files as they were when the journal began; None until they are needed."""

    @property
    def same_mt(self) -> dict[int, int]:
        """Entries of `matched` whose segments have the MT of the journal."""
        return {new: old for new, old in self.matched.items() if new not in self.translated}

    @property
    def touched(self) -> list[int]:
        """Reviewed segments of the journal whose file is opened, ascending."""
        return sorted(self.segments.intersection(self.journal.session.reviewing.touched()))

    @property
    def is_complete(self) -> bool:
        """Whether all files of the journal are opened, and all its rows are stored."""
        return len(self._numbers) == len(self.job.files) and not self.journal.project.writer.refused

    def close(self) -> None:
        """Close the journal without a change."""
        self.journal.project.close(0)
        self.journal.lock.release()

    # --- which segments are in the files

    def match(self, documents: Sequence[Document], files: Sequence[WrittenFile], check: CheckCancelled) -> None:
        """Find the segments of the journal in the opened files, and set `matched`, `is_same` and `translated`.

        An exception raised by `check` stops the search. Raises QeError if a file that the journal stores is invalid.
        """
        session, job = self.journal.session, self.job
        # a moved file gets a new journal, because this one has the former path; a file may also have a later journal
        self.is_same = (
            len(self._numbers) == len(files)
            and [file.path for file in self.journal.entry.files] == [file.path for file in files]
            and sum(len(document.segments) for document in documents) == session.corpus.size
            and all(file.sha256 == _last_hash(session, job, number) for number, file in enumerate(files))
            and all(
                job_column_choice(file) == document.choice for file, document in zip(job.files, documents, strict=True)
            )
        )
        if self.is_same:
            self.matched = {number: number for number in range(session.corpus.size)}
            return
        before = self._parse()
        check()
        new = segment_identities(enumerate(documents))
        old = segment_identities((self._numbers.get(number, -1), document) for number, document in enumerate(before))
        taken = {*self._numbers.values()}
        new_indices = [index for index, identity in enumerate(new) if identity.file in taken]
        old_indices = [index for index, identity in enumerate(old) if identity.file in taken]
        matched = match_segments([new[index] for index in new_indices], [old[index] for index in old_indices])
        check()
        pairs = {new_indices[index]: old_indices[former] for index, former in matched.items()}
        self.matched = self._without_new_translation(documents, pairs)

    def _parse(self) -> list[Document]:
        documents = [parse_document(file.data, file.name, job_column_choice(file)) for file in self.job.files]
        self._originals = [segment for document in documents for segment in document.segments]
        return documents

    def _without_new_translation(self, documents: Sequence[Document], matched: dict[int, int]) -> dict[int, int]:
        """Return the matches; if most targets are unknown to the journal, only those with a known target or a review.

        The files then have a new translation, which is their MT. If no segment with a known target was reviewed and all
        edits were saved, the result is empty: the files get a new journal.
        """
        reviewing = self.journal.session.reviewing
        targets = [segment.target_line for document in documents for segment in document.segments]
        known = {new: old for new, old in matched.items() if targets[new] in known_targets(reviewing, self.job, old)}
        if len(known) >= MIN_KNOWN_SHARE * len(matched):
            return matched
        touched = {*self.touched}
        if touched.isdisjoint(known.values()) and touched.isdisjoint(
            unsaved_segments(reviewing, self.journal.entry.saved)
        ):
            return {}
        self.translated = {*matched} - {*known}
        return {new: old for new, old in matched.items() if new in known or old in touched}

    # --- MT of the files

    def with_mt(self, documents: Sequence[Document]) -> list[Document]:
        """Return the documents with the MT that their targets were edited from."""
        touched, result, number = {*self.touched}, [], 0
        for document in documents:
            segments: list[Segment] = []
            for segment in document.segments:
                old = self.matched.get(number)
                segments.append(segment if old is None else self._with_mt(document, segment, number, old, touched))
                number += 1
            result.append(replace(document, segments=segments))
        return result

    def _with_mt(self, document: Document, segment: Segment, new: int, old: int, touched: set[int]) -> Segment:
        """Return a segment with the MT of the journal.

        The segment is unchanged if its target is this MT, its file contains an MT, or others have translated it.
        """
        line = self.job.mt[old]
        if old in touched:
            self._storable[new] = _storable(document, segment)
        elif not line:
            # translated by others since
            self.translated.add(new)
        if new in self.translated or segment.loaded is not None or segment.target_line == line:
            return segment
        try:
            mt = line_to_content(line, segment.source, segment.target, other_codes=True)
        except QeError:
            # for example, a code that only the MT had
            if self._originals is None:
                self._parse()
            assert self._originals is not None
            original = self._originals[old]
            mt = (original.target or ()) if original.loaded is None else original.loaded
        return segment._replace(loaded=mt)

    def stores(self, segment: int, field: ReviewField, value: ReviewValue) -> bool:
        """Whether the file of a reviewed segment, as it was read, can store a status or a note."""
        return (None if field is ReviewField.NOTE else value) in self._storable.get(segment, ())

    # --- drafts

    def restore_draft(self, session: Session) -> int | None:
        """Set the target or note that was being typed when the program was killed; return its segment.

        None if there is no draft, or if the draft is out of date or cannot be set.
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
        own = project.settings(own=True)
        session = restore_session(project, own)
        if session is None or session.corpus.job is None:
            raise DamagedProjectError(tr("the journal has no bilingual file"), hint=tr("A new journal is created."))
    except BaseException:
        if project is not None:
            project.close(0)
        lock.release()
        raise
    return FileJournal(project, session, entry, lock, own)


def _storable(document: Document, segment: Segment) -> frozenset[ReviewStatus | None]:
    """Decisions that the file of a segment can store; None stands for a note."""
    decisions = [status for status in FINAL_STATUSES if document.can_store(segment, status)]
    return frozenset(decisions if segment.note_place is None else [*decisions, None])


def _last_hash(session: Session, job: TranslationJob, number: int) -> str:
    """SHA-256 of a file when it was last read or written."""
    place = session.places.get(number)
    return sha256_hex(job.files[number].data) if place is None else place.sha256
