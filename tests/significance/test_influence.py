"""Influence of each segment on the score difference of two systems, for every metric."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import TagColumn
from qe_desktop.metrics import WORD_METRICS, compute_rows
from qe_desktop.significance import segment_influence
from tests.small_corpora import noisy, random_tags, tags
from tests.tag_comparison import influence_of_tags


def score(metric, gold, system) -> float:
    return float(metric.finite_scores(compute_rows([metric.family], gold, [system])[metric.family.name].sum(axis=1))[0])


def swap_segment(first: TagColumn, second: TagColumn, segment: int) -> TagColumn:
    values = first.values.copy()
    words_of_segment = slice(int(first.offsets[segment]), int(first.offsets[segment + 1]))
    values[words_of_segment] = second.values[words_of_segment]
    return TagColumn(values, first.offsets)


@pytest.mark.parametrize("name", list(WORD_METRICS))
def test_influence_is_half_the_change_when_the_segment_is_swapped(name):
    """The definition is computed by scoring the swapped tags."""
    metric = WORD_METRICS[name]
    gold = random_tags(np.array([3, 8, 1, 12, 5, 9, 4, 7]), 0.35, 1)
    first, second = noisy(gold, 0.2, 2), noisy(gold, 0.35, 3)
    influences = influence_of_tags(metric, gold, first, second)
    observed = score(metric, gold, first) - score(metric, gold, second)
    for segment in range(len(gold)):
        after = score(metric, gold, swap_segment(first, second, segment)) - score(
            metric, gold, swap_segment(second, first, segment)
        )
        assert influences[segment] == pytest.approx((observed - after) / 2, abs=1e-12)


@pytest.mark.parametrize("name", list(WORD_METRICS))
def test_influence_is_zero_for_equal_outputs_and_antisymmetric(name):
    metric = WORD_METRICS[name]
    gold = random_tags(np.full(200, 9), 0.3, 4)
    first, second = noisy(gold, 0.1, 5), noisy(gold, 0.2, 6)
    influences = influence_of_tags(metric, gold, first, second)
    same = [np.array_equal(first[segment], second[segment]) for segment in range(200)]
    assert any(same)
    assert not influences[same].any()
    assert influence_of_tags(metric, gold, second, first) == pytest.approx(-influences, abs=1e-15)


@pytest.mark.parametrize("name", ["accuracy", "SeqCor"])
def test_influences_on_a_mean_sum_to_the_difference(name):
    metric = WORD_METRICS[name]
    gold = random_tags(np.full(50, 9), 0.3, 4)
    first, second = noisy(gold, 0.1, 5), noisy(gold, 0.3, 6)
    whole = score(metric, gold, first) - score(metric, gold, second)
    assert influence_of_tags(metric, gold, first, second).sum() == pytest.approx(whole, abs=1e-12)


def test_influence_of_a_segment_differs_between_metrics():
    """A system with fewer correct tags in a segment can gain from it: finding BAD counts in F1-BAD."""
    gold = tags("bbbooooo", "oooooooo", "ooooobbb")
    finder, silent = tags("bbbbbbbo", "oooooooo", "ooooobbb"), tags("oooooooo", "oooooooo", "ooooobbb")
    by_tags, by_f1 = (influence_of_tags(WORD_METRICS[name], gold, finder, silent) for name in ("accuracy", "F1-BAD"))
    assert by_tags[0] < 0 < by_f1[0]


def test_influence_of_a_million_segments_is_the_same_for_repeated_rows():
    """Rows are hits, false alarms, gold BAD and words; the same thousand rows are repeated."""
    dice = np.random.default_rng(1)
    hits = dice.integers(0, 3, (2, 1000))
    alarms, gold, words = dice.integers(0, 3, (2, 1000)), np.full((2, 1000), 2), np.full((2, 1000), 9)
    rows = np.tile(np.stack([hits, alarms, gold, words], axis=-1), (1, 1000, 1)).astype(np.float32)
    influences = segment_influence(WORD_METRICS["MCC"], rows)
    assert influences.shape == (1_000_000,)
    assert np.array_equal(influences[:1000], influences[-1000:])
