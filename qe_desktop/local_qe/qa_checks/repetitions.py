"""Segments that share a source, and their usual and differing translations.

Segments that differ in plural form, context or target language are not compared, even if they have the same source.

`RepetitionIndex` stores one value per segment in arrays, so that an edit affects only the segments of one source.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from copy import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, TextColumn, TextRole
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.text import Span
from qe_desktop.corpus.translation_job import NO_RULES, TargetRules
from qe_desktop.escaping import elide
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, OtherSegments, QaIssue, SegmentPair, SegmentPairs

MAX_QUOTED_CHARS = 80
"""Maximum number of characters quoted from another translation."""
Variant = tuple[int, str, str]
"""Plural form, context and target language of a segment."""
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"\w+|[^\w\s]|\s+")


def find_inconsistent(pairs: SegmentPairs, reviewed_segments: Set[int] = frozenset()) -> Iterator[tuple[int, QaIssue]]:
    """Yield each segment whose translation differs from the usual translation of its source, with an issue.

    The usual translation is the most frequent one. If a source has translated segments in `reviewed_segments`, only
    these segments are counted.
    """
    by_source: defaultdict[tuple[str, Variant], list[SegmentPair]] = defaultdict(list)
    for pair in pairs:
        if has_letters(pair.source):
            # codes are part of the text: other codes may need other words
            by_source[" ".join((pair.source_line or pair.source).split()), _variant(pair.rules)].append(pair)
    for members in by_source.values():
        if len(members) < 2:
            continue
        counts_by_text = Counter(" ".join(pair.mt.split()) for pair in members)
        if len(counts_by_text) < 2:
            continue
        preferred = [pair for pair in members if pair.segment in reviewed_segments and pair.mt.strip()] or members
        counts = counts_by_text if preferred is members else Counter(" ".join(pair.mt.split()) for pair in preferred)
        # in a tie, the first one
        usual = max(counts, key=counts.__getitem__)
        first = next(pair for pair in members if " ".join(pair.mt.split()) == usual)
        for pair in members:
            if " ".join(pair.mt.split()) != usual:
                yield pair.segment, _message(pair, first.segment, first.mt)


def _variant(rules: TargetRules) -> Variant:
    return (*rules.variant, rules.language)


def _find_in_segment(pair: SegmentPair, other_segments: OtherSegments) -> Iterator[QaIssue]:
    usual = other_segments.usual_translation(pair.segment, pair.mt) if has_letters(pair.source) else None
    if usual is not None:
        yield _message(pair, *usual)


def _message(pair: SegmentPair, segment: int, text: str) -> QaIssue:
    quoted = elide(" ".join(text.split()), MAX_QUOTED_CHARS)
    file = next((file for file in pair.files if segment in file.segments), None)
    if file is None:
        reason = tr(
            "segment {number:,} has a different translation of this source: “{text}”", number=segment + 1, text=quoted
        )
    else:
        reason = tr(
            "segment {number:,} ({file}:{place}) has a different translation of this source: “{text}”",
            number=segment + 1, file=file.name, place=segment - file.first + 1, text=quoted,
        )  # fmt: skip
    return QaIssue(differing_span(pair.mt, text), reason)


def has_letters(text: str) -> bool:
    """Whether a text contains letters; without any, there is nothing to translate."""
    return _LETTER.search(text) is not None


def differing_span(text: str, other_text: str) -> Span:
    """Span of `text` without the words at its beginning and end that it shares with `other_text`."""
    words, other_words = _WORD.findall(text), _WORD.findall(other_text)
    head = 0
    while head < min(len(words), len(other_words)) and words[head] == other_words[head]:
        head += 1
    tail = 0
    while tail < min(len(words), len(other_words)) - head and words[-1 - tail] == other_words[-1 - tail]:
        tail += 1
    start = sum(map(len, words[:head]))
    return start, max(start, len(text) - sum(map(len, words[len(words) - tail :])))


CHECK = Check(
    "consistency",
    tr("Inconsistent translations"),
    tr(
        "Translations that differ from the most frequent translation of the same source. If some translations of a "
        "source have been edited or confirmed, only these are counted."
    ),
    find_inconsistent,
    _find_in_segment,
)


NO_SEGMENT = -1
"""Group number of a segment whose source is unique, and hash of an empty text."""
INDEX_CHECK_INTERVAL = 4096
"""Number of segments between two cancellation checks."""


class CurrentTarget(NamedTuple):
    """Target of a segment as text without codes, and whether the user edited or confirmed it (`is_reviewed`)."""

    segment: int
    text: str
    is_reviewed: bool


def normalized_sources(corpus: Corpus) -> TextColumn | None:
    """Sources to compare; None without sources.

    Sources from bilingual files include inline codes; other sources are raw if available.
    """
    if corpus.job is not None:
        return corpus.job.sources
    return corpus.texts.get(TextRole.RAW_SOURCE, corpus.texts.get(TextRole.SOURCE))


def repetitions_of(corpus: Corpus, segment: int) -> Ints:
    """Segments with exactly the source of `segment`, including `segment`; empty without sources. Takes linear time."""
    column = normalized_sources(corpus)
    if column is None:
        return np.zeros(0, np.int64)
    return column.equal_lines(column.raw(segment), np.arange(len(column)))


def same_variant(corpus: Corpus, segment: int, segments: Ints) -> Ints:
    """Members of `segments` with the same plural form, context and target language as `segment`."""
    rules = {} if corpus.job is None else corpus.job.rules
    if not rules:
        return segments
    variant = _variant(rules.get(segment, NO_RULES))
    is_same = [_variant(rules.get(number, NO_RULES)) == variant for number in segments.tolist()]
    matching: Ints = segments[np.array(is_same, bool)]
    return matching


class RepetitionIndex:
    """Index of all segments by source (ignoring differences in spaces) and variant, with their current targets.

    Targets that the user edited or confirmed take precedence over other targets: after one of several equal targets is
    corrected, the others differ from the usual translation. Empty targets and sources without letters are skipped.
    Sources and targets are compared by hash.
    """

    def __init__(self, corpus: Corpus, check_cancelled: Callable[[], object] = lambda: None) -> None:
        self._column = column = normalized_sources(corpus)
        rules = {} if corpus.job is None else corpus.job.rules
        keys = (
            np.fromiter(_source_hashes(column, rules, check_cancelled), np.int64)
            if column is not None
            else np.zeros(0, np.int64)
        )
        _, group_of_segment, counts = np.unique(keys, return_inverse=True, return_counts=True)
        self._group_of_segment = (
            np.where(counts[group_of_segment] > 1, group_of_segment, NO_SEGMENT) if len(keys) else keys
        )
        self._segments_by_group = np.argsort(self._group_of_segment, kind="stable")
        self._sorted_groups = self._group_of_segment[self._segments_by_group]
        self._text_hashes = np.full(len(keys), NO_SEGMENT, np.int64)
        for index, segment in enumerate(np.flatnonzero(self._group_of_segment != NO_SEGMENT).tolist()):
            if not index % INDEX_CHECK_INTERVAL:
                check_cancelled()
            self._text_hashes[segment] = _text_hash(strip_codes(corpus.mt_line(segment)))
        self._is_reviewed = np.zeros(len(keys), bool)
        self.is_inconsistent: NDArray[np.bool_] = np.zeros(len(keys), bool)
        """Mask of the segments whose target differs from the usual translation of the source.

        Only sources with a reviewed target are considered. The shape is (segments,), or (0,) without sources.
        """

    def copy(self) -> RepetitionIndex:
        """Return an independent copy."""
        duplicate = copy(self)
        duplicate._text_hashes, duplicate._is_reviewed, duplicate.is_inconsistent = (
            self._text_hashes.copy(),
            self._is_reviewed.copy(),
            self.is_inconsistent.copy(),
        )
        return duplicate

    def members(self, segment: int) -> Ints:
        """Segments with the source and variant of `segment`, including `segment`, in ascending order.

        Empty if no other segment has the same source and variant, or if the source has no letters.
        """
        number = self._group_of_segment[segment] if len(self._group_of_segment) else NO_SEGMENT
        if number == NO_SEGMENT or self._column is None or not has_letters(self._column[segment]):
            return np.zeros(0, np.int64)
        start, stop = np.searchsorted(self._sorted_groups, [number, number + 1])
        return self._segments_by_group[start:stop]

    def update_targets(self, targets: Iterable[CurrentTarget]) -> None:
        """Store changed targets and update `is_inconsistent`."""
        segment_by_group: dict[int, int] = {}
        for segment, text, is_reviewed in targets:
            number = int(self._group_of_segment[segment]) if len(self._group_of_segment) else NO_SEGMENT
            if number != NO_SEGMENT:
                self._text_hashes[segment], self._is_reviewed[segment] = _text_hash(text), is_reviewed
                segment_by_group[number] = segment
        for segment in segment_by_group.values():
            members = self.members(segment)
            texts, is_settled = self._text_hashes[members], self._is_reviewed[members]
            self.is_inconsistent[members] = (
                (texts != NO_SEGMENT) & (texts != _most_frequent_text(texts, is_settled)) & is_settled.any()
            )

    def find_usual_translation(self, current: CurrentTarget) -> int | None:
        """First segment with the usual translation of the source of `current.segment`.

        `current` is used instead of the target in the index. None if `current` is the usual translation, if `members`
        returns no segments, or if all targets are empty.
        """
        members = self.members(current.segment)
        if not len(members):
            return None
        index = np.searchsorted(members, current.segment)
        texts, is_reviewed = self._text_hashes[members], self._is_reviewed[members]
        texts[index], is_reviewed[index] = _text_hash(current.text), current.is_reviewed
        usual = _most_frequent_text(texts, is_reviewed)
        return None if usual in (NO_SEGMENT, texts[index]) else int(members[np.argmax(texts == usual)])


def _most_frequent_text(texts: Ints, is_reviewed: NDArray[np.bool_]) -> int:
    """Hash of the most frequent of the reviewed texts or, if no text is reviewed, of all texts.

    `texts` are hashes; empty texts (NO_SEGMENT) are not counted. In a tie, the first text is used. NO_SEGMENT if all
    texts are empty.
    """
    has_text = texts != NO_SEGMENT
    is_settled = has_text & is_reviewed
    counted = texts[is_settled if is_settled.any() else has_text]
    if not len(counted):
        return NO_SEGMENT
    distinct, firsts, counts = np.unique(counted, return_index=True, return_counts=True)
    is_most_frequent = counts == counts.max()
    return int(distinct[is_most_frequent][np.argmin(firsts[is_most_frequent])])


def _source_hashes(
    column: TextColumn, rules: Mapping[int, TargetRules], check_cancelled: Callable[[], object]
) -> Iterator[int]:
    for segment in range(len(column)):
        if not segment % INDEX_CHECK_INTERVAL:
            check_cancelled()
        source = b" ".join(column.raw(segment).split())
        yield hash((source, _variant(rules.get(segment, NO_RULES))))


def _text_hash(text: str) -> int:
    """Hash of a text, ignoring differences in spaces; NO_SEGMENT (-1, never a hash in Python) if the text is empty."""
    words = text.split()
    return hash(" ".join(words)) if words else NO_SEGMENT
