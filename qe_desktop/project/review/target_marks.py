"""Positions of a layer's BAD words in the current targets, for file formats that can mark words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from qe_desktop.corpus import EOS, LayerKey, ReviewStatus, TextRole, View, segment_sums
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.corpus.text import Span, Spans
from qe_desktop.corpus.text_spans import token_offsets
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.bilingual.word_tokenization import target_tokenizer
from qe_desktop.formats.files import never_cancelled
from qe_desktop.metrics.tags.post_edit_tags import compute_target_edits

SEGMENTS_PER_CHECK = 256
"""Number of segments between two checks for cancellation."""


@dataclass(slots=True, eq=False)
class TargetMarks:
    """Marks of the BAD words of a layer.

    `spans` are the character ranges of BAD words in the target texts without codes, by segment. `unmarked_count` is the
    number of BAD words without a mark. A BAD word has no mark if it was edited, or if its segment is locked, is too
    long to compare, or has tokens that do not match the text.
    """

    layer: LayerKey
    spans: dict[int, Spans] = field(default_factory=dict)
    unmarked_count: int = 0

    @property
    def system(self) -> str:
        """Name of the system or person as written to files; the provenance if the layer has no name."""
        return self.layer.name or self.layer.provenance.value


def target_marks(view: View, layer: LayerKey, check_cancelled: CheckCancelled = never_cancelled) -> TargetMarks:
    """Return the marks of a layer's BAD words; edited words and words in locked segments are not marked."""
    marks = TargetMarks(layer)
    tags = view.tags(layer)
    tokenize = target_tokenizer(view.corpus)
    for index, segment in enumerate(np.flatnonzero(segment_sums(tags.values, tags.offsets)).tolist()):
        if index % SEGMENTS_PER_CHECK == 0:
            check_cancelled()
        bad = tags[segment].tolist()
        tokens = view.corpus.tokens(TextRole.MT, segment)
        if tokens[-1:] == [EOS]:
            # <EOS> stands for omissions and is not a word
            tokens, bad = tokens[:-1], bad[:-1]
        loaded, target = strip_codes(view.corpus.mt_line(segment)), strip_codes(view.target(segment))
        token_spans = token_offsets(tokens, loaded) if view.status(segment) is not ReviewStatus.LOCKED else None
        marked = [] if token_spans is None else [span for span, tag in zip(token_spans, bad, strict=False) if tag]
        if marked and loaded != target:
            marked = _surviving_spans(marked, loaded, tokenize(loaded), target, tokenize(target))
        if marked:
            marks.spans[segment] = marked
        marks.unmarked_count += max(0, sum(bad) - len(marked))
    return marks


def _surviving_spans(marked: Spans, loaded: str, words: Spans, target: str, target_words: Spans) -> Spans:
    """Map the ranges `marked` of the MT to the target; only the parts in unchanged words are included."""
    edits = compute_target_edits(_split_words(loaded, words), _split_words(target, target_words))
    unchanged = (
        []
        if edits is None
        else [(words[index], target_words[target_index]) for index, target_index in edits.unchanged_words()]
    )
    ends = [last for (_, last), _ in unchanged]
    spans: list[Span] = []
    for start, stop in marked:
        for (first, last), (target_start, _) in unchanged[bisect_right(ends, start) :]:
            if first >= stop:
                break
            spans.append((target_start + max(start, first) - first, target_start + min(stop, last) - first))
    return spans


def _split_words(text: str, words: Sequence[Span]) -> list[str]:
    return [text[start:stop] for start, stop in words]
