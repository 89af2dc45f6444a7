"""SPA: p-values of pairs by all swaps there are, and what metrics as sure as people reach."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

from qe_desktop.metrics.external import ExternalScores, external_metric, external_rows
from qe_desktop.metrics.family import Family, Metric, ScoreTerm
from qe_desktop.significance import random_masks
from qe_desktop.significance.randomization import FamilyRows
from qe_desktop.studies.meta_eval.perm_both import paired_p_values
from qe_desktop.studies.meta_eval.soft_pairwise_accuracy import pairwise_p_values, soft_pairwise_accuracy


def rows_of(scores, better=1):
    return FamilyRows(np.stack([external_rows(ExternalScores(one)) for one in scores]), (external_metric("m", better),))


def exact(one, other, score=np.mean, better=1):
    """p from every way of swapping."""
    observed = better * (score(one) - score(other))
    reached = 0
    for swapped in product((False, True), repeat=len(one)):
        ours, theirs = np.where(swapped, other, one), np.where(swapped, one, other)
        reached += better * (score(ours) - score(theirs)) >= observed - 1e-12
    return reached / 2 ** len(one)


def test_they_come_near_those_of_all_swaps():
    dice = np.random.default_rng(5)
    scores = dice.random((4, 9)) + np.linspace(0, 0.3, 4)[:, None]
    found = pairwise_p_values([rows_of(scores), rows_of(scores, better=-1)], rounds=20_000, seed=2)
    pairs = list(combinations(range(4), 2))
    # four deviations of what is drawn 20,000 times
    for better, drawn in zip((1, -1), found, strict=True):
        expected = [exact(scores[i], scores[j], better=better) for i, j in pairs]
        assert drawn.tolist() == pytest.approx(expected, abs=0.015)


def counted(scores, rounds, seed):
    """p of the very permutations that are drawn, with their mirror images, one pair at a time and exactly."""
    systems, segments = scores.shape
    found = []
    for i, j in combinations(range(systems), 2):
        apart = [Fraction(float(one)) - Fraction(float(other)) for one, other in zip(scores[i], scores[j], strict=True)]
        total, reached = sum(apart), 0
        for block, drawn in random_masks.round_blocks(rounds // 2):
            flips = random_masks.unpack_flips(random_masks.swap_bits(seed, block, drawn, segments), 0, segments) > 0
            held = [sum(one for one, swapped in zip(apart, flip, strict=True) if swapped) for flip in flips]
            reached += sum((one <= 0) + (one >= total) for one in held)
        found.append(reached / rounds)
    return found


@pytest.mark.parametrize("systems", [2, 3, 4, 5])
def test_single_precision_loses_no_tie(systems):
    """Whole numbers tie all the time; tenths tie too, though no sum of them is what it should be."""
    dice = np.random.default_rng(systems)
    for scores in (
        dice.integers(0, 3, (systems, 30)).astype(float), dice.integers(0, 3, (systems, 30)) / 8 + 1e6,
        dice.integers(0, 2, (systems, 7)) * 5.0, np.repeat(dice.normal(size=(1, 20)), systems, axis=0),
    ):  # fmt: skip
        found = pairwise_p_values([rows_of(scores), rows_of(-scores, better=-1)], rounds=300, seed=3)
        assert found.tolist() == [counted(scores, 300, 3)] * 2
    tenths = dice.integers(0, 3, (systems, 30))
    assert (
        pairwise_p_values([rows_of(tenths / 10)], rounds=300).tolist()
        == pairwise_p_values([rows_of(tenths)], rounds=300).tolist()
    )


def test_any_rows_are_swapped_whole():
    """A ratio of sums, as a metric of texts is: what is swapped are both of its columns."""
    dice = np.random.default_rng(6)
    held = dice.integers(1, 9, (3, 8, 2)).astype(float)
    ratio = ScoreTerm(lambda part, whole: (part, whole), lambda part, whole, out=None: part / whole)
    family = Family("ratio", ("part", "whole"), (), lambda given: given)
    metric = Metric("ratio", family, (ratio,), 0, np.inf, "", "")
    found = pairwise_p_values([FamilyRows(held, (metric,))], rounds=20_000, seed=3)[0]
    expected = []
    for i, j in combinations(range(3), 2):
        observed = held[i].sum(0)[0] / held[i].sum(0)[1] - held[j].sum(0)[0] / held[j].sum(0)[1]
        reached = 0
        for swapped in product((False, True), repeat=8):
            turn = np.asarray(swapped)[:, None]
            ours, theirs = np.where(turn, held[j], held[i]).sum(0), np.where(turn, held[i], held[j]).sum(0)
            reached += ours[0] / ours[1] - theirs[0] / theirs[1] >= observed - 1e-12
        expected.append(reached / 2**8)
    assert found.tolist() == pytest.approx(expected, abs=0.015)


def test_systems_that_are_the_same_cannot_be_told_apart():
    scores = np.tile(np.arange(5.0), (2, 1))
    assert pairwise_p_values([rows_of(scores)], rounds=100).tolist() == [[1.0]]


def test_a_metric_that_is_people_has_an_accuracy_of_one_and_its_reverse_has_not():
    dice = np.random.default_rng(7)
    scores = dice.random((5, 40)) + np.linspace(0, 1, 5)[:, None]
    people, same, reverse = pairwise_p_values([rows_of(scores), rows_of(3 * scores), rows_of(-scores)])
    assert soft_pairwise_accuracy(same, people) == 1
    assert soft_pairwise_accuracy(reverse, people) < 0.3
    assert np.isnan(soft_pairwise_accuracy(np.zeros(0), np.zeros(0)))


def test_series_are_swapped_value_by_value():
    dice = np.random.default_rng(8)
    values = dice.random((3, 10))
    found = paired_p_values(values, rounds=20_000, seed=1)
    for i, j in combinations(range(3), 2):
        apart = values[i] - values[j]
        signs = np.asarray(list(product((1, -1), repeat=10)))
        expected = np.mean(np.abs(signs @ apart) >= abs(apart.sum()) - 1e-12)
        assert found[i, j] == found[j, i] == pytest.approx(expected, abs=0.015)
    assert paired_p_values(np.ones((2, 4)), rounds=10, seed=1).tolist() == [[1, 1], [1, 1]]
