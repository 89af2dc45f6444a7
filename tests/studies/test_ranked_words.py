"""How numbers rank words: as the script of the shared task has it, and as definitions say, word by word."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import TagColumn, offsets_from_lengths
from qe_desktop.studies.thresholds.ranking_metrics import rank_all_words, rank_words_by_segment
from tests.building import tags

ranked = st.lists(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 4)), max_size=9), max_size=9)


def columns(segments):
    gold = TagColumn.of([[tag for tag, _ in segment] for segment in segments])
    return gold, np.asarray([number for segment in segments for _, number in segment], float)


def plain(bad, numbers):
    """AUC, average precision and Recall@K of some words by their definitions; None with one class."""
    k, size = sum(bad), len(bad)
    if k in (0, size):
        return None
    pairs = [(x > y) + (x == y) / 2 for x, b in zip(numbers, bad, strict=True) if b
             for y, other in zip(numbers, bad, strict=True) if not other]  # fmt: skip
    precise = 0.0
    recall = 0.0
    for one, is_bad in zip(numbers, bad, strict=True):
        above = [b for n, b in zip(numbers, bad, strict=True) if n >= one]
        higher = sum(n > one for n in numbers)
        if is_bad:
            precise += sum(above) / len(above)
            # of the orders of equal numbers, as many have this word among the first k
            recall += min(max((k - higher) / (len(above) - higher), 0), 1)
    return np.mean(pairs), precise / k, recall / k


@given(ranked)
def test_figures_are_those_of_the_definitions(segments):
    gold, numbers = columns(segments)
    found = [
        one
        for one in (plain([b for b, _ in segment], [n for _, n in segment]) for segment in segments)
        if one is not None
    ]
    by = rank_words_by_segment(gold, numbers)
    assert by.segments == len(found)
    expected = np.mean(found, axis=0) if found else [np.nan] * 3
    np.testing.assert_allclose([by.auc, by.average_precision, by.recall_at_k], expected, atol=1e-12)
    together = rank_all_words(gold, numbers)
    whole = plain(gold.values.tolist(), numbers.tolist())
    np.testing.assert_allclose(
        [together.auc, together.average_precision], [np.nan] * 2 if whole is None else whole[:2], atol=1e-12
    )


def test_constants_rank_no_word_before_another():
    gold = tags("boooo", "bboo")
    found = rank_words_by_segment(gold, np.full(9, 0.3))
    assert (found.auc, found.recall_at_k, found.average_precision) == pytest.approx((0.5, 0.35, 0.35))


@pytest.mark.published
def test_the_script_of_the_explainability_task(data_folder):
    path = data_folder.parent / "oracles/words/explain_and_span_tiny.json"
    oracle = json.loads(path.read_text())["explain_wmt22"]
    lines = [line.split() for line in oracle["scores"]]
    gold = TagColumn(
        np.asarray([tag == "BAD" for line in oracle["gold"] for tag in line.split()], np.uint8),
        offsets_from_lengths([len(line) for line in lines]),
    )
    found = rank_words_by_segment(gold, np.asarray([float(one) for line in lines for one in line]))
    assert (round(found.auc, 6), round(found.average_precision, 6)) == (oracle["auc"], oracle["ap"])
    assert found.recall_at_k == oracle["recall_top_k"]
    assert found.segments == 2
