"""A scale other than 1 to 5 is known where the file tells it, or a person does; and it is kept."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import Ratings, Score, join_ratings
from qe_desktop.formats.ratings import read_ratings, write_ratings
from qe_desktop.formats.ratings.cell_parsing import parse_range, split_scale_name
from qe_desktop.project.store import Project
from qe_desktop.ratings.blinding import collect_ratings
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.ratings.results.result_types import RatingOptions
from tests.ratings.campaigns import designed

SEVEN = (("adequacy", 1.0, 7.0),)


@pytest.mark.parametrize(
    ("text", "ranges"),
    [
        ("rater,segment,adequacy (1-7),fluency [0..100]\nAda,1,3,40\n", (*SEVEN, ("fluency", 0.0, 100.0))),
        ("rater,segment,scale,value\nAda,1,adequacy (1 to 7),3\n", SEVEN),
        ("rater,segment,scale,value,range\nAda,1,adequacy,3,1..7\nAda,1,fluency,3,\n", SEVEN),
        ("segment,scale,range,Ada,Ben\n1,adequacy,1–7,3,7\n", SEVEN),
        ("segment,scale,Ada,Ben\n1,ad (1-7),3,7\n", SEVEN),
        ('{"format": "qe-desktop ratings", "ranges": {"adequacy": [1, 7], "x": 3, "y": [5, 1]}}\n'
         '{"rater": "Ada", "system": "A", "segment": "1", "scale": "adequacy", "value": 3}\n', SEVEN),
        ("rater,segment,adequacy\nAda,1,3\n", ()),
    ],
)  # fmt: skip
def test_a_file_may_tell_from_where_to_where_a_scale_goes(write, text, ranges):
    assert read_ratings(write("x.csv", text)).ranges == ranges


def test_a_person_may_tell_it_and_that_holds(write):
    path = write("x.csv", "rater,segment,adequacy (1-7)\nAda,1,3\n")
    assert read_ratings(path, ranges=(("adequacy", 0.0, 10.0),)).ranges == (("adequacy", 0.0, 10.0),)


@pytest.mark.parametrize("form", ["jsonl", "long", "wide"])
def test_it_comes_back_from_every_form_and_from_a_project(tmp_path, form):
    rows = [Score("r", "A", "1", "adequacy", 6), Score("r", "A", "1", "fluency", 2)]
    whole = Ratings.of(rows, ranges=SEVEN)
    write_ratings(whole, tmp_path / "x", form)
    assert read_ratings(tmp_path / "x").ranges == SEVEN
    with Project.create(tmp_path / "p.qedesk", None, person="owner") as project:
        project.import_ratings(tmp_path / "x")
        assert project.ratings().ranges == SEVEN


def test_results_take_it_and_name_what_lies_outside(tmp_path):
    rows = [Score("r", "A", str(place), "adequacy", 1 + place % 5) for place in range(20)]
    rows.append(Score("ben", "A", "1", "adequacy", 8))
    found = build_results(Ratings.of(rows, ranges=SEVEN), options=RatingOptions(rounds=10))
    assert str(found.spans["adequacy"]) == "1–7"
    assert "adequacy: 1 rating outside 1..7: 8 by ben" in found.notes
    assert str(build_results(Ratings.of(rows), options=RatingOptions(rounds=10)).spans["adequacy"]) == "1–5"


def test_a_campaign_tells_its_protocols_and_files_that_differ_are_named():
    own = collect_ratings(designed("adequacy-fluency", 2, 2, 1), [])
    assert own.ranges == (("fluency", 1.0, 5.0), ("adequacy", 1.0, 5.0))
    other = Ratings.of([Score("r", "A", "1", "adequacy", 6)], ranges=SEVEN, origin="b.csv")
    both = join_ratings([own, other])
    assert both.ranges == own.ranges
    assert "adequacy ranges from 1 to 5, but from 1 to 7 in b.csv" in both.notes


def test_a_slip_does_not_change_by_what_systems_are_compared():
    """One 55 on a scale of 1 to 5 made all systems be compared by z."""
    rows = [Score(f"r{place % 3}", "AB"[place % 2], str(place), "score", 1 + place % 5) for place in range(60)]
    plain, slip = (
        build_results(Ratings.of([*rows, *more]), options=RatingOptions(rounds=10))
        for more in ([], [Score("r0", "A", "x", "score", 55)])
    )
    assert plain.scale_ranking is not None
    assert slip.scale_ranking is not None
    assert slip.scale_ranking.method == plain.scale_ranking.method


@pytest.mark.parametrize(
    ("cell", "ends"),
    [("1..7", (1, 7)), ("0 to 100", (0, 100)), ("-3–3", (-3, 3)), ("7-1", None), ("news", None), ("2020-01-02", None)],
)
def test_ranges_in_words(cell, ends):
    assert parse_range(cell) == ends
    assert split_scale_name(f"adequacy ({cell})") == (("adequacy", ends) if ends else (f"adequacy ({cell})", None))
