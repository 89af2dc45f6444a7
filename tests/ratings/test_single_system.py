"""Results of ratings of a single system, which has neither a rank nor a z-score."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import Ratings, Score
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.ratings.results.result_types import TOTAL, RatingOptions
from qe_desktop.report.rating_json import ratings_json
from qe_desktop.report.rating_report import rating_tables, totals_table

QUICK = RatingOptions(runs=20, rounds=50)
SINGLE = Ratings.of(
    [
        Score(rater, "X", str(segment), scale, 1 + (segment + shift) % 5)
        for shift, rater in enumerate("ab")
        for segment in range(8)
        for scale in ("adequacy", "fluency")
    ]
)
"""Ratings of a single system on two scales."""


def test_single_system_has_neither_rank_nor_z_score():
    results = build_results(SINGLE, options=QUICK)
    (system,) = results.systems
    assert (system.rank_low, system.rank_high, results.clusters) == (None, None, ())
    assert set(system.scores.z) == set(system.scores.raw) == {"adequacy", "fluency", TOTAL}
    assert all(estimate.value is None and estimate.problem for estimate in system.scores.z.values())
    assert system.scores.raw["adequacy"].value == pytest.approx(2.8125)
    for reason in ("X: no rank: only one system is rated", "X: no z-score: only one system is rated"):
        assert len([note for note in results.notes if note.startswith(reason)]) == 1
    content = ratings_json(results)
    assert (
        content["systems"]["X"] | {"rank-low": None, "rank-high": None, "adequacy-z": None, "total-z": None}
        == (content["systems"]["X"])
    )
    assert content["clusters"] == []
    for table in (rating_tables(results)[0], totals_table(results)):
        (row,) = table.rows
        values = dict(zip(table.header, row, strict=True))
        assert (values["rank-low"], values["cluster"], values["adequacy-z"]) == (None, None, None)


def test_z_scores_in_a_file_of_a_single_system_are_kept():
    rows = [Score("a", "X", str(segment), scale, value) for segment in range(4)
            for scale, value in (("score", 60 + segment), ("z", 0.5 + segment))]  # fmt: skip
    (system,) = build_results(Ratings.of(rows), options=QUICK).systems
    assert system.scores.z["score"].value == 2.0
    assert system.rank_low is None
