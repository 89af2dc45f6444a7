"""PERM-BOTH: every figure of swapped scores computed the slow way, and how often equal metrics seem to differ."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.metrics.scores.correlation import standardize
from qe_desktop.significance import random_masks
from qe_desktop.studies.meta_eval import perm_both as module
from qe_desktop.studies.meta_eval.perm_both import PERM_BOTH_STATISTICS, normal_p_values, paired_p_values, perm_both
from qe_desktop.studies.meta_eval.pooled_permutation import POOLED_STATISTICS
from qe_desktop.studies.meta_eval.soft_pairwise_accuracy import pairwise_p_values, soft_pairwise_accuracy
from qe_desktop.studies.meta_eval.system_level import (
    pairwise_accuracy,
    pairwise_differences,
    system_kendall,
    system_pearson,
    system_spearman,
)
from tests.studies.simulated_agreement import false_positives, people_and_metrics
from tests.studies.test_soft_accuracy import rows_of


def slowly(scores, people):
    """Each figure of one metric's scores, shape (systems, segments)."""
    first, second = np.triu_indices(len(people), 1)
    p = [
        normal_p_values((of[first] - of[second]).sum(axis=1), ((of[first] - of[second]) ** 2).sum(axis=1))
        for of in (scores, people)
    ]
    ours, theirs = scores.mean(axis=1), people.mean(axis=1)
    return {
        "pearson": system_pearson(ours, theirs),
        "spearman": system_spearman(ours, theirs),
        "kendall": system_kendall(ours, theirs),
        "pairwise_accuracy": pairwise_accuracy(ours, theirs),
        "differentials": system_pearson(*pairwise_differences(ours, theirs)),
        "spa": soft_pairwise_accuracy(*p),
    }


@pytest.mark.parametrize("sides", ["two", "one"])
@pytest.mark.parametrize(("systems", "segments", "at_once", "size"), [(4, 37, 1024, 1), (5, 50, 16, 1), (5, 50, 16, 3)])
def test_p_is_that_of_figures_of_swapped_scores(monkeypatch, systems, segments, at_once, size, sides):
    monkeypatch.setattr(module, "_SEGMENTS_AT_ONCE", at_once)
    people, metrics = people_and_metrics([1], systems, segments, metrics=3)
    metrics[2] = metrics[2] * 30 + 7
    rounds = 60
    units = np.arange(segments) // size
    count = systems * (units[-1] + 1)
    found = perm_both(metrics, people, rounds=rounds, seed=5, sides=sides, units=None if size == 1 else units)
    scores = [standardize(one.ravel()).reshape(one.shape) for one in metrics]
    observed = [slowly(one, people) for one in scores]
    for a, b in ((0, 1), (0, 2), (1, 2)):
        reached = dict.fromkeys(PERM_BOTH_STATISTICS, 0)
        for number in range(rounds):
            bits = random_masks.swap_bits(5, number, 1, count)
            flips = np.unpackbits(bits[0], count=count).reshape(-1, systems)[units].T
            one, other = np.where(flips, scores[b], scores[a]), np.where(flips, scores[a], scores[b])
            ours, theirs = slowly(one, people), slowly(other, people)
            for figure in PERM_BOTH_STATISTICS:
                apart, moved = observed[a][figure] - observed[b][figure], ours[figure] - theirs[figure]
                if sides == "two":
                    reached[figure] += abs(moved) >= abs(apart) - 1e-6
                else:
                    ahead = np.sign(apart) if abs(apart) > 1e-6 else 0
                    reached[figure] += moved * ahead >= abs(apart) - 1e-6
        for figure in PERM_BOTH_STATISTICS:
            assert found.p[figure][a, b] == found.p[figure][b, a] == (reached[figure] + 1) / (rounds + 1), figure
    for figure in PERM_BOTH_STATISTICS:
        assert found.observed[figure] == pytest.approx(np.stack([one[figure] for one in observed]), abs=1e-9)
    assert found.segments == segments


def test_the_normal_distribution_is_near_to_permutations():
    people, metrics = people_and_metrics([8], metrics=3)
    found = perm_both(metrics, people, rounds=1, seed=1)
    p = pairwise_p_values([rows_of(one) for one in (people, *metrics)], rounds=20_000)
    assert found.observed["spa"] == pytest.approx(soft_pairwise_accuracy(p[1:], p[0]), abs=0.005)


def test_a_metric_does_not_differ_from_itself_on_another_scale():
    people, metrics = people_and_metrics([2], metrics=1)
    found = perm_both(np.concatenate([metrics, metrics * 1000 - 3]), people, rounds=50, seed=1)
    for figure in PERM_BOTH_STATISTICS:
        assert found.p[figure].tolist() == [[1, 1], [1, 1]]


def test_a_metric_that_is_worse_is_found():
    people, metrics = people_and_metrics([3], metrics=1)
    worse = np.random.default_rng(3).normal(size=people.shape)
    both = np.concatenate([metrics, worse[None]])
    for sides, most in (("two", 0.05), ("one", 0.05)):
        found = perm_both(both, people, rounds=199, seed=1, sides=sides)
        assert found.p["spa"][0, 1] <= most
    one, two = (perm_both(both, people, rounds=199, seed=1, sides=sides).p for sides in ("one", "two"))
    assert all((one[figure] <= two[figure]).all() for figure in PERM_BOTH_STATISTICS)


def test_what_is_constant_is_not_tested():
    people, metrics = people_and_metrics([4])
    metrics[1] = 3.0
    found = perm_both(metrics, people, rounds=20, seed=1)
    assert np.isnan(found.p["pearson"][0, 1])
    alike = perm_both(metrics, np.ones_like(people), rounds=20, seed=1)
    assert np.isnan(alike.p["pearson"][0, 1])


def test_it_tells_of_its_progress_and_stops():
    people, metrics = people_and_metrics([5])
    told = []
    perm_both(metrics, people, rounds=30, seed=1, watch=lambda done, total: told.append((done, total)))
    assert told[-1] == (30, 30)

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        perm_both(metrics, people, rounds=30, seed=1, watch=stop)


def test_metrics_that_are_equally_good_seldom_differ():
    """Swapping pairs of systems as if they were independent finds a difference in one of four of such samples."""
    found = false_positives(150, rounds=99, segments=60)
    assert set(found) == {*PERM_BOTH_STATISTICS, *POOLED_STATISTICS}
    assert all(rate <= 0.1 for rate in found.values()), found
    assert all(found[figure] >= 0.01 for figure in ("spa", *POOLED_STATISTICS)), found


def test_documents_as_units_keep_the_level():
    """With segments as units, PERM-BOTH reports a difference in one of five of such samples."""
    rates = false_positives(150, rounds=99, segments=100, error="document")
    assert all(0.01 <= rate <= 0.1 for rate in rates.values()), rates


def test_swaps_of_segments_have_one_side_or_two():
    dice = np.random.default_rng(6)
    values = dice.normal(size=(2, 40)) + np.array([[0.3], [0.0]])
    one, two = (paired_p_values(values, rounds=999, seed=1, sides=sides)[0, 1] for sides in ("one", "two"))
    turned = paired_p_values(values[::-1], rounds=999, seed=1, sides="one")
    assert one == turned[0, 1] == turned[1, 0]
    assert 0.4 <= one / two <= 0.6
