"""Reloading of changed bilingual files into a project: changes by others become one undo step of the review."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.corpus import Fault, JobFile, QeError, SourceLocation, TranslationJob
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.escaping import escape_label
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents, job_column_choice
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.io.files import display_name, never_cancelled, read_bytes
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import ReviewField, ReviewValue
from qe_desktop.project.journal.carried_review import carry_review, differing_fields, loaded_value
from qe_desktop.project.journal.former_review import FormerReview
from qe_desktop.project.journal.segment_matching import SegmentIdentity, match_segments, segment_identities
from qe_desktop.project.reviewed_files import WrittenFile, record_reloaded, sha256_hex
from qe_desktop.project.session import Session


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
    """Return whether a field of a segment has the same value in the session as in the file."""
    if field is ReviewField.TARGET:
        return bool(session.view.target(segment) == now.targets[segment])
    if field is ReviewField.NOTE:
        return session.view.note(segment) == now.reviewer_notes.get(segment, "")
    # a changed target resets the status
    return (
        session.view.target(segment) == now.targets[segment] and session.view.status(segment) == now.statuses[segment]
    )
