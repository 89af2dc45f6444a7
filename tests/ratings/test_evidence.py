"""On how little an order of systems rests is said wherever the order is: clusters never stand unwarned."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import ItemRole, PairwiseJudgement, Ratings, Score
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.ratings.results.result_types import RatingOptions
from qe_desktop.ratings.results.sample_size import Evidence
from qe_desktop.report.rating_json import rating_notes, ratings_json
from qe_desktop.report.rating_report import beaten_table, rating_tables, significance_table, systems_table
from qe_desktop.report.render.latex import table_latex

QUICK = RatingOptions(runs=20, rounds=50)


def scored(raters: int, segments: int) -> Ratings:
    """The first system is the better one in every segment."""
    return Ratings.of(
        [
            Score(f"r{rater}", system, str(segment), "adequacy", value)
            for rater in range(raters)
            for segment in range(segments)
            for system, value in (("good", 5.0), ("bad", 2.0))
        ]
        + [Score("trainee", "good", "t", "adequacy", 1.0, ItemRole.TRAINING)]
    )


def ranked(raters: int, segments: int) -> Ratings:
    rows = [
        PairwiseJudgement(f"r{rater}", str(segment), "good", "bad", 1, 2, f"{rater}-{segment}")
        for rater in range(raters)
        for segment in range(segments)
    ]
    return Ratings.of((), rows)


@pytest.mark.parametrize("made", [scored, ranked])
def test_clusters_from_one_rater_and_eight_segments_say_so_everywhere(made):
    results = build_results(made(1, 8), options=QUICK)
    assert len(results.clusters) == 2
    assert results.evidence == Evidence(1, 8)
    said = "Based on one rater and 8 segments per system. Agreement with other raters is unknown."
    assert rating_notes(results)[0].startswith(said)
    assert ratings_json(results)["notes"][0].startswith(said)
    assert ratings_json(results)["evidence"] == {"raters": 1, "segments": 8}
    ranking = results.scale_ranking or results.wins_ranking
    tables = (systems_table(results), significance_table(results, ranking), beaten_table(results, ranking))
    for table in tables:
        for form in (table_latex(table), table.text()):
            assert "Based on one rater and 8 segments per system." in form


@pytest.mark.parametrize("made", [scored, ranked])
def test_enough_is_enough(made):
    results = build_results(made(2, 100), options=QUICK)
    assert results.evidence == Evidence(2, 100)
    assert results.evidence.little == ""
    assert not any("Based on" in table.text() for table in rating_tables(results))


@pytest.mark.parametrize(
    ("evidence", "said"),
    [
        (Evidence(1, 500), "Based on one rater and 500 segments per system. Agreement with other raters"),
        (Evidence(3, 99), "Based on 3 raters and 99 segments per system. With fewer than 100 segments"),
        (Evidence(None, 1), "Based on 1 segment per system. With fewer than 100 segments"),
    ],
)
def test_only_what_is_little_is_explained(evidence, said):
    assert evidence.little.startswith(said)
    assert ("other raters" in evidence.little) is (evidence.raters == 1)
    assert ("100 segments" in evidence.little) is (evidence.segments < 100)


def test_with_one_system_there_is_no_order_to_rest_on_anything():
    results = build_results(Ratings.of([Score("r", "one", str(place), "adequacy", 3.0) for place in range(5)]))
    assert not any("Based on" in note for note in rating_notes(results))
