"""Segments and statistics of a reviewed job."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import EOS, Corpus, Kind, Offsets, QeError, ReviewStatus, TextRole, TranslationJob, View
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.corpus.tag_voting import FULL_MARK, flagging_layers, marking_columns
from qe_desktop.corpus.text_spans import token_offsets
from qe_desktop.corpus.translation_job import NO_RULES
from qe_desktop.escaping import encode_utf8
from qe_desktop.formats.bilingual.document_corpus import job_column_choice
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.bilingual.registry import parse_document
from qe_desktop.formats.bilingual.word_tokenization import target_tokenizer
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.tags.post_edit_tags import count_edits
from qe_desktop.project.review.target_changes import Changes, compare_targets
from qe_desktop.project.segment_filter import flagged_segments, segments_with_notes
from qe_desktop.report.render.tables import ReportColumn, Table, script_table
from qe_desktop.studies.post_editing.reviewed_segments import count_words, hter_of_counts, line_text, select_reviewed

SEGMENTS_PER_BLOCK = 512
"""Number of segments in a block, whose MTs and targets are compared together."""


class FlaggedSpan(NamedTuple):
    """Flagged word at offsets [start, stop) in an MT without codes.

    `strong` is true if all systems or a QA check of this program flag the word.
    """

    start: int
    stop: int
    strong: bool


class ReviewSegment(NamedTuple):
    """Segment of a review.

    `number` is 1-based. `name` is the id of the segment in its file, and `document` is the name of its document or
    file; they can be empty (see `segment_names` and `document_names`). `source`, `mt` and `target` are lines with
    codes. `changes` are the changes from the MT to the target; None if MT and target are equal. `file_notes` are the
    notes on the segment in its file. `note` is the note that was written in the review, and `person` the post-editor.
    """

    number: int
    name: str
    document: str
    source: str
    mt: str
    target: str
    flagged: tuple[FlaggedSpan, ...]
    changes: Changes | None
    status: ReviewStatus
    file_notes: tuple[str, ...]
    note: str
    person: str


def review_segments(view: View, on_progress: OnProgress | None = None) -> Iterator[ReviewSegment]:
    """Yield all segments of a view, in order.

    `on_progress` is a progress callback, which may raise an exception to stop.
    """
    corpus = view.corpus
    names = segment_names(corpus.job)
    documents = document_names(corpus)
    flags = _FlaggedWords(view)
    tokenize = target_tokenizer(corpus)
    statuses = view.statuses().tolist()
    for first in range(0, corpus.size, SEGMENTS_PER_BLOCK):
        numbers = range(first, min(first + SEGMENTS_PER_BLOCK, corpus.size))
        lines = [(corpus.mt_line(number), view.target(number)) for number in numbers]
        edited = [index for index, (mt, target) in enumerate(lines) if mt != target]
        texts = [(strip_codes(lines[index][0]), strip_codes(lines[index][1])) for index in edited]
        changes = dict(zip(edited, compare_targets(texts, tokenize) if texts else (), strict=True))
        for index, number in enumerate(numbers):
            yield ReviewSegment(
                number + 1,
                names[number] if names else "",
                documents[number] if documents else "",
                corpus.source_line(number),
                *lines[index],
                flags.flagged_spans(number, lines[index][0]),
                changes.get(index),
                ReviewStatus(statuses[number]),
                () if corpus.job is None else corpus.job.notes.get(number, ()),
                view.note(number),
                view.review.people.get(number, ""),
            )
        if on_progress is not None:
            on_progress(numbers.stop / corpus.size)


def segment_names(job: TranslationJob | None) -> list[str]:
    """Return the id of each segment in its file.

    The list is empty if no segment has an id, or if a file cannot be parsed again into the same number of segments.
    """
    names: list[str] = []
    for file in () if job is None else job.files:
        try:
            document = parse_document(file.data, file.name, job_column_choice(file))
        except QeError:
            return []
        if len(document.segments) != file.count:
            return []
        names += [segment.name for segment in document.segments]
    return names if any(names) else []


def document_names(corpus: Corpus) -> Sequence[str]:
    """Return the name of each segment's document or, if there are no documents, of its file.

    The sequence is empty if there are no documents and there is at most one file.
    """
    if corpus.documents is not None:
        return [corpus.documents.names[index] for index in corpus.documents.of_segment.tolist()]
    if corpus.job is not None and len(corpus.job.files) > 1:
        return [file.name for file in corpus.job.files for _ in file.segments]
    return ()


class _FlaggedWords:
    """Flagged words of all segments by the default voting rule. The systems' votes are counted once, in `__init__`."""

    def __init__(self, view: View) -> None:
        self._corpus = view.corpus
        columns = marking_columns(view, flagging_layers(view, Kind.WORDS))
        self._offsets: Offsets | None = columns.all[0].offsets if columns.all else None
        self._marks = columns.marks() if columns.all else np.zeros(0, np.uint8)

    def flagged_spans(self, segment: int, line: str) -> tuple[FlaggedSpan, ...]:
        """Return the flagged words of a segment, none if word positions are unknown; `line` is the MT with codes."""
        if self._offsets is None:
            return ()
        marks = self._marks[self._offsets[segment] : self._offsets[segment + 1]]
        if not marks.any():
            return ()
        tokens = self._corpus.tokens(TextRole.MT, segment)
        spans = token_offsets(tokens[:-1] if self._corpus.eos and tokens[-1:] == [EOS] else tokens, strip_codes(line))
        return tuple(
            FlaggedSpan(start, stop, mark == FULL_MARK)
            for (start, stop), mark in zip(spans or (), marks.tolist(), strict=False)
            if mark and start < stop
        )


PLURAL_FORM = 2
"""1-based number of the first plural form that has the plural source of a PO entry; later forms share that source."""


@dataclass(frozen=True, slots=True)
class JobStatistics:
    """Statistics of a job, or of one of its documents or files.

    `document` is the name of the document or file; it is empty for the whole job. `source_words` is the number of
    source words (see `count_words`); the plural source of a PO entry counts once, however many forms the target has. A
    repetition is a segment whose source is not empty and equals, including codes, the source of an earlier segment with
    the same plural form and target language. `repeated_words` is the number of source words in repetitions. `statuses`
    has the number of segments with each status. `edited` is the number of segments whose target differs from the MT.
    `flagged` is the number of segments flagged by QE systems or, without QE systems, by the gold. `notes` is the number
    of segments with notes. HTER is computed from the `reviewed` segments, as in the post-editing study; it is NaN if no
    segment was reviewed. `hter` is the mean of the segments' values, each capped at 1. `pooled_hter` is the number of
    all edits divided by the number of all words in the post-edits.
    """

    document: str
    segments: int
    source_words: int
    repetitions: int
    repeated_words: int
    statuses: Mapping[ReviewStatus, int]
    edited: int
    flagged: int
    notes: int
    reviewed: int
    hter: float
    pooled_hter: float


Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _SegmentValues:
    """Values by segment: arrays of shape (segments,). `hter`, `edits` and `length` are 0 where `reviewed` is false."""

    words: Ints
    repeated: Mask
    statuses: NDArray[np.uint8]
    edited: Mask
    flagged: Mask
    noted: Mask
    reviewed: Mask
    hter: Floats
    edits: Floats
    length: Ints

    def sum(self, document: str, mask: Mask) -> JobStatistics:
        """Return the statistics of the segments selected by `mask`, under the name `document`."""
        reviewed = self.reviewed & mask
        count, length = int(reviewed.sum()), int(self.length[mask].sum())
        return JobStatistics(
            document,
            int(mask.sum()),
            int(self.words[mask].sum()),
            int(self.repeated[mask].sum()),
            int(self.words[self.repeated & mask].sum()),
            {status: int((self.statuses[mask] == status).sum()) for status in ReviewStatus},
            int(self.edited[mask].sum()),
            int(self.flagged[mask].sum()),
            int(self.noted[mask].sum()),
            count,
            float(self.hter[reviewed].sum()) / count if count else math.nan,
            float(self.edits[reviewed].sum()) / length if length else math.nan,
        )


def job_statistics(view: View, on_progress: OnProgress | None = None) -> tuple[JobStatistics, ...]:
    """Return the statistics of the whole job, followed by those of each document or file if there are several.

    `on_progress` is a progress callback, which may raise an exception to stop.
    """
    values = _values(view, on_progress)
    documents = np.asarray(document_names(view.corpus), object)
    names = list(dict.fromkeys(documents.tolist()))
    parts = [values.sum(name, documents == name) for name in names] if len(names) > 1 else []
    return (values.sum("", np.ones(view.corpus.size, bool)), *parts)


def _values(view: View, on_progress: OnProgress | None) -> _SegmentValues:
    size = view.corpus.size
    words, repeated, first_segments = np.zeros(size, np.int64), np.zeros(size, bool), dict[tuple[str, int, str], int]()
    rules = {} if view.corpus.job is None else view.corpus.job.rules
    for segment in range(size):
        line, entry = view.corpus.source_line(segment), rules.get(segment, NO_RULES)
        form = entry.plural_form
        first_segment = first_segments.setdefault((line, form, entry.language), segment)
        if first_segment != segment:
            words[segment], repeated[segment] = words[first_segment], bool(line)
        elif form <= PLURAL_FORM:
            words[segment] = count_words(line_text(line))
    edited = np.zeros(size, bool)
    edited[list(view.post_edited_segments())] = True
    reviewed, hter, edits, length = np.zeros(size, bool), np.zeros(size), np.zeros(size), np.zeros(size, np.int64)
    try:
        selected = select_reviewed(view)
    except QeError:
        # nothing was reviewed, or there is no MT
        pass
    else:
        counts, segments = count_edits(selected.mt, selected.post_edit, on_progress), selected.segments
        reviewed[segments] = True
        hter[segments], edits[segments] = hter_of_counts(counts, selected.post_edit), counts.sum(axis=1)
        length[segments] = selected.post_edit.token_counts()
    return _SegmentValues(
        words, repeated, view.statuses(), edited, flagged_segments(view), segments_with_notes(view), reviewed, hter,
        edits, length,
    )  # fmt: skip


def statistics_table(statistics: Sequence[JobStatistics]) -> Table:
    """Return a table for scripts with a row for each item of `statistics`.

    In the row of the whole job, the cell in the document column is empty. Column names are the same in every language.
    """
    columns = [
        ReportColumn("document"),
        ReportColumn("segments"),
        ReportColumn("source_words"),
        ReportColumn("repetitions"),
        ReportColumn("repeated_words"),
        *(
            ReportColumn(partial(_status_count, status), name=f"status {status.name.lower()}")
            for status in ReviewStatus
        ),
        ReportColumn("edited", name="differs from MT"),
        ReportColumn("flagged", name="flagged segments"),
        ReportColumn("notes", name="segments with notes"),
        ReportColumn("reviewed"),
        ReportColumn("hter", name="mean HTER"),
        ReportColumn("pooled_hter", name="pooled HTER"),
    ]
    return script_table(tr("Job statistics"), columns, statistics)


def _status_count(status: ReviewStatus, statistics: JobStatistics) -> int:
    return statistics.statuses[status]


def write_statistics(view: View, file: BinaryIO, on_progress: OnProgress | None = None) -> int:
    """Write the job statistics of a view as TSV, and return the number of segments."""
    file.write(encode_utf8(statistics_table(job_statistics(view, on_progress)).tsv()))
    return view.corpus.size
