"""Rank-sum tests of all pairs against SciPy and the worked example; paired tests; clusters."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from qe_desktop.corpus import Score, ScoreRatings
from qe_desktop.ratings.aggregation import hypothesis_tests
from qe_desktop.ratings.aggregation import hypothesis_tests as module
from qe_desktop.ratings.aggregation.hypothesis_tests import (
    mann_whitney_test,
    paired_t_test,
    rank_sum_tests,
    signed_rank_test,
)
from qe_desktop.ratings.aggregation.means import segment_means, system_means
from qe_desktop.significance import adjust_p
from qe_desktop.significance.clusters import rank_clusters, rank_ranges, significantly_better
from tests.ratings.rankings import load_expected
from tests.ratings.scale_ratings import random_scores

ORACLE = load_expected("significance_clusters")
NAMES = list(ORACLE["scores"])
MEANS = segment_means(
    ScoreRatings.of(
        [Score("r", name, str(n), "z", value) for name in NAMES for n, value in enumerate(ORACLE["scores"][name])]
    ),
    "z",
)
TIED = ORACLE["tie_heavy_1to5"]
X, Y = (np.asarray(TIED[name], np.float64) for name in "xy")
few = st.lists(st.integers(0, 6).map(float), min_size=1, max_size=25).map(np.asarray)
fine = st.lists(st.integers(-(10**6), 10**6).map(lambda n: n / 7), min_size=1, max_size=25).map(np.asarray)


def pair_indices(pair, between):
    return tuple(NAMES.index(name) for name in pair.split(between))


def rank_sums(means):
    return rank_sum_tests(means.system, means.mean, len(means.systems))


def paired_tests(test):
    values = MEANS.mean.reshape(len(NAMES), -1)
    p = np.full((len(NAMES), len(NAMES)), np.nan)
    for first, second in itertools.permutations(range(len(NAMES)), 2):
        p[first, second] = test(values[second] - values[first])
    return p


@pytest.fixture
def asymptotic(monkeypatch):
    monkeypatch.setattr(hypothesis_tests, "MAX_EXACT_PAIRS", 0)


def test_all_pairs_of_the_example():
    p_values = rank_sums(MEANS)
    for pair, p in ORACLE["ranksum_one_sided"].items():
        assert p_values[pair_indices(pair, ">")] == pytest.approx(p, abs=5.1e-7, rel=1e-5)
    assert np.isnan(np.diag(p_values)).all()


@pytest.mark.usefixtures("asymptotic")
@pytest.mark.parametrize(
    ("test", "key"), [(signed_rank_test, "wilcoxon_signed_rank_one_sided"), (paired_t_test, "paired_t_one_sided")]
)
def test_paired_tests_of_the_example(test, key):
    p_values = paired_tests(test)
    for pair, p in ORACLE[key].items():
        assert p_values[pair_indices(pair, ">")] == pytest.approx(p, abs=5.1e-7, rel=1e-5)


@pytest.mark.usefixtures("asymptotic")
@pytest.mark.parametrize("name", ["ranksum", "signed_rank"])
def test_clusters_and_ranges_of_the_example(name):
    p = rank_sums(MEANS) if name == "ranksum" else paired_tests(signed_rank_test)
    means = system_means(MEANS)
    assert [NAMES[member] for member in means.order()] == ORACLE["order"]
    assert dict(zip(NAMES, means.mean, strict=True)) == pytest.approx(ORACLE["means"], abs=1e-6)
    better, _ = significantly_better(p)
    clusters = rank_clusters(means.order(), better)
    cluster_numbers = {NAMES[member]: number for number, cluster in enumerate(clusters, 1) for member in cluster}
    assert cluster_numbers == ORACLE[f"clusters_{name}"]
    low, high = rank_ranges(better)
    assert {system: [a, b] for system, a, b in zip(NAMES, low, high, strict=True)} == ORACLE[f"rank_ranges_{name}"]
    if name == "ranksum":
        assert dict(zip(NAMES, better.sum(axis=1).tolist(), strict=True)) == ORACLE["wins_ranksum"]


@pytest.mark.usefixtures("asymptotic")
def test_many_ties():
    assert mann_whitney_test(X, Y) == pytest.approx(TIED["ranksum_one_sided"], abs=1e-6)
    two_sided = 2 * min(signed_rank_test(X - Y), signed_rank_test(Y - X))
    assert two_sided == pytest.approx(TIED["signed_rank_two_sided_wilcox_zero"], abs=1e-6)


@given(st.lists(few | fine, min_size=2, max_size=5), st.sampled_from([1, 7, 1 << 20]))
def test_rank_sum_equals_scipy(samples, cells):
    saved = module.RANK_BLOCK_CELLS
    module.RANK_BLOCK_CELLS = cells
    try:
        p_values = rank_sum_tests(
            np.repeat(np.arange(len(samples)), [len(s) for s in samples]), np.concatenate(samples), len(samples)
        )
    finally:
        module.RANK_BLOCK_CELLS = saved
    for first, second in itertools.permutations(range(len(samples)), 2):
        x, y = samples[first], samples[second]
        if len(set([*x, *y])) == 1:
            assert p_values[first, second] == 1
            continue
        greater = stats.mannwhitneyu(x, y, alternative="greater", method="asymptotic").pvalue
        assert p_values[first, second] == pytest.approx(greater, rel=1e-9)


def test_far_tails_keep_their_precision():
    rng = np.random.default_rng(1)
    x, y = rng.normal(1.2, 1, 900), rng.normal(0, 1, 900)
    expected = stats.mannwhitneyu(x, y, alternative="greater", method="asymptotic").pvalue
    assert expected < 1e-80
    assert mann_whitney_test(x, y) == pytest.approx(expected, rel=1e-9)


def test_a_system_without_ratings_is_not_tested():
    p_values = rank_sum_tests(np.array([0, 0, 2]), np.array([1.0, 2.0, 3.0]), 3)
    assert np.isnan(p_values[1]).all()
    assert np.isnan(p_values[:, 1]).all()
    assert np.isfinite(p_values[0, 2])
    better, corrected = significantly_better(p_values, correction="holm")
    assert not better[1].any()
    assert np.isnan(corrected[1]).all()
    assert np.isnan(mann_whitney_test(np.zeros(0), np.ones(3)))


@given(st.randoms(use_true_random=False))
def test_order_of_rows_does_not_matter(random):
    rows = random_scores(np.random.default_rng(random.randrange(10**6)), 60)
    again = list(rows)
    random.shuffle(again)
    first, second = (rank_sums(segment_means(s, "score")) for s in map(ScoreRatings.of, (rows, again)))
    names, others = (ScoreRatings.of(part).systems for part in (rows, again))
    order = [others.index(name) for name in names]
    assert np.array_equal(first, second[np.ix_(order, order)], equal_nan=True)


differences = st.lists(st.integers(-4, 4).map(float), min_size=1, max_size=30).map(np.asarray)


@given(differences)
def test_signed_ranks_equal_scipy(d):
    saved = hypothesis_tests.MAX_EXACT_PAIRS
    hypothesis_tests.MAX_EXACT_PAIRS = 0
    try:
        less, greater = signed_rank_test(d), signed_rank_test(-d)
    finally:
        hypothesis_tests.MAX_EXACT_PAIRS = saved
    if not d.any():
        assert less is greater is None
        return
    for side, p_value in (("greater", greater), ("less", less)):
        p = stats.wilcoxon(d, alternative=side, method="asymptotic").pvalue
        assert p_value == pytest.approx(p, rel=1e-9)


@given(st.lists(st.integers(-3, 3).map(float), min_size=1, max_size=9).map(np.asarray))
def test_exact_signed_ranks_equal_an_enumeration_of_signs(d):
    if not d.any():
        assert signed_rank_test(d) is None
        return
    d = d[d != 0]
    ranks = stats.rankdata(np.abs(d))
    positive = ranks[d > 0].sum()
    sums = np.array([ranks @ np.array(signs) for signs in itertools.product((0, 1), repeat=len(ranks))])
    assert signed_rank_test(-d) == pytest.approx(np.mean(sums >= positive - 1e-9), abs=1e-12)
    assert signed_rank_test(d) == pytest.approx(np.mean(sums <= positive + 1e-9), abs=1e-12)


def test_exact_signed_ranks_of_fifty_pairs_equal_scipy():
    d = np.random.default_rng(1).normal(0.2, 1, 50)
    expected = stats.wilcoxon(d, alternative="greater", method="exact").pvalue
    assert signed_rank_test(-d) == pytest.approx(expected, rel=1e-9)


@given(st.lists(st.floats(-100, 100), min_size=2, max_size=20).map(lambda values: np.round(values, 3)))
def test_paired_t_test_equals_scipy(d):
    p_value = paired_t_test(d)
    if len(set(d)) == 1:
        assert p_value is None
        return
    assert p_value == pytest.approx(stats.ttest_1samp(d, 0, alternative="less").pvalue, rel=1e-9)


def test_too_few_pairs_are_not_tested():
    assert paired_t_test(np.array([1.0])) is None
    assert signed_rank_test(np.zeros(0)) is None


def naive_clusters(order, better):
    out, current = [], []
    for k, system in enumerate(order):
        current.append(system)
        if all(better[a][b] for a in order[: k + 1] for b in order[k + 1 :]):
            out.append(current)
            current = []
    return out


@given(st.integers(1, 7).flatmap(lambda n: st.lists(st.booleans(), min_size=n * n, max_size=n * n)), st.booleans())
def test_clusters_end_where_all_above_beat_all_below(flags, mostly):
    n = int(len(flags) ** 0.5)
    better = np.asarray(flags).reshape(n, n)
    if mostly:
        better |= np.triu(np.ones((n, n), bool), 2)
    np.fill_diagonal(better, False)
    order = np.arange(n)[::-1] if not mostly else np.arange(n)
    assert rank_clusters(order, better) == naive_clusters(order.tolist(), better)
    low, high = rank_ranges(better)
    for system in range(n):
        assert low[system] == 1 + sum(better[other_system][system] for other_system in range(n))
        assert high[system] == n - sum(better[system])


def test_no_systems_have_no_clusters():
    assert rank_clusters([], np.zeros((0, 0), bool)) == []


def test_corrections_cover_all_one_sided_tests():
    p = rank_sums(MEANS)
    better, corrected = significantly_better(p, correction="holm")
    off = ~np.eye(5, dtype=bool)
    assert corrected[off] == pytest.approx(adjust_p(p[off], "holm"))
    assert better.sum() < significantly_better(p)[0].sum()
    assert not significantly_better(p, alpha=0.0)[0].any()
