"""Agreement on a scale of a set of ratings: which ratings are compared, by pair of raters, and all measures at once."""

from __future__ import annotations

import itertools
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import ItemRole, Score, ScoreRatings
from qe_desktop.ratings.agreement import rater_pairs as module
from qe_desktop.ratings.agreement.agreement_measures import (
    NO_PAIR_NOTE,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    randolph_kappa,
)
from qe_desktop.ratings.agreement.inter_rater import bin_values, first_ratings, inter_rater_agreement
from qe_desktop.ratings.agreement.krippendorff import MEASUREMENT_LEVELS, alpha_intervals, select_pairable
from tests.ratings.rankings import oracle
from tests.ratings.scored import made, rated_rows, table

ORACLE = oracle("agreement")


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
    found = inter_rater_agreement(scores_of(ORACLE["ratings"]), "adequacy")
    assert (found.units, found.ratings, found.raters, found.bins) == (12, 36, ("j1", "j2", "j3"), 0)
    assert found.fleiss.value == pytest.approx(ORACLE["fleiss"], abs=1e-6)
    assert found.randolph.value == pytest.approx(ORACLE["randolph"], abs=1e-6)
    for level in MEASUREMENT_LEVELS:
        assert found.krippendorff[level].value == pytest.approx(ORACLE["krippendorff"][level], abs=1e-6)
    first = ORACLE["cohen_j1_j2"]
    figures = found.pairs.figures
    assert (found.pairs.first[0], found.pairs.second[0], figures.n[0]) == (0, 1, 12)
    assert figures.exact[0] == first["exact_agreement"]
    assert figures.within_one[0] == first["within_one"]
    assert figures.pearson[0] == pytest.approx(first["pearson"], abs=1e-6)
    values = np.asarray(ORACLE["ratings"], float)
    for name, weights in (("unweighted", "none"), ("linear", "linear"), ("quadratic", "quadratic")):
        assert getattr(figures, name)[0] == pytest.approx(first[name], abs=1e-6)
        three = [cohen_kappa(values[:, a], values[:, b], weights).value for a, b in ((0, 1), (0, 2), (1, 2))]
        assert found.cohen[name].value == pytest.approx(np.mean(three))
        assert "3 pairs" in found.cohen[name].note
    assert found.exact == pytest.approx(figures.exact.mean())


def test_gaps_of_the_example():
    found = inter_rater_agreement(scores_of(ORACLE["with_missing"]["ratings"]), "adequacy", rounds=200)
    for level, expected in ORACLE["with_missing"]["krippendorff"].items():
        one = found.krippendorff[level]
        assert one.value == pytest.approx(expected, abs=1e-6)
        assert one.low <= one.value <= one.high
    assert found.units == 11


def test_two_raters_have_their_own_kappa():
    found = inter_rater_agreement(scores_of([row[:2] for row in ORACLE["ratings"]]), "adequacy")
    assert found.cohen["quadratic"].value == pytest.approx(ORACLE["cohen_j1_j2"]["quadratic"], abs=1e-6)
    assert found.cohen["quadratic"].note == ""


def test_only_first_ratings_of_systems_are_compared():
    rows = [
        Score("a", "A", "1", "score", 9, started=20), Score("a", "A", "1", "score", 7, started=10),
        Score("b", "A", "1", "score", 5), Score("b", "A", "1", "score", 1, ItemRole.REPEAT),
        Score("b", "A", "2", "score", 5), Score("a", "A", "2", "score", 5, ItemRole.BAD),
        Score("a", "B", "1", "score", np.nan), Score("b", "B", "1", "score", 2),
        Score("a", "A", "1", "fluency", 3),
    ]  # fmt: skip
    found = first_ratings(ScoreRatings.of(rows), "score")
    assert (found.units, found.unit.tolist(), found.rater.tolist(), found.value.tolist()) == (1, [0, 0], [0, 1], [7, 5])


def test_intervals_of_alpha_are_drawn_over_segments():
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
    names = [scores.segments[place] for place in ratings.segment]
    assert [names.count(f"g{segment}") for segment in range(25)] == [4] * 25
    found = inter_rater_agreement(scores, "adequacy", rounds=300).krippendorff["ordinal"]
    pairs = select_pairable(ratings.unit, ratings.value)
    expected = alpha_intervals(pairs, segments=np.asarray(ratings.segment), rounds=300)["ordinal"]
    assert (found.low, found.high) == expected != alpha_intervals(pairs, rounds=300)["ordinal"]


def test_raters_who_share_nothing():
    rows = [Score("a", "A", "1", "score", 3), Score("b", "A", "2", "score", 3)]
    for scores in (ScoreRatings.of(rows), ScoreRatings.of([])):
        found = inter_rater_agreement(scores, "score", rounds=10)
        assert (found.units, found.exact, found.within_one, found.raters) == (0, None, None, ())
        measures = [*found.cohen.values(), found.fleiss, found.randolph, *found.krippendorff.values()]
        assert {(one.value, one.problem) for one in measures} == {(None, NO_PAIR_NOTE)}


def test_pairs_without_variation_are_left_out_and_said_to_be():
    rows = [[3, 3, 1], [3, 3, 2], [3, 3, 3]]
    found = inter_rater_agreement(scores_of(rows), "adequacy").cohen["quadratic"]
    assert found.value == pytest.approx(0, abs=1e-12)
    assert "2 pairs" in found.note
    assert "1 more gave all items the same value" in found.note
    constant = inter_rater_agreement(scores_of([[3, 3, 3]] * 4), "adequacy").cohen["linear"]
    assert constant.value is None
    assert constant.problem.startswith("undefined: all ratings are equal")


def test_many_values_are_compared_in_bins():
    rng = np.random.default_rng(1)
    values = np.clip(np.rint(rng.uniform(0, 100, (80, 1)) + rng.normal(0, 8, (80, 3))), 0, 100)
    scores = scores_of(values)
    found = inter_rater_agreement(scores, "adequacy")
    assert found.bins == 10
    unit, flat = table(values)
    tens = np.minimum(np.floor(flat / 10), 9)
    assert found.fleiss.value == pytest.approx(fleiss_kappa(unit, tens).value)
    assert found.randolph.value == pytest.approx(randolph_kappa(unit, tens, 10).value)
    assert found.krippendorff["nominal"].value == pytest.approx(krippendorff_alpha(unit, tens, "nominal").value)
    assert found.krippendorff["ordinal"].value == pytest.approx(krippendorff_alpha(unit, flat, "ordinal").value)
    pairs = [(0, 1), (0, 2), (1, 2)]
    for name, source in (("unweighted", tens), ("linear", tens), ("quadratic", flat)):
        part = source.reshape(values.shape)
        weights = "none" if name == "unweighted" else name
        expected = np.mean([cohen_kappa(part[:, a], part[:, b], weights).value for a, b in pairs])
        assert found.cohen[name].value == pytest.approx(expected)


def test_bins_of_other_scales_span_what_was_given():
    assert bin_values(np.array([-2.0, -1, 0, 1, 2]), 4).tolist() == [0, 1, 2, 3, 3]
    assert bin_values(np.array([0.0, 9.99, 10, 100]), 10).tolist() == [0, 0, 1, 9]
    assert bin_values(np.array([7.5, 7.5]), 3).tolist() == [0, 0]
    assert bin_values(np.zeros(0), 3).tolist() == []


@given(rated_rows(roles=False), st.sampled_from([1, 5, 1 << 20]))
def test_pairs_are_those_of_a_loop(rows, at_once):
    kept, module.PAIRS_PER_BATCH = module.PAIRS_PER_BATCH, at_once
    try:
        scores = ScoreRatings.of(rows)
        found = inter_rater_agreement(scores, "adequacy")
    finally:
        module.PAIRS_PER_BATCH = kept
    firsts: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for row in rows:
        if row.role == ItemRole.SYSTEM and np.isfinite(row.value):
            firsts[row.system, row.segment].setdefault(row.rater, row.value)
    expected = {}
    for one, other in itertools.combinations(scores.raters, 2):
        both = [(unit[one], unit[other]) for unit in firsts.values() if one in unit and other in unit]
        if both:
            expected[one, other] = np.asarray(both)
    pairs = found.pairs
    names = [(found.raters[a], found.raters[b]) for a, b in zip(pairs.first, pairs.second, strict=True)]
    assert sorted(names) == sorted(expected)
    for place, name in enumerate(names):
        a, b = expected[name].T
        assert pairs.figures.n[place] == len(a)
        assert pairs.figures.exact[place] == pytest.approx(np.mean(a == b))
        assert pairs.figures.within_one[place] == pytest.approx(np.mean(np.abs(a - b) <= 1 + 1e-9))
        for key, weights in (("unweighted", "none"), ("linear", "linear"), ("quadratic", "quadratic")):
            kappa = cohen_kappa(a, b, weights).value
            assert getattr(pairs.figures, key)[place] == pytest.approx(np.nan if kappa is None else kappa, nan_ok=True)
    together = {unit: list(values.values()) for unit, values in firsts.items() if len(values) > 1}
    assert found.units == len(together)
    assert found.ratings == sum(map(len, together.values()))


def test_the_order_of_a_file_with_times_does_not_matter():
    rows = made(np.random.default_rng(5), 150)
    shuffled = [rows[place] for place in np.random.default_rng(6).permutation(len(rows))]
    one, other = (inter_rater_agreement(ScoreRatings.of(part), "score", rounds=50) for part in (rows, shuffled))
    for level in MEASUREMENT_LEVELS:
        assert one.krippendorff[level].value == pytest.approx(other.krippendorff[level].value, abs=1e-12)
    for name in one.cohen:
        assert one.cohen[name].value == pytest.approx(other.cohen[name].value, abs=1e-12)
    assert one.ratings == other.ratings
