"""Tables split to fit the width of a terminal."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import PairwiseJudgement, Ratings, Score
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.report.rating_report import MAX_P_VALUE_SYSTEMS, rating_tables
from qe_desktop.report.render.tables import MAX_HEADER_CHARS, Table, fit_columns, join_text


def _matrix(names):
    return Table("p", ("system", *names), tuple((name, *("<0.0001 ●" for _ in names)) for name in names), notes=("n",))


def test_table_that_fits_is_not_split():
    table = _matrix(["A", "B"])
    assert fit_columns(table, 80) == [table]


@pytest.mark.parametrize("width", [60, 80, 100])
def test_matrix_is_split_into_blocks_that_fit_with_each_column_once(width):
    names = [f"newstest2016.online-{letter}.4313.de-en" for letter in "ABCDEFGHIJ"]
    parts = fit_columns(_matrix(names), width)
    assert [name for part in parts for name in part.header[1:]] == [str(index) for index in range(1, 11)]
    assert all(len(line) <= width for line in join_text(parts).splitlines())
    assert [part.title for part in parts] == ["p"] + [""] * (len(parts) - 1)
    assert [part.notes for part in parts] == [()] * (len(parts) - 1) + [("n",)]
    assert all(part.rows[9][0].startswith("10 newstest") for part in parts)


def test_other_tables_are_split_with_headers_and_first_column():
    table = Table("t", ("system", "a" * 30, "b" * 30, "c" * 30), (("X", 1, 2, 3), ("Y", 4, 5, 6)))
    assert [part.header for part in fit_columns(table, 80)] == [("system", "a" * 30, "b" * 30), ("system", "c" * 30)]
    assert [part.rows for part in fit_columns(table, 80)][1] == (("X", 3), ("Y", 6))


def test_each_block_has_at_least_one_column():
    assert len(fit_columns(_matrix(["x" * 90, "y" * 90, "z"]), 10)) == 3


def test_long_names_are_shortened_in_the_middle():
    name = "newstest2016.online-B.0.de-en"
    first, second = (str(row[0]) for row in fit_columns(_matrix([name, "x" * MAX_HEADER_CHARS]), 40)[0].rows)
    head, tail = first.removeprefix("1 ").split("…")
    assert len(f"{head}…{tail}") == MAX_HEADER_CHARS
    assert name.startswith(head)
    assert name.endswith(tail)
    assert second == "2 " + "x" * MAX_HEADER_CHARS


def test_many_systems_have_counts_instead_of_a_matrix():
    names = [f"S{index:02}" for index in range(MAX_P_VALUE_SYSTEMS + 1)]
    rows = [
        PairwiseJudgement("r", str(round_), first, second, 1, 2)
        for round_ in range(6)
        for index, first in enumerate(names)
        for second in names[index + 1 :]
    ]
    results = build_results(Ratings.of((), rows), trueskill=False)
    text = join_text(rating_tables(results, 80))
    assert all(len(line) <= 80 for line in text.splitlines() if "─" in line or line.startswith("  S"))
    beaten = next(table for table in rating_tables(results, 80) if "better than" in table.header)
    assert beaten.rows[0] == ("S00", MAX_P_VALUE_SYSTEMS, 0)
    assert beaten.rows[-1] == (f"S{MAX_P_VALUE_SYSTEMS}", 0, MAX_P_VALUE_SYSTEMS)
    assert any(len(table.header) == len(names) + 1 for table in rating_tables(results))


def test_columns_named_like_a_row_keep_their_names():
    table = Table("", ("system", "cluster", "rank-low", "rank-high"), (("rank-high", 1, 1, 1),))
    assert [part.header for part in fit_columns(table, 30)][-1][-1] == "rank-high"


def test_every_part_of_the_table_of_raters_has_rater_and_scale():
    rows = [
        Score(f"rater {rater} with a long name", system, str(segment), scale, float((rater + segment) % 4))
        for rater in range(3)
        for system in ("A", "B")
        for segment in range(6)
        for scale in ("adequacy", "fluency")
    ]
    results = build_results(Ratings.of(rows), trueskill=False)
    parts = [table for table in rating_tables(results, 80) if table.header[0] == "rater"]
    assert len(parts) > 1
    for part in parts:
        assert part.header[:2] == ("rater", "scale")
        assert len({row[:2] for row in part.rows}) == 6
    assert parts[-1].header[-1] == "quality control p"
    assert any("agreement with others" in part.header for part in parts)
    assert any(note.startswith("Agreement with others on a scale:") for note in parts[-1].notes)
