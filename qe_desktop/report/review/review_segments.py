"""Segments of a review with their texts, flagged words and changes, built in blocks to save memory in large jobs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from qe_desktop.corpus import EOS, Corpus, Kind, Offsets, QeError, ReviewStatus, TextRole, TranslationJob, View
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.detokenized_text import token_offsets
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.corpus.tag_voting import FULL_MARK, flagging_layers, marks_of_votes
from qe_desktop.formats.bilingual.document_corpus import job_column_choice
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.bilingual.registry import parse_document
from qe_desktop.formats.bilingual.word_tokenization import target_tokenizer
from qe_desktop.project.review.target_changes import Changes, compare_targets

SEGMENTS_PER_BLOCK = 512
"""Number of segments in a block, whose MTs and targets are compared together."""


class FlaggedSpan(NamedTuple):
    """Flagged word at offsets [start, stop) in an MT without codes; `strong` is true if all systems flag the word."""

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
        columns = [view.tags(key) for key in flagging_layers(view, Kind.WORDS)]
        self._offsets: Offsets | None = columns[0].offsets if columns else None
        self._marks = np.zeros(0, np.uint8)
        if columns:
            votes: Ints = np.sum([column.values for column in columns], axis=0, dtype=np.int64)
            self._marks = marks_of_votes(votes, len(columns))

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
