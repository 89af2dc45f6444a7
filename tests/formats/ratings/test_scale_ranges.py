"""Ranges of scales are read from the file or stated by the user, and are preserved."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import Ratings, Score, join_ratings
from qe_desktop.formats.ratings import read_ratings, write_ratings
from qe_desktop.formats.ratings.cell_parsing import header_ranges, parse_range, split_scale_name
from qe_desktop.project.store import Project
from qe_desktop.ratings.blinding import collect_ratings
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.ratings.results.result_types import RatingOptions
from tests.ratings.campaigns import make_random_design

RANGE_1_TO_7 = (("adequacy", 1.0, 7.0),)


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("rater,segment,adequacy (1-7),fluency [0..100]\nAda,1,3,40\n", (*RANGE_1_TO_7, ("fluency", 0.0, 100.0))),
        ("rater,segment,scale,value\nAda,1,adequacy (1 to 7),3\n", RANGE_1_TO_7),
        ("rater,segment,scale,value,range\nAda,1,adequacy,3,1..7\nAda,1,fluency,3,\n", RANGE_1_TO_7),
        ("segment,scale,range,Ada,Ben\n1,adequacy,1–7,3,7\n", RANGE_1_TO_7),
        ("segment,scale,Ada,Ben\n1,ad (1-7),3,7\n", RANGE_1_TO_7),
        ('{"format": "qe-desktop ratings", "ranges": {"adequacy": [1, 7], "x": 3, "y": [5, 1]}}\n'
         '{"rater": "Ada", "system": "A", "segment": "1", "scale": "adequacy", "value": 3}\n', RANGE_1_TO_7),
        ("rater,segment,adequacy\nAda,1,3\n", ()),
    ],
)  # fmt: skip
def test_scale_ranges_are_read_from_the_file(write, text, ranges):
    assert read_ratings(write("x.csv", text)).ranges == ranges


def test_given_scale_range_takes_precedence(write):
    path = write("x.csv", "rater,segment,adequacy (1-7)\nAda,1,3\n")
    assert read_ratings(path, ranges=(("adequacy", 0.0, 10.0),)).ranges == (("adequacy", 0.0, 10.0),)


@pytest.mark.parametrize("form", ["jsonl", "long", "wide"])
def test_scale_ranges_are_preserved_in_formats_and_projects(tmp_path, form):
    rows = [Score("r", "A", "1", "adequacy", 6), Score("r", "A", "1", "fluency", 2)]
    ratings = Ratings.of(rows, ranges=RANGE_1_TO_7)
    write_ratings(ratings, tmp_path / "x", form)
    assert read_ratings(tmp_path / "x").ranges == RANGE_1_TO_7
    with Project.create(tmp_path / "p.qedesk", None, person="owner") as project:
        project.import_ratings(tmp_path / "x")
        assert project.ratings().ranges == RANGE_1_TO_7


def test_results_use_the_range_and_note_ratings_outside_it(tmp_path):
    rows = [Score("r", "A", str(index), "adequacy", 1 + index % 5) for index in range(20)]
    rows.append(Score("ben", "A", "1", "adequacy", 8))
    results = build_results(Ratings.of(rows, ranges=RANGE_1_TO_7), options=RatingOptions(rounds=10))
    assert str(results.spans["adequacy"]) == "1–7"
    assert "adequacy: 1 rating outside the range 1 to 7: 8 by ben" in results.notes
    assert str(build_results(Ratings.of(rows), options=RatingOptions(rounds=10)).spans["adequacy"]) == "1–5"


def test_campaign_ranges_take_precedence_and_differences_are_noted():
    campaign_ratings = collect_ratings(make_random_design("adequacy-fluency", 2, 2, 1), [])
    assert campaign_ratings.ranges == (("fluency", 1.0, 5.0), ("adequacy", 1.0, 5.0))
    file_ratings = Ratings.of([Score("r", "A", "1", "adequacy", 6)], ranges=RANGE_1_TO_7, origin="b.csv")
    joined = join_ratings([campaign_ratings, file_ratings])
    assert joined.ranges == campaign_ratings.ranges
    assert "adequacy ranges from 1 to 7 in b.csv, but the range 1 to 5 is used" in joined.notes


def test_outlier_does_not_change_the_comparison_method():
    """One 55 on a scale of 1 to 5 must not switch the comparison to z-scores."""
    rows = [Score(f"r{index % 3}", "AB"[index % 2], str(index), "score", 1 + index % 5) for index in range(60)]
    plain, with_outlier = (
        build_results(Ratings.of([*rows, *extra_rows]), options=RatingOptions(rounds=10))
        for extra_rows in ([], [Score("r0", "A", "x", "score", 55)])
    )
    assert plain.scale_ranking is not None
    assert with_outlier.scale_ranking is not None
    assert with_outlier.scale_ranking.method == plain.scale_ranking.method


@pytest.mark.parametrize(
    ("cell", "ends"),
    [("1..7", (1, 7)), ("0 to 100", (0, 100)), ("-3–3", (-3, 3)), ("7-1", None), ("news", None), ("2020-01-02", None)],
)
def test_range_texts_are_parsed(cell, ends):
    assert parse_range(cell) == ends
    assert split_scale_name(f"adequacy ({cell})") == (("adequacy", ends) if ends else (f"adequacy ({cell})", None))


def test_range_of_huge_integers_is_clipped():
    assert header_ranges({"score": [0, 10**400], "x": [-(10**400), 1.5]}) == (("score", 0.0, 1e9), ("x", -1e9, 1.5))
