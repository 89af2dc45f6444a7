"""Systems with missing units: each pair is tested only on the units that both systems have."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest

from qe_desktop.metrics.external import ExternalScores, external_metric, external_rows
from qe_desktop.significance import (
    FamilyRows,
    SignificanceOptions,
    bootstrap,
    compare_rows,
    percentile_intervals_ignoring_nan,
    score_intervals,
    segment_influence,
)
from qe_desktop.significance.missing_units import (
    bootstrap_pairs,
    compare_shared_units,
    has_missing_scores,
    randomise_pairs,
    select_shared,
)

TESTS = {"randomisation": randomise_pairs, "bootstrap": bootstrap_pairs}
ALL_TESTS = (*TESTS, "sacrebleu-ar", "sacrebleu-bs")


def family_of(scores, name="mean"):
    return FamilyRows(np.stack([external_rows(ExternalScores(values)) for values in scores]), (external_metric(name),))


def compare_scores(scores, documents=None, **options):
    family = family_of(scores)
    names = [f"s{index}" for index in range(len(scores))]
    return compare_rows(names, [family], family.metrics, SignificanceOptions(**options), documents=documents).metrics[0]


def random_ratings(systems=4, segments=60, share=0.7, seed=1, apart=0.2):
    """Return human scores of a share of the outputs; NaN where an output is not rated."""
    dice = np.random.default_rng(seed)
    scores = dice.normal(size=(systems, segments)).round(2) + np.arange(systems)[:, None] * apart
    return np.where(dice.random(scores.shape) < share, scores, np.nan)


@pytest.mark.parametrize("scores", [[[1.0], [2.0]], [[1.0, np.nan, 3.0], [2.0, 4.0, np.nan]]])
@pytest.mark.parametrize("test", TESTS)
def test_systems_with_one_shared_segment_do_not_differ(test, scores):
    """All resamples of one segment are equal, so that every difference was significant."""
    comparison = compare_scores(np.array(scores), test=test, rounds=50)
    assert comparison.p[0, 1] == 1
    assert not comparison.beats.any()


@pytest.mark.parametrize("test", ALL_TESTS)
def test_pairs_are_tested_on_shared_units_only(test):
    scores = random_ratings()
    comparison = compare_scores(scores, test=test, rounds=2000)
    for i, j in combinations(range(len(scores)), 2):
        both = ~np.isnan(scores[[i, j]]).any(axis=0)
        shared = compare_scores(scores[[i, j]][:, both], test=test, rounds=2000)
        if (comparison.scores[i] - comparison.scores[j]) * (shared.scores[0] - shared.scores[1]) < 0:
            assert comparison.p[i, j] == 1
            continue
        # different units have different random swaps: tolerate four standard errors
        assert comparison.p[i, j] == pytest.approx(
            shared.p[0, 1], abs=4 * (comparison.error[i, j] + shared.error[0, 1]) + 1e-9
        )


def test_p_of_few_shared_units_is_exact():
    scores = random_ratings(systems=3, segments=10)
    comparison = compare_scores(scores, rounds=1024)
    assert not comparison.error.any()
    for i, j in combinations(range(3), 2):
        apart = (scores[i] - scores[j])[~np.isnan(scores[i] - scores[j])]
        swaps = np.asarray(list(product((1, -1), repeat=len(apart))))
        ahead = np.nanmean(scores[i]) - np.nanmean(scores[j])
        expected = np.mean(np.abs(swaps @ apart) >= abs(apart.sum()) - 1e-9) if ahead * apart.sum() >= 0 else 1
        assert comparison.p[i, j] == pytest.approx(expected)


@pytest.mark.parametrize("test", TESTS)
def test_without_missing_units_pairwise_tests_equal_the_joint_test(test):
    scores = random_ratings(share=1.1)
    family = family_of(scores)
    assert not has_missing_scores(family)
    whole = compare_scores(scores, test=test, rounds=1000)
    by_pairs = compare_shared_units([family], TESTS[test], rounds=1000, seed=1)
    assert by_pairs.p[0] == pytest.approx(whole.p, abs=1e-12)
    assert by_pairs.rounds == 1000


def test_swapping_missing_ratings_would_inflate_the_error_rate():
    """With 200 pairs without a difference and 150 and 8 ratings, about 5 % are significant on shared units."""
    dice = np.random.default_rng(3)
    by_pairs, by_rows = 0, 0
    for _ in range(200):
        scores = dice.normal(size=(2, 150))
        scores[1, 8:] = np.nan
        by_pairs += compare_scores(scores, rounds=256).p[0, 1] <= 0.05
        rows = family_of(scores).rows
        flips = dice.random((200, 150)) < 0.5
        swapped = flips @ (rows[0] - rows[1])
        first, second = rows[0].sum(axis=0) - swapped, rows[1].sum(axis=0) + swapped
        observed = np.abs(np.nanmean(scores[0]) - np.nanmean(scores[1]))
        by_rows += np.mean(np.abs(first[:, 0] / first[:, 1] - second[:, 0] / second[:, 1]) >= observed) <= 0.05
    assert by_pairs <= 20
    assert by_rows > 60


@pytest.mark.parametrize("test", ALL_TESTS)
def test_systems_without_shared_units_are_not_tested(test):
    scores = random_ratings(systems=3, segments=40, share=1.1)
    scores[0, :20] = np.nan
    scores[1, 20:] = np.nan
    comparison = compare_scores(scores, test=test, rounds=500)
    assert np.isnan(comparison.p[0, 1])
    assert np.isfinite(comparison.p[[0, 1], [2, 2]]).all()
    assert not comparison.beats[0, 1]


def test_higher_score_is_not_significant_if_shared_units_contradict_it():
    """The first system is better only because of units on which the second is not rated."""
    scores = np.zeros((2, 40))
    scores[0, :20], scores[1, :20] = 1.0, 2.0
    scores[0, 20:], scores[1, 20:] = 9.0, np.nan
    comparison = compare_scores(scores, rounds=500)
    assert comparison.scores[0] > comparison.scores[1]
    assert comparison.p[0, 1] == 1
    assert not comparison.beats.any()


def randomization_p_of_documents(differences):
    """Return p from all permutations of whole documents, given the differences of shared units by document."""
    swaps = np.asarray(list(product((1, -1), repeat=len(differences))))
    return np.mean(np.abs(swaps @ differences) >= abs(differences.sum()) - 1e-9)


def bootstrap_p_of_documents(sums, counts, rounds):
    """Return p from resampled documents, given sums of two systems and numbers of shared units by document."""
    resampled = [
        weights @ (sums[0] - sums[1]) / (weights @ counts)
        for _, weights in bootstrap.bootstrap_weights(rounds, SignificanceOptions().seed, len(counts))
    ]
    differences = np.concatenate(resampled)
    observed = abs((sums[0] - sums[1]).sum() / counts.sum())
    reached = np.abs(differences - differences.mean()) >= observed * (1 - 1e-9)
    return (np.count_nonzero(reached) + 1) / (rounds + 1)


@pytest.mark.parametrize("test", TESTS)
def test_documents_are_resampled_as_units(test):
    scores, documents, rounds = random_ratings(segments=40), np.repeat(np.arange(8), 5), 2000
    comparison = compare_scores(scores, documents, test=test, rounds=rounds, unit="document")
    for i, j in combinations(range(len(scores)), 2):
        both = ~np.isnan(scores[[i, j]]).any(axis=0)
        sums = np.where(both, scores[[i, j]], 0).reshape(2, 8, 5).sum(axis=2)
        differences = sums[0] - sums[1]
        if (np.nanmean(scores[i]) - np.nanmean(scores[j])) * differences.sum() < 0:
            expected = 1
        elif test == "randomisation":
            expected = randomization_p_of_documents(differences)
        else:
            expected = bootstrap_p_of_documents(sums, both.reshape(8, 5).sum(axis=1), rounds)
        assert comparison.p[i, j] == pytest.approx(expected)


def test_metrics_with_and_without_missing_units_keep_their_order():
    partial, whole = family_of(random_ratings(), "rated"), family_of(random_ratings(share=1.1), "scored")
    metrics = (*whole.metrics, *partial.metrics)
    comparison = compare_rows(list("abcd"), [partial, whole], metrics, SignificanceOptions(rounds=500))
    assert [metric.metric.name for metric in comparison.metrics] == ["scored", "rated"]
    for family, metric in zip((whole, partial), comparison.metrics, strict=True):
        alone = compare_rows(list("abcd"), [family], family.metrics, SignificanceOptions(rounds=500)).metrics[0]
        assert metric.p.tolist() == alone.p.tolist()


def test_batches_of_pairs_do_not_change_the_result(monkeypatch):
    expected = compare_scores(random_ratings(), rounds=500)
    monkeypatch.setattr("qe_desktop.significance.missing_units.MAX_PAIR_CELLS", 1)
    assert compare_scores(random_ratings(), rounds=500).p.tolist() == expected.p.tolist()


def test_intervals_ignore_resamples_without_ratings_of_the_system():
    scores = random_ratings(systems=2, segments=50, share=1.1)
    scores[1, 2:] = np.nan
    alone = score_intervals([family_of(scores)], seed=5)["mean"]
    # segments without ratings do not change the resamples
    empty = np.concatenate([scores, np.full((2, 400), np.nan)], axis=1)
    assert score_intervals([family_of(empty)], seed=5)["mean"] == pytest.approx(alone)
    assert alone[1] == pytest.approx(sorted(scores[1, :2]))
    assert alone[0, 0] < np.mean(scores[0]) < alone[0, 1]
    unrated = score_intervals([family_of(np.full((2, 5), np.nan))])["mean"]
    assert np.isnan(unrated).all()
    assert np.isnan(percentile_intervals_ignoring_nan(np.array([[1.0, np.nan, np.nan]]))).all()


def test_influences_sum_to_the_difference_on_shared_units():
    scores = random_ratings(systems=2)
    family = family_of(scores)
    both = ~np.isnan(scores).any(axis=0)
    influences = segment_influence(family.metrics[0], select_shared(family.rows))
    assert influences.sum() == pytest.approx(scores[0, both].mean() - scores[1, both].mean())
    assert not influences[~both].any()
    assert bootstrap.resampled_scores([family], rounds=10, seed=1).shape == (1, 2, 10)


def test_intervals_of_systems_with_missing_units_report_progress_and_can_be_stopped():
    families = [family_of(random_ratings()), family_of(random_ratings(share=2), "whole")]
    steps = []
    score_intervals(families, rounds=300, on_progress=lambda done, total: steps.append(done / total))
    assert steps == sorted(steps)
    assert steps[0] < 0.5
    assert steps[-1] == 1

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score_intervals(families[:1], rounds=300, on_progress=stop)
