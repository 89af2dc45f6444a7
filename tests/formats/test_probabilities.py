import math

import numpy as np
import pytest

from qe_desktop.corpus import QeError, TextColumn
from qe_desktop.formats import read_probabilities

MT = TextColumn.of(["der Hund", "R&B | x-y"])


def refused(path, **options) -> QeError:
    with pytest.raises(QeError) as caught:
        read_probabilities(path, **options)
    assert caught.value.place.file == str(path)
    return caught.value


def test_probabilities_of_tokens(write):
    read = read_probabilities(write("x", "0.5 1\n0 1e-3 .25\n"), mt=MT)
    assert np.allclose(read.column.values, [0.5, 1, 0, 0.001, 0.25])
    assert read.column.lengths().tolist() == [2, 3]
    assert not read.eos


def test_one_more_is_of_eos(write):
    read = read_probabilities(write("x", "0.5 1 0\n0 1e-3 .25 1\n"), mt=MT)
    assert read.eos
    assert read.form == "n+1 <EOS>"


def test_log_probabilities(write):
    read = read_probabilities(write("x", "-0.5 0 -9\n-1 -2 -3 -9\n"), mt=MT)
    assert np.allclose(read.column.values, [1 - math.exp(x) for x in (-0.5, 0, -1, -2, -3)])
    assert any("end of the segment" in note for note in read.notes)
    assert any("exp" in note for note in read.notes)
    assert not read.eos


@pytest.mark.parametrize("end", ["", " -7"])
def test_pieces_are_merged_into_tokens(write, end):
    pieces = TextColumn.of(["d@@ er Hu@@ n@@ d", "R@@ &amp;@@ B &#124; x @-@ y"])
    path = write("x", f"-1 -3 -1 -2 -6{end}\n-1 -2 -6 -4 -1 -2 -3{end}\n")
    read = read_probabilities(path, mt=MT, pieces=pieces)
    assert np.allclose(read.column.values, [1 - math.exp(x) for x in (-2, -3, -3, -4, -2)])
    assert read.column.lengths().tolist() == [2, 3]


def test_a_piece_over_two_tokens_counts_for_both(write):
    read = read_probabilities(write("x", "-1 -2\n"), mt=TextColumn.of(["Capt . x"]), pieces=TextColumn.of(["Capt. x"]))
    assert np.allclose(read.column.values, [1 - math.exp(x) for x in (-1, -1, -2)])


def test_pieces_of_another_text(write):
    path = write("x", "-1 -2\n-1 -2 -3\n")
    error = refused(path, mt=MT, pieces=TextColumn.of(["der Hund", "R&B | x-z"]))
    assert error.place.line == 2
    assert "do not spell" in error.message
    assert "2 lines, but the file of pieces has 1" in refused(path, mt=MT, pieces=TextColumn.of(["der Hund"])).message


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        ("0.5 1\n0 .1 1.5\n", 2, "1.5 is no probability"),
        ("0.5 -1\n0 .1 1\n", 1, "-1 is no probability"),
        ("0.5 1\n0 .1\n", 2, "line 2 has 2 numbers, the MT has 3 tokens (3 or 4 expected)"),
        ("0.5 1\n", None, "1 line, but the MT has 2"),
        ("0.5 1\n0 .1 BAD\n", 2, '"BAD" is no number'),
    ],
)
def test_faults(write, content, line, says):
    error = refused(write("x", content), mt=MT)
    assert says in error.message
    assert error.place.line == line


def test_rounding_beyond_the_range_is_said(write):
    read = read_probabilities(write("x", "-0.0000019 0.5\n1.0000001 0 0\n"), mt=MT)
    assert read.column.values.min() == 0
    assert read.column.values.max() == 1
    assert "beyond" in read.notes[0]
