"""z by rater: WMT's way, Appraise's, and what counts towards a rater's mean and deviation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from qe_desktop.corpus import ItemRole, Score, ScoreRatings
from qe_desktop.ratings.aggregation.means import segment_means, system_means
from qe_desktop.ratings.aggregation.z_scores import standardise
from tests.ratings.rankings import oracle
from tests.ratings.scored import grouped, rated_rows

ORACLE = oracle("z_normalise")
SCORES = ScoreRatings.of([Score(r, system, str(g), "score", value) for r, g, system, value in ORACLE["ratings"]])


def test_z_with_n_minus_one_drops_raters_without_deviation():
    found = standardise(SCORES, "score")
    expected = [np.nan if z is None else z for z in ORACLE["z_ddof1"]]
    assert found.values == pytest.approx(expected, abs=1e-6, nan_ok=True)
    assert set(found.dropped) == {"r3", "r4"}
    assert "66 all 3 times" in found.dropped["r3"]
    assert "a single score" in found.dropped["r4"]
    assert not found.constant
    raw, z = segment_means(SCORES.take(found.kept), "score"), segment_means(SCORES, "score", found.values)
    for place, (system, segment, *values) in enumerate(ORACLE["segment_ddof1"]):
        assert (SCORES.systems[z.system[place]], SCORES.segments[z.segment[place]]) == (system, str(segment))
        assert [raw.mean[place], z.mean[place]] == pytest.approx(values, abs=1e-6)
    for place, system in enumerate(SCORES.systems):
        expected = ORACLE["system_ddof1"][system]
        assert system_means(raw).mean[place] == pytest.approx(expected["score"], abs=1e-6)
        assert system_means(z).mean[place] == pytest.approx(expected["z"], abs=1e-6)


def test_appraise_keeps_them_at_zero():
    found = standardise(SCORES, "score", "appraise")
    assert found.kept.all()
    assert set(found.constant) == {"r3", "r4"}
    assert not found.dropped
    for place, system in enumerate(SCORES.systems):
        expected = ORACLE["appraise_variant"]["system"][system]
        assert system_means(segment_means(SCORES, "score")).mean[place] == pytest.approx(expected["score"], abs=1e-6)
        z = system_means(segment_means(SCORES, "score", found.values)).mean[place]
        assert z == pytest.approx(expected["z"], abs=1e-6)


def test_control_items_and_references_count_and_training_does_not():
    rows = [Score("r", "A", "1", "score", v, role) for v, role in zip((60, 70, 5, 95, 1), ItemRole, strict=True)]
    found = standardise(ScoreRatings.of(rows), "score")
    counted = np.array([60, 70, 5, 95.0])
    assert found.values[:4] == pytest.approx((counted - counted.mean()) / counted.std(ddof=1), rel=1e-14)
    assert np.isnan(found.values[4])
    assert found.mean.tolist() == [57.5]
    assert found.n.tolist() == [4]


def test_each_scale_is_standardised_by_itself():
    rows = [Score("r", "A", str(n), scale, n * f) for n in range(4) for scale, f in (("adequacy", 1), ("fluency", 10))]
    scores = ScoreRatings.of(rows)
    one, other = standardise(scores, "adequacy").values, standardise(scores, "fluency").values
    assert one[::2] == pytest.approx(other[1::2])
    assert np.isnan(one[1::2]).all()
    assert np.isnan(other[::2]).all()
    assert np.isnan(standardise(scores, "score").values).all()


def test_z_of_the_source_is_used_as_it_is():
    rows = [Score("r", "A", str(n), "z", value) for n, value in enumerate((0.5, 0.5, 0.5))]
    found = standardise(ScoreRatings.of([*rows, Score("q", "A", "1", "z", -1.25)]), "z")
    assert found.values.tolist() == [0.5, 0.5, 0.5, -1.25]
    assert not found.dropped


@given(rated_rows())
def test_z_is_that_of_a_loop(rows):
    found = standardise(ScoreRatings.of(rows), "adequacy").values
    own = grouped([row for row in rows if row.role != ItemRole.TRAINING], lambda row: row.rater)
    for row, z in zip(rows, found, strict=True):
        values = own[row.rater]
        if row.role == ItemRole.TRAINING or not np.isfinite(row.value) or len(set(values)) < 2:
            assert np.isnan(z)
        else:
            assert z == pytest.approx((row.value - np.mean(values)) / np.std(values, ddof=1), rel=1e-9, abs=1e-9)
