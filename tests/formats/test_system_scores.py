"""Scores of many systems in one file: lines as the metrics tasks exchange them, and tables with a row a system."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.io.text_files import open_file
from qe_desktop.formats.scores.system_scores import (
    is_system_scores,
    is_system_table,
    read_system_scores,
    read_system_table,
)


def given(tmp_path, text):
    path = tmp_path / "given"
    path.write_text(text)
    return open_file(path)


def test_lines_are_each_systems_segments_in_their_order(tmp_path):
    opened = given(tmp_path, "b\t1\na\t-2.5\nb\tNone\na\t3e-2\r\n\n")
    assert is_system_scores(opened.head())
    found = read_system_scores(opened)
    assert list(found.systems) == ["b", "a"]
    assert found.size == 2
    np.testing.assert_array_equal(found.systems["b"], [1, np.nan])
    np.testing.assert_array_equal(found.systems["a"], [-2.5, 0.03])
    assert not found.systems["a"].flags.writeable


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a\t1\nb\tx\n", 2, "not a number"),
        ("a\t1\nb\n", 2, "2 columns"),
        ("a\t1\na\t2\nb\t1\n", 3, '"b" has 1 score, but "a" has 2'),
        ("a\t1\nb\tinf\n", 2, "not a number"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, line, what):
    with pytest.raises(QeError, match=what) as caught:
        read_system_scores(given(tmp_path, text))
    assert f":{line}" in caught.value.line()


def test_nothing_is_no_scores(tmp_path):
    with pytest.raises(QeError, match="the score is missing"):
        read_system_scores(given(tmp_path, "\n"))


@pytest.mark.parametrize("head", [b"a b\n", b"one\ttwo\n", b"1\n2\n", b"sys\tscore\na\t1\n", b""])
def test_other_files_are_not_taken_for_them(head):
    assert not is_system_scores(head)


TABLE = "RAW.SCR Z.SCR N SYS N.ALL\n77.7 0.11 923 one.7 1275\n78.4 0.08 894 two 1088\n"


def test_a_table_has_a_row_for_each_system(tmp_path):
    opened = given(tmp_path, TABLE)
    assert is_system_table(opened.head())
    table, place = read_system_table(opened), SourceLocation("given")
    assert table.column("", place) == {"one.7": 0.11, "two": 0.08}
    assert table.column("raw.scr", place) == {"one.7": 77.7, "two": 78.4}
    with pytest.raises(QeError, match="no score column named “N”"):
        table.column("N", place)


def test_of_several_columns_that_could_be_meant_none_is_guessed(tmp_path):
    table = read_system_table(given(tmp_path, "system\tfirst\tsecond\na\t1\t2\nb\t3\t4\n"))
    with pytest.raises(QeError, match="2 score columns: first, second"):
        table.column("", SourceLocation("given"))


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("system\tscore\na\t1\na\t2\n", 3, 'duplicate system "a"'),
        ("system\tscore\na\t1\nb\n", 3, "2 columns"),
        ("system\tscore\na\tx\n", None, "no score column"),
    ],
)
def test_what_is_wrong_in_a_table_is_said(tmp_path, text, line, what):
    with pytest.raises(QeError, match=what) as caught:
        read_system_table(given(tmp_path, text))
    assert line is None or f":{line}" in caught.value.line()


def test_header_does_not_count_as_a_system(tmp_path, monkeypatch):
    monkeypatch.setattr("qe_desktop.formats.scores.system_scores.MAX_TABLE_SYSTEMS", 2)
    assert len(read_system_table(given(tmp_path, "system\tBLEU\na\t1\nb\t2\n")).columns["BLEU"]) == 2
    with pytest.raises(QeError, match="more than 2 systems"):
        read_system_table(given(tmp_path, "system\tBLEU\na\t1\nb\t2\nc\t3\n"))
