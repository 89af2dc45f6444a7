"""Reliability of each rater: spread, runs, histogram, pace, agreement with others, control items, remarks."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given

from qe_desktop.corpus import ItemRole, Score, ScoreRatings
from qe_desktop.ratings.aggregation.scale_range import choose_bins, histograms
from qe_desktop.ratings.agreement.reliability import longest_runs, rater_reliability
from tests.ratings.rankings import load_expected
from tests.ratings.scale_ratings import random_scores, score_lists

ORACLE = load_expected("quality_control")


def ratings_of(values, rater="r", **more):
    return [Score(rater, "A", str(n), "score", value, **more) for n, value in enumerate(values)]


def reliability_of(rows, **options):
    (only,) = rater_reliability(ScoreRatings.of(rows), "score", **options)
    return only


def test_longest_run_of_equal_values():
    case = ORACLE["constant_run"]
    result = reliability_of(ratings_of(case["scores"]))
    assert result.longest_run == case["longest_run"]
    assert (result.run_value, result.most_frequent, result.share) == (70, 70, 4 / 7)


def test_runs_follow_times_instead_of_rows():
    rows = [Score("r", "A", str(n), "score", v, started=t) for n, (v, t) in enumerate([(1, 5), (2, 1), (1, 4), (2, 9)])]
    assert reliability_of(rows).longest_run == 2
    # with an unknown time, the order of the rows is used
    assert reliability_of([*rows, Score("r", "A", "9", "score", 3)]).longest_run == 1


def test_first_of_equally_long_runs_is_reported():
    run, value = longest_runs(np.zeros(5, np.int64), np.array([4.0, 4, 2, 2, 1]), 2)
    assert run.tolist() == [2, 0]
    assert value[0] == 4
    assert np.isnan(value[1])


def test_control_items_and_repeats_of_a_rater():
    bad, original = ORACLE["reliable"]["bad"], ORACLE["reliable"]["ok"]
    rows = [*ratings_of(original), *ratings_of(bad, role=ItemRole.BAD)]
    rows += [Score("q", "A", "1", "score", 50), Score("q", "A", "1", "score", 52, ItemRole.REPEAT)]
    rows += [Score("q", "A", "7", "score", 52, ItemRole.REPEAT), Score("q", "A", "8", "score", 52, ItemRole.BAD)]
    first, other = rater_reliability(ScoreRatings.of(rows), "score")
    assert first.control.paired_t == pytest.approx(ORACLE["reliable"]["paired_t_less"], rel=1e-5)
    assert first.control.passes
    assert (first.n, first.repeats, first.unmatched) == (20, None, 0)
    assert other.control is None
    assert (other.repeats.n, other.repeats.mean_difference, other.unmatched) == (1, 2, 2)
    strict = reliability_of(rows[:20], alpha=1e-12).control
    assert strict.passes is False


def test_pace_ignores_unknown_times():
    seconds = [1.0, 1.5, 4, 10, 30, np.nan]
    rows = [Score("r", "A", str(n), "score", n, seconds=duration) for n, duration in enumerate(seconds)]
    pace = reliability_of(rows).pace
    assert (pace.n, pace.median, pace.too_fast, pace.limit) == (5, 4, 0.4, 2)
    assert pace.p10 == pytest.approx(np.quantile(seconds[:5], 0.1))
    assert reliability_of(rows).remarks == ("rated 40 % of items too fast, in less than 2 s each",)
    assert reliability_of(rows, too_fast=0.5).pace.too_fast == 0
    assert reliability_of(ratings_of([1, 2])).pace is None


def test_correlation_with_the_other_raters():
    rng = np.random.default_rng(2)
    truth = rng.uniform(0, 100, 40)
    values_by_rater = {
        name: np.rint(truth + rng.normal(0, noise, 40)) for name, noise in (("a", 5), ("b", 10), ("c", 60))
    }
    rows = [row for name, values in values_by_rater.items() for row in ratings_of(values, name)]
    rows += ratings_of([50] * 40, "constant")
    result = {figures.rater: figures for figures in rater_reliability(ScoreRatings.of(rows), "score")}
    for name in values_by_rater:
        rest = np.mean(
            [values for rater, values in [*values_by_rater.items(), ("constant", np.full(40, 50))] if rater != name], 0
        )
        assert result[name].with_others == pytest.approx(np.corrcoef(values_by_rater[name], rest)[0, 1])
        assert result[name].shared == 40
    assert result["constant"].with_others is None
    assert result["constant"].remarks == ("gave the value 50 all 40 times",)


def test_a_single_rating_has_no_deviation():
    result = reliability_of(ratings_of([66]))
    assert (result.n, result.mean, result.sd, result.with_others, result.shared) == (1, 66, None, None, 0)
    assert result.remarks == ()


def test_conspicuous_ratings_give_remarks():
    assert reliability_of(ratings_of([70] * 10 + [1, 2, 3, 4, 5])).remarks == (
        "gave the same value (70) 10 times in a row",
    )
    assert reliability_of(ratings_of([70] * 5 + [3] + [70] * 5)).remarks == ("gave the same value 10 of 11 times",)
    originals = ORACLE["unreliable"]["ok"]
    rows = [*ratings_of(originals), *ratings_of(ORACLE["unreliable"]["bad"], role=ItemRole.BAD)]
    assert reliability_of(rows).remarks[0].startswith("failed: degraded items do not score significantly lower")


@pytest.mark.parametrize(
    ("values", "edges", "by_value"),
    [
        ([2, 3, 4], np.arange(0.5, 6), True),
        ([0, 10], np.arange(-0.5, 11), True),
        ([0, 40, 100], np.arange(0, 101, 5), False),
        ([0.5, 30], np.arange(0, 101, 5), False),
        ([-2.2, 0.1, 2.4], np.arange(-5, 6) / 2, False),
        ([0.0, 0.5, 1.0], np.arange(22) / 20, False),
    ],
)
def test_bins_fit_the_scale(values, edges, by_value):
    bins = choose_bins(np.asarray(values, float))
    assert bins.by_value is by_value
    assert bins.edges == pytest.approx(edges)
    assert histograms(np.zeros(len(values), np.int64), np.asarray(values, float), 1, bins).sum() == len(values)


def test_a_value_on_an_edge_is_in_the_bin_above():
    bins = choose_bins(np.array([0.0, 100]))
    counts = histograms(np.array([0, 0, 1, 1]), np.array([5.0, 100, 4.9, 95]), 2, bins)
    assert counts[0].nonzero()[0].tolist() == [1, 19]
    assert counts[1].nonzero()[0].tolist() == [0, 19]
    assert bins.centres[0] == 2.5
    assert len(choose_bins(np.zeros(0))) == 1


def assert_equals_a_plain_loop(rows, scale):
    scores = ScoreRatings.of(rows)
    values_by_rater = defaultdict(list)
    for row in sorted(rows, key=lambda row: np.nan_to_num(row.started)):
        if row.role != ItemRole.TRAINING and np.isfinite(row.value):
            values_by_rater[row.rater].append(row.value)
    figures = rater_reliability(scores, scale)
    assert [rater_figures.rater for rater_figures in figures] == [
        rater for rater in scores.raters if rater in values_by_rater
    ]
    for rater_figures in figures:
        values = values_by_rater[rater_figures.rater]
        assert rater_figures.n == len(values) == rater_figures.histogram.sum()
        assert rater_figures.mean == pytest.approx(np.mean(values))
        assert rater_figures.sd == (None if len(values) < 2 else pytest.approx(np.std(values, ddof=1), abs=1e-12))
        runs = [(len(list(run)), value) for value, run in itertools.groupby(values)]
        longest = max(length for length, _ in runs)
        assert rater_figures.longest_run == longest
        assert rater_figures.run_value == next(value for length, value in runs if length == longest)
        counts = Counter(values)
        assert rater_figures.share == max(counts.values()) / len(values)
        assert rater_figures.most_frequent == min(value for value, n in counts.items() if n == max(counts.values()))


@given(score_lists())
def test_figures_equal_a_plain_loop(rows):
    assert_equals_a_plain_loop(rows, "adequacy")


def test_figures_of_many_ratings_equal_a_plain_loop():
    assert_equals_a_plain_loop(random_scores(np.random.default_rng(3), 400), "score")


def test_raters_without_ratings_have_no_figures():
    assert rater_reliability(ScoreRatings.of([]), "score") == ()
    assert rater_reliability(ScoreRatings.of(ratings_of([1], role=ItemRole.TRAINING)), "score") == ()


def test_bin_of_no_values_is_a_whole_number():
    bins = choose_bins(np.zeros(0))
    assert (bins.by_value, bins.edges.tolist()) == (True, [-0.5, 0.5])
