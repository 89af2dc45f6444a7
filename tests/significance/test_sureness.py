"""One reading of p for tables, matrices and sentences; and which level a number of rounds can reach."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.significance import (
    PairVerdicts,
    SignificanceLevel,
    SignificanceOptions,
    judge_again,
    required_rounds,
    sign_meanings,
    unattainable_level,
)
from tests.building import noisy, random_tags, tags
from tests.comparing import compare, same_tags, word_metrics


def verdicts(p, judged, beats, **more) -> PairVerdicts:
    return PairVerdicts(np.asarray(p, float), np.asarray(judged, float), np.asarray(beats, bool), **more)


def test_every_level_has_a_sign_of_its_own():
    signs = [level.sign for level in SignificanceLevel]
    assert len(set(signs)) == len(signs)


@pytest.mark.parametrize(
    ("judged", "better", "level"),
    [
        (0.009, True, SignificanceLevel.STRONG),
        (0.01, True, SignificanceLevel.WEAK),
        (0.04, True, SignificanceLevel.WEAK),
        (0.06, False, SignificanceLevel.NOT),
        (float("nan"), False, SignificanceLevel.UNTESTED),
    ],
)
def test_what_is_judged_is_p_after_correction(judged, better, level):
    of = verdicts([[1, 0.0001], [0.0001, 1]], [[1, judged], [judged, 1]], [[0, better], [0, 0]])
    assert of.pair(0, 1).sureness is level
    assert of.pair(1, 0).sureness is level
    assert of.pair(0, 1).p == 0.0001
    assert of.pair(0, 0).sureness is SignificanceLevel.ITSELF
    assert (of.pair(1, 0).better == 0) is better


def test_a_difference_is_as_sure_whichever_of_two_stands_first():
    """A significant sign test against the order (TrueSkill's) is significant, in the matrix as in the report."""
    against = verdicts([[1, 0.001], [0.001, 1]], [[1, 0.001], [0.001, 1]], [[0, 0], [1, 0]])
    assert against.pair(0, 1).sureness is SignificanceLevel.STRONG
    assert against.pair(0, 1).better == 1
    assert against.claim(0, 1) == against.pair(0, 1)


def test_of_one_sided_tests_the_significant_one_speaks_for_the_pair():
    of = verdicts([[np.nan, 0.99], [0.01, np.nan]], [[np.nan, 0.99], [0.02, np.nan]], [[0, 0], [1, 0]], two_sided=False)
    assert of.pair(0, 1).judged == 0.02
    assert of.pair(0, 1).better == 1
    assert of.claim(0, 1).sureness is SignificanceLevel.NOT
    assert of.claim(0, 1).judged == 0.99
    assert of.claim(1, 0).sureness is SignificanceLevel.WEAK


def test_the_meanings_name_the_levels_that_occur():
    assert sign_meanings(0.05, "holm") == {
        SignificanceLevel.STRONG: "adjusted p < .01",
        SignificanceLevel.WEAK: "adjusted p ≤ .05",
        SignificanceLevel.NOT: "not significant",
    }
    assert sign_meanings(0.001, "none") == {
        SignificanceLevel.STRONG: "p ≤ .001",
        SignificanceLevel.NOT: "not significant",
    }


def test_systems_with_the_same_tags_are_identical_and_no_others_are():
    one, other = tags("oob", "bbo"), tags("oob", "bob")
    assert same_tags([one, other, tags("oob", "bbo")]).tolist() == [
        [True, False, True], [False, True, False], [True, False, True]
    ]  # fmt: skip
    found = compare(["a", "b", "c"], tags("obb", "bbo"), [one, other, one], word_metrics(["MCC"]))
    assert found.verdicts("MCC").pair(0, 2).sureness is SignificanceLevel.IDENTICAL
    assert found.verdicts("MCC").pair(0, 1).sureness is not SignificanceLevel.IDENTICAL


def many(systems: int, rounds: int, **options):
    gold = random_tags(np.full(40, 6), 0.3, 1)
    made = [noisy(gold, 0.1 + 0.01 * place, place) for place in range(systems)]
    names = [f"s{place}" for place in range(systems)]
    return compare(names, gold, made, word_metrics(["F1-mult"]), SignificanceOptions(rounds=rounds, **options))


def test_thirty_systems_need_more_than_ten_thousand_rounds_for_the_strong_level():
    found = replace(many(30, 50), rounds=10_000)
    missed = unattainable_level(found)
    assert missed is not None
    assert missed.least == pytest.approx(0.0435, abs=1e-4)
    assert (missed.level, missed.significance, missed.pairs, missed.rounds) == (0.01, False, 435, 50_000)
    assert unattainable_level(replace(found, rounds=50_000)) is None
    assert unattainable_level(judge_again(found, SignificanceOptions(rounds=10_000, correction="none"))) is None


@pytest.mark.parametrize("correction", ["none", "bonferroni", "holm"])
@pytest.mark.parametrize("rounds", [10, 200, 3_000])
def test_the_least_p_is_what_the_rounds_can_give(correction, rounds):
    """No judged p of a comparison lies below what is said to be the least, and the offer reaches the level."""
    found = many(6, rounds, correction=correction)
    missed = unattainable_level(found)
    pairs = 1 if correction == "none" else 15
    least = min(1.0, pairs / (rounds + 1))
    assert found.metrics[0].adjusted[~np.eye(6, dtype=bool)].min() >= least * (1 - 1e-9)
    assert (missed is not None) is (least >= 0.01)
    if missed is not None:
        assert missed.least == pytest.approx(least)
        assert missed.rounds is not None
        assert unattainable_level(replace(found, rounds=missed.rounds)) is None


def test_few_documents_put_a_level_out_of_reach_of_any_rounds():
    gold = random_tags(np.full(40, 6), 0.3, 1)
    made = [noisy(gold, 0.1, 1), noisy(gold, 0.4, 2)]
    documents = np.arange(40) // 10
    found = compare(
        ["a", "b"], gold, made, word_metrics(["MCC"]), SignificanceOptions(unit="document"), documents=documents
    )
    missed = unattainable_level(found)
    assert missed is not None
    assert missed.significance
    assert (missed.least, missed.rounds) == (0.125, None)


def test_rounds_are_offered_as_round_numbers():
    assert [required_rounds(level, pairs) for level, pairs in ((0.05, 1), (0.01, 136), (0.01, 435), (0.001, 4950))] == [
        1_000, 20_000, 50_000, 5_000_000
    ]  # fmt: skip
