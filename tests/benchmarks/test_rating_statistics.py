"""Statistics of a report on a million ratings by a hundred raters: linear time, and relative to a plain loop."""

from __future__ import annotations

import statistics
import tracemalloc
from collections import defaultdict
from functools import cache

import numpy as np
import pytest

from qe_desktop.corpus import ItemRole, ScoreRatings
from qe_desktop.ratings.aggregation.hypothesis_tests import rank_sum_tests
from qe_desktop.ratings.aggregation.means import resampled_means, segment_means, standardise, system_means
from qe_desktop.ratings.agreement.kappa import krippendorff_alpha
from qe_desktop.ratings.agreement.krippendorff import MEASUREMENT_LEVELS
from qe_desktop.ratings.agreement.rater_agreement import first_ratings, inter_rater_agreement, scale_intra_rater
from qe_desktop.ratings.agreement.reliability import rater_reliability
from qe_desktop.significance import percentile_intervals_ignoring_nan
from qe_desktop.significance.clusters import rank_clusters, rank_ranges, significantly_better
from tests.benchmarks.figures import record_figure
from tests.benchmarks.measurement import time_ratio_of

RATINGS = 1_000_000
RATERS = 100
SYSTEMS = 10
EACH = 5
"""Number of raters of each output."""


@cache
def campaign(ratings: int) -> ScoreRatings:
    """Ratings on a scale of 0 to 100 in random order; 5 % are repeats and 5 % control items."""
    rng = np.random.default_rng(1)
    later = ratings // 10
    segments = (ratings - later) // (EACH * SYSTEMS)
    units = segments * SYSTEMS
    unit = np.repeat(np.arange(units), EACH)
    step = np.repeat(rng.integers(1, RATERS // EACH, units), EACH)
    rater = (np.repeat(rng.integers(0, RATERS, units), EACH) + step * np.tile(np.arange(EACH), units)) % RATERS
    value = (
        60 + 20 * rng.normal(size=units)[unit] + 10 * rng.normal(size=RATERS)[rater] + 10 * rng.normal(size=len(unit))
    )
    order = rng.permutation(len(unit))
    repeated = rng.choice(len(unit), later, replace=False)
    bad = rng.random(later) < 0.5
    value = np.concatenate([value[order], value[repeated] - 20 * bad + rng.normal(0, 5, later)])
    unit, rater = (np.concatenate([column[order], column[repeated]]).astype(np.int32) for column in (unit, rater))
    role = np.concatenate([np.zeros(len(order)), np.where(bad, ItemRole.BAD, ItemRole.REPEAT)]).astype(np.uint8)
    n = len(unit)
    return ScoreRatings(
        tuple(f"rater {number}" for number in range(RATERS)), tuple(f"system {number}" for number in range(SYSTEMS)),
        tuple(str(number) for number in range(segments)), ("score",), rater, unit % SYSTEMS, unit // SYSTEMS,
        np.zeros(n, np.int32), np.clip(np.rint(value), 0, 100), role, np.arange(n) * 10.0, rng.gamma(4, 3, n),
        np.zeros(n, np.uint8),
    )  # fmt: skip


def report(scores: ScoreRatings) -> None:
    """Compute all values of a report on one scale, with 1000 resamples for each interval."""
    z = standardise(scores, "score")
    raw, standardised = segment_means(scores, "score"), segment_means(scores, "score", z.values)
    order = system_means(standardised).order()
    better, _ = significantly_better(rank_sum_tests(standardised.system, standardised.mean, SYSTEMS))
    assert sum(map(len, rank_clusters(order, better))) == SYSTEMS
    rank_ranges(better)
    percentile_intervals_ignoring_nan(resampled_means([raw, standardised], rounds=1000))
    assert inter_rater_agreement(scores, "score", rounds=1000).krippendorff["interval"].low is not None
    scale_intra_rater(scores, "score")
    assert len(rater_reliability(scores, "score")) == RATERS


@pytest.mark.benchmark
def test_time_of_a_report_is_linear(benchmark):
    few, many = campaign(RATINGS // 10), campaign(RATINGS)
    benchmark.pedantic(report, (many,), rounds=2, warmup_rounds=1)
    times = time_ratio_of(lambda: report(many), lambda: report(few), times=3)
    assert record_figure("statistics of 1,000,000 ratings, 100 raters: relative to 100,000", times, 12).met


def plain_statistics(scores: ScoreRatings) -> tuple[dict[str, float], float]:
    """Return z-scores per rater averaged over segments and systems, and interval alpha, from a loop over ratings."""
    rows = scores.rows()
    values_of_rater = defaultdict(list)
    for row in rows:
        values_of_rater[row.rater].append(row.value)
    mean_and_sd = {
        rater: (statistics.fmean(values), statistics.stdev(values)) for rater, values in values_of_rater.items()
    }
    units = defaultdict(list)
    firsts: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for row in rows:
        mean, sd = mean_and_sd[row.rater]
        if row.role in (ItemRole.SYSTEM, ItemRole.REPEAT):
            units[row.system, row.segment].append((row.value - mean) / sd)
        if row.role == ItemRole.SYSTEM:
            firsts[row.system, row.segment].setdefault(row.rater, row.value)
    systems = defaultdict(list)
    for (system, _), values in units.items():
        systems[system].append(statistics.fmean(values))
    observed, n, total, squares = 0.0, 0, 0.0, 0.0
    for unit_ratings in firsts.values():
        values = list(unit_ratings.values())
        if len(values) > 1:
            observed += sum((a - b) ** 2 for a in values for b in values) / (len(values) - 1)
            n += len(values)
            total += sum(values)
            squares += sum(value * value for value in values)
    expected = 2 * (n * squares - total**2) / (n * (n - 1))
    return {system: statistics.fmean(values) for system, values in systems.items()}, 1 - observed / n / expected


@pytest.mark.benchmark
def test_time_of_z_scores_and_alpha_relative_to_a_plain_loop(benchmark):
    scores = campaign(RATINGS // 10)

    def ours() -> tuple[dict[str, float], float]:
        means_of_segments = segment_means(scores, "score", standardise(scores, "score").values)
        means = system_means(means_of_segments).mean.tolist()
        ratings = first_ratings(scores, "score")
        alpha = krippendorff_alpha(ratings.unit, ratings.value, "interval").value
        assert alpha is not None
        return dict(zip(means_of_segments.systems, means, strict=True)), alpha

    means, alpha = benchmark.pedantic(ours, rounds=5, warmup_rounds=1)
    expected_means, expected_alpha = plain_statistics(scores)
    assert means == pytest.approx(expected_means, abs=1e-9)
    assert alpha == pytest.approx(expected_alpha, abs=1e-9)
    figure = record_figure(
        "z, means and alpha of 100,000 ratings: a plain loop takes",
        time_ratio_of(lambda: plain_statistics(scores), ours),
        20,
        is_minimum=True,
    )
    assert figure.value > 5


@pytest.mark.benchmark
def test_memory_of_alpha_with_distinct_values(benchmark):
    rng = np.random.default_rng(2)
    unit = rng.permutation(np.repeat(np.arange(RATINGS // EACH), EACH))
    value = rng.normal(size=RATINGS // EACH)[unit] + rng.normal(size=RATINGS)
    assert len(np.unique(value)) == RATINGS

    def all_levels() -> None:
        for level in MEASUREMENT_LEVELS:
            krippendorff_alpha(unit, value, level)

    benchmark.pedantic(all_levels, rounds=2, warmup_rounds=1)
    tracemalloc.start()
    try:
        all_levels()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # a coincidence matrix would need 8 TB, and a table of values by unit 1.6 TB
    assert record_figure("alpha of 1,000,000 ratings, all different: peak memory", peak / 1e6, 300, "MB").met
