"""Significance level of a pair for tables, matrices and sentences; the level that a number of rounds can reach."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.significance import (
    PairVerdicts,
    SignificanceLevel,
    SignificanceOptions,
    rejudge_comparison,
    required_rounds,
    sign_meanings,
    unattainable_level,
)
from tests.small_corpora import noisy, random_tags, tags
from tests.tag_comparison import compare, identical_systems, word_metrics


def verdicts(p, judged, beats, **more) -> PairVerdicts:
    return PairVerdicts(np.asarray(p, float), np.asarray(judged, float), np.asarray(beats, bool), **more)


def test_significance_levels_have_different_signs():
    signs = [level.sign for level in SignificanceLevel]
    assert len(set(signs)) == len(signs)


@pytest.mark.parametrize(
    ("judged", "better", "level"),
    [
        (0.009, True, SignificanceLevel.STRONG),
        (0.01, True, SignificanceLevel.WEAK),
        (0.04, True, SignificanceLevel.WEAK),
        (0.06, False, SignificanceLevel.NOT_SIGNIFICANT),
        (float("nan"), False, SignificanceLevel.UNTESTED),
    ],
)
def test_level_depends_on_the_adjusted_p(judged, better, level):
    of = verdicts([[1, 0.0001], [0.0001, 1]], [[1, judged], [judged, 1]], [[0, better], [0, 0]])
    assert of.pair(0, 1).level is level
    assert of.pair(1, 0).level is level
    assert of.pair(0, 1).p == 0.0001
    assert of.pair(0, 0).level is SignificanceLevel.SAME_SYSTEM
    assert (of.pair(1, 0).better == 0) is better


def test_level_is_the_same_for_both_orders_of_a_pair():
    """A sign test that is significant against the (TrueSkill) order is significant in matrix and report."""
    against = verdicts([[1, 0.001], [0.001, 1]], [[1, 0.001], [0.001, 1]], [[0, 0], [1, 0]])
    assert against.pair(0, 1).level is SignificanceLevel.STRONG
    assert against.pair(0, 1).better == 1
    assert against.claim(0, 1) == against.pair(0, 1)


def test_one_sided_pair_has_the_level_of_its_significant_direction():
    of = verdicts([[np.nan, 0.99], [0.01, np.nan]], [[np.nan, 0.99], [0.02, np.nan]], [[0, 0], [1, 0]], two_sided=False)
    assert of.pair(0, 1).adjusted == 0.02
    assert of.pair(0, 1).better == 1
    assert of.claim(0, 1).level is SignificanceLevel.NOT_SIGNIFICANT
    assert of.claim(0, 1).adjusted == 0.99
    assert of.claim(1, 0).level is SignificanceLevel.WEAK


@pytest.mark.parametrize("two_sided", [True, False])
def test_levels_are_those_of_the_pairs(two_sided):
    rng = np.random.default_rng(5)
    for count in (0, 1, 2, 3, 6):
        judged = rng.choice([0.001, 0.01, 0.04, 0.5, np.nan], (count, count))
        beats, identical = (
            (judged <= 0.05) & np.triu(np.ones((count, count), bool), 1),
            rng.random((count, count)) < 0.1,
        )
        if two_sided:
            judged = np.triu(judged) + np.triu(judged, 1).T
        of = verdicts(judged, judged, beats, two_sided=two_sided, identical=identical | identical.T)
        pairs = [(one, other) for one in range(count) for other in range(count) if one != other]
        assert of.levels() == {of.pair(one, other).level for one, other in pairs}
        assert all(of.pair(one, other).level is of.pair(other, one).level for one, other in pairs if two_sided)


def test_sign_meanings_list_the_possible_levels():
    assert sign_meanings(0.05, "holm") == {
        SignificanceLevel.STRONG: "adjusted p < .01",
        SignificanceLevel.WEAK: "adjusted p ≤ .05",
        SignificanceLevel.NOT_SIGNIFICANT: "not significant",
    }
    assert sign_meanings(0.01, "holm") == {
        SignificanceLevel.STRONG: "adjusted p ≤ .01",
        SignificanceLevel.NOT_SIGNIFICANT: "not significant",
    }
    assert sign_meanings(0.001, "none") == {
        SignificanceLevel.STRONG: "p ≤ .001",
        SignificanceLevel.NOT_SIGNIFICANT: "not significant",
    }


def test_small_alpha_has_one_level_of_significance():
    of = verdicts([[1, 0.01], [0.01, 1]], [[1, 0.01], [0.01, 1]], [[0, 1], [0, 0]], alpha=0.01)
    assert of.pair(0, 1).level is SignificanceLevel.STRONG
    assert of.levels() <= set(sign_meanings(0.01, "none"))


def test_only_systems_with_equal_tags_are_identical():
    first, second = tags("oob", "bbo"), tags("oob", "bob")
    assert identical_systems([first, second, tags("oob", "bbo")]).tolist() == [
        [True, False, True], [False, True, False], [True, False, True]
    ]  # fmt: skip
    comparison = compare(["a", "b", "c"], tags("obb", "bbo"), [first, second, first], word_metrics(["MCC"]))
    assert comparison.verdicts("MCC").pair(0, 2).level is SignificanceLevel.IDENTICAL
    assert comparison.verdicts("MCC").pair(0, 1).level is not SignificanceLevel.IDENTICAL


def compare_many(systems: int, rounds: int, **options):
    gold = random_tags(np.full(40, 6), 0.3, 1)
    columns = [noisy(gold, 0.1 + 0.01 * index, index) for index in range(systems)]
    names = [f"s{index}" for index in range(systems)]
    return compare(names, gold, columns, word_metrics(["F1-mult"]), SignificanceOptions(rounds=rounds, **options))


def test_strong_level_is_unattainable_for_30_systems_with_10000_rounds():
    result = replace(compare_many(30, 50), rounds=10_000)
    missed = unattainable_level(result)
    assert missed is not None
    assert missed.min_p == pytest.approx(0.0435, abs=1e-4)
    assert (missed.level, missed.is_alpha, missed.pairs, missed.rounds) == (0.01, False, 435, 50_000)
    assert unattainable_level(replace(result, rounds=50_000)) is None
    assert unattainable_level(rejudge_comparison(result, SignificanceOptions(rounds=10_000, correction="none"))) is None


@pytest.mark.parametrize("correction", ["none", "bonferroni", "holm"])
@pytest.mark.parametrize("rounds", [10, 200, 3_000])
def test_lowest_attainable_p_and_required_rounds(correction, rounds):
    """No adjusted p is below the lowest attainable one, and the suggested rounds reach the level."""
    comparison = compare_many(6, rounds, correction=correction)
    missed = unattainable_level(comparison)
    pairs = 1 if correction == "none" else 15
    lowest_p = min(1.0, pairs / (rounds + 1))
    assert comparison.metrics[0].adjusted[~np.eye(6, dtype=bool)].min() >= lowest_p * (1 - 1e-9)
    assert (missed is not None) is (lowest_p >= 0.01)
    if missed is not None:
        assert missed.min_p == pytest.approx(lowest_p)
        assert missed.rounds is not None
        assert unattainable_level(replace(comparison, rounds=missed.rounds)) is None


def test_significance_is_unattainable_with_two_systems_and_four_documents():
    gold = random_tags(np.full(40, 6), 0.3, 1)
    systems = [noisy(gold, 0.1, 1), noisy(gold, 0.4, 2)]
    documents = np.arange(40) // 10
    comparison = compare(
        ["a", "b"], gold, systems, word_metrics(["MCC"]), SignificanceOptions(unit="document"), documents=documents
    )
    missed = unattainable_level(comparison)
    assert missed is not None
    assert missed.is_alpha
    assert (missed.min_p, missed.rounds) == (0.125, None)


def test_required_rounds_are_round_numbers():
    assert [required_rounds(level, pairs) for level, pairs in ((0.05, 1), (0.01, 136), (0.01, 435), (0.001, 4950))] == [
        1_000, 20_000, 50_000, 5_000_000
    ]  # fmt: skip
