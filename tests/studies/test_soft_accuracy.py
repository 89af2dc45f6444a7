"""SPA: p-values of pairs by all swaps there are, and what metrics as sure as people reach."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from qe_desktop.metrics.brought import Brought, brought_metric, brought_rows
from qe_desktop.metrics.family import Family, Metric, Term
from qe_desktop.significance.randomisation import FamilyRows
from qe_desktop.studies.signed import paired_p_values
from qe_desktop.studies.soft_accuracy import pair_p_values, soft_accuracy


def rows_of(scores, better=1):
    return FamilyRows(np.stack([brought_rows(Brought(one)) for one in scores]), (brought_metric("m", better),))


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
    found = pair_p_values([rows_of(scores), rows_of(scores, better=-1)], rounds=20_000, seed=2)
    pairs = list(combinations(range(4), 2))
    # four deviations of what is drawn 20,000 times
    for better, drawn in zip((1, -1), found, strict=True):
        expected = [exact(scores[i], scores[j], better=better) for i, j in pairs]
        assert drawn.tolist() == pytest.approx(expected, abs=0.015)


def test_any_rows_are_swapped_whole():
    """A ratio of sums, as a metric of texts is: what is swapped are both of its columns."""
    dice = np.random.default_rng(6)
    held = dice.integers(1, 9, (3, 8, 2)).astype(float)
    ratio = Term(lambda part, whole: (part, whole), lambda part, whole, out=None: part / whole)
    family = Family("ratio", ("part", "whole"), (), lambda given: given)
    metric = Metric("ratio", family, (ratio,), 0, np.inf, "", "")
    found = pair_p_values([FamilyRows(held, (metric,))], rounds=20_000, seed=3)[0]
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
    assert pair_p_values([rows_of(scores)], rounds=100).tolist() == [[1.0]]


def test_a_metric_that_is_people_has_an_accuracy_of_one_and_its_reverse_has_not():
    dice = np.random.default_rng(7)
    scores = dice.random((5, 40)) + np.linspace(0, 1, 5)[:, None]
    people, same, reverse = pair_p_values([rows_of(scores), rows_of(3 * scores), rows_of(-scores)])
    assert soft_accuracy(same, people) == 1
    assert soft_accuracy(reverse, people) < 0.3
    assert np.isnan(soft_accuracy(np.zeros(0), np.zeros(0)))


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
