"""Distributions of ratings, which supplement the results: values by system, times per item, and repeated items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from qe_desktop.corpus import ItemRole, PairRatings, Ratings, ScoreRatings
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.ratings.aggregation.means import Z
from qe_desktop.ratings.aggregation.rating_groups import (
    COUNTED_ROLES,
    RATED_ROLES,
    group_values,
    has_role,
    scale_rows,
    time_order,
)
from qe_desktop.ratings.aggregation.scale_range import HistogramBins, choose_bins, histograms
from qe_desktop.ratings.aggregation.win_rates import WinTable, count_wins
from qe_desktop.ratings.agreement.rater_agreement import find_repeats
from qe_desktop.ratings.results.scale_results import individual_ratings

QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True, slots=True, eq=False)
class SystemDistribution:
    """Distribution of each system's ratings on one scale.

    `counts` has shape (systems, bins). `quantiles` has shape (systems, 5), with one column for each of `QUANTILES`, and
    is NaN for a system without ratings. If `bins.by_value` is True, each bin holds a single integer value.
    """

    systems: tuple[str, ...]
    bins: HistogramBins
    counts: Ints
    quantiles: Floats


@dataclass(frozen=True, slots=True, eq=False)
class RepeatPairs:
    """Pairs of ratings by one rater; both arrays have shape (pairs,).

    For repeated items, `first` holds the first and `repeated` the later ratings of the same outputs. For
    quality-control items, `first` holds the ratings of the original outputs, and `repeated` the ratings of the
    degraded outputs.
    """

    first: Floats
    repeated: Floats


@dataclass(frozen=True, slots=True, eq=False)
class RatingDistributions:
    """Distributions of ratings, times per item, repeated and quality-control items, and wins.

    `distributions` has an entry per scale. `seconds_by_rater` maps each rater to the seconds spent on each item: first
    the items rated on scales, then the ranked screens. `repeats` and `controls` (quality-control items) have an entry
    per (rater, scale). `wins` is None if there are no rankings.
    """

    distributions: Mapping[str, SystemDistribution] = field(default_factory=dict)
    seconds_by_rater: Mapping[str, Floats] = field(default_factory=dict)
    repeats: Mapping[tuple[str, str], RepeatPairs] = field(default_factory=dict)
    controls: Mapping[tuple[str, str], RepeatPairs] = field(default_factory=dict)
    wins: WinTable | None = None


def rating_distributions(ratings: Ratings, scales: Sequence[str] = ()) -> RatingDistributions:
    """Return the distributions of ratings on `scales` (by default, on all scales).

    For a scale that has only standardized values, those values are used, under the name of the scale.
    """
    scores, named = individual_ratings(ratings.scores)
    sources = {scale: scale if scale in scores.scales else Z for scale in scales or scores.scales}
    return RatingDistributions(
        {
            scale: _system_distribution(scores, source)
            for scale, source in sources.items()
            if len(scale_rows(scores, source, COUNTED_ROLES))
        },
        _paces(named, ratings.pairs),
        _repeat_pairs(named, sources, ItemRole.REPEAT),
        _repeat_pairs(named, sources, ItemRole.BAD),
        count_wins(ratings.pairs) if len(ratings.pairs) else None,
    )


def _system_distribution(scores: ScoreRatings, scale: str) -> SystemDistribution:
    rows = scale_rows(scores, scale, COUNTED_ROLES)
    system, values = scores.system[rows].astype(np.int64), scores.value[rows]
    bins = choose_bins(values)
    undefined = np.full(len(QUANTILES), np.nan)
    quantiles = [
        np.quantile(system_values, QUANTILES) if len(system_values) else undefined
        for system_values in group_values(system, values, len(scores.systems))
    ]
    return SystemDistribution(
        scores.systems, bins, histograms(system, values, len(scores.systems), bins), np.asarray(quantiles)
    )


def _paces(scores: ScoreRatings, pairs: PairRatings) -> dict[str, Floats]:
    """Return the times of each rater in seconds: first for each item rated on scales, then for each ranked screen."""
    rated = np.flatnonzero(has_role(scores, RATED_ROLES) & np.isfinite(scores.seconds))
    rows = _items(scores, time_order(scores, rated))
    # a screen of five systems is ten judgements, but one item
    keys = pairs.rater.astype(np.int64) * max(1, len(pairs.screens)) + pairs.screen
    first = np.sort(np.unique(keys, return_index=True)[1])
    first = first[(has_role(pairs, RATED_ROLES) & np.isfinite(pairs.seconds))[first]]
    first = first[np.argsort(np.nan_to_num(pairs.started[first]), kind="stable")]
    by_rater: dict[str, list[Floats]] = {}
    for names, rater, seconds in (
        (scores.raters, scores.rater[rows], scores.seconds[rows]),
        (pairs.raters, pairs.rater[first], pairs.seconds[first]),
    ):
        for name, rater_seconds in zip(names, group_values(rater, seconds, len(names)), strict=True):
            if len(rater_seconds):
                by_rater.setdefault(name, []).append(rater_seconds)
    return {name: np.concatenate(rater_seconds) for name, rater_seconds in by_rater.items()}


def _items(scores: ScoreRatings, rows: Ints) -> Ints:
    """Return the first row of each run of consecutive `rows` that belong to one item.

    Ratings of an item on several scales share one time, which must be counted once.
    """
    is_same = np.ones(max(0, len(rows) - 1), bool)
    for column in (scores.rater, scores.system, scores.segment, scores.role, scores.seconds):
        is_same &= column[rows][1:] == column[rows][:-1]
    return np.asarray(rows[np.concatenate([np.ones(min(1, len(rows)), bool), ~is_same])], np.int64)


def _repeat_pairs(
    scores: ScoreRatings, sources: Mapping[str, str], role: ItemRole
) -> dict[tuple[str, str], RepeatPairs]:
    repeats: dict[tuple[str, str], RepeatPairs] = {}
    for scale, source in sources.items():
        repeated = find_repeats(scores, source, role)
        raters = len(scores.raters)
        firsts, repeated_by_rater = (
            group_values(repeated.rater, values, raters) for values in (repeated.first, repeated.repeated)
        )
        for rater, first, second in zip(scores.raters, firsts, repeated_by_rater, strict=True):
            if len(first):
                repeats[rater, scale] = RepeatPairs(first, second)
    return repeats
