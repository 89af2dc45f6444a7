"""Notes on small samples appear wherever systems are ordered or clustered."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import ItemRole, PairwiseJudgement, Ratings, Score
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.ratings.results.result_types import RatingOptions
from qe_desktop.ratings.results.sample_size import Evidence
from qe_desktop.report.rating_json import rating_notes, ratings_json
from qe_desktop.report.rating_report import rating_tables, significance_table, systems_table, win_count_table
from qe_desktop.report.render.latex import table_latex

QUICK = RatingOptions(runs=20, rounds=50)


def make_scores(raters: int, segments: int) -> Ratings:
    """Return ratings in which the first system is better in every segment."""
    return Ratings.of(
        [
            Score(f"r{rater}", system, str(segment), "adequacy", value)
            for rater in range(raters)
            for segment in range(segments)
            for system, value in (("good", 5.0), ("bad", 2.0))
        ]
        + [Score("trainee", "good", "t", "adequacy", 1.0, ItemRole.TRAINING)]
    )


def make_rankings(raters: int, segments: int) -> Ratings:
    rows = [
        PairwiseJudgement(f"r{rater}", str(segment), "good", "bad", 1, 2, f"{rater}-{segment}")
        for rater in range(raters)
        for segment in range(segments)
    ]
    return Ratings.of((), rows)


@pytest.mark.parametrize("make_ratings", [make_scores, make_rankings])
def test_small_sample_is_noted_wherever_clusters_are(make_ratings):
    results = build_results(make_ratings(1, 8), options=QUICK)
    assert len(results.clusters) == 2
    assert results.evidence == Evidence(1, 8)
    expected = "Based on one rater and 8 segments. Agreement with other raters is unknown."
    assert rating_notes(results)[0].startswith(expected)
    assert ratings_json(results)["notes"][0].startswith(expected)
    assert ratings_json(results)["evidence"] == {"raters": 1, "segments": 8}
    ranking = results.scale_ranking or results.wins_ranking
    tables = (systems_table(results), significance_table(results, ranking), win_count_table(results, ranking))
    for table in tables:
        for form in (table_latex(table), table.text()):
            assert "Based on one rater and 8 segments." in form


@pytest.mark.parametrize("make_ratings", [make_scores, make_rankings])
def test_large_sample_is_not_noted(make_ratings):
    results = build_results(make_ratings(2, 100), options=QUICK)
    assert results.evidence == Evidence(2, 100)
    assert results.evidence.small_sample_note == ""
    assert not any("Based on" in table.text() for table in rating_tables(results))


@pytest.mark.parametrize(
    ("evidence", "beginning"),
    [
        (Evidence(1, 500), "Based on one rater and 500 segments. Agreement with other raters"),
        (Evidence(1, 2, 5), "Based on one rater and as few as 2 segments per system. Agreement"),
        (Evidence(3, 2, 5), "Based on 3 raters and as few as 2 segments per system. With fewer"),
        (Evidence(None, 1, 5), "Based on as few as 1 segment per system. With fewer"),
        (Evidence(3, 99), "Based on 3 raters and 99 segments. With fewer than 100 segments"),
        (Evidence(None, 1), "Based on 1 segment. With fewer than 100 segments"),
    ],
)
def test_note_explains_only_what_is_small(evidence, beginning):
    assert evidence.small_sample_note.startswith(beginning)
    assert ("other raters" in evidence.small_sample_note) is (evidence.raters == 1)
    assert ("100 segments" in evidence.small_sample_note) is (evidence.segments < 100)


def test_single_system_has_no_note_on_the_sample():
    results = build_results(Ratings.of([Score("r", "one", str(segment), "adequacy", 3.0) for segment in range(5)]))
    assert not any("Based on" in note for note in rating_notes(results))
