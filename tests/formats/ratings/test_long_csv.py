import json
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.corpus import ItemRole
from qe_desktop.formats.ratings import read_ratings

DATA = Path(__file__).parents[2] / "data/ratings"


def rows(ratings):
    return [(row.rater, row.system, row.segment, row.scale, row.value) for row in ratings.scores.rows()]


def test_columns_of_two_scales_are_read(write):
    oracle = json.loads((DATA / "adequacy_fluency.json").read_text())
    lines = [oracle["columns"], *oracle["ratings"]]
    ratings = read_ratings(write("x.csv", "".join(",".join(map(str, line)) + "\n" for line in lines)))
    assert len(ratings.scores) == 48
    assert rows(ratings)[:2] == [("j1", "A", "1", "adequacy", 4.0), ("j1", "A", "1", "fluency", 5.0)]


@pytest.mark.parametrize("who", ["rater", "Judge", "annotator", "user", "worker_id", "judgeID"])
@pytest.mark.parametrize("mark", [",", "\t", ";"])
def test_header_aliases_and_delimiters_are_detected(write, who, mark):
    text = f"{who},system_id,item,score,text\nAda,A,1,70,a\nAda,B,1,,b\nBen,A,2,nan,c\nBen,B,2,0.5,d\n"
    ratings = rows(read_ratings(write("x", text.replace(",", mark))))
    assert ratings == [("Ada", "A", "1", "score", 70.0), ("Ben", "B", "2", "score", 0.5)]


def test_rows_with_a_scale_name_are_read(write):
    text = "rater,system,segment,scale,value,role,started,seconds\nAda,A,1,ad,4,,2024-03-24T21:55:47Z,3\n"
    text += "Ada,A,1,fl,2,repeat,1711317347.5,\n"
    first, second = read_ratings(write("x.csv", text)).scores.rows()
    assert (first.scale, first.value, first.role, first.started, first.seconds) == (
        "adequacy",
        4,
        ItemRole.SYSTEM,
        1711317347,
        3,
    )
    assert (second.scale, second.role, second.started) == ("fluency", ItemRole.REPEAT, 1711317347.5)
    assert np.isnan(second.seconds)


@pytest.mark.parametrize(
    ("cell", "started", "seconds"),
    [("12.5", None, 12.5), ("1711317347", 1711317347, None), ("2024-03-24", 1711238400, None)],
)
def test_time_column_contains_times_or_seconds(write, cell, started, seconds):
    (row,) = read_ratings(write("x.csv", f"rater,segment,score,time\nAda,1,3,{cell}\n")).scores.rows()
    assert (row.started == started) if started else np.isnan(row.started)
    assert (row.seconds == seconds) if seconds else np.isnan(row.seconds)


@pytest.mark.parametrize(("cell", "role"), [("TGT", "SYSTEM"), ("BAD_REF", "BAD"), ("CHK", "REPEAT")])
def test_type_column_with_roles_is_read_as_role(write, cell, role):
    (row,) = read_ratings(write("x.csv", f"rater,segment,system,type,score\nAda,1,A,{cell},3\n")).scores.rows()
    assert row.role.name == role


def test_type_column_without_roles_is_read_as_scale_or_ignored(write):
    assert rows(read_ratings(write("x", "rater,segment,type,score\nAda,1,fl,3\n")))[0][3] == "fluency"
    assert rows(read_ratings(write("y", "rater,segment,type,score\nAda,1,news,3\n")))[0][3] == "score"


def test_missing_rater_column_is_noted(write):
    ratings = read_ratings(write("x", "system,segment,adequacy,fluency\nA,1,3,4\n"))
    assert rows(ratings) == [("rater", "A", "1", "adequacy", 3.0), ("rater", "A", "1", "fluency", 4.0)]
    assert ratings.notes == ("the file does not name the rater; “rater” is used",)


def test_rankings_in_cells_are_read(write):
    text = "annotator,segment,systems,ranks\nAda,1,A|B+C|D,1|2|2\nAda,2,A B,2 1\nBen,1,,\n"
    pairs = [(row.rater, row.segment, row.first, row.second, row.first_rank, row.second_rank, row.screen)
             for row in read_ratings(write("x.csv", text)).pairs.rows()]  # fmt: skip
    assert pairs == [
        ("Ada", "1", "A", "B+C", 1, 2, "1"), ("Ada", "1", "A", "D", 1, 2, "1"), ("Ada", "1", "B+C", "D", 2, 2, "1"),
        ("Ada", "2", "A", "B", 2, 1, "2"),
    ]  # fmt: skip


def test_quoted_cells_may_contain_line_breaks(write):
    text = 'rater,segment,score,comment\nAda,1,3,"two\nlines, and ""more"""\nBen,1,4,x\n'
    assert rows(read_ratings(write("x.csv", text))) == [
        ("Ada", "system", "1", "score", 3.0), ("Ben", "system", "1", "score", 4.0)
    ]  # fmt: skip


def test_quoted_cell_far_into_a_large_file_is_read(write):
    # the first part is split in bulk, the rest row by row
    text = "rater,segment,score,comment\n" + "Ada,1,3,x\n" * 150_000 + 'Ben,2,4,"a,\nb"\nCy,2,5,\n'
    ratings = read_ratings(write("x.csv", text))
    assert len(ratings.scores) == 150_002
    assert rows(ratings)[-2:] == [("Ben", "system", "2", "score", 4.0), ("Cy", "system", "2", "score", 5.0)]


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ("Ada,1,A,high,,", '"high" is not a number'),
        ("Ada,1,A,1_0,,", '"1_0" is not a number'),
        ("Ada,1,A,inf,,", '"inf" is not a number'),
        (",1,A,3,,", "the name of a rater, system or segment is missing"),
        ("Ada,1,A,3,,,", "7 cells"),
        ("Ada,1,A,3,A|B,1|2|3", "there are 2 systems, but 3 ranks"),
        ("Ada,1,A,3,A|B,1|x", '"x" is not a rank'),
    ],
)
@pytest.mark.parametrize("before", [0, 40_000])
def test_invalid_rows_are_refused_with_their_line(read_error, row, says, before):
    error = read_error("rater,segment,system,score,systems,ranks\n" + "Ada,1,A,3,,\n" * before + row + "\n")
    assert says in error.message
    assert error.place.line == before + 2


def test_error_line_counts_blank_and_quoted_lines(read_error):
    error = read_error('rater,segment,score,text\n\nAda,1,3,"a\nb"\n\nAda,1,x,c\n')
    assert (error.message, error.place.line) == ('"x" is not a number', 6)


@pytest.mark.parametrize("cell", ["soon", "2024-13-01", "2024-03-24T25:00:00Z", "21:55"])
def test_invalid_times_are_refused(read_error, cell):
    error = read_error(f"rater,segment,score,started\nAda,1,3,2024-03-24T21:55:47Z\nAda,2,3,{cell}\n")
    assert "is not a time" in error.message
    assert error.place.line == 3
