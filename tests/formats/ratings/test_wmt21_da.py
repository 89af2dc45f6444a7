import numpy as np
import pytest

from qe_desktop.corpus import ItemRole
from qe_desktop.formats.ratings import MEAN_RATER, read_ratings

HEADER = "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time\n"
ROWS = (
    "H1\tM1\tcs\ten\tad\t4\tA.7\t1\tSYSTEM\t177\t0.62\t931.0\n"
    "H1\tM1\tcs\ten\tad\t4\tA.7\t1\tREPEAT\t177\t-0.1\t931.0\n"
    "H1\tM2\tcs\ten\tad\t4\tB.1\t1\tBAD_REF\t178\t-1.5\t60.0\n"
    "H2\tM1\tcs\ten\tad\t4\tB.1\t1\tREF\t178\t1\t10\n"
)


@pytest.mark.parametrize("header", [HEADER, HEADER.replace(" ", "\t")])
def test_ratings_with_roles_and_times_are_read(write, header):
    ratings = read_ratings(write("x.csv", header + ROWS))
    rows = [(row.rater, row.system, row.segment, row.scale, row.value, row.role, row.seconds)
            for row in ratings.scores.rows()]  # fmt: skip
    assert rows == [
        ("M1", "A.7", "177", "z", 0.62, ItemRole.SYSTEM, 465.5),
        ("M1", "A.7", "177", "z", -0.1, ItemRole.REPEAT, 465.5),
        ("M2", "B.1", "178", "z", -1.5, ItemRole.BAD, 60.0),
        ("M1", "B.1", "178", "z", 1.0, ItemRole.REFERENCE, 10.0),
    ]
    times = "each HIT (task) has one time, which is divided equally among its items"
    assert ratings.notes == ('columns not read: "hit", "rid"', times)


def test_raw_scores_are_read_and_empty_ones_left_out(write):
    text = HEADER + ROWS.replace("0.62", "80").replace("-0.1", "NA").replace("-1.5", "3")
    ratings = read_ratings(write("x.csv", text))
    assert [(row.scale, row.value) for row in ratings.scores.rows()] == [("score", 80), ("score", 3), ("score", 1)]
    assert ratings.notes[0] == "1 row left out: no score"


def test_mean_scores_of_segments_are_read(write):
    ratings = read_ratings(write("x.csv", "SYS SID RAW.SCR Z.SCR N \nA.7 177 100 0.62 1 \nB.1 177 49.5 -0.69 2 \n"))
    rows = [(row.rater, row.system, row.segment, row.scale, row.value) for row in ratings.scores.rows()]
    assert rows == [
        (MEAN_RATER, "A.7", "177", "score", 100.0), (MEAN_RATER, "B.1", "177", "score", 49.5),
        (MEAN_RATER, "A.7", "177", "z", 0.62), (MEAN_RATER, "B.1", "177", "z", -0.69),
    ]  # fmt: skip
    assert np.isnan(ratings.scores.started).all()


def test_several_language_pairs_need_a_choice(write, read_error):
    both = HEADER + ROWS + ROWS.replace("\tcs\t", "\tis\t")
    assert "several language pairs: cs-en, is-en" in read_error(both).message
    assert len(read_ratings(write("y", both), "is-en").scores) == 4


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("BAD_REF", "WORSE", 4, '"WORSE" is not a role'),
        ("-1.5", "low", 4, '"low" is not a number'),
        ("\t60.0", "", 4, "11 cells"),
        ("M2", " ", 4, "the name of a rater, system or segment is missing"),
    ],
)
def test_invalid_rows_are_refused_with_their_line(read_error, old, new, line, says):
    error = read_error(HEADER + ROWS.replace(old, new))
    assert says in error.message
    assert error.place.line == line
