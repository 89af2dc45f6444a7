"""Session of the current files, with the review, layers and tag edits of former sessions of these files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.corpus import Corpus, TranslationJob
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.io.files import never_cancelled
from qe_desktop.project.events import ReviewField
from qe_desktop.project.journal.carried_review import (
    SegmentEdit,
    carry_layers,
    carry_review,
    carry_tag_edits,
    differing_fields,
    edits_of,
    fields_not_in_files,
    merge_rows,
)
from qe_desktop.project.journal.file_journal import JournalReport
from qe_desktop.project.journal.former_review import FormerReview, opened_files
from qe_desktop.project.reviewed_files import WrittenFile, sha256_hex
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
