"""Inter-rater agreement on a scale: which ratings are compared, pairs of raters, and all measures."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import ItemRole, Score, ScoreRatings
from qe_desktop.ratings.agreement import kappa as module
from qe_desktop.ratings.agreement.kappa import (
    NO_PAIR_NOTE,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    randolph_kappa,
)
from qe_desktop.ratings.agreement.krippendorff import MEASUREMENT_LEVELS, alpha_intervals, select_pairable
from qe_desktop.ratings.agreement.rater_agreement import bin_values, first_ratings, inter_rater_agreement
from tests.ratings.rankings import load_expected
from tests.ratings.scale_ratings import flatten_table, random_scores, score_lists

ORACLE = load_expected("agreement")


def scores_of(rows) -> ScoreRatings:
    return ScoreRatings.of(
        [
            Score(f"j{rater + 1}", "A", str(item), "adequacy", value)
            for item, values in enumerate(rows)
            for rater, value in enumerate(values)
            if value is not None
        ]
    )


def test_all_measures_of_the_example():
    result = inter_rater_agreement(scores_of(ORACLE["ratings"]), "adequacy")
    assert (result.units, result.ratings, result.raters, result.bins) == (12, 36, ("j1", "j2", "j3"), 0)
    assert result.fleiss.value == pytest.approx(ORACLE["fleiss"], abs=1e-6)
    assert result.randolph.value == pytest.approx(ORACLE["randolph"], abs=1e-6)
    for level in MEASUREMENT_LEVELS:
        assert result.krippendorff[level].value == pytest.approx(ORACLE["krippendorff"][level], abs=1e-6)
    first = ORACLE["cohen_j1_j2"]
    figures = result.pairs.statistics
    assert (result.pairs.first[0], result.pairs.second[0], figures.n[0]) == (0, 1, 12)
    assert figures.exact[0] == first["exact_agreement"]
    assert figures.within_one[0] == first["within_one"]
    assert figures.pearson[0] == pytest.approx(first["pearson"], abs=1e-6)
    values = np.asarray(ORACLE["ratings"], float)
    for name, weights in (("unweighted", "none"), ("linear", "linear"), ("quadratic", "quadratic")):
        assert getattr(figures, name)[0] == pytest.approx(first[name], abs=1e-6)
        three = [cohen_kappa(values[:, a], values[:, b], weights).value for a, b in ((0, 1), (0, 2), (1, 2))]
        assert result.cohen[name].value == pytest.approx(np.mean(three))
        assert "3 pairs" in result.cohen[name].note
    assert result.exact == pytest.approx(figures.exact.mean())


def test_missing_ratings_of_the_example():
    result = inter_rater_agreement(scores_of(ORACLE["with_missing"]["ratings"]), "adequacy", rounds=200)
    for level, expected in ORACLE["with_missing"]["krippendorff"].items():
        alpha = result.krippendorff[level]
        assert alpha.value == pytest.approx(expected, abs=1e-6)
        assert alpha.low <= alpha.value <= alpha.high
    assert result.units == 11


def test_kappa_of_two_raters_is_that_of_their_pair():
    result = inter_rater_agreement(scores_of([row[:2] for row in ORACLE["ratings"]]), "adequacy")
    assert result.cohen["quadratic"].value == pytest.approx(ORACLE["cohen_j1_j2"]["quadratic"], abs=1e-6)
    assert result.cohen["quadratic"].note == ""


def test_only_first_ratings_of_systems_are_compared():
    rows = [
        Score("a", "A", "1", "score", 9, started=20), Score("a", "A", "1", "score", 7, started=10),
        Score("b", "A", "1", "score", 5), Score("b", "A", "1", "score", 1, ItemRole.REPEAT),
        Score("b", "A", "2", "score", 5), Score("a", "A", "2", "score", 5, ItemRole.BAD),
        Score("a", "B", "1", "score", np.nan), Score("b", "B", "1", "score", 2),
        Score("a", "A", "1", "fluency", 3),
    ]  # fmt: skip
    first = first_ratings(ScoreRatings.of(rows), "score")
    assert (first.units, first.unit.tolist(), first.rater.tolist(), first.value.tolist()) == (1, [0, 0], [0, 1], [7, 5])


def test_intervals_of_alpha_resample_segments():
    rng = np.random.default_rng(3)
    good = rng.uniform(1, 5, 25)
    rows = [
        Score(f"r{rater}", f"s{system}", f"g{segment}", "adequacy", float(np.clip(round(good[segment] + error), 1, 5)))
        for segment in range(25)
        for system in range(4)
        for rater, error in enumerate(rng.normal(0, 0.8, 3))
    ]
    scores = ScoreRatings.of(rows)
    ratings = first_ratings(scores, "adequacy")
    names = [scores.segments[index] for index in ratings.segment]
    assert [names.count(f"g{segment}") for segment in range(25)] == [4] * 25
    result = inter_rater_agreement(scores, "adequacy", rounds=300).krippendorff["ordinal"]
    pairs = select_pairable(ratings.unit, ratings.value)
    expected = alpha_intervals(pairs, segments=np.asarray(ratings.segment), rounds=300)["ordinal"]
    assert (result.low, result.high) == expected != alpha_intervals(pairs, rounds=300)["ordinal"]


def test_raters_without_common_items_have_no_agreement():
    rows = [Score("a", "A", "1", "score", 3), Score("b", "A", "2", "score", 3)]
    for scores in (ScoreRatings.of(rows), ScoreRatings.of([])):
        result = inter_rater_agreement(scores, "score", rounds=10)
        assert (result.units, result.exact, result.within_one, result.raters) == (0, None, None, ())
        measures = [*result.cohen.values(), result.fleiss, result.randolph, *result.krippendorff.values()]
        assert {(measure.value, measure.problem) for measure in measures} == {(None, NO_PAIR_NOTE)}


def test_pairs_without_variation_are_excluded_with_a_note():
    rows = [[3, 3, 1], [3, 3, 2], [3, 3, 3]]
    result = inter_rater_agreement(scores_of(rows), "adequacy").cohen["quadratic"]
    assert result.value == pytest.approx(0, abs=1e-12)
    assert "2 pairs" in result.note
    assert "excludes 1 pair with undefined kappa (a single value for all shared items)" in result.note
    constant = inter_rater_agreement(scores_of([[3, 3, 3]] * 4), "adequacy").cohen["linear"]
    assert constant.value is None
    assert constant.problem.startswith("undefined: each pair of raters used only a single value")


def test_many_values_are_compared_in_bins():
    rng = np.random.default_rng(1)
    values = np.clip(np.rint(rng.uniform(0, 100, (80, 1)) + rng.normal(0, 8, (80, 3))), 0, 100)
    scores = scores_of(values)
    result = inter_rater_agreement(scores, "adequacy")
    assert result.bins == 10
    unit, flat = flatten_table(values)
    tens = np.minimum(np.floor(flat / 10), 9)
    assert result.fleiss.value == pytest.approx(fleiss_kappa(unit, tens).value)
    assert result.randolph.value == pytest.approx(randolph_kappa(unit, tens, 10).value)
    assert result.krippendorff["nominal"].value == pytest.approx(krippendorff_alpha(unit, tens, "nominal").value)
    assert result.krippendorff["ordinal"].value == pytest.approx(krippendorff_alpha(unit, flat, "ordinal").value)
    pairs = [(0, 1), (0, 2), (1, 2)]
    for name, source in (("unweighted", tens), ("linear", tens), ("quadratic", flat)):
        part = source.reshape(values.shape)
        weights = "none" if name == "unweighted" else name
        expected = np.mean([cohen_kappa(part[:, a], part[:, b], weights).value for a, b in pairs])
        assert result.cohen[name].value == pytest.approx(expected)


def test_bins_of_other_scales_span_the_values():
    assert bin_values(np.array([-2.0, -1, 0, 1, 2]), 4).tolist() == [0, 1, 2, 3, 3]
    assert bin_values(np.array([0.0, 9.99, 10, 100]), 10).tolist() == [0, 0, 1, 9]
    assert bin_values(np.array([7.5, 7.5]), 3).tolist() == [0, 0]
    assert bin_values(np.zeros(0), 3).tolist() == []


@given(score_lists(roles=False), st.sampled_from([1, 5, 1 << 20]))
def test_pairs_equal_a_plain_loop(rows, batch_size):
    saved, module.PAIRS_PER_BATCH = module.PAIRS_PER_BATCH, batch_size
    try:
        scores = ScoreRatings.of(rows)
        result = inter_rater_agreement(scores, "adequacy")
    finally:
        module.PAIRS_PER_BATCH = saved
    firsts: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for row in rows:
        if row.role == ItemRole.SYSTEM and np.isfinite(row.value):
            firsts[row.system, row.segment].setdefault(row.rater, row.value)
    expected = {}
    for left, right in itertools.combinations(scores.raters, 2):
        both = [(unit[left], unit[right]) for unit in firsts.values() if left in unit and right in unit]
        if both:
            expected[left, right] = np.asarray(both)
    pairs = result.pairs
    names = [(result.raters[a], result.raters[b]) for a, b in zip(pairs.first, pairs.second, strict=True)]
    assert sorted(names) == sorted(expected)
    for index, name in enumerate(names):
        a, b = expected[name].T
        assert pairs.statistics.n[index] == len(a)
        assert pairs.statistics.exact[index] == pytest.approx(np.mean(a == b))
        assert pairs.statistics.within_one[index] == pytest.approx(np.mean(np.abs(a - b) <= 1 + 1e-9))
        for key, weights in (("unweighted", "none"), ("linear", "linear"), ("quadratic", "quadratic")):
            kappa = cohen_kappa(a, b, weights).value
            assert getattr(pairs.statistics, key)[index] == pytest.approx(
                np.nan if kappa is None else kappa, nan_ok=True
            )
    together = {unit: list(values.values()) for unit, values in firsts.items() if len(values) > 1}
    assert result.units == len(together)
    assert result.ratings == sum(map(len, together.values()))


def test_order_of_rows_with_times_does_not_matter():
    rows = random_scores(np.random.default_rng(5), 150)
    shuffled = [rows[index] for index in np.random.default_rng(6).permutation(len(rows))]
    first, second = (inter_rater_agreement(ScoreRatings.of(part), "score", rounds=50) for part in (rows, shuffled))
    for level in MEASUREMENT_LEVELS:
        assert first.krippendorff[level].value == pytest.approx(second.krippendorff[level].value, abs=1e-12)
    for name in first.cohen:
        assert first.cohen[name].value == pytest.approx(second.cohen[name].value, abs=1e-12)
    assert first.ratings == second.ratings
