import json
from pathlib import Path

import numpy as np
import pytest

from qe_desktop.corpus import ItemRole
from qe_desktop.formats.ratings import read_ratings

PAIRWISE = """srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID
deu,eng,12,12,judge1,A,4,B+C,3,181
deu,eng,12,12,judge1,A,4,D,4,181
deu,eng,13,13,judge2,A,-1,D,-1,182
"""
FIVE = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeID,"
    + ",".join(f"system{n}Number,system{n}Id" for n in range(1, 6))
    + ","
    + ",".join(f"system{n}rank" for n in range(1, 6))
    + "\n"
)
ORACLE = Path(__file__).parents[2] / "data/ratings/ranking_wins.json"


def test_pairwise_rankings_are_read(write):
    ratings = read_ratings(write("x.csv", PAIRWISE))
    rows = [(row.rater, row.segment, row.first, row.second, row.first_rank, row.second_rank, row.screen)
            for row in ratings.pairs.rows()]  # fmt: skip
    assert rows == [("judge1", "12", "A", "B+C", 4, 3, "181"), ("judge1", "12", "A", "D", 4, 4, "181")]
    assert ratings.pairs.outcome().tolist() == [-1, 0]
    assert len(ratings.pairs.expand_units()) == 4
    (skip,) = ratings.comments
    assert (skip.rater, skip.segment, skip.systems, skip.skipped) == ("judge2", "13", ("A", "D"), True)


def test_huge_system_number_in_a_header_is_ignored(write):
    lines = [f"{line},x" for line in PAIRWISE.splitlines()]
    lines[0] = lines[0][:-1] + f"system{'9' * 5000}Id"
    plain, with_column = (
        read_ratings(write(name, text)) for name, text in (("x", PAIRWISE), ("y", "\n".join(lines) + "\n"))
    )
    assert repr(plain.pairs.rows()) == repr(with_column.pairs.rows())


def test_double_carriage_returns_are_read(write):
    # the published collapsed files end their lines with two carriage returns and a line feed
    plain, collapsed = (read_ratings(write(name, text)) for name, text in (
        ("x", PAIRWISE), ("y", PAIRWISE.replace("\n", "\r\r\n"))))  # fmt: skip
    assert repr(plain.pairs.rows()) == repr(collapsed.pairs.rows())


def test_rankings_of_five_systems_are_read(write):
    rankings = json.loads(ORACLE.read_text())["rankings"]
    rows = [
        ["xx", "yy", segment, -1, 900 + number, judge, *(cell for name in systems for cell in (7, name)), *ranks]
        for number, (segment, judge, systems, ranks) in enumerate(rankings)
    ]
    text = FIVE + "".join(",".join(map(str, row)) + "\n" for row in rows)
    pairs = read_ratings(write("x.csv", text)).pairs
    assert len(pairs) == 80
    first = [(row.first, row.second, row.first_rank, row.second_rank) for row in pairs.rows()[:10]]
    assert first == [
        ("A", "B", 1, 2), ("A", "C", 1, 2), ("A", "D", 1, 4), ("A", "E", 1, 5), ("B", "C", 2, 2), ("B", "D", 2, 4),
        ("B", "E", 2, 5), ("C", "D", 2, 4), ("C", "E", 2, 5), ("D", "E", 4, 5),
    ]  # fmt: skip
    # segments are numbered as in the test set, and every row is a screen
    assert pairs.segments == ("1", "2", "3", "4", "5", "6")
    assert len(np.unique(pairs.screen)) == 8


def test_unranked_systems_of_a_row_are_left_out(write):
    row = "xx,yy,1,-1,1,j,1,A,2,B,3,C,4,,5,E"
    ratings = read_ratings(write("x.csv", f"{FIVE}{row},1,-1,2,3,-1\n{row},-1,-1,-1,-1,-1\n"))
    assert [(row.first, row.second) for row in ratings.pairs.rows()] == [("A", "C")]
    assert [comment.systems for comment in ratings.comments] == [("A", "B", "C", "E")]


def test_screen_with_some_unranked_systems_is_not_skipped(write):
    header = PAIRWISE.split("\n")[0]
    rows = "deu,eng,1,1,j,A,1,B,2,r1\ndeu,eng,1,1,j,A,1,C,-1,r1\ndeu,eng,1,1,j,C,-1,D,-1,r1\n"
    skipped = "deu,eng,2,2,j,C,-1,D,-1,r2\n"
    ratings = read_ratings(write("x.csv", f"{header}\n{rows}{skipped}"))
    assert [(row.first, row.second) for row in ratings.pairs.rows()] == [("A", "B")]
    assert [(comment.segment, comment.systems) for comment in ratings.comments] == [("2", ("C", "D"))]


def test_additional_columns_are_read(write):
    header, row = PAIRWISE.split("\n")[:2]
    text = f"{header},started,seconds,role\n{row},2024-03-24T21:55:47.693Z,12.5,repeat\n{row},,,\n"
    first, second = read_ratings(write("x.csv", text)).pairs.rows()
    assert (first.started, first.seconds, first.role) == (1711317347.693, 12.5, ItemRole.REPEAT)
    assert np.isnan(second.started)
    assert second.role is ItemRole.SYSTEM


def test_several_language_pairs_need_a_choice(write, read_error):
    both = PAIRWISE + "eng,ron,12,12,judge9,X,1,Y,2,300\n"
    assert "several language pairs: deu-eng, eng-ron" in read_error(both).message
    assert "deu-eng, eng-ron, not for de-fr" in read_error(both, language_pair="de-fr").message
    path = write("x.csv", both)
    assert read_ratings(path, "en-ro").pairs.rows()[0].rater == "judge9"
    assert len(read_ratings(path, "DEU-ENG").pairs) == 2


def test_spellings_of_a_language_pair_are_one_pair(write):
    path = write("x.csv", PAIRWISE + "de,EN,12,12,judge9,X,1,Y,2,300\n")
    assert len(read_ratings(path).pairs) == 3
    assert len(read_ratings(path, "de-en").pairs) == 3


@pytest.mark.parametrize(
    ("old", "new", "line", "says"),
    [
        ("judge1,A,4", "judge1,A,four", 2, '"four" is not a rank'),
        ("judge1,A,4", "judge1,A,2.5", 2, '"2.5" is not a rank'),
        ("judge1,A,4,D", "judge1,A,,D", 3, '"" is not a rank'),
        (",182", "", 4, "9 cells instead of 10"),
        ("judge2", "", 4, "the name of a rater, system or segment is missing"),
        ("judge1,A,4,D", '"judge1,A,4,D', 3, "cannot be read"),
    ],
)
def test_invalid_rows_are_refused_with_their_line(read_error, old, new, line, says):
    error = read_error(PAIRWISE.replace(old, new, 1))
    assert says in error.message
    assert error.place.line == line


def test_header_without_rows_is_refused(read_error):
    assert "a header but no rows" in read_error(PAIRWISE.split("\n")[0] + "\n").message
