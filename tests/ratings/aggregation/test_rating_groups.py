"""Sums by group: exact, and independent of the order of rows and of other groups."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Score, ScoreRatings
from qe_desktop.ratings.aggregation.means import standardise
from qe_desktop.ratings.aggregation.rating_groups import exact_sums, group_deviations, group_means

VALUES = st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=30)


@given(VALUES, st.sampled_from([1e12, 1e105, -3e200, 5e-300]), st.integers(1, 40))
def test_huge_value_of_one_group_does_not_change_the_sum_of_another(values, huge, times):
    """The exponent once came from the largest value of all groups, so that one outlier changed every sum."""
    alone = exact_sums(np.zeros(len(values), np.int64), np.array(values), 1)
    group = np.concatenate([np.zeros(len(values), np.int64), np.ones(times, np.int64)])
    together = exact_sums(group, np.array([*values, *[huge] * times]), 2)
    assert together[0] == alone[0]


@given(VALUES, st.randoms())
def test_sums_equal_exact_arithmetic_in_any_order(values, rng):
    shuffled = [*values]
    rng.shuffle(shuffled)
    first, second = (
        exact_sums(np.zeros(len(values), np.int64), np.array(numbers), 1)[0] for numbers in (values, shuffled)
    )
    assert first == second
    assert first == pytest.approx(math.fsum(values), rel=1e-15, abs=1e-9)


def test_means_of_empty_groups_are_nan():
    mean, counts = group_means(np.array([1, 1]), np.array([2.0, 4.0]), 3)
    assert counts.tolist() == [0, 2, 0]
    assert mean[1] == 3
    assert np.isnan(mean[[0, 2]]).all()
    assert group_deviations(np.array([1, 1]), np.array([2.0, 4.0]), mean)[1] == pytest.approx(math.sqrt(2))


def test_outlier_of_one_rater_does_not_change_the_z_scores_of_others():
    rows = [Score("ann", "A", str(index), "score", value) for index, value in enumerate([0.1, 0.2, 0.7, 33.3])]
    outlier = [Score("ben", "A", str(index), "score", value) for index, value in enumerate([1.0, 9e14, 2.0])]
    alone, together = (standardise(ScoreRatings.of(ratings), "score") for ratings in (rows, [*rows, *outlier]))
    assert together.values[:4].tolist() == alone.values.tolist()
