"""Measures of agreement: the worked example, plain definitions, missing ratings and undefined values."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.ratings.agreement.kappa import (
    CONSTANT_RATINGS_NOTE,
    NO_PAIR_NOTE,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    randolph_kappa,
)
from qe_desktop.ratings.agreement.krippendorff import (
    MAX_SCALE_VALUES,
    MEASUREMENT_LEVELS,
    alpha_intervals,
    select_pairable,
)
from tests.ratings.rankings import load_expected
from tests.ratings.scale_ratings import flatten_table

ORACLE = load_expected("agreement")
EXAMPLE = np.asarray(ORACLE["ratings"], np.float64)
UNIT, VALUE = flatten_table(ORACLE["ratings"])
WEIGHTS = ("none", "linear", "quadratic")
cell = st.one_of(st.none(), st.integers(1, 5).map(float), st.sampled_from([0.1, 66.1, 1 / 3]))
tables = st.integers(1, 4).flatmap(
    lambda raters: st.lists(st.lists(cell, min_size=raters, max_size=raters), min_size=1, max_size=10)
)


@pytest.mark.parametrize(("weights", "key"), list(zip(WEIGHTS, ("unweighted", "linear", "quadratic"), strict=True)))
def test_cohen_of_the_example(weights, key):
    result = cohen_kappa(EXAMPLE[:, 0], EXAMPLE[:, 1], weights)
    assert result.value == pytest.approx(ORACLE["cohen_j1_j2"][key], abs=1e-6)
    assert result.n == 12


def test_fleiss_randolph_and_alpha_of_the_example():
    assert fleiss_kappa(UNIT, VALUE).value == pytest.approx(ORACLE["fleiss"], abs=1e-6)
    assert randolph_kappa(UNIT, VALUE).value == pytest.approx(ORACLE["randolph"], abs=1e-6)
    gaps = flatten_table(ORACLE["with_missing"]["ratings"])
    for level in MEASUREMENT_LEVELS:
        assert krippendorff_alpha(UNIT, VALUE, level).value == pytest.approx(ORACLE["krippendorff"][level], abs=1e-6)
        result = krippendorff_alpha(*gaps, level)
        assert result.value == pytest.approx(ORACLE["with_missing"]["krippendorff"][level], abs=1e-6)
        assert result.n == 11


def test_labels_need_not_be_numbers():
    case = ORACLE["two_raters_2x2_ok_bad"]
    first, second = np.asarray(case["rater1"]), np.asarray(case["rater2"])
    assert cohen_kappa(first, second).value == pytest.approx(case["cohen"], abs=1e-6)
    bad = np.stack([first == "B", second == "B"], axis=1).astype(float)
    assert krippendorff_alpha(*flatten_table(bad), "nominal").value == pytest.approx(
        case["krippendorff_nominal"], abs=1e-6
    )
    with pytest.raises(ValueError, match="numbers"):
        cohen_kappa(first, second, "linear")
    with pytest.raises(ValueError, match="per item"):
        cohen_kappa(first, second[:3])


@pytest.mark.parametrize("value", [3.0, 66.1])
def test_measures_of_constant_ratings_are_undefined(value):
    same = np.full((7, 3), value)
    unit, values = flatten_table(same)
    measures = [cohen_kappa(same[:, 0], same[:, 1], weights) for weights in WEIGHTS]
    measures += [fleiss_kappa(unit, values), randolph_kappa(unit, values)]
    measures += [krippendorff_alpha(unit, values, level) for level in MEASUREMENT_LEVELS]
    for measure in measures:
        assert measure.value is None
        assert measure.problem == CONSTANT_RATINGS_NOTE
        assert measure.n == 7


def test_measures_without_pairs_are_undefined():
    unit, values = np.arange(4), np.array([1.0, 2, 3, 4])
    for measure in (
        fleiss_kappa(unit, values),
        randolph_kappa(unit, values, 5),
        krippendorff_alpha(unit, values, "ordinal"),
    ):
        assert (measure.value, measure.n, measure.problem) == (None, 0, NO_PAIR_NOTE)
    kappa = cohen_kappa(np.array([1, np.nan]), np.array([np.nan, 2]))
    assert (kappa.value, kappa.n, kappa.problem) == (None, 0, NO_PAIR_NOTE)


def test_constant_rater_agrees_at_chance_level():
    first, second = np.array([3.0, 3, 3, 3]), np.array([1.0, 3, 3, 5])
    for weights in WEIGHTS:
        assert cohen_kappa(first, second, weights).value == pytest.approx(0, abs=1e-12)


def test_unused_value_keeps_its_position_on_the_scale():
    first, second = np.array([1.0, 5, 5, 1]), np.array([1.0, 5, 4, 2])
    # without the unused 3, the values 2 and 4 would be neighbours
    assert cohen_kappa(first, second, "linear").value == pytest.approx(
        naive_cohen(first, second, lambda a, b: abs(a - b))
    )
    assert randolph_kappa(*flatten_table(np.stack([first, second], 1)), 5).value == pytest.approx((0.5 - 0.2) / 0.8)


def test_missing_ratings_are_noted():
    result = fleiss_kappa(np.array([0, 0, 0, 1, 1, 2]), np.array([1.0, 1, 2, 2, 2, 1]))
    assert result.n == 2
    assert "2 to 3 ratings" in result.note
    assert not fleiss_kappa(UNIT, VALUE).note


def naive_cohen(first, second, distance):
    n = len(first)
    observed = sum(distance(a, b) for a, b in zip(first, second, strict=True)) / n
    expected = sum(distance(a, b) for a in first for b in second) / n**2
    return 1 - observed / expected


DISTANCES = {
    "none": lambda a, b: float(a != b),
    "linear": lambda a, b: abs(a - b),
    "quadratic": lambda a, b: (a - b) ** 2,
}


@given(st.lists(st.tuples(cell, cell), min_size=1, max_size=20), st.sampled_from(WEIGHTS))
def test_cohen_equals_observed_over_expected_distance(pairs, weights):
    first, second = (np.array([np.nan if v is None else v for v in column]) for column in zip(*pairs, strict=True))
    complete_pairs = [pair for pair in pairs if None not in pair]
    result = cohen_kappa(first, second, weights)
    assert result.n == len(complete_pairs)
    if len({value for pair in complete_pairs for value in pair}) < 2:
        assert result.value is None
        return
    assert result.value == pytest.approx(
        naive_cohen(*zip(*complete_pairs, strict=True), DISTANCES[weights]), rel=1e-9, abs=1e-9
    )


def naive_alpha(units, level):
    """Return alpha by Krippendorff's formula on the coincidence matrix."""
    units = [unit for unit in units if len(unit) > 1]
    values = sorted({value for unit in units for value in unit})
    coincidences = {pair: 0.0 for pair in itertools.product(values, repeat=2)}
    for unit in units:
        for a, b in itertools.permutations(range(len(unit)), 2):
            coincidences[unit[a], unit[b]] += 1 / (len(unit) - 1)
    totals = {c: sum(coincidences[c, k] for k in values) for c in values}
    n = sum(totals.values())

    def distance(c, k):
        if level == "nominal":
            return float(c != k)
        if level == "interval":
            return (c - k) ** 2
        low, high = sorted((values.index(c), values.index(k)))
        return (sum(totals[v] for v in values[low : high + 1]) - (totals[c] + totals[k]) / 2) ** 2

    observed = sum(coincidences[c, k] * distance(c, k) for c, k in coincidences)
    expected = sum(totals[c] * totals[k] * distance(c, k) for c, k in coincidences)
    return 1 - (n - 1) * observed / expected if expected else None


def present_values(rows):
    return [[value for value in row if value is not None] for row in rows]


@given(tables, st.sampled_from(MEASUREMENT_LEVELS))
def test_alpha_equals_that_of_the_coincidence_matrix(rows, level):
    result = krippendorff_alpha(*flatten_table(rows), level)
    units = present_values(rows)
    assert result.n == sum(len(unit) > 1 for unit in units)
    expected = naive_alpha(units, level)
    assert result.value == (expected if expected is None else pytest.approx(expected, rel=1e-9, abs=1e-9))


def naive_fleiss(units):
    """Return observed and chance agreement in Gwet's form, which is Fleiss' for equal numbers of ratings."""
    counts = [Counter(unit) for unit in units if len(unit) > 1]
    agree = [sum(n * (n - 1) for n in c.values()) / (c.total() * (c.total() - 1)) for c in counts]
    values = {value for c in counts for value in c}
    shares = [sum(c[value] / c.total() for c in counts) / len(counts) for value in values]
    return np.mean(agree), sum(share**2 for share in shares)


@given(tables, st.integers(2, 9))
def test_fleiss_and_randolph_equal_a_plain_loop(rows, more):
    unit, values = flatten_table(rows)
    units = present_values(rows)
    different = {value for unit in units if len(unit) > 1 for value in unit}
    if len(different) < 2:
        assert fleiss_kappa(unit, values).value is None
        return
    agree, chance = naive_fleiss(units)
    assert fleiss_kappa(unit, values).value == pytest.approx((agree - chance) / (1 - chance), rel=1e-9, abs=1e-9)
    chance = 1 / max(more, len(different))
    assert randolph_kappa(unit, values, more).value == pytest.approx(
        (agree - chance) / (1 - chance), rel=1e-9, abs=1e-9
    )


@given(tables, st.randoms(use_true_random=False), st.sampled_from(MEASUREMENT_LEVELS))
def test_order_and_names_of_units_do_not_matter(rows, random, level):
    unit, values = flatten_table(rows)
    order = list(range(len(unit)))
    random.shuffle(order)
    names = random.sample(range(1000), len(rows))
    again = np.asarray(names)[unit][order], values[order]
    for first, second in (
        (krippendorff_alpha(unit, values, level), krippendorff_alpha(*again, level)),
        (fleiss_kappa(unit, values), fleiss_kappa(*again)),
    ):
        assert first.n == second.n
        assert first.value == (second.value if first.value is None else pytest.approx(second.value, abs=1e-12))


def simulate_ratings(units, raters, categories, seed=1):
    rng = np.random.default_rng(seed)
    quality = rng.uniform(0.5, categories + 0.5, units)
    return np.clip(np.rint(quality[:, None] + rng.normal(0, 0.8, (units, raters))), 1, categories)


@pytest.mark.parametrize("level", MEASUREMENT_LEVELS)
def test_intervals_agree_with_resampled_units(level):
    rows = simulate_ratings(60, 3, 5)
    rows[:20, 0] = np.nan
    low, high = alpha_intervals(select_pairable(*flatten_table(rows)), rounds=2000, seed=3)[level]
    rng = np.random.default_rng(4)
    resamples = [krippendorff_alpha(*flatten_table(rows[rng.integers(0, 60, 60)]), level).value for _ in range(1000)]
    expected = np.quantile(resamples, [0.025, 0.975])
    assert [low, high] == pytest.approx(expected, abs=0.15 * (expected[1] - expected[0]))
    assert low < krippendorff_alpha(*flatten_table(rows), level).value < high


def test_intervals_on_a_scale_of_many_values():
    rows = simulate_ratings(200, 4, 100) + np.linspace(0, 0.3, 4)
    result = alpha_intervals(select_pairable(*flatten_table(rows)), rounds=1000, seed=1)
    assert set(result) == {"interval"}
    rng = np.random.default_rng(4)
    resamples = [
        krippendorff_alpha(*flatten_table(rows[rng.integers(0, 200, 200)]), "interval").value for _ in range(1000)
    ]
    expected = np.quantile(resamples, [0.025, 0.975])
    assert result["interval"] == pytest.approx(expected, abs=0.15 * (expected[1] - expected[0]))


@pytest.mark.parametrize("patterns", [0, 4096])
def test_resampling_patterns_agrees_with_resampling_units(monkeypatch, patterns):
    rows = simulate_ratings(400, 3, MAX_SCALE_VALUES - 1)
    expected = alpha_intervals(select_pairable(*flatten_table(rows)), rounds=4000, seed=9)
    monkeypatch.setattr("qe_desktop.ratings.agreement.krippendorff.MAX_PATTERNS", patterns)
    result = alpha_intervals(select_pairable(*flatten_table(rows)), rounds=4000, seed=1)
    for level in MEASUREMENT_LEVELS:
        width = expected[level][1] - expected[level][0]
        assert result[level] == pytest.approx(expected[level], abs=0.1 * width)


@pytest.mark.parametrize(("top", "level"), [(5, "nominal"), (5, "ordinal"), (5, "interval"), (90, "interval")])
def test_outputs_of_a_segment_are_resampled_together(top, level):
    """Ratings depend mostly on the segment, so that resampling single outputs gives too narrow an interval."""
    rng = np.random.default_rng(2)
    segments, systems = 40, 5
    good = np.repeat(rng.uniform(1, top, segments), systems)
    rows = np.clip(np.rint(good[:, None] + rng.normal(0, top / 8, (segments * systems, 3))), 1, top)
    segment = np.repeat(rng.permutation(segments), systems)
    interval = alpha_intervals(select_pairable(*flatten_table(rows)), segments=segment, rounds=2000, seed=3)[level]
    blocks = rows.reshape(segments, systems, 3)
    resamples = [blocks[rng.integers(0, segments, segments)].reshape(-1, 3) for _ in range(1000)]
    expected = np.quantile(
        [krippendorff_alpha(*flatten_table(sample), level).value for sample in resamples], [0.025, 0.975]
    )
    assert interval == pytest.approx(expected, abs=0.15 * (expected[1] - expected[0]))
    alone = alpha_intervals(select_pairable(*flatten_table(rows)), rounds=2000, seed=3)[level]
    assert interval[1] - interval[0] > alone[1] - alone[0]
    mixed = rng.permutation(len(rows))
    swapped = alpha_intervals(
        select_pairable(*flatten_table(rows[mixed])), segments=segment[mixed], rounds=2000, seed=3
    )[level]
    assert swapped == pytest.approx(interval, abs=1e-9), "the order of a file does not matter"


def test_one_segment_has_no_interval():
    ratings = select_pairable(*flatten_table(simulate_ratings(12, 3, 5)))
    assert alpha_intervals(ratings, segments=np.zeros(12, np.int64), rounds=100) == {}


def test_no_interval_where_resamples_are_mostly_undefined():
    rows = np.array([[1.0, 1.0]] * 30 + [[1.0, 2.0]])
    ratings = select_pairable(*flatten_table(rows))
    assert alpha_intervals(ratings, rounds=0) == {}
    assert alpha_intervals(select_pairable(*flatten_table(rows[:5])), rounds=100) == {}
    # the one unit that differs is in a share of 1 - 1/e of the resamples
    assert set(alpha_intervals(ratings, rounds=500)) == set(MEASUREMENT_LEVELS)


def test_the_same_seed_gives_the_same_interval():
    ratings = select_pairable(*flatten_table(simulate_ratings(50, 3, 5)))
    assert alpha_intervals(ratings, seed=5) == alpha_intervals(ratings, seed=5)
    assert alpha_intervals(ratings, seed=5) != alpha_intervals(ratings, seed=6)
