"""acc*eq compared with a plain count of pairs at every relevant ε, and its use of memory."""

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
from tests.studies.naive_tied_accuracy import segment_contributions, tied_accuracy_of_all_pairs

numbers = st.one_of(st.integers(0, 6).map(float), st.just(np.nan))
tables = st.tuples(st.integers(2, 5), st.integers(1, 6)).flatmap(
    lambda shape: st.tuples(*[arrays.arrays(float, shape, elements=numbers)] * 2)
)


def naive_accuracy(metric, people, epsilon):
    shares = []
    for segment in range(metric.shape[1]):
        correct = []
        for i, j in combinations(range(len(metric)), 2):
            metric_difference, human_difference = (
                metric[i, segment] - metric[j, segment],
                people[i, segment] - people[j, segment],
            )
            if np.isnan(metric_difference) or np.isnan(human_difference):
                continue
            correct.append(
                human_difference == 0
                if abs(metric_difference) <= epsilon
                else np.sign(metric_difference) == np.sign(human_difference)
            )
        if correct:
            shares.append(np.mean(correct))
    return np.mean(shares) if shares else np.nan


@given(tables)
def test_accuracy_is_the_highest_over_all_thresholds(pair):
    metric, people = pair
    result = tied_accuracy(metric, people)
    # metric scores are whole numbers here, so thresholds between them add nothing
    tried = [naive_accuracy(metric, people, epsilon) for epsilon in range(8)]
    if np.isnan(tried[0]):
        assert np.isnan(result.accuracy)
        return
    assert result.accuracy == pytest.approx(max(tried))
    assert naive_accuracy(metric, people, result.epsilon) == pytest.approx(result.accuracy)
    assert accuracy_by_segment(metric, people, result.epsilon).sum() == pytest.approx(result.accuracy)


@given(tables, st.randoms(use_true_random=False))
def test_order_of_segments_and_systems_does_not_matter(pair, dice):
    systems, segments = list(range(pair[0].shape[0])), list(range(pair[0].shape[1]))
    dice.shuffle(systems)
    dice.shuffle(segments)
    result, shuffled_result = (
        tied_accuracy(*scores_pair) for scores_pair in (pair, [table[systems][:, segments] for table in pair])
    )
    assert result.accuracy == pytest.approx(shuffled_result.accuracy, nan_ok=True)
    assert result.epsilon == pytest.approx(shuffled_result.epsilon, nan_ok=True)


def test_lowest_of_equally_good_thresholds_is_used():
    result = tied_accuracy(np.array([[0.0], [1.0], [5.0]]), np.array([[0.0], [0.0], [1.0]]))
    assert (result.accuracy, result.epsilon) == (1.0, 1.0)


def scores(systems, segments, *, seed=1, levels=0, holes=False):
    """Return metric scores and human scores; `levels` is the number of distinct metric scores, 0 for any."""
    generator = np.random.default_rng(seed)
    people = np.round(generator.normal(size=(systems, segments)) * 2)
    metric = people + generator.normal(size=people.shape) * 3
    if levels:
        metric = np.round(metric / np.ptp(metric) * levels)
    if holes:
        metric[generator.random(metric.shape) < 0.1] = np.nan
        people[generator.random(people.shape) < 0.2] = np.nan
    return metric, people


@pytest.mark.parametrize("max_pairs", [200, 1000, 5000])
@pytest.mark.parametrize("levels", [0, 1, 3, 40])
@pytest.mark.parametrize("holes", [False, True])
def test_blocks_give_bitwise_the_same_result(monkeypatch, max_pairs, levels, holes):
    metric, people = scores(7, 311, seed=levels + max_pairs, levels=levels, holes=holes)
    monkeypatch.setattr(module, "MAX_PAIRS", max_pairs)
    result = tied_accuracy(metric, people)
    assert (result.accuracy, result.epsilon) == tied_accuracy_of_all_pairs(metric, people)
    for epsilon in (0.0, result.epsilon, 1.0):
        expected = segment_contributions(metric, people, epsilon)
        assert accuracy_by_segment(metric, people, epsilon).tolist() == expected.tolist()


def test_memory_is_bounded():
    """All pairs at once would take about 100 bytes each: 380 MB for 20,000 segments of 20 systems."""
    metric, people = scores(20, 12_000)

    def peak_memory_of(work):
        tracemalloc.start()
        work()
        peak_bytes = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak_bytes

    used, used_by_half = (
        peak_memory_of(lambda end=end: tied_accuracy(metric[:, :end], people[:, :end])) for end in (12_000, 6000)
    )
    assert used < 120 * module.MAX_PAIRS
    assert used < 1.1 * used_by_half
    assert peak_memory_of(lambda: accuracy_by_segment(metric, people, 0.1)) < 200 * metric.shape[1]
