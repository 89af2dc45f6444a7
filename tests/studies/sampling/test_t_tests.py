"""t-tests: p of samples compared with SciPy, and the expected p compared with the mean over samples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from qe_desktop.studies.sampling.t_tests import (
    ScoreMoments,
    expected_p,
    expected_p_values,
    p_from_moments,
    p_from_samples,
)
from tests.studies.sampling.small_data_sets import sampling_options


@pytest.mark.parametrize("variances", ["equal", "unequal"])
def test_p_equals_scipy(variances):
    generator = np.random.default_rng(1)
    first, second = (generator.normal(0.4, 0.1, (2, 3, 50)) * [[[1], [1.5], [3]]] for _ in range(2))
    pairs, sizes = ((0, 1), (0, 2), (1, 2)), (5, 20, 50)
    p = p_from_samples(first, second, sizes, pairs, variances)
    assert p.shape == (2, 3, 3)
    for metric in range(2):
        for index, (i, j) in enumerate(pairs):
            for column, size in enumerate(sizes):
                expected = stats.ttest_ind(
                    first[metric, i, :size], second[metric, j, :size], equal_var=variances == "equal"
                ).pvalue
                assert p[metric, index, column] == pytest.approx(expected, rel=1e-9)


def test_p_of_constant_samples_is_zero_or_one():
    zero = np.zeros(2)
    assert p_from_moments(np.asarray([0.0, 0.1]), zero, zero, 10, "equal").tolist() == [1, 0]
    assert expected_p(np.asarray([0.0, 0.1]), zero, zero, 10, "equal").tolist() == [1, 0]


@pytest.mark.parametrize("variances", ["equal", "unequal"])
@pytest.mark.parametrize(("distance", "deviation", "size"), [(0.0, 1, 5), (0.4, 1, 20), (0.8, 2, 20), (0.3, 1, 200)])
def test_expected_p_is_the_mean_of_p_over_samples(variances, distance, deviation, size):
    generator = np.random.default_rng(2)
    draws = 40_000 if size < 100 else 8_000
    first, second = generator.normal(distance, 1, (draws, size)), generator.normal(0, deviation, (draws, size))
    p = p_from_moments(
        first.mean(axis=1) - second.mean(axis=1), first.var(axis=1, ddof=1), second.var(axis=1, ddof=1), size, variances
    )
    expected = expected_p(
        np.asarray([distance]), np.ones(1), np.full(1, float(deviation**2)), float(size), variances
    )[0]  # fmt: skip
    # Satterthwaite's degrees of freedom are an approximation for unequal variances
    assert expected == pytest.approx(p.mean(), abs=5 * p.std() / draws**0.5 + (0.001 if deviation > 1 else 0))


def test_expected_p_without_a_difference_is_one_half():
    p = expected_p(np.zeros(1), np.ones(1), np.ones(1), np.asarray([50.0]), "equal")
    assert p[0] == pytest.approx(0.5, abs=1e-9)


def test_moments_of_batches_equal_those_of_all_scores():
    scores = np.random.default_rng(3).normal(0.4, 0.01, (6, 2, 3, 50))
    moments = ScoreMoments(scores.mean(axis=-1), scores.var(axis=-1, ddof=1), 50)
    together = np.moveaxis(scores, 0, 2).reshape(2, 3, -1)
    means, variances = moments.overall_moments()
    assert means == pytest.approx(together.mean(axis=-1))
    assert variances == pytest.approx(together.var(axis=-1, ddof=1))
    without, spread = moments.leave_one_out()
    rest = np.moveaxis(scores[1:], 0, 2).reshape(2, 3, -1)
    assert without[0] == pytest.approx(rest.mean(axis=-1))
    assert spread[0] == pytest.approx(rest.var(axis=-1, ddof=1))


def test_error_of_the_expected_p_is_its_standard_deviation():
    """The standard deviation of p over many studies is the error that each study reports."""
    generator, chosen = np.random.default_rng(4), sampling_options(errors=("20", "21"), sizes=(400,))
    results = []
    for _ in range(150):
        common = generator.normal(0, 1, (20, 1, 1, 100))
        scores = common + generator.normal(0, 0.3, (20, 1, 2, 100)) + np.asarray([0.1, 0.0])[:, None]
        results.append(expected_p_values(ScoreMoments(scores.mean(axis=-1), scores.var(axis=-1, ddof=1), 100), chosen))
    p, error = (np.asarray([result[part][0, 0, 0] for result in results]) for part in range(2))
    assert np.median(error) == pytest.approx(p.std(), rel=0.3)
