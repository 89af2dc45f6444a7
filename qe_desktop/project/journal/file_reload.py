"""Reloading of changed bilingual files into a session or a project, with the review made so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.corpus import Corpus, Fault, JobFile, QeError, SourceLocation, TranslationJob
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.escaping import escape_label
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents, job_column_choice
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.files import display_name, never_cancelled, read_bytes
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import ReviewField, ReviewValue
from qe_desktop.project.journal.carried_review import (
    SegmentEdit,
    carry_layers,
    carry_review,
    carry_tag_edits,
    differing_fields,
    edits_of,
    fields_not_in_files,
    loaded_value,
    merge_rows,
)
from qe_desktop.project.journal.file_journal import JournalReport
from qe_desktop.project.journal.former_review import (
    FormerReview,
    SegmentIdentity,
    match_segments,
    opened_files,
    segment_identities,
)
from qe_desktop.project.reviewed_files import WrittenFile, record_reloaded, sha256_hex
from qe_desktop.project.session import Session


@dataclass(frozen=True, slots=True)
class CarriedSession:
    """Session of the current files, made from former sessions of these files.

    `changed` maps edited segments to the fields that others changed in the files. `unmatched` are the edited segments
    that the files no longer contain. `updated` is the number of unreviewed segments that others changed.
    `fully_carried` are the former reviews whose content is completely in `session`.
    """

    session: Session
    changed: Mapping[int, tuple[ReviewField, ...]]
    unmatched: tuple[SegmentEdit, ...]
    updated: int
    fully_carried: tuple[FormerReview, ...]

    def show_changes(self) -> None:
        """Set the `changed` fields of unlocked segments to the values in the files, as one undo step."""
        session = self.session
        values = {
            segment: dict.fromkeys(fields)
            for segment, fields in self.changed.items()
            if not session.view.is_locked(segment)
        }
        if values:
            session.reviewing.set(values)


def carry_session(formers: Sequence[FormerReview], corpus: Corpus, now: TranslationJob, person: str) -> CarriedSession:
    """Return a session of a corpus, whose job is `now`, with the matching parts of one or more former sessions."""
    carried = [
        carry_review(former.session, former.reviewed_segments, now, former.matched, former.saved) for former in formers
    ]
    for layer in carry_layers([(former.session.view, former.same_mt) for former in formers], corpus):
        corpus = corpus.with_layer(layer)
    session = Session(
        corpus, person=person, reviews=merge_rows([review.rows for review in carried]),
        visits=tuple(visit for review in carried for visit in review.visits),
        thresholds=formers[0].session.thresholds(),
    )  # fmt: skip
    tags = [carry_tag_edits(former.session, session, former.same_mt) for former in formers]
    for edit in (edit for edits in tags for edit in edits.edits):
        session.apply(edit)
    parts = list(zip(formers, carried, tags, strict=True))
    return CarriedSession(
        session,
        dict(sorted(item for review in carried for item in review.changed.items())),
        tuple(edit for former, review, _ in parts for edit in edits_of(former.session.view, review.unmatched)),
        sum(_count_updated(former, now) for former in formers),
        tuple(former for former, review, edits in parts if not review.unmatched and edits.is_complete),
    )


def _count_updated(former: FormerReview, now: TranslationJob) -> int:
    """Number of unreviewed segments whose target, status or note others changed in the files."""
    reviewed = {*former.reviewed_segments}
    return sum(
        old not in reviewed and bool(differing_fields(now, new, former.job, old)) for new, old in former.matched.items()
    )


def mark_unsaved(session: Session, formers: Sequence[FormerReview], now: TranslationJob) -> None:
    """Record in a session which of its edits are not in the current files, whose job is `now`."""
    former_of = {new: former for former in formers for new in former.matched}
    missing = fields_not_in_files(
        session.view, session.reviewing, now,
        lambda segment: former_of[segment].saved,
        lambda segment, field, value: former_of[segment].stores(segment, field, value),
    )  # fmt: skip
    session.reviewing.compare_with_files(*missing)


class ReviewReload:
    """Steps for reading open files again without a journal: `with_mt` while the files are read, then `finish`.

    `former` has the previous session, which other threads must not change during these steps.
    """

    def __init__(self, former: FormerReview, person: str, check_cancelled: CheckCancelled = never_cancelled) -> None:
        self._former = former
        self._person = person
        self._check_cancelled = check_cancelled

    def with_mt(self, documents: Sequence[Document], paths: Sequence[Path]) -> Sequence[Document]:
        """Return the documents, adding the MT from which the targets were edited."""
        self._former.match(documents, opened_files(documents, paths), self._check_cancelled)
        return self._former.with_mt(documents)

    def finish(self, corpus: Corpus) -> tuple[Session, JournalReport]:
        """Return the session of the files, and a report on the review that was carried over."""
        assert corpus.job is not None
        carried = carry_session([self._former], corpus, corpus.job, self._person)
        session = carried.session
        carried.show_changes()
        mark_unsaved(session, [self._former], corpus.job)
        session.written_files = {
            number: WrittenFile(file.path, sha256_hex(file.data), self._former.saved)
            for number, file in enumerate(corpus.job.files)
        }
        return session, JournalReport(
            len(session.reviewing.unsaved_segments()),
            changed=tuple(carried.changed),
            unmatched=carried.unmatched,
            updated=carried.updated,
        )


@dataclass(frozen=True, slots=True)
class ProjectReload:
    """Files that were read again, with the values that others have set in the files since the last read or save.

    `values` maps segments to these values; None stands for the value loaded into the project. `overwritten_segments`
    are the segments in `values` that the users of the project had edited. `locked` is the number of locked segments
    whose target or status others changed; these changes are not in `values`.
    """

    files: Mapping[int, tuple[WrittenFile, bytes]]
    values: Mapping[int, Mapping[ReviewField, ReviewValue]]
    overwritten_segments: tuple[int, ...]
    locked: int = 0

    def apply(self, session: Session) -> None:
        """Set `values` as one undo step, and record the files. Raises QeError if the session is read-only."""
        session.require_writable()
        for number, (place, data) in self.files.items():
            record_reloaded(session, number, place, data)
        if self.values:
            session.reviewing.set({segment: dict(values) for segment, values in self.values.items()})


def read_project_files(session: Session, check: CheckCancelled = never_cancelled) -> ProjectReload:
    """Read the files of a project again from the paths where they were last saved.

    The session is not changed, and other threads must not change it. Raises QeError if a file cannot be read, or if the
    segments of a file or their order differ from the project, because a project cannot add, remove or move segments.
    """
    job = session.corpus.job
    assert job is not None
    documents: list[Document] = []
    files: dict[int, tuple[WrittenFile, bytes]] = {}
    for number, file in enumerate(job.files):
        place = session.written_files.get(number)
        path = Path(file.path if place is None else place.path)
        data = read_bytes(path, check)
        document = parse_document(data, file.name, job_column_choice(file))
        _check_segments(file, document, path)
        check()
        documents.append(document)
        files[number] = WrittenFile(str(path), sha256_hex(data), 0.0 if place is None else place.saved), data
    now = corpus_from_documents(documents, session.corpus.name, check_cancelled=check).job
    assert now is not None
    return _detect_changes(session, job, now, files)


def _check_segments(file: JobFile, document: Document, path: Path) -> None:
    """Raise QeError if the dialect or the segments of a file that was read again differ from those in the project."""
    before = parse_document(file.data, file.name, job_column_choice(file))
    name = display_name(path)
    hint = tr("Save your version under another name, or open the file without the project.")
    if document.dialect != before.dialect:
        message = tr("the file now has another format and cannot be reloaded into the project")
        raise QeError(message, hint=hint, place=SourceLocation(name))
    old, new = segment_identities([(0, before)]), segment_identities([(0, document)])
    matched = match_segments(new, old)
    if len(matched) == len(new) == len(old) and all(index == former for index, former in matched.items()):
        return
    used = {*matched.values()}
    lost = [identity for index, identity in enumerate(old) if index not in used]
    added = [identity for index, identity in enumerate(new) if index not in matched]
    faults = [
        *(
            Fault(SourceLocation(name), tr("no longer in the file: {source}", source=_source_label(item)))
            for item in lost
        ),
        *(Fault(SourceLocation(name), tr("new in the file: {source}", source=_source_label(item))) for item in added),
    ]
    if faults:
        message = tr("the file now has different segments and cannot be reloaded into the project")
    else:
        message = tr("the file now has its segments in another order and cannot be reloaded into the project")
        faults = [Fault(SourceLocation(name), message)]
    raise QeError(message, hint=hint, place=SourceLocation(name), faults=faults)


def _source_label(identity: SegmentIdentity) -> str:
    return escape_label(strip_codes(identity.source))


def _detect_changes(
    session: Session, before: TranslationJob, now: TranslationJob, files: Mapping[int, tuple[WrittenFile, bytes]]
) -> ProjectReload:
    former = FormerReview.of_open_files(session)
    identity, reviewed = {number: number for number in range(session.corpus.size)}, {*former.reviewed_segments}
    changed = dict(carry_review(session, former.reviewed_segments, now, identity, former.saved).changed)
    for number, file in enumerate(before.files):
        last = _last_read(session, file, number)
        for segment in file.segments:
            if last is not None:
                changed[segment] = differing_fields(now, segment, last, segment - file.first)
            elif segment not in reviewed or number not in session.written_files:
                changed[segment] = differing_fields(now, segment, before, segment)
    values: dict[int, dict[ReviewField, ReviewValue]] = {}
    locked = 0
    for segment, fields in sorted(changed.items()):
        is_locked = session.view.is_locked(segment)
        differing = [field for field in fields if not _has_file_value(session, now, segment, field)]
        allowed = [field for field in differing if field is ReviewField.NOTE or not is_locked]
        locked += len(allowed) < len(differing)
        if allowed:
            values[segment] = {field: loaded_value(field, now, segment, before, segment) for field in allowed}
    return ProjectReload(files, values, tuple(reviewed.intersection(values)), locked)


def _last_read(session: Session, file: JobFile, number: int) -> TranslationJob | None:
    """Return the job of a file as last reloaded; None if the file was never reloaded or has been written since."""
    place, base = session.written_files.get(number), session.reloaded_data.get(number)
    if base is None or place is None or sha256_hex(base) != place.sha256:
        return None
    return corpus_from_documents([parse_document(base, file.name, job_column_choice(file))], file.name).job


def _has_file_value(session: Session, now: TranslationJob, segment: int, field: ReviewField) -> bool:
    """Return whether the session and the file agree on a field of a segment; for a status, also on the target."""
    if field is ReviewField.TARGET:
        return bool(session.view.target(segment) == now.targets[segment])
    if field is ReviewField.NOTE:
        return session.view.note(segment) == now.reviewer_notes.get(segment, "")
    # a changed target resets the status
    return (
        session.view.target(segment) == now.targets[segment] and session.view.status(segment) == now.statuses[segment]
    )
