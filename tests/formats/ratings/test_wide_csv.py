import json
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.corpus import ItemRole
from qe_desktop.formats.ratings import read_ratings

DATA = Path(__file__).parents[2] / "data/ratings"
TED = """SEGID,LANGPAIR,ANNOTYPE,NUMANNOT,ANNOTATOR_01,ANNOTATOR_02,ANNOTATOR_03
1,fa-en,ad,2,33.0,nan,91.0
2,fa-en,ad,1,,74,nan
1,fa-en,fl,1,20.5,,
"""


def rows(ratings):
    return [(row.rater, row.system, row.segment, row.scale, row.value) for row in ratings.scores.rows()]


def test_one_column_per_rater_is_read(write):
    ratings = read_ratings(write("x.csv", TED))
    assert rows(ratings) == [
        ("ANNOTATOR_01", "system", "1", "adequacy", 33.0), ("ANNOTATOR_03", "system", "1", "adequacy", 91.0),
        ("ANNOTATOR_02", "system", "2", "adequacy", 74.0), ("ANNOTATOR_01", "system", "1", "fluency", 20.5),
    ]  # fmt: skip
    assert ratings.notes == ('column not read: "NUMANNOT"', "the file does not name the system; “system” is used")


def test_header_aliases_are_recognized(write):
    text = "Sentence ID;Engine;Criterion;Role;Ada;Ben;remark\n1;A;flu;;4;5;good\n1;A;adequacy;bad;1,5;;x\n"
    ratings = read_ratings(write("x.csv", text))
    assert rows(ratings) == [
        ("Ada", "A", "1", "fluency", 4.0), ("Ben", "A", "1", "fluency", 5.0), ("Ada", "A", "1", "adequacy", 1.5)
    ]  # fmt: skip
    assert ratings.scores.role.tolist() == [ItemRole.SYSTEM, ItemRole.SYSTEM, ItemRole.BAD]


@pytest.mark.parametrize("mark", [",", "\t", ";", " "])
@pytest.mark.parametrize("header", [[], ["j1", "j2", "j3"]])
def test_tables_of_numbers_are_read(write, mark, header):
    table = json.loads((DATA / "agreement.json").read_text())["ratings"]
    lines = [header, *table] if header else table
    ratings = read_ratings(write("x.csv", "".join(mark.join(map(str, line)) + "\n" for line in lines)))
    assert ratings.scores.raters == (tuple(header) or ("rater 1", "rater 2", "rater 3"))
    assert ratings.scores.segments == tuple(str(number) for number in range(1, 13))
    assert np.array_equal(ratings.scores.value.reshape(12, 3), table)
    assert {row.scale for row in ratings.scores.rows()} == {"score"}


def test_empty_cells_are_left_out(write):
    table = json.loads((DATA / "agreement.json").read_text())["with_missing"]["ratings"]
    text = "j1,j2,j3\n" + "".join(",".join("" if cell is None else str(cell) for cell in row) + "\n" for row in table)
    ratings = read_ratings(write("x.csv", text))
    assert len(ratings.scores) == sum(cell is not None for row in table for cell in row)


def test_segments_are_named_by_document(write):
    text = "doc,seg,system,Ada\na,1,S,3\nb,1,S,4\na,2,S,5\n"
    assert read_ratings(write("x.csv", text)).scores.segments == ("a:1", "b:1", "a:2")


def test_time_columns_of_raters_are_read(write):
    text = "segment,Ada,Ben,Ada started,Ben seconds\n1,3,4,2024-03-24T21:55:47.693Z,7.5\n2,,1,,\n"
    first, second, last = read_ratings(write("x.csv", text)).scores.rows()
    assert (first.rater, first.started) == ("Ada", 1711317347.693)
    assert (second.rater, second.seconds) == ("Ben", 7.5)
    assert np.isnan([first.seconds, second.started, last.started, last.seconds]).all()


def test_several_language_pairs_need_a_choice(write, read_error):
    both = TED + "1,ko-en,ad,1,5,,\n"
    assert "several language pairs: fa-en, ko-en" in read_error(both).message
    assert rows(read_ratings(write("y", both), "ko-en")) == [("ANNOTATOR_01", "system", "1", "adequacy", 5.0)]


def test_invalid_rows_are_refused_with_their_line(read_error):
    many = TED + "3,fa-en,ad,1,1,2,3\n" * 300
    error = read_error(many + "4,fa-en,ad,1,1,high,3\n")
    assert (error.message, error.place.line) == ('"high" is not a number', 305)
    error = read_error(many + "4,fa-en,ad,1,1,high\n")
    assert (error.message, error.place.line) == ("the row has 6 cells instead of 7", 305)


@pytest.mark.parametrize(
    ("header", "name"),
    [("segment,system,ada,bob,ada", "ada"), ("segment,segment,ada,bob,eve", "segment"), ("ada,ada,bob,eve,joe", "ada")],
)
def test_columns_with_equal_names_are_refused(read_error, header, name):
    error = read_error(f"{header}\n1,1,5,4,3\n2,2,1,2,2\n")
    assert (error.message, error.place.line) == (f'there are two columns named "{name}"', 1)


def test_unread_columns_may_have_equal_names(write):
    table = "segment,system,ada,bob,note,note\n1,a,5,4,good,x\n2,a,1,2,bad,y\n"
    assert read_ratings(write("x.csv", table)).scores.raters == ("ada", "bob")


@pytest.mark.parametrize(
    "text",
    ["a b c\nd e f\n", "1\n2\n3\n", "hello\n", "x,y\n,\n", "segment,score\n1,2\n", "{}\n", "[1]\n"],
)
def test_other_files_are_not_read_as_ratings(read_error, text):
    error = read_error(text)
    expected = (
        "not in a supported rating format",
        "not valid JSON",
        "not a JSON object",
        "not a rating, a ranking",
    )
    assert any(text in error.message for text in expected)
