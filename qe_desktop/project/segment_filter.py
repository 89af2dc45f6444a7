"""Filtering and sorting of segments, computed on whole columns.

A segment is flagged if enough systems, at their current thresholds, tag one of its words or gaps BAD. If there are no
systems, the gold is used instead. `corpus.tag_voting` states which layers vote.
"""

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
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.corpus.tag_voting import (
    DEFAULT_VOTING_RULE,
    MarkingColumns,
    VotingRule,
    flagging_columns,
    marking_columns,
)
from qe_desktop.corpus.translation_job import StatusArray
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.formats.bilingual.word_tokenization import target_tokenizer
from qe_desktop.levels import Level, Scoring
from qe_desktop.metrics import get_metrics
from qe_desktop.significance import SegmentInfluence
from qe_desktop.studies.meta_eval.segment_rank_gap import RankGap


class SortOrder(enum.Enum):
    """Sort orders of segments; segments with equal values are in corpus order."""

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
    RANKS = "largest gap between metric rank and human rank first"


TAG_ORDERS = (SortOrder.DISAGREEMENT, SortOrder.LOWEST, SortOrder.BAD)
"""Sort orders that depend only on tags."""


@dataclass(frozen=True, slots=True)
class SegmentQuery:
    """Filters and order of the segment list.

    `SortOrder.DIFFERENCE` sorts by the influence of each segment on the difference between the two `compared_layers` in
    `metric`, computed at `level` against `reference` (None: the default reference). `score` is the layer of segment
    scores for sorting by score, or by error against `reference`. If `rank_gap` is not None, it replaces `order`, and
    segments without a rank gap are hidden. Influences and rank gaps are sorted by absolute value, largest first. With
    `favoured_side` 1, the most positive come first (a positive influence favours the first layer); with −1, the most
    negative. `is_reversed` reverses any order except that by `rank_gap`.

    `statuses` limits the list to segments with one of these review statuses (empty: any). `only_flagged` limits the
    list to flagged segments that are not finished, `only_with_notes` to segments with a note, `only_with_findings` to
    segments with QA findings, and `listed_segments`, unless None, to the given segments.
    """

    text: str = ""
    only_bad: bool = False
    only_disagreement: bool = False
    only_edited: bool = False
    document: str = ""
    order: SortOrder = SortOrder.CORPUS
    is_reversed: bool = False
    compared_layers: tuple[LayerKey, LayerKey] | None = None
    metric: str = ""
    level: Level | None = None
    reference: LayerKey | None = None
    score: LayerKey | None = None
    rank_gap: RankGap | None = None
    favoured_side: int = 0
    statuses: frozenset[ReviewStatus] = frozenset()
    only_flagged: bool = False
    only_with_notes: bool = False
    only_with_findings: bool = False
    listed_segments: tuple[int, ...] | None = None

    @property
    def has_external_order(self) -> bool:
        """Whether another view requested an order that the segment list itself does not offer."""
        return self.compared_layers is not None or self.rank_gap is not None

    @property
    def depends_on_tags(self) -> bool:
        """Whether the query filters by BAD tags, flags or disagreement, or sorts by one of `TAG_ORDERS`."""
        return self.only_bad or self.only_flagged or self.only_disagreement or self.order in TAG_ORDERS

    @property
    def shows_all_segments(self) -> bool:
        """Whether all segments are shown in corpus order, so that `filter_segments` need not be called."""
        return self == SegmentQuery()


@dataclass(frozen=True, slots=True, eq=False)
class SegmentSnapshot:
    """Columns that a query needs, collected so that the query can run on another thread.

    `comparison` is the scoring of the two systems to compare, or their tags if the query has no level, or if its level
    has no reference. `reference` is None if there is no reference layer; otherwise, it applies to `reviewed` segments
    (None: all). Where no reference applies, a word or gap is BAD if `other_columns` mark it under the voting rule
    `agreement`. `compared_tags` are the tags of the view's compared layers, if any.
    """

    corpus: Corpus
    reference: TagColumn | None
    other_columns: MarkingColumns
    comparison: Scoring | tuple[TagColumn, TagColumn] | None
    edited_segments: Ints
    agreement: VotingRule = DEFAULT_VOTING_RULE
    reviewed: NDArray[np.bool_] | None = None
    statuses: StatusArray | None = None
    flagged_mask: NDArray[np.bool_] | None = None
    note_mask: NDArray[np.bool_] | None = None
    finding_mask: NDArray[np.bool_] | None = None
    targets: Mapping[int, str] = field(default_factory=dict)
    compared_tags: Sequence[TagColumn] = ()


def take_snapshot(
    view: View,
    kind: Kind,
    query: SegmentQuery,
    agreement: VotingRule = DEFAULT_VOTING_RULE,
    has_results: NDArray[np.bool_] | None = None,
) -> SegmentSnapshot:
    """Return the columns that `filter_segments` needs; `has_results` is a mask of the segments with QA findings."""
    reference = view.reference(kind)
    keys = view.tag_layers(kind)
    edited = [view.edited_segments(key) for key in keys if key.provenance is not Provenance.SYSTEM]
    return SegmentSnapshot(
        view.corpus,
        view.tags(reference) if reference is not None else None,
        marking_columns(view, [key for key in keys if key != reference]),
        None if query.compared_layers is None else _system_pair(view, query.compared_layers, query),
        np.unique(np.concatenate(edited)) if edited else np.zeros(0, np.int64),
        agreement,
        None if reference is None else view.scored_segments(reference),
        view.statuses() if query.statuses else None,
        flagged_segments(view, agreement) & unfinished_segments(view) if query.only_flagged else None,
        segments_with_notes(view) if query.only_with_notes else None,
        has_results if query.only_with_findings else None,
        view.review.targets if query.text or query.order is SortOrder.LONGEST else {},
        [view.tags(key) for key in view.compared_layers(kind)],
    )


def _system_pair(
    view: View, layers: tuple[LayerKey, LayerKey], query: SegmentQuery
) -> Scoring | tuple[TagColumn, TagColumn]:
    """Return the scoring of two systems at the level of `query`.

    If the query has no level, or its level has no reference, the tags of the systems are returned instead.
    """
    level = query.level
    reference = None if level is None else level.reference(view, query.reference)
    if level is None or reference is None:
        return view.tags(layers[0]), view.tags(layers[1])
    return Scoring(view, reference, layers, level)


@dataclass(frozen=True, slots=True, eq=False)
class FilteredSegments:
    """Segments that a query shows, in the order of the query.

    `influence` is the influence of each segment on the difference between two systems; None if none are compared.
    """

    segments: Ints
    influence: SegmentInfluence | None = None


def filter_segments(
    snapshot: SegmentSnapshot, query: SegmentQuery, on_progress: OnProgress | None = None
) -> FilteredSegments:
    """Return the segments that a query shows and, if it compares two systems, their influence on the difference.

    `on_progress` may raise an exception to stop the computation. Raises QeError for an unknown metric.
    """
    influence = None if query.compared_layers is None else system_difference(snapshot, query, on_progress)
    return FilteredSegments(_select(snapshot, query, influence), influence)


def _select(snapshot: SegmentSnapshot, query: SegmentQuery, influence: SegmentInfluence | None) -> Ints:
    corpus = snapshot.corpus
    is_selected = np.ones(corpus.size, bool)
    if query.text:
        is_selected &= _with_text(snapshot, query.text)
    if query.only_bad:
        is_selected &= count_bad(snapshot) > 0
    if query.only_disagreement:
        is_selected &= count_disagreements(snapshot) > 0
    if query.only_edited:
        edited = np.zeros(corpus.size, bool)
        edited[snapshot.edited_segments] = True
        is_selected &= edited
    if snapshot.statuses is not None:
        is_selected &= np.isin(snapshot.statuses, [int(status) for status in query.statuses])
    for mask in (snapshot.flagged_mask, snapshot.note_mask, snapshot.finding_mask):
        if mask is not None:
            is_selected &= mask
    if query.listed_segments is not None:
        is_selected &= np.isin(np.arange(corpus.size), query.listed_segments)
    if query.document and corpus.documents is not None and query.document in corpus.documents.names:
        is_selected &= corpus.documents.of_segment == corpus.documents.names.index(query.document)
    segments = np.flatnonzero(is_selected)
    if query.rank_gap is not None:
        values = _difference_keys(query.rank_gap.values, query)
        segments = segments[~np.isnan(values[segments])]
        return segments[np.argsort(-values[segments], kind="stable")]
    if query.order is SortOrder.CORPUS:
        return segments[::-1] if query.is_reversed else segments
    influence = influence if query.order is SortOrder.DIFFERENCE else None
    rank = _sort_keys(snapshot, query) if influence is None else _difference_keys(influence.values, query)
    return segments[np.argsort(rank[segments] if query.is_reversed else -rank[segments], kind="stable")]


def _difference_keys(values: Floats, query: SegmentQuery) -> Floats:
    """Return a sort key for each influence or rank gap in `values`, in the same shape; larger keys come first."""
    return query.favoured_side * values if query.favoured_side else np.abs(values)


def _with_text(snapshot: SegmentSnapshot, text: str) -> NDArray[np.bool_]:
    # raw texts are also searched, because tokens are separated by spaces that users do not type
    corpus = snapshot.corpus
    matches = np.zeros(corpus.size, bool)
    # a file may have targets in addition to the MT
    targets = [] if corpus.job is None or corpus.job.loaded is None else [corpus.job.targets]
    for column in (*corpus.texts.values(), *corpus.references.values(), *corpus.translations.values(), *targets):
        matches |= column.matches(text)
    if snapshot.targets:
        lines = [strip_codes(line) for line in snapshot.targets.values()]
        matches[list(snapshot.targets)] |= TextColumn.of(lines).matches(text)
    return matches


def count_bad(snapshot: SegmentSnapshot) -> Ints:
    """Return the number of BAD words or gaps in each segment, shape (segments,).

    Where a reference applies, its tags are counted; elsewhere, a word or gap is BAD if at least as many layers as the
    voting rule requires tag it BAD.
    """
    return _combine_counts(
        snapshot,
        lambda reference: segment_sums(reference.values, reference.offsets),
        lambda: snapshot.other_columns.count_marked(snapshot.agreement),
    )


def count_disagreements(snapshot: SegmentSnapshot) -> Ints:
    """Return the number of words or gaps in each segment that (compared) layers tag differently, shape (segments,)."""
    if snapshot.compared_tags:
        return _count_differing(snapshot.compared_tags)
    return _combine_counts(
        snapshot,
        lambda reference: _count_differing([reference, *snapshot.other_columns.all]),
        lambda: _count_differing(snapshot.other_columns.all),
    )


def _count_differing(columns: Sequence[TagColumn]) -> Ints:
    first = columns[0]
    differs = np.zeros(len(first.values), bool)
    for column in columns[1:]:
        differs |= column.values != first.values
    return segment_sums(differs, first.offsets)


def count_errors(snapshot: SegmentSnapshot) -> Ints:
    """Return the number of tags in each segment that differ from the reference, summed over all other layers.

    The shape is (segments,). Where no reference applies, the words or gaps that layers tag differently are counted.
    """
    columns = snapshot.other_columns.all

    def count_against_reference(reference: TagColumn) -> Ints:
        sums = (segment_sums(column.values != reference.values, column.offsets) for column in columns)
        return sum(sums, start=np.zeros(snapshot.corpus.size, np.int64))

    return _combine_counts(snapshot, count_against_reference, lambda: _count_differing(columns))


def _combine_counts(
    snapshot: SegmentSnapshot, against_reference: Callable[[TagColumn], Ints], among_others: Callable[[], Ints]
) -> Ints:
    """Return the counts of `against_reference` where the reference applies, and those of `among_others` elsewhere."""
    reference, reviewed = snapshot.reference, snapshot.reviewed
    if reference is not None and reviewed is None:
        return against_reference(reference)
    counts = among_others() if snapshot.other_columns.all else np.zeros(snapshot.corpus.size, np.int64)
    return counts if reference is None or reviewed is None else np.where(reviewed, against_reference(reference), counts)


def system_difference(
    snapshot: SegmentSnapshot, query: SegmentQuery, on_progress: OnProgress | None = None
) -> SegmentInfluence:
    """Return the influence of each segment on the difference between the compared systems.

    If the query has no level, or its level has no reference, the influence is the number of words or gaps that the
    systems tag differently. Raises QeError for an unknown metric.
    """
    assert snapshot.comparison is not None
    assert query.compared_layers is not None
    if isinstance(snapshot.comparison, tuple):
        left, right = snapshot.comparison
        values = segment_sums(left.values != right.values, left.offsets).astype(np.float64)
        return SegmentInfluence(query.compared_layers, "", values)
    level = snapshot.comparison.level
    (metric,) = get_metrics([query.metric], level.metrics, level.items)
    return snapshot.comparison.compute_influence(metric, on_progress)


def _sort_keys(snapshot: SegmentSnapshot, query: SegmentQuery) -> Floats:
    size = snapshot.corpus.size
    column = snapshot.reference or next(iter(snapshot.other_columns.all), None)
    lengths = column.lengths() if column is not None else np.ones(size, np.int64)
    if query.order is SortOrder.DISAGREEMENT:
        return count_disagreements(snapshot).astype(np.float64)
    if query.order is SortOrder.LOWEST:
        return count_errors(snapshot) / np.maximum(1, lengths)
    if query.order is SortOrder.BAD:
        return count_bad(snapshot).astype(np.float64)
    if query.score is not None and query.score in snapshot.corpus.layers:
        return _score_keys(snapshot.corpus, query.score, query)
    return _segment_lengths(snapshot, lengths)


def _score_keys(corpus: Corpus, score: LayerKey, query: SegmentQuery) -> Floats:
    if query.order in (SortOrder.SCORE_HIGH, SortOrder.SCORE_LOW):
        scores = corpus.layers[score].scores
        return scores if query.order is SortOrder.SCORE_HIGH else -scores
    if query.reference is None or query.reference not in corpus.layers:
        return np.zeros(corpus.size)
    errors = corpus.score_errors(score, query.reference)
    return {SortOrder.ERROR: np.abs(errors), SortOrder.TOO_HIGH: errors}.get(query.order, -errors)


def _segment_lengths(snapshot: SegmentSnapshot, tags: Ints) -> Floats:
    """Return the number of words of each current target; without an MT, the number of tags."""
    counts = snapshot.corpus.word_counts()
    lengths = (tags if counts is None else counts).astype(np.float64)
    tokenize = target_tokenizer(snapshot.corpus)
    for segment, target in snapshot.targets.items():
        lengths[segment] = len(tokenize(strip_codes(target))) + snapshot.corpus.eos
    return lengths


FINISHED_STATUSES = (ReviewStatus.CONFIRMED, ReviewStatus.REJECTED, ReviewStatus.LOCKED)
"""Statuses that require no further work."""
_UNFINISHED = np.ones(256, bool)
_UNFINISHED[list(FINISHED_STATUSES)] = False


def flagged_segments(view: View, agreement: VotingRule = DEFAULT_VOTING_RULE) -> NDArray[np.bool_]:
    """Return the segments in which enough systems flag a word or gap, as a mask of shape (segments,).

    If there are no systems, the gold is used instead. The status of a segment is ignored.
    """
    flagged = np.zeros(view.corpus.size, bool)
    for columns in flagging_columns(view):
        flagged |= columns.marked_segments(agreement)
    return flagged


def unfinished_segments(view: View) -> NDArray[np.bool_]:
    """Return the segments that are not confirmed, rejected or locked, as a mask of shape (segments,)."""
    return _UNFINISHED[view.statuses()]


def segments_with_notes(view: View) -> NDArray[np.bool_]:
    """Return the segments with a note by the user or in the file, as a mask of shape (segments,)."""
    job = view.corpus.job
    with_notes = np.zeros(view.corpus.size, bool) if job is None else job.noted.copy()
    for segment, note in view.review.notes.items():
        # an empty note replaces the note in the file
        with_notes[segment] = bool(note) or (job is not None and segment in job.notes)
    return with_notes
