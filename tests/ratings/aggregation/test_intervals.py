"""Bootstrap intervals of system means over segments."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import Score, ScoreRatings
from qe_desktop.ratings.aggregation.means import resampled_means, segment_means
from qe_desktop.significance import percentile_intervals_ignoring_nan
from tests.ratings.scored import made


def rated(values, system="A", scale="adequacy"):
    return [Score("r", system, f"g{n}", scale, value) for n, value in enumerate(values) if np.isfinite(value)]


def resampled(rows, scales=("adequacy",), **options):
    scores = ScoreRatings.of(rows)
    return resampled_means([segment_means(scores, scale) for scale in scales], **options)


def test_the_width_is_that_of_theory():
    values = np.random.default_rng(1).normal(50, 10, 400)
    low, high = percentile_intervals_ignoring_nan(resampled(rated(values), rounds=2000))[0, 0]
    assert low < values.mean() < high
    assert high - low == pytest.approx(2 * 1.96 * values.std() / 20, rel=0.1)
    narrow = percentile_intervals_ignoring_nan(resampled(rated(values), rounds=2000), 0.5)[0, 0]
    assert narrow[1] - narrow[0] == pytest.approx(2 * 0.6745 * values.std() / 20, rel=0.15)


def test_scales_and_systems_are_drawn_together():
    rng = np.random.default_rng(2)
    values = rng.normal(3, 1, 50)
    rows = rated(values) + rated(-values, scale="fluency") + rated(values, "B") + rated(values, "B", "fluency")
    found = resampled(rows, ("adequacy", "fluency"), rounds=200)
    assert found.shape == (2, 2, 200)
    assert found[0, 0] == pytest.approx(-found[1, 0])
    assert found[0, 0] == pytest.approx(found[0, 1])
    assert found.sum(axis=0)[0] == pytest.approx(np.zeros(200), abs=1e-12)


def test_gaps_weigh_only_what_is_there():
    rng = np.random.default_rng(3)
    values, other = rng.normal(0, 1, 60), rng.normal(5, 1, 60)
    other[::3] = np.nan
    found = resampled(rated(values) + rated(other, "B"), rounds=3000)
    assert found[0, 1].mean() == pytest.approx(np.nanmean(other), abs=0.02)
    left = other[np.isfinite(other)]
    assert found[0, 1].std() == pytest.approx(left.std() / np.sqrt(len(left)), rel=0.1)


def test_a_system_with_hardly_any_segment_has_no_interval():
    rows = rated(np.arange(20.0)) + rated([np.nan] * 19 + [3.0], "B") + rated([np.nan], "C")
    rows.append(Score("r", "C", "g1", "adequacy", np.nan))
    found = resampled(rows, rounds=400)
    one, other, none = percentile_intervals_ignoring_nan(found)[0]
    assert np.isfinite(one).all()
    assert np.isfinite(found[0, 1]).mean() == pytest.approx(1 - (19 / 20) ** 20, abs=0.07)
    assert other.tolist() == [3, 3]
    assert np.isnan(none).all()


def test_neither_chunks_nor_the_order_of_a_file_matter(monkeypatch):
    rows = [row for row in made(np.random.default_rng(4), 120) if np.isfinite(row.value)]
    one = resampled(rows, ("score",), rounds=150, seed=7)
    names = ScoreRatings.of(rows).systems
    monkeypatch.setattr("qe_desktop.significance.bootstrap.MAX_BOOTSTRAP_CELLS", 1)
    again = resampled(rows[::-1], ("score",), rounds=150, seed=7)
    order = [ScoreRatings.of(rows[::-1]).systems.index(name) for name in names]
    assert again[0, order] == pytest.approx(one[0], abs=1e-9)
    assert not np.allclose(resampled(rows, ("score",), rounds=150, seed=8), one)


def test_progress_is_told():
    told = []
    resampled(rated(np.arange(9.0)), rounds=300, watch=lambda done, of: told.append((done, of)))
    assert told[-1] == (300, 300)
    assert len(told) > 1


def test_scales_of_other_ratings_are_refused():
    one, other = (segment_means(ScoreRatings.of(rated([1.0, 2], name)), "adequacy") for name in "AB")
    with pytest.raises(ValueError, match="same ratings"):
        resampled_means([one, other])


def test_nothing_rated():
    assert np.isnan(resampled([Score("r", "A", "1", "adequacy", np.nan)], rounds=3)).all()
