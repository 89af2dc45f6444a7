"""Bootstrap intervals of system means over segments."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import Score, ScoreRatings
from qe_desktop.ratings.aggregation.means import resampled_means, segment_means
from qe_desktop.significance import percentile_intervals_ignoring_nan
from tests.ratings.scale_ratings import random_scores


def ratings_of(values, system="A", scale="adequacy"):
    return [Score("r", system, f"g{n}", scale, value) for n, value in enumerate(values) if np.isfinite(value)]


def resample(rows, scales=("adequacy",), **options):
    scores = ScoreRatings.of(rows)
    return resampled_means([segment_means(scores, scale) for scale in scales], **options)


def test_width_of_intervals_agrees_with_theory():
    values = np.random.default_rng(1).normal(50, 10, 400)
    low, high = percentile_intervals_ignoring_nan(resample(ratings_of(values), rounds=2000))[0, 0]
    assert low < values.mean() < high
    assert high - low == pytest.approx(2 * 1.96 * values.std() / 20, rel=0.1)
    narrow = percentile_intervals_ignoring_nan(resample(ratings_of(values), rounds=2000), 0.5)[0, 0]
    assert narrow[1] - narrow[0] == pytest.approx(2 * 0.6745 * values.std() / 20, rel=0.15)


def test_scales_and_systems_are_resampled_together():
    rng = np.random.default_rng(2)
    values = rng.normal(3, 1, 50)
    rows = (
        ratings_of(values)
        + ratings_of(-values, scale="fluency")
        + ratings_of(values, "B")
        + ratings_of(values, "B", "fluency")
    )
    resampled = resample(rows, ("adequacy", "fluency"), rounds=200)
    assert resampled.shape == (2, 2, 200)
    assert resampled[0, 0] == pytest.approx(-resampled[1, 0])
    assert resampled[0, 0] == pytest.approx(resampled[0, 1])
    assert resampled.sum(axis=0)[0] == pytest.approx(np.zeros(200), abs=1e-12)


def test_missing_ratings_are_ignored_in_resamples():
    rng = np.random.default_rng(3)
    values, other = rng.normal(0, 1, 60), rng.normal(5, 1, 60)
    other[::3] = np.nan
    resampled = resample(ratings_of(values) + ratings_of(other, "B"), rounds=3000)
    assert resampled[0, 1].mean() == pytest.approx(np.nanmean(other), abs=0.02)
    present = other[np.isfinite(other)]
    assert resampled[0, 1].std() == pytest.approx(present.std() / np.sqrt(len(present)), rel=0.1)


def test_intervals_of_systems_with_one_or_no_rated_segment():
    rows = ratings_of(np.arange(20.0)) + ratings_of([np.nan] * 19 + [3.0], "B") + ratings_of([np.nan], "C")
    rows.append(Score("r", "C", "g1", "adequacy", np.nan))
    resampled = resample(rows, rounds=400)
    complete, single, empty = percentile_intervals_ignoring_nan(resampled)[0]
    assert np.isfinite(complete).all()
    assert np.isfinite(resampled[0, 1]).mean() == pytest.approx(1 - (19 / 20) ** 20, abs=0.07)
    assert single.tolist() == [3, 3]
    assert np.isnan(empty).all()


def test_chunks_and_order_of_rows_do_not_matter(monkeypatch):
    rows = [row for row in random_scores(np.random.default_rng(4), 120) if np.isfinite(row.value)]
    expected = resample(rows, ("score",), rounds=150, seed=7)
    names = ScoreRatings.of(rows).systems
    monkeypatch.setattr("qe_desktop.significance.bootstrap.MAX_BOOTSTRAP_CELLS", 1)
    again = resample(rows[::-1], ("score",), rounds=150, seed=7)
    order = [ScoreRatings.of(rows[::-1]).systems.index(name) for name in names]
    assert again[0, order] == pytest.approx(expected[0], abs=1e-9)
    assert not np.allclose(resample(rows, ("score",), rounds=150, seed=8), expected)


def test_progress_is_reported():
    reports = []
    resample(ratings_of(np.arange(9.0)), rounds=300, on_progress=lambda done, of: reports.append((done, of)))
    assert reports[-1] == (300, 300)
    assert len(reports) > 1


def test_scales_of_different_ratings_are_refused():
    first, second = (segment_means(ScoreRatings.of(ratings_of([1.0, 2], name)), "adequacy") for name in "AB")
    with pytest.raises(ValueError, match="all scales must have the same systems and segments"):
        resampled_means([first, second])


def test_ratings_without_values_give_nan():
    assert np.isnan(resample([Score("r", "A", "1", "adequacy", np.nan)], rounds=3)).all()
