"""PERM-BOTH: statistics of swapped scores compared with a plain computation, and the false-positive rate."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.metrics.correlation import standardize
from qe_desktop.significance import random_masks
from qe_desktop.studies.meta_eval import perm_both as module
from qe_desktop.studies.meta_eval.agreement_tests import POOLED_STATISTICS
from qe_desktop.studies.meta_eval.perm_both import PERM_BOTH_STATISTICS, normal_p_values, paired_p_values, perm_both
from qe_desktop.studies.meta_eval.soft_pairwise_accuracy import pairwise_p_values, soft_pairwise_accuracy
from qe_desktop.studies.meta_eval.system_level import (
    pairwise_accuracy,
    pairwise_differences,
    system_kendall,
    system_pearson,
    system_spearman,
)
from tests.studies.simulated_agreement import false_positive_rates, human_and_metric_scores
from tests.studies.test_soft_pairwise_accuracy import rows_of


def naive_statistics(scores, people):
    """Return each statistic of the scores of one metric, shape (systems, segments)."""
    first, second = np.triu_indices(len(people), 1)
    p = [
        normal_p_values(
            (matrix[first] - matrix[second]).sum(axis=1), ((matrix[first] - matrix[second]) ** 2).sum(axis=1)
        )
        for matrix in (scores, people)
    ]
    metric_means, human_means = scores.mean(axis=1), people.mean(axis=1)
    return {
        "pearson": system_pearson(metric_means, human_means),
        "spearman": system_spearman(metric_means, human_means),
        "kendall": system_kendall(metric_means, human_means),
        "pairwise_accuracy": pairwise_accuracy(metric_means, human_means),
        "differentials": system_pearson(*pairwise_differences(metric_means, human_means)),
        "spa": soft_pairwise_accuracy(*p),
    }


@pytest.mark.parametrize("sides", ["two", "one"])
@pytest.mark.parametrize(("systems", "segments", "at_once", "size"), [(4, 37, 1024, 1), (5, 50, 16, 1), (5, 50, 16, 3)])
def test_p_equals_that_of_statistics_of_swapped_scores(monkeypatch, systems, segments, at_once, size, sides):
    monkeypatch.setattr(module, "_SEGMENTS_PER_BLOCK", at_once)
    people, metrics = human_and_metric_scores([1], systems, segments, metrics=3)
    metrics[2] = metrics[2] * 30 + 7
    rounds = 60
    units = np.arange(segments) // size
    count = systems * (units[-1] + 1)
    result = perm_both(metrics, people, rounds=rounds, seed=5, sides=sides, units=None if size == 1 else units)
    scores = [standardize(first.ravel()).reshape(first.shape) for first in metrics]
    observed = [naive_statistics(first, people) for first in scores]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        reached = dict.fromkeys(PERM_BOTH_STATISTICS, 0)
        for number in range(rounds):
            bits = random_masks.swap_bits(5, number, 1, count)
            flips = np.unpackbits(bits[0], count=count).reshape(-1, systems)[units].T
            first, second = np.where(flips, scores[b], scores[a]), np.where(flips, scores[a], scores[b])
            swapped_first, swapped_second = naive_statistics(first, people), naive_statistics(second, people)
            for figure in PERM_BOTH_STATISTICS:
                difference, swapped_difference = (
                    observed[a][figure] - observed[b][figure],
                    swapped_first[figure] - swapped_second[figure],
                )
                if sides == "two":
                    reached[figure] += abs(swapped_difference) >= abs(difference) - 1e-6
                else:
                    ahead = np.sign(difference) if abs(difference) > 1e-6 else 0
                    reached[figure] += swapped_difference * ahead >= abs(difference) - 1e-6
        for figure in PERM_BOTH_STATISTICS:
            assert result.p[figure][a, b] == result.p[figure][b, a] == (reached[figure] + 1) / (rounds + 1), figure
    for figure in PERM_BOTH_STATISTICS:
        assert result.observed[figure] == pytest.approx(np.stack([first[figure] for first in observed]), abs=1e-9)
    assert result.segments == segments


def test_normal_approximation_of_spa_is_close_to_permutations():
    people, metrics = human_and_metric_scores([8], metrics=3)
    result = perm_both(metrics, people, rounds=1, seed=1)
    p = pairwise_p_values([rows_of(scores) for scores in (people, *metrics)], rounds=20_000)
    assert result.observed["spa"] == pytest.approx(soft_pairwise_accuracy(p[1:], p[0]), abs=0.005)


def test_rescaled_metric_does_not_differ_from_the_original():
    people, metrics = human_and_metric_scores([2], metrics=1)
    result = perm_both(np.concatenate([metrics, metrics * 1000 - 3]), people, rounds=50, seed=1)
    for figure in PERM_BOTH_STATISTICS:
        assert result.p[figure].tolist() == [[1, 1], [1, 1]]


def test_worse_metric_differs_significantly():
    people, metrics = human_and_metric_scores([3], metrics=1)
    worse = np.random.default_rng(3).normal(size=people.shape)
    both = np.concatenate([metrics, worse[None]])
    for sides, highest_p in (("two", 0.05), ("one", 0.05)):
        result = perm_both(both, people, rounds=199, seed=1, sides=sides)
        assert result.p["spa"][0, 1] <= highest_p
    one_sided, two_sided = (perm_both(both, people, rounds=199, seed=1, sides=sides).p for sides in ("one", "two"))
    assert all((one_sided[figure] <= two_sided[figure]).all() for figure in PERM_BOTH_STATISTICS)


def test_constant_scores_are_not_tested():
    people, metrics = human_and_metric_scores([4])
    metrics[1] = 3.0
    result = perm_both(metrics, people, rounds=20, seed=1)
    assert np.isnan(result.p["pearson"][0, 1])
    constant_humans = perm_both(metrics, np.ones_like(people), rounds=20, seed=1)
    assert np.isnan(constant_humans.p["pearson"][0, 1])


def test_progress_is_reported_and_the_callback_can_stop():
    people, metrics = human_and_metric_scores([5])
    progress = []
    perm_both(metrics, people, rounds=30, seed=1, on_progress=lambda done, total: progress.append((done, total)))
    assert progress[-1] == (30, 30)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        perm_both(metrics, people, rounds=30, seed=1, on_progress=stop)


def test_equally_good_metrics_rarely_differ():
    """Swapping pairs of systems as if they were independent would find a difference in a quarter of such samples."""
    rates = false_positive_rates(150, rounds=99, segments=60)
    assert set(rates) == {*PERM_BOTH_STATISTICS, *POOLED_STATISTICS, "acc_eq"}
    assert all(rate <= 0.1 for rate in rates.values()), rates
    assert all(rates[figure] >= 0.01 for figure in ("spa", "acc_eq", *POOLED_STATISTICS)), rates


def test_documents_as_units_keep_the_significance_level():
    """With segments as units, PERM-BOTH reports a difference in a fifth of such samples."""
    rates = false_positive_rates(150, rounds=99, segments=100, error="document")
    assert all(0.01 <= rate <= 0.1 for rate in rates.values()), rates


def test_one_sided_p_is_about_half_of_the_two_sided():
    generator = np.random.default_rng(6)
    values = generator.normal(size=(2, 40)) + np.array([[0.3], [0.0]])
    one_sided, two_sided = (paired_p_values(values, rounds=999, seed=1, sides=sides)[0, 1] for sides in ("one", "two"))
    turned = paired_p_values(values[::-1], rounds=999, seed=1, sides="one")
    assert one_sided == turned[0, 1] == turned[1, 0]
    assert 0.4 <= one_sided / two_sided <= 0.6
