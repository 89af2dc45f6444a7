"""acc*eq: pairs counted the slow way at every ε that can matter, and the best of these."""

from __future__ import annotations

import tracemalloc
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from qe_desktop.studies.meta_eval import tied_accuracy as module
from qe_desktop.studies.meta_eval.tied_accuracy import accuracy_by_segment, tied_accuracy
from tests.studies.tied_accuracy_at_once import by_segment_at_once, tied_accuracy_at_once

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


def scores(systems, segments, *, seed=1, levels=0, holes=False):
    """A metric's and people's; the metric has so many `levels`, 0 for any number."""
    dice = np.random.default_rng(seed)
    people = np.round(dice.normal(size=(systems, segments)) * 2)
    metric = people + dice.normal(size=people.shape) * 3
    if levels:
        metric = np.round(metric / np.ptp(metric) * levels)
    if holes:
        metric[dice.random(metric.shape) < 0.1] = np.nan
        people[dice.random(people.shape) < 0.2] = np.nan
    return metric, people


@pytest.mark.parametrize("most", [200, 1000, 5000])
@pytest.mark.parametrize("levels", [0, 1, 3, 40])
@pytest.mark.parametrize("holes", [False, True])
def test_blocks_give_the_same_to_the_last_bit(monkeypatch, most, levels, holes):
    metric, people = scores(7, 311, seed=levels + most, levels=levels, holes=holes)
    monkeypatch.setattr(module, "MAX_PAIRS", most)
    found = tied_accuracy(metric, people)
    assert (found.accuracy, found.epsilon) == tied_accuracy_at_once(metric, people)
    for epsilon in (0.0, found.epsilon, 1.0):
        expected = by_segment_at_once(metric, people, epsilon)
        assert accuracy_by_segment(metric, people, epsilon).tolist() == expected.tolist()


def test_memory_is_bounded():
    """All pairs at once take about 100 bytes each, and so 380 MB with 20,000 segments of 20 systems."""
    metric, people = scores(20, 12_000)

    def peak(work):
        tracemalloc.start()
        work()
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    used, of_half = (peak(lambda end=end: tied_accuracy(metric[:, :end], people[:, :end])) for end in (12_000, 6000))
    assert used < 120 * module.MAX_PAIRS
    assert used < 1.1 * of_half
    assert peak(lambda: accuracy_by_segment(metric, people, 0.1)) < 200 * metric.shape[1]
