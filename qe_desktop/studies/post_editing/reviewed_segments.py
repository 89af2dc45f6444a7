"""Reviewed segments: the original MT, the post-edit, its post-editor, and the QE of the MT."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import (
    Kind,
    Provenance,
    QeError,
    RaggedColumn,
    TagColumn,
    TextColumn,
    TextRole,
    View,
    offsets_from_lengths,
)
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.corpus.text import Spans
from qe_desktop.corpus.text_spans import TokenSpans, token_offsets
from qe_desktop.corpus.translation_job import ReviewStatus
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, strip_codes
from qe_desktop.formats.bilingual.word_tokenization import project_tags, target_tokenizer
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.tags.post_edit_tags import compare_post_edits, count_edits, untokenized_note
from qe_desktop.studies.post_editing.skipping import Better, Uncertainty, system_uncertainties

MAX_CACHED_VALUES = 100_000
"""Default maximum number of values in a `RecentCache`; a value belongs to a segment."""
SEGMENTS_PER_BLOCK = 1024
"""Number of segments processed at once; completed blocks remain cached if the work is stopped."""
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class RecentCache(Generic[Key, Value]):
    """Thread-safe cache of the values of the most recently requested keys."""

    def __init__(self, max_values: int = MAX_CACHED_VALUES) -> None:
        self._max_values = max_values
        self._values: dict[Key, Value] = {}

    def get_values(
        self,
        keys: Sequence[Key],
        compute: Callable[[list[Key]], Sequence[Value]],
        on_progress: OnProgress | None = None,
    ) -> list[Value]:
        """Return the value of each key; `compute` computes the values that are not in the cache.

        Values of keys that are not in `keys` are removed from the cache. `on_progress` receives the completed fraction,
        and may raise to stop.
        """
        before = self._values
        results = {key: before[key] for key in keys if key in before}
        missing = [key for key in dict.fromkeys(keys) if key not in results]
        try:
            for first in range(0, len(missing), SEGMENTS_PER_BLOCK):
                block = missing[first : first + SEGMENTS_PER_BLOCK]
                results.update(zip(block, compute(block), strict=True))
                if on_progress is not None:
                    on_progress(min(1.0, (first + SEGMENTS_PER_BLOCK) / len(missing)))
        finally:
            self._values = (
                results if len(results) <= self._max_values else dict(islice(results.items(), self._max_values))
            )
        return [results[key] for key in keys]


TokenizeText = Callable[[str], Spans]
REVIEWED_STATUSES = (ReviewStatus.EDITED, ReviewStatus.CONFIRMED)
"""Statuses of reviewed segments. Rejected segments do not count, as they have no post-edit; nor do locked segments."""


@dataclass(frozen=True, slots=True, eq=False)
class ReviewedSegments:
    """The k reviewed segments of a corpus of `size` segments.

    `segments`, shape (k,), are the ascending indices of the reviewed segments. `mt` and `post_edit` are the words of
    the MT and the post-edits, tokenized alike unless `from_files`. `sources`, `mts` and `post_edits` are the texts as
    displayed, without inline codes. `post_editors` are the last post-editors, empty strings if unknown. `highlights`
    and `uncertainties` are the QE tags of the MT words and the uncertainty of each segment, by system name.
    If `from_files`, the post-edits are from a file instead of a review, and all segments have the status confirmed.
    `source_words`, shape (k,), are numbers of source words as `count_words` counts them; numbers of MT words if no
    segment has a source. `excluded_count` is the number of segments marked as reviewed in a bilingual file that lacks
    their MT.
    """

    name: str
    size: int
    segments: Ints
    mt: TextColumn
    post_edit: TextColumn
    sources: tuple[str, ...]
    mts: tuple[str, ...]
    post_edits: tuple[str, ...]
    post_editors: tuple[str, ...]
    statuses: tuple[ReviewStatus, ...]
    documents: tuple[str, ...]
    highlights: Mapping[str, TagColumn]
    uncertainties: Mapping[str, Uncertainty]
    source_words: Ints
    language_pair: str = ""
    from_files: bool = False
    languages: tuple[str, str] = ("", "")
    excluded_count: int = 0

    def __len__(self) -> int:
        return len(self.segments)

    def untokenized_note(self) -> str:
        """Return a warning if the MT or the post-edits lack spaces between words; otherwise, an empty string."""
        return untokenized_note(self.mt, self.post_edit)

    @property
    def changed_mask(self) -> NDArray[np.bool_]:
        """Whether each post-edit differs from the MT, shape (k,), including differences that TER ignores, such as case.

        Texts from files are compared word by word, as they may be tokenized.
        """
        if self.from_files:
            return np.asarray(
                [self.mt.tokens(index) != self.post_edit.tokens(index) for index in range(len(self))], bool
            )
        return np.asarray([mt != after for mt, after in zip(self.mts, self.post_edits, strict=True)], bool)


class TextCache:
    """Caches of segments: displayed texts with their word counts (`displayed`), and tokenized texts (`tokenized`)."""

    def __init__(self) -> None:
        self.displayed = RecentCache[tuple[str, str], _ReadTexts]()
        self.tokenized = RecentCache[tuple[str, str, str, TokenizeText], _TokenizedSegment]()


def reviewed_rows(view: View) -> tuple[Ints, bool]:
    """Return the indices of the reviewed segments of a view, and whether the post-edits are from a file.

    If the post-edits are from a file, all segments count as reviewed. Raises QeError if there is no MT, or if there are
    neither reviewed segments nor a file of post-edits.
    """
    corpus = view.corpus
    if corpus.text(TextRole.MT) is None:
        message = tr("there is no MT to compare post-edits with")
        raise QeError(message, hint=tr("Open the MT with its post-edit, or a bilingual file."))
    # a target that was confirmed before the file was opened may not be MT, so the file must also have the MT
    is_loaded = np.full(corpus.size, corpus.job is not None and corpus.job.loaded is not None)
    is_loaded[[*view.review.targets, *view.review.statuses]] = True
    segments = np.flatnonzero(np.isin(view.statuses(), REVIEWED_STATUSES) & is_loaded)
    from_files = not len(segments) and corpus.text(TextRole.POST_EDIT) is not None and not corpus.eos
    if from_files:
        segments = np.arange(corpus.size)
    if not len(segments):
        hint = tr("Edit or confirm a segment first, or add a file of post-edits (.pe) to the MT.")
        raise QeError(tr("No segment has been reviewed"), hint=hint)
    return segments, from_files


def select_reviewed(view: View, better: Better = None, cache: TextCache | None = None) -> ReviewedSegments:
    """Return the reviewed segments of a view, or all segments if none was reviewed but a file has post-edits.

    Segments edited or confirmed in this program count as reviewed. Segments that a bilingual file marks as edited or
    confirmed also count as reviewed if the file contains the MT. `better` is the direction of the systems' segment
    scores (see `Better`). Texts in `cache` are not processed again. Raises QeError if there is no MT, or if there are
    neither reviewed segments nor a file of post-edits.
    """
    corpus = view.corpus
    mt, post_edits = corpus.text(TextRole.MT), corpus.text(TextRole.POST_EDIT)
    segments, from_files = reviewed_rows(view)
    assert mt is not None
    numbers, cache = segments.tolist(), cache or TextCache()
    highlights = {name: select_tags(tags, segments) for name, tags in system_highlights(view).items()}
    if from_files and post_edits is not None:
        after, tokens = [post_edits[number] for number in numbers], post_edits
        words = mt if len(numbers) == corpus.size else TextColumn.of([mt[number] for number in numbers])
    else:
        tokenizer = target_tokenizer(corpus)
        targets = [(corpus.mt_line(item), mt[item], view.target(item), tokenizer) for item in numbers]
        result = cache.tokenized.get_values(targets, lambda some: [_tokenize_segment(*item) for item in some])
        after = [item.post_edit for item in result]
        tokens, words = TextColumn.of([item.tokens for item in result]), TextColumn.of([item.words for item in result])
        highlights = {name: _convert_to_word_tags(column, result) for name, column in highlights.items()}
    read = cache.displayed.get_values([(corpus.source_line(item), corpus.mt_line(item)) for item in numbers], _read)
    with_sources = any(text.source for text in read)
    return ReviewedSegments(
        corpus.name,
        corpus.size,
        segments.astype(np.int64),
        words,
        tokens,
        tuple(text.source for text in read),
        tuple(text.mt for text in read),
        tuple(after),
        tuple(view.review.people.get(number, "") for number in numbers),
        tuple(
            ReviewStatus.CONFIRMED if from_files else ReviewStatus(item) for item in view.statuses()[segments].tolist()
        ),
        tuple("" if corpus.documents is None else corpus.documents.name(number) for number in numbers),
        highlights,
        {
            name: uncertainty.select_segments(segments)
            for name, uncertainty in system_uncertainties(view, better).items()
        },
        np.asarray([text.count if text.source or not with_sources else 0 for text in read], np.int64),
        corpus.language_pair,
        from_files,
        corpus.source_and_target(),
        0 if from_files else int(np.isin(view.statuses(), REVIEWED_STATUSES).sum()) - len(segments),
    )


_UNSPACED = re.compile(
    "[\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
"""Pattern that matches a Han or kana character."""


def count_words(text: str) -> int:
    """Return the number of words, as CAT tools count them for billing.

    A word is a sequence of characters without spaces that contains a letter or digit. Each Han or kana character is a
    separate word.
    """
    unspaced = sum(map(str.isalnum, _UNSPACED.findall(text)))
    return unspaced + sum(any(map(str.isalnum, word)) for word in _UNSPACED.sub(" ", text).split())


def line_text(line: str) -> str:
    """Return a line without inline codes and with its line breaks replaced by spaces."""
    return strip_codes(line).replace(LINE_BREAK, " ")


@dataclass(frozen=True, slots=True)
class _ReadTexts:
    """Displayed source and MT of a segment, and the number of source words, or of MT words if there is no source."""

    source: str
    mt: str
    count: int


def _read(lines: Sequence[tuple[str, str]]) -> list[_ReadTexts]:
    texts = [(line_text(source), line_text(mt)) for source, mt in lines]
    return [_ReadTexts(source, mt, count_words(source or mt)) for source, mt in texts]


@dataclass(frozen=True, slots=True)
class _TokenizedSegment:
    """Displayed post-edit of a segment (`post_edit`), words of the post-edit (`tokens`) and words of the MT (`words`).

    `tokens` and `words` are joined by spaces. `spans` contains the character ranges of the MT tokens and those of the
    MT words; it is None if the MT words are the MT tokens, so that tags of MT tokens need no conversion.
    """

    post_edit: str
    tokens: str
    words: str
    spans: tuple[TokenSpans, Spans] | None


def _tokenize_segment(mt: str, mt_tokens: str, target: str, cut: TokenizeText) -> _TokenizedSegment:
    """Tokenize the line of the MT (`mt`) and the line of the post-edit (`target`) with `cut`.

    If the existing tokens of the MT (`mt_tokens`) do not match its line, they are used unchanged as the MT words.
    """
    after, text, tokens = line_text(target), line_text(mt), TextColumn.of([f"{mt_tokens} "]).tokens(0)
    post_edit_words = " ".join(after[low:high] for low, high in cut(after))
    token_spans = token_offsets(tokens, text)
    if token_spans is None:
        return _TokenizedSegment(after, post_edit_words, " ".join(tokens), None)
    words = cut(text)
    is_same = list(token_spans) == words
    return _TokenizedSegment(
        after,
        post_edit_words,
        " ".join(text[low:high] for low, high in words),
        None if is_same else (token_spans, words),
    )


def _convert_to_word_tags(column: TagColumn, segments: Sequence[_TokenizedSegment]) -> TagColumn:
    """Convert tags of MT tokens to tags of MT words."""
    if all(item.spans is None for item in segments):
        return column
    return TagColumn.of(
        [
            column[index].tolist() if item.spans is None else project_tags(column[index].tolist(), *item.spans)
            for index, item in enumerate(segments)
        ]
    )


def system_highlights(view: View) -> dict[str, TagColumn]:
    """Return each system's current tags of the MT words, at the system's threshold, without the tag of `<EOS>`."""
    highlights: dict[str, TagColumn] = {}
    for key in view.tag_layers(Kind.WORDS):
        if key.provenance is Provenance.SYSTEM:
            tags = view.tags(key)
            highlights[key.name] = tags.without_last() if view.corpus.eos else tags
    return highlights


def select_tags(column: TagColumn, segments: Ints) -> TagColumn:
    """Return the tags of the segments whose indices are in `segments`."""
    lengths = column.lengths()[segments]
    offsets = offsets_from_lengths(lengths)
    positions = np.arange(offsets[-1]) + np.repeat(column.offsets[:-1][segments] - offsets[:-1], lengths)
    return TagColumn(column.values[positions], offsets)


@dataclass(frozen=True, slots=True, eq=False)
class ReviewedEdits:
    """Edits of the k reviewed segments.

    `counts`, shape (k, 4), are the numbers of edits that `count_edits` returns. `hter`, shape (k,), is at most 1.
    `words` and `gaps` are the WMT18 tags of the MT words and gaps. `characters`, shape (words,), is the number of
    characters of each MT word.
    """

    counts: Floats
    hter: Floats
    words: TagColumn
    gaps: TagColumn
    characters: Ints

    @property
    def edits(self) -> Floats:
        """Number of edits of each segment, shape (k,)."""
        return np.asarray(self.counts.sum(axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class SegmentEdits:
    """Edits of one segment, as in `ReviewedEdits`."""

    counts: Floats
    words: NDArray[np.uint8]
    gaps: NDArray[np.uint8]
    characters: Ints


Pair = tuple[str, str]
"""MT and post-edit of a segment; each is a string of words joined by spaces."""


def count_reviewed_edits(
    reviewed: ReviewedSegments,
    on_progress: OnProgress | None = None,
    cache: RecentCache[Pair, SegmentEdits] | None = None,
) -> ReviewedEdits:
    """Return the edits from the MT to the post-edit of each reviewed segment; edits in `cache` are not computed again.

    `on_progress` receives the completed fraction, and may raise to stop.
    """
    mt, post_edit = reviewed.mt, reviewed.post_edit
    pairs = [(mt[segment], post_edit[segment]) for segment in range(len(mt))]
    results = (cache if cache is not None else RecentCache()).get_values(pairs, _compare_pairs, on_progress)
    counts = np.asarray([item.counts for item in results]).reshape(-1, 4)
    tokens, none = mt.token_counts(), np.zeros(0, np.uint8)
    return ReviewedEdits(
        counts,
        hter_of_counts(counts, post_edit),
        TagColumn(np.concatenate([none, *(item.words for item in results)]), offsets_from_lengths(tokens)),
        TagColumn(np.concatenate([none, *(item.gaps for item in results)]), offsets_from_lengths(tokens + 1)),
        np.concatenate([np.zeros(0, np.int64), *(item.characters for item in results)]),
    )


def _compare_pairs(pairs: Sequence[Pair]) -> list[SegmentEdits]:
    # a carriage return at the end of a line is preserved if a space follows
    mt, post_edit = (TextColumn.of([f"{line} " for line in lines]) for lines in zip(*pairs, strict=True))
    counts, tags = count_edits(mt, post_edit), compare_post_edits(mt, post_edit)
    lengths = RaggedColumn(_lengths(mt), tags.words.offsets)
    # copies, or one segment would keep the arrays of its whole block alive
    return [
        SegmentEdits(counts[index].copy(), tags.words[index].copy(), tags.gaps[index].copy(), lengths[index].copy())
        for index in range(len(pairs))
    ]


def hter_of_counts(counts: Floats, post_edit: TextColumn) -> Floats:
    """Return the capped `segment_hter`, shape (segments,), from the edit counts that `count_edits` returns."""
    edits, length = counts.sum(axis=1), post_edit.token_counts()
    rates = np.divide(edits, length, out=(edits > 0).astype(np.float64), where=length > 0)
    return np.asarray(np.minimum(rates, 1.0))


def _lengths(text: TextColumn) -> Ints:
    words = (len(word) for segment in range(len(text)) for word in text.tokens(segment))
    return np.fromiter(words, np.int64, int(text.token_counts().sum()))
