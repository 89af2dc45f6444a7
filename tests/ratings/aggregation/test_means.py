"""Means per segment, system and rater, totals, and independence of the order of rows."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import ItemRole, Score, ScoreRatings
from qe_desktop.ratings.aggregation.means import segment_means, segment_totals, system_means
from qe_desktop.ratings.aggregation.rating_groups import exact_sums, group_deviations, round_to_15_digits
from qe_desktop.ratings.agreement.reliability import rater_reliability
from tests.ratings.rankings import load_expected
from tests.ratings.scale_ratings import adequacy_and_fluency, group_values, score_lists

ORACLE = load_expected("adequacy_fluency")
SCALES = ("adequacy", "fluency")


def check(scores, expected):
    means = {scale: system_means(segment_means(scores, scale)).mean for scale in SCALES}
    for index, system in enumerate(scores.systems):
        for scale in SCALES:
            assert means[scale][index] == pytest.approx(expected[system][scale], abs=1e-6)
        total = means["adequacy"][index] + means["fluency"][index]
        assert total == pytest.approx(expected[system]["total"], abs=1e-6)


def test_system_means_and_totals_equal_the_oracle():
    check(adequacy_and_fluency(ORACLE["ratings"]), ORACLE["system"])


@pytest.mark.parametrize("case", ["missing_case", "missing_case_2"])
def test_segments_have_equal_weight_if_ratings_are_missing(case):
    dropped = {tuple(key) for key in ORACLE[case]["dropped"]}
    remaining = [row for row in ORACLE["ratings"] if tuple(row[:3]) not in dropped]
    check(adequacy_and_fluency(remaining), ORACLE[case]["system_segment_mean"])
    # a rating without a value counts as missing
    nan = [row if tuple(row[:3]) not in dropped else [*row[:3], np.nan, np.nan] for row in ORACLE["ratings"]]
    check(adequacy_and_fluency(nan), ORACLE[case]["system_segment_mean"])


def test_segment_means_and_counts():
    scores = adequacy_and_fluency(ORACLE["ratings"])
    means = {scale: segment_means(scores, scale) for scale in SCALES}
    for index, (system, segment, *values) in enumerate(ORACLE["segment_means"]):
        for scale, value in zip(SCALES, values, strict=True):
            assert scores.systems[means[scale].system[index]] == system
            assert scores.segments[means[scale].segment[index]] == str(segment)
            assert means[scale].mean[index] == value
    assert system_means(means["adequacy"]).segments.tolist() == [4, 4, 4]
    assert means["fluency"].mean[4:8].tolist() == [3.5, 2, 3.5, 1.5]


def test_means_of_raters():
    scores = adequacy_and_fluency(ORACLE["ratings"])
    for scale in SCALES:
        for reliability in rater_reliability(scores, scale):
            assert reliability.mean == pytest.approx(ORACLE["judge_means"][reliability.rater][scale], abs=1e-6)


def test_totals_of_segments():
    scores = adequacy_and_fluency(ORACLE["ratings"])
    totals = segment_totals(segment_means(scores, "adequacy"), segment_means(scores, "fluency"))
    for index, system in enumerate(scores.systems):
        expected = ORACLE["total_segment_ci95"][system]
        assert system_means(totals).mean[index] == expected["mean"]
        assert totals.mean[totals.system == index].std(ddof=1) == pytest.approx(expected["sd"], abs=1e-6)


def test_equal_totals_are_equal_in_spite_of_rounding():
    rows = [["A", 1, f"j{j}", a, f] for j, (a, f) in enumerate([(3, 4), (3, 4), (4, 4)])]
    rows += [["B", 1, f"j{j}", a, f] for j, (a, f) in enumerate([(4, 4), (4, 4), (3, 3)])]
    scores = adequacy_and_fluency(rows)
    totals = segment_totals(segment_means(scores, "adequacy"), segment_means(scores, "fluency"))
    assert 10 / 3 + 4.0 != 11 / 3 + 11 / 3
    assert totals.mean[0] == totals.mean[1]
    with pytest.raises(ValueError, match="both scales must have the same systems and segments"):
        segment_totals(totals, segment_means(adequacy_and_fluency(rows[:3]), "fluency"))


def test_only_ratings_of_systems_and_repeats_count():
    rows = [
        Score("r", "A", "1", "score", value, role) for value, role in zip((50, 70, 1, 99, 7), ItemRole, strict=True)
    ]
    scores = ScoreRatings.of(rows)
    assert segment_means(scores, "score").mean.tolist() == [60]
    assert np.isnan(system_means(segment_means(scores, "fluency")).mean).all()
    assert system_means(segment_means(scores, "fluency")).segments.tolist() == [0]


def test_order_puts_systems_without_a_mean_last():
    rows = [Score("r", "A", "1", "score", np.nan), Score("r", "B", "1", "score", 3), Score("r", "C", "1", "score", 5)]
    means = system_means(segment_means(ScoreRatings.of(rows), "score"))
    assert means.order().tolist() == [2, 1, 0]
    assert np.isnan(means.mean[0])


@given(score_lists())
def test_means_equal_a_plain_loop(rows):
    scores = ScoreRatings.of(rows)
    counted = [row for row in rows if row.role in (ItemRole.SYSTEM, ItemRole.REPEAT)]
    units = group_values(counted, lambda row: (row.system, row.segment))
    means = segment_means(scores, "adequacy")
    assert len(means) == len(units)
    for system, segment, mean in zip(means.system, means.segment, means.mean, strict=True):
        values = units[scores.systems[system], scores.segments[segment]]
        assert mean == pytest.approx(np.mean(values), rel=1e-14)
    over_segments = system_means(means)
    for index, system in enumerate(scores.systems):
        system_values = [np.mean(values) for (name, _), values in units.items() if name == system]
        assert over_segments.segments[index] == len(system_values)
        if system_values:
            assert over_segments.mean[index] == pytest.approx(np.mean(system_values), rel=1e-14)


@given(score_lists(), st.randoms(use_true_random=False))
def test_means_are_identical_for_any_order_of_rows(rows, random):
    scores = ScoreRatings.of(rows)
    order = list(range(len(rows)))
    random.shuffle(order)
    again = scores.take(np.asarray(order, np.int64))
    for first, second in zip(*(segment_means(ratings, "adequacy").mean for ratings in (scores, again)), strict=True):
        assert first == second


@given(st.lists(st.floats(-1e12, 1e12), min_size=1, max_size=40))
def test_sums_are_exact_to_the_last_bits(values):
    total = exact_sums(np.zeros(len(values), np.int64), np.asarray(values), 1)[0]
    exact = sum(map(Fraction, values))
    smallest = Fraction(1, 2**900)
    assert abs(Fraction(total) - exact) <= Fraction(max(map(abs, values))) / 2**50 + len(values) * smallest


@given(st.lists(st.floats(-1e6, 1e6).filter(lambda value: value == 0 or abs(value) > 1e-7), max_size=30))
def test_rounding_to_15_digits_equals_printing_them(values):
    rounded = round_to_15_digits(np.asarray(values, np.float64))
    assert rounded.tolist() == [float(f"{value:.15g}") for value in values]


def test_rounding_to_15_digits_of_many_and_of_extreme_numbers():
    rng = np.random.default_rng(1)
    values = np.concatenate([rng.normal(0, 1, 20_000), rng.uniform(0, 100, 20_000), rng.integers(0, 500, 20_000) / 7])
    assert round_to_15_digits(values).tolist() == [float(f"{value:.15g}") for value in values]
    assert round_to_15_digits(np.array([1e15, -3e200, np.inf, 0.1 + 0.2, 0.0])).tolist() == [
        1e15,
        -3e200,
        np.inf,
        0.3,
        0,
    ]
    assert np.isnan(round_to_15_digits(np.array([np.nan]))[0])


@pytest.mark.parametrize("scale", [1e-250, 1e-20, 1.0, 1e20, 1e300])
def test_sums_of_any_magnitude(scale):
    values = np.array([0.1, 0.2, 0.3]) * scale
    assert exact_sums(np.zeros(3, np.int64), values, 1)[0] == pytest.approx(0.6 * scale, rel=1e-15)
    assert exact_sums(np.zeros(0, np.int64), np.zeros(0), 2).tolist() == [0, 0]


def test_deviation_of_equal_values_is_zero():
    values = np.full(7, 66.1)
    group = np.zeros(7, np.int64)
    mean = np.array([values.sum() / 7 * (1 + 2e-16)])
    assert group_deviations(group, values, mean)[0] == 0


def test_segments_without_ratings_do_not_change_the_means():
    scores = ScoreRatings.of([Score("r", "A", "1", "score", 3), Score("r", "B", "9", "score", 4)])
    many = replace(scores, segments=(*scores.segments, *map(str, range(10, 300_000))))
    assert segment_means(many, "score").mean.tolist() == [3, 4]
