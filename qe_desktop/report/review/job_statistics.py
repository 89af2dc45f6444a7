"""Statistics of a job and of its documents or files: segments, words, repetitions, statuses, edits and HTER."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError, ReviewStatus, View
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.corpus.target_rules import NO_RULES
from qe_desktop.escaping import encode_utf8
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.tags.post_edit_tags import count_edits
from qe_desktop.project.segment_filter import flagged_segments, segments_with_notes
from qe_desktop.report.render.columns import ReportColumn, script_table
from qe_desktop.report.render.tables import Table
from qe_desktop.report.review.review_segments import document_names
from qe_desktop.studies.post_editing.reviewed_segments import (
    count_words,
    hter_of_counts,
    line_text,
    select_reviewed,
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
