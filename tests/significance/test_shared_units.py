"""Systems that lack some units: pairs are tested on what both have, as if there were nothing else."""

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


def family_of(scores, name="mean"):
    return FamilyRows(np.stack([external_rows(ExternalScores(one)) for one in scores]), (external_metric(name),))


def compared(scores, documents=None, **options):
    family = family_of(scores)
    names = [f"s{place}" for place in range(len(scores))]
    return compare_rows(names, [family], family.metrics, SignificanceOptions(**options), documents=documents).metrics[0]


def rated(systems=4, segments=60, share=0.7, seed=1, apart=0.2):
    """Scores by people, of some outputs."""
    dice = np.random.default_rng(seed)
    scores = dice.normal(size=(systems, segments)).round(2) + np.arange(systems)[:, None] * apart
    return np.where(dice.random(scores.shape) < share, scores, np.nan)


@pytest.mark.parametrize("test", TESTS)
def test_a_pair_is_tested_as_if_only_what_both_have_were_there(test):
    scores = rated()
    found = compared(scores, test=test, rounds=2000)
    for i, j in combinations(range(len(scores)), 2):
        both = ~np.isnan(scores[[i, j]]).any(axis=0)
        shared = compared(scores[[i, j]][:, both], test=test, rounds=2000)
        if (found.scores[i] - found.scores[j]) * (shared.scores[0] - shared.scores[1]) < 0:
            assert found.p[i, j] == 1
            continue
        # other units, so other draws: four of their deviations
        assert found.p[i, j] == pytest.approx(shared.p[0, 1], abs=4 * (found.error[i, j] + shared.error[0, 1]) + 1e-9)


def test_few_units_are_swapped_in_every_way():
    scores = rated(systems=3, segments=10)
    found = compared(scores, rounds=1024)
    assert not found.error.any()
    for i, j in combinations(range(3), 2):
        apart = (scores[i] - scores[j])[~np.isnan(scores[i] - scores[j])]
        swaps = np.asarray(list(product((1, -1), repeat=len(apart))))
        ahead = np.nanmean(scores[i]) - np.nanmean(scores[j])
        expected = np.mean(np.abs(swaps @ apart) >= abs(apart.sum()) - 1e-9) if ahead * apart.sum() >= 0 else 1
        assert found.p[i, j] == pytest.approx(expected)


@pytest.mark.parametrize("test", TESTS)
def test_without_holes_it_is_the_test_of_all_systems(test):
    scores = rated(share=1.1)
    family = family_of(scores)
    assert not has_missing_scores(family)
    whole = compared(scores, test=test, rounds=1000)
    by_pairs = compare_shared_units([family], TESTS[test], rounds=1000, seed=1)
    assert by_pairs.p[0] == pytest.approx(whole.p, abs=1e-12)
    assert by_pairs.rounds == 1000


def test_swapping_ratings_for_nothing_would_find_differences_that_are_none():
    """Of 200 pairs without a difference, one system rated 150 times and the other 8: about one in twenty is found."""
    dice = np.random.default_rng(3)
    by_pairs, by_rows = 0, 0
    for _ in range(200):
        scores = dice.normal(size=(2, 150))
        scores[1, 8:] = np.nan
        by_pairs += compared(scores, rounds=256).p[0, 1] <= 0.05
        rows = family_of(scores).rows
        flips = dice.random((200, 150)) < 0.5
        traded = flips @ (rows[0] - rows[1])
        one, other = rows[0].sum(axis=0) - traded, rows[1].sum(axis=0) + traded
        observed = np.abs(np.nanmean(scores[0]) - np.nanmean(scores[1]))
        by_rows += np.mean(np.abs(one[:, 0] / one[:, 1] - other[:, 0] / other[:, 1]) >= observed) <= 0.05
    assert by_pairs <= 20
    assert by_rows > 60


def test_what_shares_nothing_is_not_tested():
    scores = rated(systems=3, segments=40, share=1.1)
    scores[0, :20] = np.nan
    scores[1, 20:] = np.nan
    found = compared(scores, rounds=500)
    assert np.isnan(found.p[0, 1])
    assert np.isfinite(found.p[[0, 1], [2, 2]]).all()
    assert not found.beats[0, 1]


def test_what_both_have_may_speak_against_the_one_ahead():
    """The first is ahead only by what the second was not rated on."""
    scores = np.zeros((2, 40))
    scores[0, :20], scores[1, :20] = 1.0, 2.0
    scores[0, 20:], scores[1, 20:] = 9.0, np.nan
    found = compared(scores, rounds=500)
    assert found.scores[0] > found.scores[1]
    assert found.p[0, 1] == 1
    assert not found.beats.any()


@pytest.mark.parametrize("test", TESTS)
def test_documents_are_taken_whole(test):
    scores, documents = rated(segments=40), np.repeat(np.arange(8), 5)
    found = compared(scores, documents, test=test, rounds=2000, unit="document")
    for i, j in combinations(range(len(scores)), 2):
        apart = np.nan_to_num(scores[i] - scores[j]).reshape(8, 5).sum(axis=1)
        if test == "randomisation" and (np.nanmean(scores[i]) - np.nanmean(scores[j])) * apart.sum() > 0:
            swaps = np.asarray(list(product((1, -1), repeat=8)))
            assert found.p[i, j] == pytest.approx(np.mean(np.abs(swaps @ apart) >= abs(apart.sum()) - 1e-9))
    assert np.isfinite(found.p).all()


def test_metrics_with_and_without_holes_stand_beside_each_other_in_their_order():
    holes, whole = family_of(rated(), "rated"), family_of(rated(share=1.1), "scored")
    metrics = (*whole.metrics, *holes.metrics)
    found = compare_rows(list("abcd"), [holes, whole], metrics, SignificanceOptions(rounds=500))
    assert [one.metric.name for one in found.metrics] == ["scored", "rated"]
    for family, one in zip((whole, holes), found.metrics, strict=True):
        alone = compare_rows(list("abcd"), [family], family.metrics, SignificanceOptions(rounds=500)).metrics[0]
        assert one.p.tolist() == alone.p.tolist()


def test_pairs_are_held_a_few_at_once(monkeypatch):
    expected = compared(rated(), rounds=500)
    monkeypatch.setattr("qe_desktop.significance.missing_units.MAX_PAIR_CELLS", 1)
    assert compared(rated(), rounds=500).p.tolist() == expected.p.tolist()


def test_intervals_are_of_draws_that_have_the_system():
    scores = rated(systems=2, segments=50, share=1.1)
    scores[1, 2:] = np.nan
    alone = score_intervals([family_of(scores)], seed=5)["mean"]
    # segments that nobody rated are drawn by nothing
    empty = np.concatenate([scores, np.full((2, 400), np.nan)], axis=1)
    assert score_intervals([family_of(empty)], seed=5)["mean"] == pytest.approx(alone)
    assert alone[1] == pytest.approx(sorted(scores[1, :2]))
    assert alone[0, 0] < np.mean(scores[0]) < alone[0, 1]
    nobody = score_intervals([family_of(np.full((2, 5), np.nan))])["mean"]
    assert np.isnan(nobody).all()
    assert np.isnan(percentile_intervals_ignoring_nan(np.array([[1.0, np.nan, np.nan]]))).all()


def test_influences_add_up_to_the_difference_that_is_tested():
    scores = rated(systems=2)
    family = family_of(scores)
    both = ~np.isnan(scores).any(axis=0)
    found = segment_influence(family.metrics[0], select_shared(family.rows))
    assert found.sum() == pytest.approx(scores[0, both].mean() - scores[1, both].mean())
    assert not found[~both].any()
    assert bootstrap.resampled_scores([family], rounds=10, seed=1).shape == (1, 2, 10)
