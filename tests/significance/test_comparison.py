"""Corrections, distinction coefficients, documents, bootstrap, and the whole comparison."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.corpus import QeError
from qe_desktop.metrics import PAPER_METRICS
from qe_desktop.significance import (
    CORRECTIONS,
    SignificanceOptions,
    adjust_p,
    adjust_p_matrix,
    distinction_coefficient,
    percentile_intervals,
    rejudge_comparison,
    resampled_scores,
    sum_by_document,
    top_and_bottom,
)
from tests.significance.test_randomization import families
from tests.small_corpora import noisy, random_tags, tags
from tests.tag_comparison import compare, word_metrics

ADJUSTED = json.loads((Path(__file__).parents[1] / "data/p_adjust.json").read_text())


@pytest.mark.parametrize("correction", ["bonferroni", "holm"])
def test_corrections_equal_r(correction):
    expected = ADJUSTED["R_p.adjust"][correction]
    assert adjust_p(np.array(ADJUSTED["p"]), correction) == pytest.approx(expected, abs=1e-12)
    shuffled = np.random.default_rng(1).permutation(len(expected))
    again = adjust_p(np.array(ADJUSTED["p"])[shuffled], correction)
    assert again == pytest.approx(np.array(expected)[shuffled], abs=1e-12)


@pytest.mark.parametrize("correction", CORRECTIONS)
def test_each_set_of_p_values_is_corrected_separately(correction):
    dice = np.random.default_rng(2)
    p = np.round(dice.random((2, 3, 40)) ** 4, 2)
    p[0, 1, :7] = np.nan
    p[1, 2] = np.nan
    adjusted = adjust_p(p, correction)
    for index in np.ndindex(2, 3):
        assert np.array_equal(adjusted[index], adjust_p(p[index], correction), equal_nan=True)
        untested = np.isnan(p[index])
        assert np.array_equal(adjusted[index][~untested], adjust_p(p[index][~untested], correction))
        assert np.isnan(adjusted[index][untested]).all()


def test_no_correction_and_empty_p_values():
    assert adjust_p(np.array([0.2, 0.3]), "none").tolist() == [0.2, 0.3]
    assert adjust_p(np.zeros(0), "holm").tolist() == []


def test_top_and_bottom_group_sizes():
    assert top_and_bottom(17) == (8, 9)
    assert top_and_bottom(17, top=10) == (10, 7)
    assert top_and_bottom(3, top=9) == (3, 0)


def test_distinction_coefficient_corrects_by_its_own_number_of_pairs():
    p = np.ones((4, 4))
    p[0, 1] = p[1, 0] = 0.02
    assert distinction_coefficient(p, "none", 0.05) == pytest.approx(1 / 6)
    assert distinction_coefficient(p, "bonferroni", 0.05) == 0  # .02 · 6 pairs
    assert distinction_coefficient(p[:2, :2], "bonferroni", 0.05) == 1  # .02 · 1 pair
    assert np.isnan(distinction_coefficient(p[:1, :1], "none", 0.05))
    assert adjust_p_matrix(p, "bonferroni")[1, 0] == pytest.approx(0.12)


def test_distinction_in_top_and_bottom_groups_ignores_other_systems():
    gold = random_tags(np.full(80, 12), 0.2, 1)
    systems = [noisy(gold, 0.05 + 0.02 * index, index) for index in (3, 0, 4, 2, 1)]
    names = [str(index) for index in range(5)]
    for top in (None, 1, 4, 5):
        options = SignificanceOptions(rounds=500, correction="holm", top=top)
        comparison = compare(names, gold, systems, word_metrics(PAPER_METRICS), options)
        upper, _ = top_and_bottom(5, top)
        for metric in comparison.metrics:
            best, rest = (metric.p[np.ix_(part, part)] for part in (metric.order[:upper], metric.order[upper:]))
            expected = [distinction_coefficient(p, "holm", options.alpha) for p in (metric.p, best, rest)]
            assert np.array_equal([metric.d, metric.d_top, metric.d_bottom], expected, equal_nan=True)


def test_documents_are_swapped_as_units():
    gold = random_tags(np.array([3, 4, 5, 6, 2, 2]), 0.3, 1)
    systems = [noisy(gold, 0.2, 2), noisy(gold, 0.3, 3)]
    metrics = word_metrics(["F1-mult"])
    documents = np.array([0, 1, 0, 2, 1, 2])
    comparison = compare(["a", "b"], gold, systems, metrics, SignificanceOptions(unit="document"), documents=documents)
    assert comparison.units == 3
    assert comparison.exact
    assert comparison.rounds == 8
    # equals swapping segments that are whole documents
    order = np.argsort(documents, kind="stable")
    joined = [
        type(gold)(np.concatenate([column[i] for i in order]), np.array([0, 8, 14, 22])) for column in (gold, *systems)
    ]
    again = compare(["a", "b"], joined[0], joined[1:], metrics)
    assert comparison.metrics[0].p == pytest.approx(again.metrics[0].p)
    with pytest.raises(QeError, match="documents cannot be used as resampling units"):
        compare(["a", "b"], gold, systems, metrics, SignificanceOptions(unit="document"))


def test_documents_need_not_be_contiguous():
    rows = np.arange(12, dtype=float).reshape(1, 6, 2)
    sums = sum_by_document(rows, np.array([2, 0, 2, 1, 0, 5]))
    assert sums[0, :, 0].tolist() == [2 + 8, 6, 0 + 4, 10]


def test_order_significance_and_judging_again():
    gold = random_tags(np.full(400, 12), 0.2, 1)
    systems = [noisy(gold, share, 5) for share in (0.3, 0.05, 0.3)]
    systems[2] = systems[0]
    comparison = compare(
        ["x", "good", "same as x"], gold, systems, word_metrics(PAPER_METRICS), SignificanceOptions(rounds=2000)
    )
    for metric in comparison.metrics:
        assert metric.order.tolist() == [1, 0, 2]
        assert metric.beats.tolist() == [[False] * 3, [True, False, True], [False] * 3]
        assert metric.d == pytest.approx(2 / 3)
        assert metric.p[0, 2] == 1
    strict = rejudge_comparison(comparison, SignificanceOptions(rounds=2000, alpha=1e-9))
    assert not any(metric.beats.any() for metric in strict.metrics)
    assert np.array_equal(strict.metrics[0].p, comparison.metrics[0].p)


def test_undefined_scores_rank_as_zero_and_stay_undefined():
    gold = tags("oob", "bbo", "oo")
    comparison = compare(
        ["all OK", "some"], gold, [tags("ooo", "ooo", "oo"), tags("oob", "boo", "oo")], word_metrics(["MCC"])
    )
    metric = comparison.of("MCC")
    assert np.isnan(metric.scores[0])
    assert metric.order.tolist() == [1, 0]


def test_bootstrap_intervals_contain_the_score_and_do_not_depend_on_batches(monkeypatch):
    gold = random_tags(np.full(300, 15), 0.2, 1)
    family_rows = families(gold, [noisy(gold, 0.1, 2), noisy(gold, 0.2, 3)])
    scores = resampled_scores(family_rows, rounds=300, seed=4)
    monkeypatch.setattr("qe_desktop.significance.bootstrap.MAX_BOOTSTRAP_CELLS", 1)
    assert resampled_scores(family_rows, rounds=300, seed=4) == pytest.approx(scores, abs=1e-12)
    low, high = np.moveaxis(percentile_intervals(scores), -1, 0)
    index = 0
    for family in family_rows:
        totals = family.rows.sum(axis=1)
        for metric in family.metrics:
            value = metric.finite_scores(totals)
            assert np.all(low[index] < value)
            assert np.all(value < high[index])
            index += 1


def test_bootstrap_interval_of_accuracy_has_its_theoretical_width():
    gold = random_tags(np.full(1000, 10), 0.3, 1)
    family_rows = families(gold, [noisy(gold, 0.2, 9)], ["accuracy"])
    low, high = percentile_intervals(resampled_scores(family_rows, rounds=2000, seed=1))[0, 0]
    assert high - low == pytest.approx(2 * 1.96 * np.sqrt(0.2 * 0.8 / 10_000), rel=0.15)


def test_bootstrap_test_distinguishes_different_systems():
    gold = random_tags(np.full(300, 15), 0.2, 1)
    systems = [noisy(gold, 0.1, 2), noisy(gold, 0.1, 2), noisy(gold, 0.3, 3)]
    comparison = compare(
        ["a", "b", "c"], gold, systems, word_metrics(["F1-mult"]), SignificanceOptions(test="bootstrap", rounds=1000)
    )
    metric = comparison.metrics[0]
    assert metric.p[0, 1] == 1
    assert metric.p[0, 2] == pytest.approx(1 / 1001)
    assert comparison.of("F1-mult") is metric
    # StopIteration would end a generator around the call
    for find in (comparison.of, comparison.verdicts):
        with pytest.raises(KeyError):
            find("MCC")
