"""Sums by group: exact, in any order, and nothing that stands in one group moves another's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Score, ScoreRatings
from qe_desktop.ratings.aggregation.rating_groups import exact_sums, group_deviations, group_means
from qe_desktop.ratings.aggregation.z_scores import standardise

VALUES = st.lists(st.floats(-1e6, 1e6, allow_subnormal=False), min_size=1, max_size=30)


@given(VALUES, st.sampled_from([1e12, 1e105, -3e200, 5e-300]), st.integers(1, 40))
def test_a_huge_value_of_one_group_does_not_move_anothers_last_bit(values, huge, times):
    """A sum's powers of two were those of the largest value of all groups, so one slip of a rater moved everybody."""
    alone = exact_sums(np.zeros(len(values), np.int64), np.array(values), 1)
    group = np.concatenate([np.zeros(len(values), np.int64), np.ones(times, np.int64)])
    beside = exact_sums(group, np.array([*values, *[huge] * times]), 2)
    assert beside[0] == alone[0]


@given(VALUES, st.randoms())
def test_sums_are_those_of_exact_arithmetic_in_any_order(values, dice):
    shuffled = [*values]
    dice.shuffle(shuffled)
    one, other = (exact_sums(np.zeros(len(values), np.int64), np.array(held), 1)[0] for held in (values, shuffled))
    assert one == other
    assert one == pytest.approx(math.fsum(values), rel=1e-15, abs=1e-9)


def test_means_and_deviations_of_empty_groups_are_unknown():
    mean, counts = group_means(np.array([1, 1]), np.array([2.0, 4.0]), 3)
    assert counts.tolist() == [0, 2, 0]
    assert mean[1] == 3
    assert np.isnan(mean[[0, 2]]).all()
    assert group_deviations(np.array([1, 1]), np.array([2.0, 4.0]), mean)[1] == pytest.approx(math.sqrt(2))


def test_one_raters_slip_does_not_move_the_z_of_others():
    rows = [Score("ann", "A", str(place), "score", value) for place, value in enumerate([0.1, 0.2, 0.7, 33.3])]
    slip = [Score("ben", "A", str(place), "score", value) for place, value in enumerate([1.0, 9e14, 2.0])]
    alone, beside = (standardise(ScoreRatings.of(held), "score") for held in (rows, [*rows, *slip]))
    assert beside.values[:4].tolist() == alone.values.tolist()
