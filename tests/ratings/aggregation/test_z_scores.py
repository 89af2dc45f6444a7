"""z-scores by rater: as at WMT, as in Appraise, and which ratings count towards a rater's mean and deviation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from qe_desktop.corpus import ItemRole, Score, ScoreRatings
from qe_desktop.ratings.aggregation.means import segment_means, standardise, system_means
from tests.ratings.rankings import load_expected
from tests.ratings.scale_ratings import group_values, score_lists

ORACLE = load_expected("z_normalise")
SCORES = ScoreRatings.of([Score(r, system, str(g), "score", value) for r, g, system, value in ORACLE["ratings"]])


def test_wmt_z_scores_drop_raters_without_deviation():
    standardized = standardise(SCORES, "score")
    expected = [np.nan if z is None else z for z in ORACLE["z_ddof1"]]
    assert standardized.values == pytest.approx(expected, abs=1e-6, nan_ok=True)
    assert set(standardized.dropped) == {"r3", "r4"}
    assert "66 all 3 times" in standardized.dropped["r3"]
    assert "only one rating" in standardized.dropped["r4"]
    assert not standardized.constant
    raw, z = (
        segment_means(SCORES.take(standardized.has_z_score), "score"),
        segment_means(SCORES, "score", standardized.values),
    )
    for index, (system, segment, *values) in enumerate(ORACLE["segment_ddof1"]):
        assert (SCORES.systems[z.system[index]], SCORES.segments[z.segment[index]]) == (system, str(segment))
        assert [raw.mean[index], z.mean[index]] == pytest.approx(values, abs=1e-6)
    for index, system in enumerate(SCORES.systems):
        expected = ORACLE["system_ddof1"][system]
        assert system_means(raw).mean[index] == pytest.approx(expected["score"], abs=1e-6)
        assert system_means(z).mean[index] == pytest.approx(expected["z"], abs=1e-6)


def test_appraise_z_scores_keep_raters_without_deviation_at_zero():
    standardized = standardise(SCORES, "score", "appraise")
    assert standardized.has_z_score.all()
    assert set(standardized.constant) == {"r3", "r4"}
    assert not standardized.dropped
    for index, system in enumerate(SCORES.systems):
        expected = ORACLE["appraise_variant"]["system"][system]
        assert system_means(segment_means(SCORES, "score")).mean[index] == pytest.approx(expected["score"], abs=1e-6)
        z = system_means(segment_means(SCORES, "score", standardized.values)).mean[index]
        assert z == pytest.approx(expected["z"], abs=1e-6)


def test_control_items_and_references_count_and_training_does_not():
    rows = [Score("r", "A", "1", "score", v, role) for v, role in zip((60, 70, 5, 95, 1), ItemRole, strict=True)]
    standardized = standardise(ScoreRatings.of(rows), "score")
    counted = np.array([60, 70, 5, 95.0])
    assert standardized.values[:4] == pytest.approx((counted - counted.mean()) / counted.std(ddof=1), rel=1e-14)
    assert np.isnan(standardized.values[4])
    assert standardized.mean.tolist() == [57.5]
    assert standardized.n.tolist() == [4]


def test_each_scale_is_standardized_separately():
    rows = [Score("r", "A", str(n), scale, n * f) for n in range(4) for scale, f in (("adequacy", 1), ("fluency", 10))]
    scores = ScoreRatings.of(rows)
    adequacy, fluency = standardise(scores, "adequacy").values, standardise(scores, "fluency").values
    assert adequacy[::2] == pytest.approx(fluency[1::2])
    assert np.isnan(adequacy[1::2]).all()
    assert np.isnan(fluency[::2]).all()
    assert np.isnan(standardise(scores, "score").values).all()


def test_z_scores_of_the_file_are_not_standardized_again():
    rows = [Score("r", "A", str(n), "z", value) for n, value in enumerate((0.5, 0.5, 0.5))]
    standardized = standardise(ScoreRatings.of([*rows, Score("q", "A", "1", "z", -1.25)]), "z")
    assert standardized.values.tolist() == [0.5, 0.5, 0.5, -1.25]
    assert not standardized.dropped


@given(score_lists())
def test_z_scores_equal_a_plain_loop(rows):
    standardized = standardise(ScoreRatings.of(rows), "adequacy").values
    rater_values = group_values([row for row in rows if row.role != ItemRole.TRAINING], lambda row: row.rater)
    for row, z in zip(rows, standardized, strict=True):
        values = rater_values[row.rater]
        if row.role == ItemRole.TRAINING or not np.isfinite(row.value) or len(set(values)) < 2:
            assert np.isnan(z)
        else:
            assert z == pytest.approx((row.value - np.mean(values)) / np.std(values, ddof=1), rel=1e-9, abs=1e-9)
