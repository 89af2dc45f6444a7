"""Repeats and quality-control items: which ratings are compared, the worked example, and too few items."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from qe_desktop.corpus import ItemRole, Score, ScoreRatings
from qe_desktop.ratings.agreement.kappa import NO_PAIR_NOTE
from qe_desktop.ratings.agreement.rater_agreement import find_repeats, intra_rater_agreement, scale_intra_rater
from qe_desktop.ratings.agreement.reliability import compare_control_items
from tests.ratings.rankings import load_expected

ORACLE = load_expected("quality_control")


def test_repeats_of_the_example():
    expected = ORACLE["repeats"]
    first, again = np.asarray(expected["pairs"], np.float64).T
    result = intra_rater_agreement(first, again)
    assert result.mean_abs_difference == pytest.approx(expected["mean_abs_diff"])
    assert result.rmse == pytest.approx(expected["rmse"], abs=1e-5)
    assert result.pearson == pytest.approx(expected["pearson"], abs=1e-6)
    assert result.mean_difference == pytest.approx(np.mean(again - first))
    assert (result.n, result.exact, result.within_one) == (8, 0, 1 / 8)
    assert result.problem == ""


def test_no_repeats_and_repeats_without_variation():
    none = intra_rater_agreement(np.zeros(0), np.zeros(0))
    assert "no rater rated an item twice" in none.problem
    assert (none.exact, none.rmse, none.pearson) == (None, None, None)
    assert none.quadratic.problem == NO_PAIR_NOTE
    same = intra_rater_agreement(np.full(6, 4.0), np.full(6, 4.0))
    assert (same.exact, same.rmse, same.pearson) == (1, 0, None)
    for measure in (same.quadratic, same.ordinal, same.interval):
        assert measure.problem == "undefined: only a single value was used"


def test_repeats_are_compared_with_the_first_rating_of_the_same_rater():
    rows = [
        Score("a", "A", "1", "score", 30, ItemRole.REPEAT, started=9), Score("a", "A", "1", "score", 10, started=1),
        Score("a", "A", "1", "score", 20, started=5), Score("b", "A", "1", "score", 99, started=1),
        Score("b", "A", "2", "score", 50, ItemRole.REPEAT), Score("a", "A", "1", "fluency", 2, started=0),
        Score("b", "A", "1", "score", 98, ItemRole.REPEAT, started=7), Score("b", "A", "1", "score", 5, ItemRole.BAD),
        Score("b", "A", "1", "score", np.nan, ItemRole.REPEAT),
    ]  # fmt: skip
    scores = ScoreRatings.of(rows)
    twice = find_repeats(scores, "score", ItemRole.REPEAT)
    assert [column.tolist() for column in (twice.rater, twice.first, twice.repeated)] == [[0, 1], [10, 99], [30, 98]]
    assert twice.unpaired_counts.tolist() == [0, 1]
    bad = find_repeats(scores, "score", ItemRole.BAD)
    assert (bad.first.tolist(), bad.repeated.tolist()) == ([99], [5])
    assert scale_intra_rater(scores, "score").mean_abs_difference == (20 + 1) / 2
    assert len(find_repeats(scores, "fluency", ItemRole.REPEAT).rater) == 0


@pytest.mark.parametrize(("case", "passes"), [("reliable", True), ("unreliable", False)])
def test_control_items_of_the_example(case, passes):
    expected = ORACLE[case]
    bad, original = (np.asarray(expected[name], np.float64) for name in ("bad", "ok"))
    result = compare_control_items(bad, original)
    assert result.paired_t == pytest.approx(expected["paired_t_less"], abs=1e-6, rel=1e-5)
    assert result.mann_whitney == pytest.approx(expected["mannwhitney_less"], rel=1e-5)
    assert result.signed_rank == pytest.approx(expected["wilcoxon_less"], rel=1e-5)
    assert result.passes is passes
    assert result.verdict.startswith("passed" if passes else "failed")
    assert (result.n, result.mean_bad, result.mean_original) == (10, bad.mean(), original.mean())


def test_few_control_items_can_pass_and_cannot_fail():
    falling, level = np.array([30.0, 28, 33]), np.array([70.0, 75, 71])
    assert compare_control_items(falling, level).passes is True
    assert stats.ttest_rel(falling, level, alternative="less").pvalue < 0.05
    unsure = compare_control_items(level, falling)
    assert unsure.passes is None
    assert unsure.verdict == "too few quality-control items (3)"
    assert compare_control_items(np.zeros(0), np.zeros(0)).verdict == "no quality-control items"
    assert compare_control_items(np.zeros(1), np.ones(1)).verdict == "too few quality-control items (1)"


def test_equal_differences_are_judged_by_their_sign():
    original = np.arange(50.0, 60)
    assert compare_control_items(original - 20, original).passes is True
    above = compare_control_items(original + 20, original)
    assert above.passes is False
    unmoved = compare_control_items(original, original)
    assert unmoved.passes is False
    assert "all 10 degraded items have the same scores as their originals" in unmoved.verdict
