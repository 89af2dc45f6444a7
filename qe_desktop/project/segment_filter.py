"""Which segments to show, in which order: filters and sorting over whole columns at once."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import (
    Corpus,
    Kind,
    LayerKey,
    Provenance,
    ReviewStatus,
    TagColumn,
    TextColumn,
    View,
    segment_sums,
)
from qe_desktop.corpus.bilingual_job import StatusArray
from qe_desktop.corpus.tag_voting import DEFAULT_VOTING_RULE, VotingRule, count_marked
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.levels import Level, Scoring
from qe_desktop.levels.level import OnProgress
from qe_desktop.metrics import get_metrics
from qe_desktop.project.review.flagged_segments import segments_with_notes, suspect_segments, unfinished_segments
from qe_desktop.significance import SegmentInfluence
from qe_desktop.studies.meta_eval.segment_rank_gap import RankGap

Indices = NDArray[np.int64]


class SortOrder(enum.Enum):
    """How segments are sorted; within equal ones, the order of the corpus holds."""

    CORPUS = "corpus order"
    DISAGREEMENT = "most disagreement first"
    LOWEST = "lowest score first"
    BAD = "most BAD first"
    LONGEST = "longest first"
    DIFFERENCE = "most influence on a difference first"
    SCORE_HIGH = "highest score first"
    SCORE_LOW = "lowest score of a file first"
    ERROR = "largest error of a score first"
    TOO_HIGH = "scores that are most too high first"
    TOO_LOW = "scores that are most too low first"
    RANKS = "ranks by a metric and by people most apart first"


TAG_ORDERS = (SortOrder.DISAGREEMENT, SortOrder.LOWEST, SortOrder.BAD)
"""The orders that there are with tags alone."""


@dataclass(frozen=True, slots=True)
class SegmentQuery:
    """What a person wants to see. `between` are the two layers that `Order.DIFFERENCE` sets side by side by `metric` of
    a `level`, against a `reference` (None: the usual one); `score` are the segment scores that the orders by scores and
    errors sort by, errors against the `reference`. `ranks` is what `Order.RANKS` sorts by: segments that are not in it
    are not shown. `backwards` turns an order of the list's own round. Of a review, segments of one of the `statuses`
    are shown (any where there are none), those that are doubtful and not finished, those with a note, and those in
    which checks found something.
    """

    text: str = ""
    only_bad: bool = False
    only_disagreement: bool = False
    only_edited: bool = False
    document: str = ""
    order: SortOrder = SortOrder.CORPUS
    backwards: bool = False
    between: tuple[LayerKey, LayerKey] | None = None
    metric: str = ""
    level: Level | None = None
    reference: LayerKey | None = None
    score: LayerKey | None = None
    ranks: RankGap | None = None
    statuses: frozenset[ReviewStatus] = frozenset()
    only_doubtful: bool = False
    only_noted: bool = False
    only_found: bool = False

    @property
    def is_set(self) -> bool:
        """Whether another view asked for these segments, in an order that is none of the list's own."""
        return self.between is not None or self.ranks is not None

    @property
    def hangs_on_tags(self) -> bool:
        """Whether other tags could bring other segments, or another order."""
        return self.only_bad or self.only_disagreement or self.order in TAG_ORDERS

    @property
    def is_all(self) -> bool:
        """Whether this shows every segment as the corpus has it, so that nothing need be looked up."""
        return self == SegmentQuery()


Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class SegmentSnapshot:
    """The columns that a query looks at, taken at once so that it may run on another thread.

    `between` are the two systems that are set side by side: against what they are scored, or where there is nothing
    of that their tags alone. `agreement` says how many of the `others` make a place BAD, where there is no reference:
    neither a layer nor, in segments that were not `reviewed` (None: all were), what a person makes here.
    """

    corpus: Corpus
    reference: TagColumn | None
    others: tuple[TagColumn, ...]
    between: Scoring | tuple[TagColumn, TagColumn] | None
    edited: Indices
    agreement: VotingRule = DEFAULT_VOTING_RULE
    reviewed: NDArray[np.bool_] | None = None
    statuses: StatusArray | None = None
    doubtful: NDArray[np.bool_] | None = None
    noted: NDArray[np.bool_] | None = None
    found: NDArray[np.bool_] | None = None
    targets: Mapping[int, str] = field(default_factory=dict)


def take_snapshot(
    view: View,
    kind: Kind,
    query: SegmentQuery,
    agreement: VotingRule = DEFAULT_VOTING_RULE,
    found: NDArray[np.bool_] | None = None,
) -> SegmentSnapshot:
    """What `select` needs of what is open; `found` says in which segments checks found something."""
    reference = view.reference(kind)
    keys = view.tracks(kind)
    edited = [view.edited_segments(key) for key in keys if key.provenance is not Provenance.SYSTEM]
    return SegmentSnapshot(
        view.corpus,
        view.tags(reference) if reference is not None else None,
        tuple(view.tags(key) for key in keys if key != reference),
        None if query.between is None else _side_by_side(view, query.between, query),
        np.unique(np.concatenate(edited)) if edited else np.zeros(0, np.int64),
        agreement,
        None if reference is None else view.kept(reference),
        view.statuses() if query.statuses else None,
        suspect_segments(view) & unfinished_segments(view) if query.only_doubtful else None,
        segments_with_notes(view) if query.only_noted else None,
        found if query.only_found else None,
        view.review.targets if query.text else {},
    )


def _side_by_side(
    view: View, between: tuple[LayerKey, LayerKey], query: SegmentQuery
) -> Scoring | tuple[TagColumn, TagColumn]:
    """The two were set side by side at their own level and against their own reference, whatever is chosen now."""
    level = query.level
    reference = None if level is None else level.reference(view, query.reference)
    if level is None or reference is None:
        return view.tags(between[0]), view.tags(between[1])
    return Scoring(view, reference, between, level)


@dataclass(frozen=True, slots=True, eq=False)
class FilteredSegments:
    """The segments that a query shows, in its order; and with two systems side by side, what sets them apart."""

    places: Indices
    apart: SegmentInfluence | None = None


def filter_segments(taken: SegmentSnapshot, query: SegmentQuery, watch: OnProgress | None = None) -> FilteredSegments:
    """As `select`, with what sets the two systems of the query apart; `watch` may raise to stop."""
    apart = None if query.between is None else system_difference(taken, query, watch)
    return FilteredSegments(_select(taken, query, apart), apart)


def filter_view(taken: SegmentSnapshot, query: SegmentQuery) -> Indices:
    """The segments that a query shows, in its order."""
    return filter_segments(taken, query).places


def _select(taken: SegmentSnapshot, query: SegmentQuery, apart: SegmentInfluence | None) -> Indices:
    corpus = taken.corpus
    keep = np.ones(corpus.size, bool)
    if query.text:
        keep &= _with_text(taken, query.text)
    if query.only_bad:
        keep &= count_bad(taken) > 0
    if query.only_disagreement:
        keep &= count_disagreements(taken) > 0
    if query.only_edited:
        edited = np.zeros(corpus.size, bool)
        edited[taken.edited] = True
        keep &= edited
    if taken.statuses is not None:
        keep &= np.isin(taken.statuses, [int(status) for status in query.statuses])
    for held in (taken.doubtful, taken.noted, taken.found):
        if held is not None:
            keep &= held
    if query.document and corpus.documents is not None and query.document in corpus.documents.names:
        keep &= corpus.documents.of_segment == corpus.documents.names.index(query.document)
    places = np.flatnonzero(keep)
    if query.ranks is not None:
        values = np.abs(query.ranks.values)
        places = places[~np.isnan(values[places])]
        return places[np.argsort(-values[places], kind="stable")]
    if query.order is SortOrder.CORPUS:
        return places[::-1] if query.backwards else places
    apart = apart if query.order is SortOrder.DIFFERENCE else None
    rank = _rank(taken, query) if apart is None else np.abs(apart.values)
    return places[np.argsort(rank[places] if query.backwards else -rank[places], kind="stable")]


def _with_text(taken: SegmentSnapshot, text: str) -> NDArray[np.bool_]:
    # as written too: tokens may have blanks where nobody would type them
    corpus = taken.corpus
    found = np.zeros(corpus.size, bool)
    # a file may have targets beside the MT
    targets = [] if corpus.job is None or corpus.job.loaded is None else [corpus.job.targets]
    for column in (*corpus.texts.values(), *corpus.references.values(), *corpus.translations.values(), *targets):
        found |= column.matches(text)
    if taken.targets:
        lines = [strip_codes(line) for line in taken.targets.values()]
        found[list(taken.targets)] |= TextColumn.of(lines).matches(text)
    return found


def count_bad(taken: SegmentSnapshot) -> NDArray[np.int64]:
    """Places that the reference calls BAD, or without one enough of the layers, shape (segments,)."""
    return _by_reference(
        taken,
        lambda reference: count_marked([reference], taken.agreement),
        lambda: count_marked(list(taken.others), taken.agreement),
    )


def count_disagreements(taken: SegmentSnapshot) -> NDArray[np.int64]:
    """How many tags of each segment are not the same in all layers, shape (segments,)."""
    return _by_reference(
        taken, lambda reference: _differing([reference, *taken.others]), lambda: _differing(taken.others)
    )


def _differing(columns: Sequence[TagColumn]) -> NDArray[np.int64]:
    first = columns[0]
    differs = np.zeros(len(first.values), bool)
    for column in columns[1:]:
        differs |= column.values != first.values
    return segment_sums(differs, first.offsets)


def count_errors(taken: SegmentSnapshot) -> NDArray[np.int64]:
    """How many tags of all systems differ from the reference, shape (segments,); without one, the disagreements."""

    def wrong(reference: TagColumn) -> NDArray[np.int64]:
        counts = np.zeros(taken.corpus.size, np.int64)
        for column in taken.others:
            counts += segment_sums(column.values != reference.values, column.offsets)
        return counts

    return _by_reference(taken, wrong, lambda: _differing(taken.others))


def _by_reference(taken: SegmentSnapshot, held: Callable[[TagColumn], Counts], without: Callable[[], Counts]) -> Counts:
    """Counts of segments: against the reference where that holds, and of the others among themselves elsewhere."""
    reference, reviewed = taken.reference, taken.reviewed
    if reference is not None and reviewed is None:
        return held(reference)
    alone = without() if taken.others else np.zeros(taken.corpus.size, np.int64)
    return alone if reference is None or reviewed is None else np.where(reviewed, held(reference), alone)


def system_difference(taken: SegmentSnapshot, query: SegmentQuery, watch: OnProgress | None = None) -> SegmentInfluence:
    """What sets the two systems of a query apart in its metric; QeError where there is no such metric."""
    assert taken.between is not None
    assert query.between is not None
    if isinstance(taken.between, tuple):
        left, right = taken.between
        values = segment_sums(left.values != right.values, left.offsets).astype(np.float64)
        return SegmentInfluence(query.between, "", values)
    level = taken.between.level
    (metric,) = get_metrics([query.metric], level.metrics, level.items)
    return taken.between.apart(metric, watch)


def _rank(taken: SegmentSnapshot, query: SegmentQuery) -> NDArray[np.float64]:
    size = taken.corpus.size
    column = taken.reference or next(iter(taken.others), None)
    lengths = column.lengths() if column is not None else np.ones(size, np.int64)
    if query.order is SortOrder.DISAGREEMENT:
        return count_disagreements(taken).astype(np.float64)
    if query.order is SortOrder.LOWEST:
        return count_errors(taken) / np.maximum(1, lengths)
    if query.order is SortOrder.BAD:
        return count_bad(taken).astype(np.float64)
    if query.score is not None and query.score in taken.corpus.layers:
        return _by_score(taken.corpus, query.score, query)
    return _lengths(taken.corpus, lengths)


def _by_score(corpus: Corpus, score: LayerKey, query: SegmentQuery) -> NDArray[np.float64]:
    if query.order in (SortOrder.SCORE_HIGH, SortOrder.SCORE_LOW):
        scores = corpus.layers[score].scores
        return scores if query.order is SortOrder.SCORE_HIGH else -scores
    if query.reference is None or query.reference not in corpus.layers:
        return np.zeros(corpus.size)
    wrong = corpus.score_errors(score, query.reference)
    if query.order is SortOrder.ERROR:
        return np.abs(wrong)
    return wrong if query.order is SortOrder.TOO_HIGH else -wrong


def _lengths(corpus: Corpus, tags: NDArray[np.int64]) -> NDArray[np.float64]:
    counts = corpus.word_counts()
    return (tags if counts is None else counts).astype(np.float64)
