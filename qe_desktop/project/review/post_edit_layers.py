"""What post-edits say of the MT, as layers of the people who made them: live tags of words and gaps, and HTER.

Nothing is counted before somebody asks for it, and then once; what was counted of a post-edit is remembered.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, ReviewStatus, TagColumn, TextColumn, TextRole, View
from qe_desktop.corpus.detokenized_text import token_offsets
from qe_desktop.corpus.layers import POST_EDIT_PREFIX, Scores
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.bilingual.tokenization import Span, Spans, project_tags, target_tokenizer
from qe_desktop.metrics.tags.post_edit_tags import compare_post_edits, segment_hter
from qe_desktop.project.review.block_map import SegmentBlocks


@dataclass(frozen=True, slots=True, eq=False)
class TokenTags:
    """The tags of an MT's tokens, shape (tokens,), and of its gaps, shape (tokens + 1,), and its HTER, 0..1."""

    words: NDArray[np.uint8]
    gaps: NDArray[np.uint8]
    hter: float


@dataclass(frozen=True, slots=True)
class PostEdit:
    """An MT and its post-edit as lines with codes (`corpus.Job`), and the tokens that the MT has here."""

    mt: str
    target: str
    tokens: tuple[str, ...]


def tag_post_edits(pairs: Sequence[PostEdit], cut: Callable[[str], Spans]) -> list[TokenTags]:
    """What each post-edit says of its MT, both cut into words in one way."""
    texts = [strip_codes(pair.mt) for pair in pairs]
    places = [token_offsets(pair.tokens, text) for pair, text in zip(pairs, texts, strict=True)]
    spans = [cut(text) for text in texts]
    # where the tokens are not those of the text, they are what the post-edit is held against
    own = [
        [text[low:high] for low, high in words] if there is not None else list(pair.tokens)
        for pair, text, there, words in zip(pairs, texts, places, spans, strict=True)
    ]
    theirs = [[text[low:high] for low, high in cut(text)] for text in (strip_codes(pair.target) for pair in pairs)]
    mt, post_edit = (TextColumn.of([" ".join(line) for line in lines]) for lines in (own, theirs))
    found, rates = compare_post_edits(mt, post_edit), segment_hter(mt, post_edit)
    return [
        TokenTags(*_of_tokens(there, words, found.words[number], found.gaps[number]), float(rates[number]))
        for number, (there, words) in enumerate(zip(places, spans, strict=True))
    ]


def _of_tokens(
    tokens: Sequence[Span] | None, words: Spans, tags: NDArray[np.uint8], gaps: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The tags of words and gaps as those of the tokens at these places."""
    if tokens is None or list(tokens) == words:
        return tags, gaps
    of_tokens = np.asarray(project_tags(tags.tolist(), words, tokens), np.uint8)
    of_gaps = np.zeros(len(tokens) + 1, np.uint8)
    starts = [low for low, _ in tokens]
    for gap in gaps.nonzero()[0].tolist():
        place = words[gap][0] if gap < len(words) else (tokens[-1][1] if tokens else 0)
        token = bisect_left(starts, place)
        if token and tokens[token - 1][1] > place:
            of_tokens[token - 1] = 1
        else:
            of_gaps[token] = 1
    return of_tokens, of_gaps


KINDS = (Kind.WORDS, Kind.GAPS)
MAX_INCREMENTAL_SEGMENTS = 20
"""Segments that change at once up to which tags and scores that were made are brought up to date."""
MAX_CACHED_POST_EDITS = 200_000
"""Post-edits whose tags are remembered at the most."""


def post_edit_keys(person: str) -> tuple[LayerKey, LayerKey, LayerKey]:
    """What the layers of a person's post-edits are called: of words, of gaps, and HTER."""
    name = f"{POST_EDIT_PREFIX}{person}"
    return (
        LayerKey(Provenance.PERSON, name, Kind.WORDS), LayerKey(Provenance.PERSON, name, Kind.GAPS),
        LayerKey(Provenance.PERSON, name, Kind.SCORES),
    )  # fmt: skip


class _TagCache:
    """Tags of post-edits that were counted, by segment: those of the last target that was asked for."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus, self._cut = corpus, target_tokenizer(corpus)
        self._found: dict[int, tuple[str, TokenTags]] = {}

    def of(self, targets: Mapping[int, str]) -> list[TokenTags]:
        """What is known of these segments with these targets, and what is not yet is counted."""
        missing = [
            segment
            for segment, target in targets.items()
            if (known := self._found.get(segment)) is None or known[0] != target
        ]
        if missing:
            if len(self._found) + len(missing) > MAX_CACHED_POST_EDITS:
                self._found = {}
            found = tag_post_edits([self._pair(segment, targets[segment]) for segment in missing], self._cut)
            made = {segment: (targets[segment], one) for segment, one in zip(missing, found, strict=True)}
            self._found.update(made)
            # another thread may have let go of what was known
            return [made[one][1] if one in made else self._one(one, target) for one, target in targets.items()]
        return [self._one(segment, target) for segment, target in targets.items()]

    def _one(self, segment: int, target: str) -> TokenTags:
        known = self._found.get(segment)
        if known is not None and known[0] == target:
            return known[1]
        return tag_post_edits([self._pair(segment, target)], self._cut)[0]

    def _pair(self, segment: int, target: str) -> PostEdit:
        corpus = self._corpus
        return PostEdit(corpus.mt_line(segment), target, tuple(corpus.tokens(TextRole.MT, segment)))


class PostEditTags:
    """The tags of words or of gaps of one person's post-edits; all OK where nobody post-edited."""

    def __init__(self, loaded: TagColumn, kind: Kind, targets: Mapping[int, str], known: _TagCache) -> None:
        self.loaded = loaded
        self._kind, self._targets, self._known = kind, targets, known

    def __getitem__(self, segment: int) -> NDArray[np.uint8]:
        target = self._targets.get(segment)
        return self.loaded[segment] if target is None else self._of(self._known.of({segment: target})[0])

    def _of(self, found: TokenTags) -> NDArray[np.uint8]:
        return found.words if self._kind is Kind.WORDS else found.gaps

    def column(self) -> TagColumn:
        """All tags as one column, made once."""
        return self._column

    def follow(self, before: PostEditTags, segments: Iterable[int]) -> None:
        """Take the column over of the tags before, from which only these segments differ, if it was made."""
        if "_column" in vars(before):
            self._column = before.column().with_segments({segment: self[segment] for segment in segments})

    @cached_property
    def _column(self) -> TagColumn:
        found = self._known.of(self._targets)
        return self.loaded.with_segments(
            {segment: self._of(one) for segment, one in zip(self._targets, found, strict=True)}
        )

    def edited_segments(self) -> NDArray[np.int64]:
        """The segments in which the post-edit changed anything, ascending."""
        found = zip(self._targets, self._known.of(self._targets), strict=True)
        return np.asarray(sorted(segment for segment, one in found if self._of(one).any()), np.int64)


class _PersonPostEdits:
    """One person's post-edits at a moment."""

    def __init__(
        self, corpus: Corpus, targets: Mapping[int, str], known: _TagCache, loaded: Mapping[Kind, TagColumn]
    ) -> None:
        self._size, self._known = corpus.size, known
        self.targets = targets
        self.tags = {kind: PostEditTags(loaded[kind], kind, targets, known) for kind in KINDS}

    def follow(self, before: _PersonPostEdits, segments: Collection[int]) -> None:
        """Take over what was asked for before, if only few segments differ, so that an edit costs no more with many."""
        if len(segments) > MAX_INCREMENTAL_SEGMENTS:
            return
        for kind, tags in self.tags.items():
            tags.follow(before.tags[kind], segments)
        if "scores" in vars(before):
            rates = before.scores.copy()
            there = {one: target for one in segments if (target := self.targets.get(one)) is not None}
            rates[list(segments)] = np.nan
            rates[list(there)] = [one.hter for one in self._known.of(there)]
            rates.flags.writeable = False
            self.scores = rates
        if "reviewed" in vars(before):
            self.reviewed = before.reviewed.copy()
            self.reviewed[list(segments)] = [one in self.targets for one in segments]

    @cached_property
    def scores(self) -> Scores:
        """HTER, shape (segments,), NaN where there is no post-edit."""
        rates = np.full(self._size, np.nan)
        rates[list(self.targets)] = [one.hter for one in self._known.of(self.targets)]
        rates.flags.writeable = False
        return rates

    @cached_property
    def reviewed(self) -> NDArray[np.bool_]:
        """Which segments there are post-edits of, shape (segments,)."""
        found = np.zeros(self._size, bool)
        found[list(self.targets)] = True
        return found


class PostEditLayers:
    """The layers of all who post-edited, at a moment (`corpus.derived.Derived`); later edits leave it alone."""

    def __init__(self, people: Mapping[str, _PersonPostEdits]) -> None:
        self._people = {key: one for person, one in people.items() for key in post_edit_keys(person)}
        self.tags = MappingProxyType(
            {key: one.tags[key.kind] for key, one in self._people.items() if key.kind is not Kind.SCORES}
        )
        self.scores = tuple(key for key in self._people if key.kind is Kind.SCORES)

    def scores_of(self, key: LayerKey) -> Scores:
        """HTER of a person's post-edits, shape (segments,), NaN where there is none."""
        return self._people[key].scores

    def reviewed(self, key: LayerKey) -> NDArray[np.bool_]:
        """Which segments a person post-edited or confirmed, shape (segments,)."""
        return self._people[key].reviewed

    def is_reviewed(self, key: LayerKey, segment: int) -> bool:
        """The same of one segment."""
        return segment in self._people[key].targets


class PostEdits:
    """Follows a review: whose post-edit each segment has. It counts where it differs from its MT, or is confirmed."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._known = _TagCache(corpus)
        self._targets: dict[str, SegmentBlocks[str]] = {}
        self._whose: dict[int, str] = {}
        self._people: dict[str, _PersonPostEdits] = {}
        self._loaded: dict[Kind, TagColumn] = {}
        self.layers = PostEditLayers({})

    def follow(self, view: View, segments: Iterable[int]) -> tuple[LayerKey, ...]:
        """Take over what was made of these segments; the layers whose tags and scores changed."""
        if self._corpus.eos or self._corpus.text(TextRole.MT) is None:
            return ()
        changed: dict[str, dict[int, str | None]] = {}
        for segment in segments:
            before, target = self._whose.get(segment, ""), view.review.targets.get(segment)
            now = _person_of(view, segment, target)
            if target is None and now:
                target = view.corpus.target_line(segment)
            if before == now and (not now or self._targets[now].get(segment) == target):
                continue
            if before:
                changed.setdefault(before, {})[segment] = None
                del self._whose[segment]
            if now:
                changed.setdefault(now, {})[segment] = target
                self._whose[segment] = now
        if not changed:
            return ()
        for person, targets in changed.items():
            self._targets[person] = now_there = self._targets.get(person, SegmentBlocks[str]()).changed(targets)
            of_before = self._people.pop(person, None)
            if now_there:
                self._people[person] = of_now = _PersonPostEdits(self._corpus, now_there, self._known, self._empty())
                if of_before is not None:
                    of_now.follow(of_before, targets.keys())
        self.layers = PostEditLayers(self._people)
        return tuple(key for person in changed for key in post_edit_keys(person))

    def _empty(self) -> Mapping[Kind, TagColumn]:
        """Tags of words and gaps that are all OK."""
        if not self._loaded:
            for kind in KINDS:
                offsets = self._corpus.offsets(kind)
                assert offsets is not None
                self._loaded[kind] = TagColumn(np.zeros(int(offsets[-1]), np.uint8), offsets)
        return self._loaded


def _person_of(view: View, segment: int, target: str | None) -> str:
    """Whose post-edit a segment has; nobody's where it is as it was and was not confirmed here, or was rejected.

    Whoever tags the words in a layer of their own says by confirming that these tags are right, and not the text.
    """
    review = view.review
    person = review.people.get(segment, "")
    if not person:
        return ""
    said = review.statuses.get(segment)
    if said is ReviewStatus.REJECTED:
        return ""
    if target is not None and target != view.corpus.mt_line(segment):
        return person
    if said is not ReviewStatus.CONFIRMED or LayerKey(Provenance.PERSON, person, Kind.WORDS) in view.corpus.layers:
        return ""
    return person
