"""acc*eq: pairs counted the slow way at every ε that can matter, and the best of these."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from qe_desktop.studies.tied_accuracy import accuracy_by_segment, tied_accuracy

numbers = st.one_of(st.integers(0, 6).map(float), st.just(np.nan))
tables = st.tuples(st.integers(2, 5), st.integers(1, 6)).flatmap(
    lambda shape: st.tuples(*[arrays.arrays(float, shape, elements=numbers)] * 2)
)


def slowly(metric, people, epsilon):
    shares = []
    for segment in range(metric.shape[1]):
        right = []
        for i, j in combinations(range(len(metric)), 2):
            ours, theirs = metric[i, segment] - metric[j, segment], people[i, segment] - people[j, segment]
            if np.isnan(ours) or np.isnan(theirs):
                continue
            right.append(theirs == 0 if abs(ours) <= epsilon else np.sign(ours) == np.sign(theirs))
        if right:
            shares.append(np.mean(right))
    return np.mean(shares) if shares else np.nan


@given(tables)
def test_it_is_the_best_that_any_threshold_gives(pair):
    metric, people = pair
    found = tied_accuracy(metric, people)
    # metrics have whole numbers here, so thresholds between them give what those below them do
    tried = [slowly(metric, people, epsilon) for epsilon in range(8)]
    if np.isnan(tried[0]):
        assert np.isnan(found.accuracy)
        return
    assert found.accuracy == pytest.approx(max(tried))
    assert slowly(metric, people, found.epsilon) == pytest.approx(found.accuracy)
    assert accuracy_by_segment(metric, people, found.epsilon).sum() == pytest.approx(found.accuracy)


@given(tables, st.randoms(use_true_random=False))
def test_the_order_of_segments_and_systems_does_not_matter(pair, dice):
    systems, segments = list(range(pair[0].shape[0])), list(range(pair[0].shape[1]))
    dice.shuffle(systems)
    dice.shuffle(segments)
    one, other = (tied_accuracy(*held) for held in (pair, [table[systems][:, segments] for table in pair]))
    assert one.accuracy == pytest.approx(other.accuracy, nan_ok=True)
    assert one.epsilon == pytest.approx(other.epsilon, nan_ok=True)


def test_of_equally_good_thresholds_it_is_the_least():
    found = tied_accuracy(np.array([[0.0], [1.0], [5.0]]), np.array([[0.0], [0.0], [1.0]]))
    assert (found.accuracy, found.epsilon) == (1.0, 1.0)
