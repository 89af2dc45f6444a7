"""Ranking metrics of words: comparison with their definitions and with the script of the shared task."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import TagColumn, offsets_from_lengths
from qe_desktop.studies.threshold_study import rank_all_words, rank_words_by_segment
from tests.small_corpora import tags

ranked = st.lists(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4)), max_size=9), max_size=9)


def columns(segments):
    gold = TagColumn.of([[tag for tag, _ in segment] for segment in segments])
    return gold, np.asarray([number for segment in segments for _, number in segment], float)


def naive_ranking_metrics(bad, numbers):
    """Return AUC, average precision and Recall@K of words by their definitions, or None for one class."""
    k, size = sum(bad), len(bad)
    if k in (0, size):
        return None
    pairs = [(x > y) + (x == y) / 2 for x, b in zip(numbers, bad, strict=True) if b
             for y, other_bad in zip(numbers, bad, strict=True) if not other_bad]  # fmt: skip
    precision = 0.0
    recall = 0.0
    for number, is_bad in zip(numbers, bad, strict=True):
        above = [b for n, b in zip(numbers, bad, strict=True) if n >= number]
        higher = sum(n > number for n in numbers)
        if is_bad:
            precision += sum(above) / len(above)
            # the share of orders of equal numbers that put this word among the first k
            recall += min(max((k - higher) / (len(above) - higher), 0), 1)
    return np.mean(pairs), precision / k, recall / k


@given(ranked)
def test_ranking_metrics_equal_their_definitions(segments):
    gold, numbers = columns(segments)
    per_segment = [
        metrics
        for metrics in (naive_ranking_metrics([b for b, _ in segment], [n for _, n in segment]) for segment in segments)
        if metrics is not None
    ]
    by = rank_words_by_segment(gold, numbers)
    assert by.segments == len(per_segment)
    expected = np.mean(per_segment, axis=0) if per_segment else [np.nan] * 3
    np.testing.assert_allclose([by.auc, by.average_precision, by.recall_at_k], expected, atol=1e-12)
    together = rank_all_words(gold, numbers)
    whole = naive_ranking_metrics(gold.values.tolist(), numbers.tolist())
    np.testing.assert_allclose(
        [together.auc, together.average_precision], [np.nan] * 2 if whole is None else whole[:2], atol=1e-12
    )


def test_constant_scores_give_chance_level_ranking_metrics():
    gold = tags("boooo", "bboo")
    result = rank_words_by_segment(gold, np.full(9, 0.3))
    assert (result.auc, result.recall_at_k, result.average_precision) == pytest.approx((0.5, 0.35, 0.35))


@pytest.mark.published
def test_results_equal_the_script_of_the_explainability_task(data_folder):
    path = data_folder.parent / "oracles/words/explain_and_span_tiny.json"
    oracle = json.loads(path.read_text())["explain_wmt22"]
    lines = [line.split() for line in oracle["scores"]]
    gold = TagColumn(
        np.asarray([tag == "BAD" for line in oracle["gold"] for tag in line.split()], np.uint8),
        offsets_from_lengths([len(line) for line in lines]),
    )
    result = rank_words_by_segment(gold, np.asarray([float(score) for line in lines for score in line]))
    assert (round(result.auc, 6), round(result.average_precision, 6)) == (oracle["auc"], oracle["ap"])
    assert result.recall_at_k == oracle["recall_top_k"]
    assert result.segments == 2
