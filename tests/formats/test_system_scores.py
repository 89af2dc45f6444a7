"""Scores of many systems in one file: lines of the WMT metrics tasks, and tables with one row per system."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.scores.system_scores import (
    is_system_scores,
    is_system_table,
    read_system_scores,
    read_system_table,
)
from qe_desktop.formats.text_files import open_file


def open_text(tmp_path, text):
    path = tmp_path / "given"
    path.write_text(text)
    return open_file(path)


def test_lines_of_each_system_are_its_segments_in_order(tmp_path):
    opened = open_text(tmp_path, "b\t1\na\t-2.5\nb\tNone\na\t3e-2\r\n\n")
    assert is_system_scores(opened.head())
    scores = read_system_scores(opened)
    assert list(scores.systems) == ["b", "a"]
    assert scores.size == 2
    np.testing.assert_array_equal(scores.systems["b"], [1, np.nan])
    np.testing.assert_array_equal(scores.systems["a"], [-2.5, 0.03])
    assert not scores.systems["a"].flags.writeable


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a\t1\nb\tx\n", 2, "not a number"),
        ("a\t1\nb\n", 2, "2 columns"),
        ("a\t1\na\t2\nb\t1\n", 3, '"b" has 1 score, but "a" has 2'),
        ("a\t1\nb\tinf\n", 2, "not a number"),
    ],
)
def test_errors_in_lines_state_the_line(tmp_path, text, line, what):
    with pytest.raises(QeError, match=what) as caught:
        read_system_scores(open_text(tmp_path, text))
    assert f":{line}" in caught.value.line()


def test_blank_file_is_refused(tmp_path):
    with pytest.raises(QeError, match="the file contains no scores"):
        read_system_scores(open_text(tmp_path, "\n"))


@pytest.mark.parametrize("head", [b"a b\n", b"one\ttwo\n", b"1\n2\n", b"sys\tscore\na\t1\n", b""])
def test_other_files_are_not_detected_as_system_scores(head):
    assert not is_system_scores(head)


TABLE = "RAW.SCR Z.SCR N SYS N.ALL\n77.7 0.11 923 one.7 1275\n78.4 0.08 894 two 1088\n"


def test_table_has_one_row_per_system(tmp_path):
    opened = open_text(tmp_path, TABLE)
    assert is_system_table(opened.head())
    table, location = read_system_table(opened), SourceLocation("given")
    assert table.column("", location) == {"one.7": 0.11, "two": 0.08}
    assert table.column("raw.scr", location) == {"one.7": 77.7, "two": 78.4}
    with pytest.raises(QeError, match="no score column named “N”") as caught:
        table.column("N", location)
    assert caught.value.hint == "The score columns are RAW.SCR and Z.SCR."


def test_score_column_may_begin_with_the_letter_of_counts(tmp_path):
    table = read_system_table(open_text(tmp_path, "system\tNIST\tn_ratings\na\t5.5\t10\nb\t6.1\t12\n"))
    assert table.columns == {"NIST": {"a": 5.5, "b": 6.1}}


def test_unknown_column_is_refused_with_the_only_one(tmp_path):
    table = read_system_table(open_text(tmp_path, "system\tscore\na\t1\nb\t3\n"))
    with pytest.raises(QeError) as caught:
        table.column("bleu", SourceLocation("given"))
    assert caught.value.hint == "The score column is score."


def test_ambiguous_score_columns_are_refused(tmp_path):
    table = read_system_table(open_text(tmp_path, "system\tfirst\tsecond\na\t1\t2\nb\t3\t4\n"))
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
def test_errors_in_a_table_are_reported(tmp_path, text, line, what):
    with pytest.raises(QeError, match=what) as caught:
        read_system_table(open_text(tmp_path, text))
    assert line is None or f":{line}" in caught.value.line()


def test_header_does_not_count_as_a_system(tmp_path, monkeypatch):
    monkeypatch.setattr("qe_desktop.formats.scores.system_scores.MAX_TABLE_SYSTEMS", 2)
    assert len(read_system_table(open_text(tmp_path, "system\tBLEU\na\t1\nb\t2\n")).columns["BLEU"]) == 2
    with pytest.raises(QeError, match="more than 2 systems"):
        read_system_table(open_text(tmp_path, "system\tBLEU\na\t1\nb\t2\nc\t3\n"))


def test_system_table_with_two_columns_of_one_name_is_refused(tmp_path):
    with pytest.raises(QeError, match='two columns named "Z"'):
        read_system_table(open_text(tmp_path, "system\tz\tZ\na\t1\t2\nb\t3\t4\n"))
