"""Correlation within systems, and its deviation over orders of the segments, compared with random orders."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.studies.meta_eval.agreement import match_segments
from tests.studies.simulated_agreement import people_and_metrics


def test_it_is_what_is_left_without_means_of_systems():
    people, metrics = people_and_metrics([1], metrics=1)
    metric = metrics[0] + np.arange(10)[:, None] * 5
    people = people + np.arange(10)[:, None] * 5
    metric[2, 5], people[3, 7] = np.nan, np.nan
    both = ~(np.isnan(metric) | np.isnan(people))
    rest = [
        np.concatenate([row[known] - row[known].mean() for row, known in zip(scores, both, strict=True)])
        for scores in (metric, people)
    ]
    found = match_segments(metric, people)
    assert found.r == pytest.approx(np.corrcoef(*rest)[0, 1])
    assert not found.is_random
    assert np.corrcoef(metric[both], people[both])[0, 1] > found.r + 0.3


def test_its_deviation_is_that_of_orders_at_random():
    people, metrics = people_and_metrics([2], metrics=1)
    found = match_segments(metrics[0], people)
    dice = np.random.default_rng(2)
    drawn = [match_segments(metrics[0], people[:, dice.permutation(100)]) for _ in range(1000)]
    assert np.std([one.r for one in drawn]) == pytest.approx(found.deviation, rel=0.1)
    assert drawn[0].deviation == pytest.approx(found.deviation)
    assert np.mean([one.is_random for one in drawn]) > 0.95


@pytest.mark.parametrize("people", [np.ones((3, 50)), np.full((3, 50), np.nan)])
def test_without_spread_there_is_none(people):
    found = match_segments(np.random.default_rng(3).normal(size=(3, 50)), people)
    assert np.isnan(found.r)
    assert not found.is_random


def test_few_segments_say_nothing():
    dice = np.random.default_rng(4)
    assert not match_segments(dice.normal(size=(4, 12)), dice.normal(size=(4, 12))).is_random


def test_reversed_scores_are_not_in_a_random_order():
    people, metrics = people_and_metrics([5], metrics=1)
    match = match_segments(-metrics[0], people)
    assert match.r < -0.2
    assert not match.is_random
