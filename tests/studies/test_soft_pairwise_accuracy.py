"""Soft pairwise accuracy: p-values compared with those of all swaps, and its extreme values."""

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
    return FamilyRows(np.stack([external_rows(ExternalScores(row)) for row in scores]), (external_metric("m", better),))


def exact(first, second, score=np.mean, better=1):
    """Return p from all possible swaps."""
    observed = better * (score(first) - score(second))
    reached = 0
    for swapped in product((False, True), repeat=len(first)):
        swapped_one, swapped_other = np.where(swapped, second, first), np.where(swapped, first, second)
        reached += better * (score(swapped_one) - score(swapped_other)) >= observed - 1e-12
    return reached / 2 ** len(first)


def test_p_values_approximate_those_of_all_swaps():
    generator = np.random.default_rng(5)
    scores = generator.random((4, 9)) + np.linspace(0, 0.3, 4)[:, None]
    p_values = pairwise_p_values([rows_of(scores), rows_of(scores, better=-1)], rounds=20_000, seed=2)
    pairs = list(combinations(range(4), 2))
    # four standard deviations at 20,000 rounds
    for better, drawn in zip((1, -1), p_values, strict=True):
        expected = [exact(scores[i], scores[j], better=better) for i, j in pairs]
        assert drawn.tolist() == pytest.approx(expected, abs=0.015)


def exact_p_of_drawn_swaps(scores, rounds, seed):
    """Return p from the permutations drawn and their mirror images, pair by pair in exact arithmetic."""
    systems, segments = scores.shape
    p_values = []
    for i, j in combinations(range(systems), 2):
        differences = [
            Fraction(float(first)) - Fraction(float(second)) for first, second in zip(scores[i], scores[j], strict=True)
        ]
        total, reached = sum(differences), 0
        for block, drawn in random_masks.round_blocks(rounds // 2):
            flips = random_masks.unpack_flips(random_masks.swap_bits(seed, block, drawn, segments), 0, segments) > 0
            swapped_sums = [
                sum(difference for difference, swapped in zip(differences, flip, strict=True) if swapped)
                for flip in flips
            ]
            reached += sum((difference <= 0) + (difference >= total) for difference in swapped_sums)
        p_values.append(reached / rounds)
    return p_values


@pytest.mark.parametrize("systems", [2, 3, 4, 5])
def test_single_precision_keeps_all_ties(systems):
    """Sums of whole numbers tie often; sums of tenths must tie too, although they are not exact in binary."""
    generator = np.random.default_rng(systems)
    for scores in (
        generator.integers(0, 3, (systems, 30)).astype(float), generator.integers(0, 3, (systems, 30)) / 8 + 1e6,
        generator.integers(0, 2, (systems, 7)) * 5.0, np.repeat(generator.normal(size=(1, 20)), systems, axis=0),
    ):  # fmt: skip
        p_values = pairwise_p_values([rows_of(scores), rows_of(-scores, better=-1)], rounds=300, seed=3)
        assert p_values.tolist() == [exact_p_of_drawn_swaps(scores, 300, 3)] * 2
    tenths = generator.integers(0, 3, (systems, 30))
    assert (
        pairwise_p_values([rows_of(tenths / 10)], rounds=300).tolist()
        == pairwise_p_values([rows_of(tenths)], rounds=300).tolist()
    )


def test_rows_of_several_columns_are_swapped_as_wholes():
    """A metric that is a ratio of sums has two columns, which are swapped together."""
    generator = np.random.default_rng(6)
    row_values = generator.integers(1, 9, (3, 8, 2)).astype(float)
    ratio = ScoreTerm(lambda part, whole: (part, whole), lambda part, whole, out=None: part / whole)
    family = Family("ratio", ("part", "whole"), (), lambda given: given)
    metric = Metric("ratio", family, (ratio,), 0, np.inf, "", "")
    p_values = pairwise_p_values([FamilyRows(row_values, (metric,))], rounds=20_000, seed=3)[0]
    expected = []
    for i, j in combinations(range(3), 2):
        observed = row_values[i].sum(0)[0] / row_values[i].sum(0)[1] - row_values[j].sum(0)[0] / row_values[j].sum(0)[1]
        reached = 0
        for swapped in product((False, True), repeat=8):
            swap = np.asarray(swapped)[:, None]
            swapped_first, swapped_second = (
                np.where(swap, row_values[j], row_values[i]).sum(0),
                np.where(swap, row_values[i], row_values[j]).sum(0),
            )
            reached += swapped_first[0] / swapped_first[1] - swapped_second[0] / swapped_second[1] >= observed - 1e-12
        expected.append(reached / 2**8)
    assert p_values.tolist() == pytest.approx(expected, abs=0.015)


def test_identical_systems_have_p_of_one():
    scores = np.tile(np.arange(5.0), (2, 1))
    assert pairwise_p_values([rows_of(scores)], rounds=100).tolist() == [[1.0]]


def test_spa_is_one_for_rescaled_human_scores_and_low_for_reversed():
    generator = np.random.default_rng(7)
    scores = generator.random((5, 40)) + np.linspace(0, 1, 5)[:, None]
    people, same, reverse = pairwise_p_values([rows_of(scores), rows_of(3 * scores), rows_of(-scores)])
    assert soft_pairwise_accuracy(same, people) == 1
    assert soft_pairwise_accuracy(reverse, people) < 0.3
    assert np.isnan(soft_pairwise_accuracy(np.zeros(0), np.zeros(0)))


def test_paired_p_values_approximate_those_of_all_sign_flips():
    generator = np.random.default_rng(8)
    values = generator.random((3, 10))
    p_values = paired_p_values(values, rounds=20_000, seed=1)
    for i, j in combinations(range(3), 2):
        differences = values[i] - values[j]
        signs = np.asarray(list(product((1, -1), repeat=10)))
        expected = np.mean(np.abs(signs @ differences) >= abs(differences.sum()) - 1e-12)
        assert p_values[i, j] == p_values[j, i] == pytest.approx(expected, abs=0.015)
    assert paired_p_values(np.ones((2, 4)), rounds=10, seed=1).tolist() == [[1, 1], [1, 1]]
