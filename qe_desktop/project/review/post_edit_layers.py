"""Layers derived from each person's post-edits: tags of words and gaps, and HTER.

The layers are computed on first use, and the results for each post-edit are cached.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, ReviewStatus, TagColumn, TextColumn, TextRole, View
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.layers import POST_EDIT_PREFIX, Scores
from qe_desktop.corpus.text import Span, Spans
from qe_desktop.corpus.text_spans import token_offsets
from qe_desktop.corpus.translation_job import values_of
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.bilingual.word_tokenization import project_tags, target_tokenizer
from qe_desktop.metrics.tags.post_edit_tags import compare_post_edits, segment_hter
from qe_desktop.project.review.review_log import SegmentBlocks


@dataclass(frozen=True, slots=True, eq=False)
class TokenTags:
    """Token tags, shape (tokens,), gap tags, shape (tokens + 1,), and HTER (0..1) of the MT of one segment."""

    words: NDArray[np.uint8]
    gaps: NDArray[np.uint8]
    hter: float


@dataclass(frozen=True, slots=True)
class PostEdit:
    """MT and post-edit of one segment as lines with codes (see `TranslationJob`), and the tokens of the MT."""

    mt: str
    target: str
    tokens: tuple[str, ...]


def tag_post_edits(pairs: Sequence[PostEdit], tokenize: Callable[[str], Spans]) -> list[TokenTags]:
    """Return the word and gap tags and the HTER of each MT, by comparison with its post-edit.

    The words that `tokenize` finds in the MT and in the post-edit are compared. If the given tokens of an MT do not
    match its text, these tokens are compared instead of the words of the MT.
    """
    texts = [strip_codes(pair.mt) for pair in pairs]
    token_spans = [token_offsets(pair.tokens, text) for pair, text in zip(pairs, texts, strict=True)]
    spans = [tokenize(text) for text in texts]
    # tokens that do not match the text replace the words of the text
    mt_words = [
        [text[start:stop] for start, stop in words] if spans_of_tokens is not None else list(pair.tokens)
        for pair, text, spans_of_tokens, words in zip(pairs, texts, token_spans, spans, strict=True)
    ]
    target_words = [
        [text[start:stop] for start, stop in tokenize(text)] for text in (strip_codes(pair.target) for pair in pairs)
    ]
    mt, post_edit = (TextColumn.of([" ".join(line) for line in lines]) for lines in (mt_words, target_words))
    tags, rates = compare_post_edits(mt, post_edit), segment_hter(mt, post_edit)
    return [
        TokenTags(
            *_project_to_tokens(spans_of_tokens, words, tags.words[number], tags.gaps[number]), float(rates[number])
        )
        for number, (spans_of_tokens, words) in enumerate(zip(token_spans, spans, strict=True))
    ]


def _project_to_tokens(
    tokens: Sequence[Span] | None, words: Spans, tags: NDArray[np.uint8], gaps: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the tags of `tokens` and of their gaps, from the tags of `words` and of their gaps.

    A BAD gap inside a token makes the token BAD. The tags are returned unchanged if `tokens` is None.
    """
    if tokens is None or list(tokens) == words:
        return tags, gaps
    token_tags = np.asarray(project_tags(tags.tolist(), words, tokens), np.uint8)
    gap_tags = np.zeros(len(tokens) + 1, np.uint8)
    starts = [start for start, _ in tokens]
    for gap in gaps.nonzero()[0].tolist():
        offset = words[gap][0] if gap < len(words) else (tokens[-1][1] if tokens else 0)
        token = bisect_left(starts, offset)
        if token and tokens[token - 1][1] > offset:
            token_tags[token - 1] = 1
        else:
            gap_tags[token] = 1
    return token_tags, gap_tags


TAG_KINDS = (Kind.WORDS, Kind.GAPS)
MAX_INCREMENTAL_SEGMENTS = 20
"""Maximum number of changed segments for which existing tags and scores are updated instead of recomputed."""
MAX_CACHED_POST_EDITS = 200_000
"""Maximum number of post-edits with cached tags."""


def post_edit_keys(person: str) -> tuple[LayerKey, LayerKey, LayerKey]:
    """Return the keys of a person's post-edit layers: words, gaps and HTER."""
    name = f"{POST_EDIT_PREFIX}{person}"
    return (
        LayerKey(Provenance.PERSON, name, Kind.WORDS), LayerKey(Provenance.PERSON, name, Kind.GAPS),
        LayerKey(Provenance.PERSON, name, Kind.SCORES),
    )  # fmt: skip


class _TagCache:
    """Cache of tags and HTER: one entry per segment, for the target that was requested last."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus, self._tokenize = corpus, target_tokenizer(corpus)
        self._cached: dict[int, tuple[str, TokenTags]] = {}

    def of(self, targets: Mapping[int, str]) -> list[TokenTags]:
        """Return the tags and HTER for each item of `targets`, which maps segments to targets; results are cached."""
        missing = [
            segment
            for segment, target in targets.items()
            if (cached := self._cached.get(segment)) is None or cached[0] != target
        ]
        if missing:
            if len(self._cached) + len(missing) > MAX_CACHED_POST_EDITS:
                self._cached = {}
            computed = tag_post_edits([self._pair(segment, targets[segment]) for segment in missing], self._tokenize)
            new_entries = {
                segment: (targets[segment], segment_tags)
                for segment, segment_tags in zip(missing, computed, strict=True)
            }
            self._cached.update(new_entries)
            # another thread may have cleared the cache
            return [
                new_entries[segment][1] if segment in new_entries else self._segment_tags(segment, target)
                for segment, target in targets.items()
            ]
        return [self._segment_tags(segment, target) for segment, target in targets.items()]

    def _segment_tags(self, segment: int, target: str) -> TokenTags:
        cached = self._cached.get(segment)
        if cached is not None and cached[0] == target:
            return cached[1]
        return tag_post_edits([self._pair(segment, target)], self._tokenize)[0]

    def _pair(self, segment: int, target: str) -> PostEdit:
        corpus = self._corpus
        return PostEdit(corpus.mt_line(segment), target, tuple(corpus.tokens(TextRole.MT, segment)))


class PostEditTags:
    """Tags of words or gaps from one person's post-edits; all OK in segments that the person did not post-edit."""

    def __init__(self, loaded: TagColumn, kind: Kind, targets: Mapping[int, str], cache: _TagCache) -> None:
        self.loaded = loaded
        self._kind, self._targets, self._cache = kind, targets, cache

    def __getitem__(self, segment: int) -> NDArray[np.uint8]:
        target = self._targets.get(segment)
        return self.loaded[segment] if target is None else self._tags_of_kind(self._cache.of({segment: target})[0])

    def _tags_of_kind(self, tags: TokenTags) -> NDArray[np.uint8]:
        return tags.words if self._kind is Kind.WORDS else tags.gaps

    def column(self) -> TagColumn:
        """All tags as one column; cached."""
        return self._column

    def reuse_results(self, before: PostEditTags, segments: Iterable[int]) -> None:
        """If the column of `before` has been computed, reuse it and update only `segments`."""
        if "_column" in vars(before):
            self._column = before.column().with_segments({segment: self[segment] for segment in segments})

    @cached_property
    def _column(self) -> TagColumn:
        tags = self._cache.of(self._targets)
        return self.loaded.with_segments(
            {segment: self._tags_of_kind(token_tags) for segment, token_tags in zip(self._targets, tags, strict=True)}
        )

    def edited_segments(self) -> Ints:
        """Segments in which at least one tag is BAD, ascending."""
        pairs = zip(self._targets, self._cache.of(self._targets), strict=True)
        return np.asarray(sorted(segment for segment, tags in pairs if self._tags_of_kind(tags).any()), np.int64)


class _PersonPostEdits:
    """Snapshot of one person's post-edits."""

    def __init__(
        self, corpus: Corpus, targets: Mapping[int, str], cache: _TagCache, loaded: Mapping[Kind, TagColumn]
    ) -> None:
        self._size, self._cache = corpus.size, cache
        self.targets = targets
        self.tags = {kind: PostEditTags(loaded[kind], kind, targets, cache) for kind in TAG_KINDS}

    def reuse_results(self, before: _PersonPostEdits, segments: Collection[int]) -> None:
        """Reuse the results of `before` if few `segments` changed, so that an edit need not recompute all results."""
        if len(segments) > MAX_INCREMENTAL_SEGMENTS:
            return
        for kind, tags in self.tags.items():
            tags.reuse_results(before.tags[kind], segments)
        if "scores" in vars(before):
            rates = before.scores.copy()
            targets = {segment: target for segment in segments if (target := self.targets.get(segment)) is not None}
            rates[list(segments)] = np.nan
            rates[list(targets)] = [entry.hter for entry in self._cache.of(targets)]
            rates.flags.writeable = False
            self.scores = rates
        if "reviewed" in vars(before):
            self.reviewed = before.reviewed.copy()
            self.reviewed[list(segments)] = [segment in self.targets for segment in segments]

    @cached_property
    def scores(self) -> Scores:
        """HTER, shape (segments,), NaN for segments that have no post-edit."""
        rates = np.full(self._size, np.nan)
        rates[list(self.targets)] = [entry.hter for entry in self._cache.of(self.targets)]
        rates.flags.writeable = False
        return rates

    @cached_property
    def reviewed(self) -> NDArray[np.bool_]:
        """Mask of the segments with a post-edit, shape (segments,)."""
        mask = np.zeros(self._size, bool)
        mask[list(self.targets)] = True
        return mask


class PostEditLayers:
    """Snapshot of the post-edit layers of all people; implements the protocol `DerivedLayers`."""

    def __init__(self, people: Mapping[str, _PersonPostEdits]) -> None:
        self._post_edits_by_key = {
            key: post_edits for person, post_edits in people.items() for key in post_edit_keys(person)
        }
        self.tags = MappingProxyType(
            {
                key: post_edits.tags[key.kind]
                for key, post_edits in self._post_edits_by_key.items()
                if key.kind is not Kind.SCORES
            }
        )
        self.scores = tuple(key for key in self._post_edits_by_key if key.kind is Kind.SCORES)

    def scores_of(self, key: LayerKey) -> Scores:
        """HTER of a person's post-edits, shape (segments,), NaN for segments that the person did not post-edit."""
        return self._post_edits_by_key[key].scores

    def reviewed_segments(self, key: LayerKey) -> NDArray[np.bool_]:
        """Mask of the segments that a person post-edited or confirmed, shape (segments,)."""
        return self._post_edits_by_key[key].reviewed

    def is_reviewed(self, key: LayerKey, segment: int) -> bool:
        """Return whether a person post-edited or confirmed a segment."""
        return segment in self._post_edits_by_key[key].targets


class PostEdits:
    """Tracker of the post-editor of each segment: the user who edited or confirmed the target."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._cache = _TagCache(corpus)
        self._targets: dict[str, SegmentBlocks[str]] = {}
        self._author_by_segment: dict[int, str] = {}
        self._post_edits_by_person: dict[str, _PersonPostEdits] = {}
        self._loaded: dict[Kind, TagColumn] = {}
        self.layers = PostEditLayers({})

    def follow(self, view: View, segments: Iterable[int]) -> tuple[LayerKey, ...]:
        """Update the post-edits of `segments`; return the keys of the layers whose tags or scores may have changed."""
        if self._corpus.eos or self._corpus.text(TextRole.MT) is None:
            return ()
        changed: defaultdict[str, dict[int, str | None]] = defaultdict(dict)
        numbers = [*segments]
        previous_people = map(self._author_by_segment.get, numbers, repeat(""))
        for segment, previous, (current, target) in zip(
            numbers, previous_people, _post_edits(view, numbers), strict=True
        ):
            if previous == current and (not current or self._targets[current].get(segment) == target):
                continue
            if current:
                changed[current][segment] = target
                self._author_by_segment[segment] = current
            if previous and previous != current:
                changed[previous][segment] = None
                if not current:
                    del self._author_by_segment[segment]
        if not changed:
            return ()
        for person, targets in changed.items():
            self._targets[person] = targets_now = self._targets.get(person, SegmentBlocks[str]()).with_changes(targets)
            old_post_edits = self._post_edits_by_person.pop(person, None)
            if targets_now:
                self._post_edits_by_person[person] = new_post_edits = _PersonPostEdits(
                    self._corpus, targets_now, self._cache, self._all_ok_columns()
                )
                if old_post_edits is not None:
                    new_post_edits.reuse_results(old_post_edits, targets.keys())
        self.layers = PostEditLayers(self._post_edits_by_person)
        return tuple(key for person in changed for key in post_edit_keys(person))

    def _all_ok_columns(self) -> Mapping[Kind, TagColumn]:
        if not self._loaded:
            for kind in TAG_KINDS:
                offsets = self._corpus.offsets(kind)
                assert offsets is not None
                self._loaded[kind] = TagColumn(np.zeros(int(offsets[-1]), np.uint8), offsets)
        return self._loaded


def _post_edits(view: View, segments: Sequence[int]) -> Iterator[tuple[str, str | None]]:
    """Yield the post-editor and the target of each segment, or ("", None) if it has no post-edit.

    A rejected segment has no post-edit. Any other segment has one if its target differs from the MT or is confirmed.
    Confirmations by a person with a layer of word tags do not count, because they apply to the tags, not to the text.
    """
    corpus, review = view.corpus, view.review
    targets = values_of(review.targets, segments)
    edited = [segment for segment, target in zip(segments, targets, strict=True) if target is not None]
    mt_lines = dict(zip(edited, corpus.mt_lines(edited), strict=True))
    taggers = {key.name for key in corpus.layers if key.provenance is Provenance.PERSON and key.kind is Kind.WORDS}
    rejected, confirmed = ReviewStatus.REJECTED, ReviewStatus.CONFIRMED
    people, statuses = values_of(review.people, segments), values_of(review.statuses, segments)
    unedited = [number for number, target, status in zip(segments, targets, statuses, strict=True)
            if target is None and status is confirmed]  # fmt: skip
    loaded = dict(zip(unedited, corpus.target_lines(unedited), strict=True))
    for segment, target, person, status in zip(segments, targets, people, statuses, strict=True):
        if not person or status is rejected:
            yield "", None
        elif target is not None and target != mt_lines[segment]:
            yield person, target
        elif status is confirmed and person not in taggers:
            yield person, loaded[segment] if target is None else target
        else:
            yield "", None
