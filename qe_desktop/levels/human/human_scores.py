"""Mean ratings of systems' outputs, by segment, from the ratings attached to a corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, Documents, SystemNameMapping
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.levels.human.segment_ids import NO_LINE, SegmentLines, match_segment_lines

if TYPE_CHECKING:
    # without ratings, their modules are not imported
    from qe_desktop.corpus import Ratings
    from qe_desktop.ratings.aggregation.means import SegmentMeans

MEAN, Z = "mean", "z"
"""Metric names: the mean of the ratings of an output, and the mean of the z-scores of these ratings."""


@dataclass(frozen=True, slots=True, eq=False)
class HumanScores:
    """Mean ratings of outputs.

    `scores` maps `MEAN` and `Z` to arrays of shape (systems, segments), with NaN for unrated outputs. `original_names`
    maps systems to their names in the ratings, if the names differ. `unmatched_note` is a note on rated segments
    without a line in the corpus. `order` contains the indices of all segments, sorted by their names in the ratings
    (see `resampling_order`), with unrated segments last; it is None if the corpus has this order.
    """

    systems: tuple[str, ...]
    scores: Mapping[str, Floats]
    original_names: Mapping[str, str]
    unmatched_note: str = ""
    order: Ints | None = None

    @property
    def rated_mask(self) -> NDArray[np.bool_]:
        """Return which outputs were rated, shape (systems, segments)."""
        return np.asarray(~np.logical_and.reduce([np.isnan(scores) for scores in self.scores.values()]))


def human_scores_of(corpus: Corpus) -> HumanScores | None:
    """Return human scores of the corpus's segments; None if no ratings on a scale match them.

    The first call is slow if there are many ratings; the result is cached.
    """
    return (
        None
        if corpus.ratings is None
        else _with_corpus_names(corpus.ratings, corpus.size, corpus.documents, corpus.rating_systems)
    )


def unmatched_ratings_note(corpus: Corpus) -> str:
    """Return a note on ratings that match no segment of the corpus; empty if there are no such ratings."""
    if corpus.ratings is None or not corpus.size or not len(corpus.ratings.scores):
        return ""
    return _lines(corpus.ratings, corpus.size, corpus.documents).note(corpus.size)


# called on every event of the window; ratings are immutable, so the results are cached
@lru_cache(maxsize=4)
def _with_corpus_names(
    ratings: Ratings, size: int, documents: Documents | None, matched: SystemNameMapping
) -> HumanScores | None:
    """Return human scores under the system names of the corpus; None if there are no such scores."""
    averaged = _average_ratings(ratings, size, documents)
    if averaged is None or not matched:
        return averaged
    corpus_names = matched.map_names(averaged.systems)
    rows = [index for index, name in enumerate(averaged.systems) if name in corpus_names]
    if not rows:
        return None
    scores = (
        {name: column[rows] for name, column in averaged.scores.items()}
        if len(rows) < len(averaged.systems)
        else averaged.scores
    )
    names = tuple(corpus_names[averaged.systems[index]] for index in rows)
    return HumanScores(names, scores, matched.original_names(averaged.systems), averaged.unmatched_note, averaged.order)


@lru_cache(maxsize=2)
def _average_ratings(ratings: Ratings, size: int, documents: Documents | None) -> HumanScores | None:
    """Return human scores under the system names of the ratings; None if no line was rated."""
    from qe_desktop.ratings.results.scale_results import output_means

    if not has_scores(ratings):
        return None
    means = output_means(ratings.scores)
    # excluded ratings count too: numbers are 0-based if any is 0, and segment 0 may be a quality-control item
    lines = _lines(ratings, size, documents)
    if not lines.has_lines:
        return None
    by_name = {MEAN: means.raw, Z: means.z}
    rated = [column for column in by_name.values() if column is not None]
    systems = np.unique(np.concatenate([column.system for column in rated]))
    shape = len(systems), size
    scores = {name: _columns(column, systems, lines.lines, shape) for name, column in by_name.items()}
    names = tuple(means.comparison_means.systems[index] for index in systems)
    return HumanScores(names, scores, {}, lines.note(size), _order_of_names(ratings.scores.segments, lines.lines, size))


@lru_cache(maxsize=2)
def _lines(ratings: Ratings, size: int, documents: Documents | None) -> SegmentLines:
    return match_segment_lines(ratings.scores.segments, ratings.scores.segment, size, documents)


def has_scores(ratings: Ratings) -> bool:
    """Return whether any rating on a scale counts: it has a value, and its role is in `COUNTED_ROLES`."""
    from qe_desktop.ratings.aggregation.rating_groups import COUNTED_ROLES, has_role

    scores = ratings.scores
    return bool((has_role(scores, COUNTED_ROLES) & np.isfinite(scores.value)).any())


def _order_of_names(names: Sequence[str], lines: Ints, size: int) -> Ints | None:
    """Return all `size` lines sorted by name, unrated lines last; None if rated lines are already in this order."""
    from qe_desktop.ratings.aggregation.rating_groups import resampling_order

    named = np.flatnonzero(lines != NO_LINE)
    rated = lines[named[resampling_order([names[index] for index in named.tolist()])]]
    if (np.diff(rated) >= 0).all():
        return None
    first = np.unique(rated, return_index=True)[1]
    rated = rated[np.sort(first)]
    return np.concatenate([rated, np.setdiff1d(np.arange(size), rated)])


def _columns(means: SegmentMeans | None, systems: Ints, lines: Ints, shape: tuple[int, int]) -> Floats:
    columns = np.full(shape, np.nan)
    if means is not None:
        line = lines[means.segment]
        is_matched = line != NO_LINE
        columns[np.searchsorted(systems, means.system[is_matched]), line[is_matched]] = means.mean[is_matched]
    return columns
