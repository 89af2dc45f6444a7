"""Correlation within systems, and its deviation over orders of the segments, compared with random orders."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.report.meta_evaluation_notes import match_notes, match_warnings
from qe_desktop.studies.meta_eval.agreement import SegmentMatch, correlate_shifted, match_segments
from qe_desktop.studies.meta_eval.meta_evaluation import meta_evaluate
from qe_desktop.studies.meta_eval.score_data import HumanSystemScores, MetaEvalOptions, MetricSystemScores
from tests.studies.simulated_agreement import human_and_metric_scores
from tests.studies.test_soft_pairwise_accuracy import rows_of


def test_r_equals_the_correlation_after_removing_system_means():
    people, metrics = human_and_metric_scores([1], metrics=1)
    metric = metrics[0] + np.arange(10)[:, None] * 5
    people = people + np.arange(10)[:, None] * 5
    metric[2, 5], people[3, 7] = np.nan, np.nan
    both = ~(np.isnan(metric) | np.isnan(people))
    rest = [
        np.concatenate([row[known] - row[known].mean() for row, known in zip(scores, both, strict=True)])
        for scores in (metric, people)
    ]
    match = match_segments(metric, people)
    assert match.r == pytest.approx(np.corrcoef(*rest)[0, 1])
    assert not match.is_random
    assert np.corrcoef(metric[both], people[both])[0, 1] > match.r + 0.3


def test_deviation_equals_that_of_random_orders():
    people, metrics = human_and_metric_scores([2], metrics=1)
    observed = match_segments(metrics[0], people)
    generator = np.random.default_rng(2)
    random_matches = [match_segments(metrics[0], people[:, generator.permutation(100)]) for _ in range(1000)]
    assert np.std([match.r for match in random_matches]) == pytest.approx(observed.deviation, rel=0.15)
    assert np.mean([random_match.is_random for random_match in random_matches]) > 0.95


@pytest.mark.parametrize("people", [np.ones((3, 50)), np.full((3, 50), np.nan)])
def test_constant_or_missing_human_scores_have_no_r(people):
    match = match_segments(np.random.default_rng(3).normal(size=(3, 50)), people)
    assert np.isnan(match.r)
    assert not match.is_random


def test_few_segments_are_not_called_random():
    generator = np.random.default_rng(4)
    assert not match_segments(generator.normal(size=(4, 12)), generator.normal(size=(4, 12))).is_random


def test_reversed_scores_are_not_in_a_random_order():
    people, metrics = human_and_metric_scores([5], metrics=1)
    match = match_segments(-metrics[0], people)
    assert match.r < -0.2
    assert not match.is_random


def test_shifted_correlations_equal_those_of_rolled_scores():
    people, metrics = human_and_metric_scores([6], 4, 30, metrics=1)
    metric = metrics[0]
    people[0, :4], metric[1, 7:9], people[:, 20] = np.nan, np.nan, np.nan
    shifted = correlate_shifted(metric, people)
    assert shifted == pytest.approx([match_segments(metric, np.roll(people, -k, axis=1)).r for k in range(30)])


def similar_neighbours(seed=7, systems=8, segments=200):
    """Return human and metric scores of documents of 10 segments each."""
    generator = np.random.default_rng(seed)
    quality = generator.normal(size=(systems, segments)) + generator.normal(size=(1, segments // 10)).repeat(10, axis=1)
    return quality + generator.normal(size=quality.shape), quality + generator.normal(size=quality.shape)


def test_shifted_scores_are_detected_despite_similar_neighbours():
    people, metric = similar_neighbours()
    assert match_segments(metric, people).is_clear
    for shift in range(1, 200):
        match = match_segments(metric, np.roll(people, shift, axis=1))
        assert match.is_random or match.is_shifted, shift
        assert not match.is_clear
        if match.is_shifted:
            assert match.shift in (shift, shift - 200)
            assert match.best_r > match.r


def test_weak_metric_in_the_right_order_is_rarely_flagged():
    flagged = 0
    for seed in range(100):
        people, metric = similar_neighbours(seed)
        match = match_segments(metric + 3 * np.random.default_rng([seed, 1]).normal(size=metric.shape), people)
        flagged += match.is_random or match.is_shifted
    assert flagged <= 5


def study_of(people, *metrics):
    names = [f"s{number}" for number in range(len(people))]
    rows = MetricSystemScores(tuple(rows_of(metric) for metric in metrics))
    return meta_evaluate(names, rows, HumanSystemScores.of_segments(people), MetaEvalOptions(rounds=20, draws=20))


def test_warning_needs_most_metrics_and_no_clear_match():
    people, metric = similar_neighbours()
    noise = [np.random.default_rng([8, number]).normal(size=metric.shape) for number in range(3)]
    assert match_warnings(study_of(people, metric, *noise)) == []
    (note,) = match_notes(study_of(people, metric, *noise))
    assert "do not correlate significantly with human scores" in note
    (warning,) = match_warnings(study_of(np.roll(people, 3, axis=1), metric, *noise))
    assert "human scores that are shifted by 3 segments" in warning
    (warning,) = match_warnings(study_of(people, *noise))
    assert warning.startswith("No metric correlates")


@pytest.mark.parametrize(("best_r", "is_named"), [(0.15, False), (0.25, True)])
def test_only_a_certain_shift_is_named(best_r, is_named):
    people, _ = similar_neighbours()
    study = study_of(people, *[np.random.default_rng([8, number]).normal(size=people.shape) for number in range(3)])
    # one metric correlates with shifted scores, as one of hundreds of shifts does by chance
    first = replace(study.agreements[0], match=SegmentMatch(0.01, 0.035, best_r, 140))
    (warning,) = match_warnings(replace(study, agreements=(first, *study.agreements[1:])))
    assert ("human scores that are shifted by 140 segments" in warning) == is_named
    assert warning.startswith("No metric correlates") != is_named
