"""DeltaAvg: the published definition as a mean over parts, ties, the oracle, and too few segments."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.metrics import SENTENCE_METRICS
from qe_desktop.metrics.correlation import GoldNumbers, SystemNumbers
from qe_desktop.metrics.delta_avg import delta_rows, rank_weights

DELTA = SENTENCE_METRICS["DeltaAvg"]
eighths = st.integers(-1000, 1000).map(lambda value: value / 8)


def score(system, gold):
    numbers = SystemNumbers(np.asarray(system, float), GoldNumbers(np.asarray(gold, float)))
    return float(DELTA.score(delta_rows(numbers).sum(axis=0)))


def delta_avg_by_parts(gold):
    """Return DeltaAvg by its definition; `gold` is in the order of the scores."""
    size, middle = len(gold), np.mean(gold)
    result = []
    for number in range(2, size // 2 + 1):
        part = size // number
        result.append(np.mean([np.mean(gold[: index * part]) - middle for index in range(1, number)]))
    return abs(np.mean(result))


@given(st.lists(eighths, min_size=4, max_size=60))
def test_delta_avg_equals_the_mean_over_parts(gold):
    assert score(range(len(gold)), gold) == pytest.approx(delta_avg_by_parts(gold), abs=1e-9)


@pytest.mark.parametrize("size", [4, 5, 17, 100, 1000])
def test_rank_weights_sum_to_zero(size):
    assert rank_weights(size).sum() == pytest.approx(0, abs=1e-12)


@given(st.lists(st.tuples(st.integers(0, 4), eighths), min_size=4, max_size=30), st.randoms())
def test_segment_order_does_not_matter_even_with_ties(pair, dice):
    shuffled = list(pair)
    dice.shuffle(shuffled)
    assert score(*np.array(shuffled).T) == pytest.approx(score(*np.array(pair).T), abs=1e-9)


def test_tied_scores_average_over_their_orders():
    gold = [1.0, 2.0, 4.0, 8.0, 16.0]
    tied = score([1, 2, 2, 4, 5], gold)
    first, second = delta_avg_by_parts(gold), delta_avg_by_parts([1.0, 4.0, 2.0, 8.0, 16.0])
    assert tied == pytest.approx((first + second) / 2)
    assert first != pytest.approx(second)


def test_constant_scores_have_delta_avg_zero():
    assert score([0.3] * 50, np.random.default_rng(1).normal(size=50)) == 0


def test_delta_avg_is_undefined_for_fewer_than_four_segments():
    assert np.isnan(score([1, 2, 3], [1, 2, 3]))
    assert np.isnan(score([], []))
    assert score([1, 2, 3, 4], [0, 0, 1, 1]) > 0


@pytest.mark.published
def test_sentence_metrics_of_the_toy_corpus_equal_the_oracle(data_folder):
    folder = data_folder / "openkiwi_toy_wmt18"
    numbers = SystemNumbers(np.loadtxt(folder / "sys.hter"), GoldNumbers(np.loadtxt(folder / "dev.hter")))
    oracle = json.loads((data_folder.parent / "oracles/words/gap_tags_and_sentence_toy.json").read_text())["sentence"]
    for name, expected in (
        ("Pearson", "pearson"), ("Spearman", "spearman"), ("MAE", "mae"), ("RMSE", "rmse"), ("DeltaAvg", "delta_avg")
    ):  # fmt: skip
        metric = SENTENCE_METRICS[name]
        assert round(float(metric.score(metric.family.rows(numbers).sum(axis=0))), 6) == oracle[expected]
