import math

import numpy as np
import pytest

from qe_desktop.corpus import QeError, TextColumn
from qe_desktop.formats import read_probabilities

MT = TextColumn.of(["der Hund", "R&B | x-y"])


def read_error(path, **options) -> QeError:
    with pytest.raises(QeError) as caught:
        read_probabilities(path, **options)
    assert caught.value.place.file == str(path)
    return caught.value


def test_token_probabilities_are_read(write):
    read = read_probabilities(write("x", "0.5 1\n0 1e-3 .25\n"), mt=MT)
    assert np.allclose(read.column.values, [0.5, 1, 0, 0.001, 0.25])
    assert read.column.lengths().tolist() == [2, 3]
    assert not read.eos


def test_additional_number_belongs_to_eos(write):
    read = read_probabilities(write("x", "0.5 1 0\n0 1e-3 .25 1\n"), mt=MT)
    assert read.eos
    assert read.form == "n+1 <EOS>"


def test_log_probabilities_are_converted(write):
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


def test_piece_spanning_two_tokens_counts_for_both(write):
    read = read_probabilities(write("x", "-1 -2\n"), mt=TextColumn.of(["Capt . x"]), pieces=TextColumn.of(["Capt. x"]))
    assert np.allclose(read.column.values, [1 - math.exp(x) for x in (-1, -1, -2)])


def test_pieces_that_do_not_match_the_mt_are_refused(write):
    path = write("x", "-1 -2\n-1 -2 -3\n")
    error = read_error(path, mt=MT, pieces=TextColumn.of(["der Hund", "R&B | x-z"]))
    assert error.place.line == 2
    assert "do not match" in error.message
    assert "2 lines, but the subword file has 1" in read_error(path, mt=MT, pieces=TextColumn.of(["der Hund"])).message


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        ("0.5 1\n0 .1 1.5\n", 2, "1.5 is not a probability"),
        ("0.5 -1\n0 .1 1\n", 1, "-1 is not a probability"),
        ("0.5 1\n0 .1\n", 2, "line 2 has 2 numbers, but the MT has 3 tokens (3 or 4 expected)"),
        ("0.5 1\n", None, "1 line, but the MT has 2"),
        ("0.5 1\n0 .1 BAD\n", 2, '"BAD" is not a number'),
    ],
)
def test_invalid_numbers_are_refused_with_their_line(write, content, line, says):
    error = read_error(write("x", content), mt=MT)
    assert says in error.message
    assert error.place.line == line


def test_values_slightly_outside_the_range_are_clipped_and_noted(write):
    read = read_probabilities(write("x", "-0.0000019 0.5\n1.0000001 0 0\n"), mt=MT)
    assert read.column.values.min() == 0
    assert read.column.values.max() == 1
    assert "slightly outside" in read.notes[0]


def test_sentencepiece_pieces_are_merged_into_tokens(write):
    mt = TextColumn.of(["the home , then", "it 's"])
    pieces = TextColumn.of(["▁the ▁ ho me , ▁th en", "▁it ' s"])
    path = write("x", "-1 -2 -4 -6 -3 -1 -5 -9\n-1 -2 -4 -9\n")
    read = read_probabilities(path, mt=mt, pieces=pieces)
    # the isolated ▁ is the first piece of "home", and "'s" consists of two pieces
    assert np.allclose(read.column.values, [1 - math.exp(x) for x in (-1, -4, -3, -3, -1, -3)])
    assert read.column.lengths().tolist() == [4, 2]
    assert any("SentencePiece" in note for note in read.notes)


def test_sentencepiece_mark_at_the_end_belongs_to_no_word(write):
    pieces = TextColumn.of(["▁a ▁", "▁ ▁b"])
    read = read_probabilities(write("x", "-1 -8\n-2 -4\n"), mt=TextColumn.of(["a", "b"]), pieces=pieces)
    assert np.allclose(read.column.values, [1 - math.exp(x) for x in (-1, -3)])


def test_doubled_quotation_marks_in_pieces_are_accepted(write):
    mt = TextColumn.of(['" so " he', "a b", '" c "'])
    pieces = TextColumn.of(['▁" " " ▁so " ▁he', "▁a ▁b", '▁" c "'])
    path = write("x", "-1 -2 -3 -4 -5 -6\n-1 -2\n-1 -2 -3\n")
    read = read_probabilities(path, mt=mt, pieces=pieces)
    assert np.allclose(read.column.values, [1 - math.exp(x) for x in (-2, -4, -5, -6, -1, -2, -1, -2, -3)])
    assert any("line 1 " in note and "quotation marks" in note for note in read.notes)
    without = TextColumn.of(["▁so ▁he ▁is ▁it ▁x ▁y", "▁a ▁b", '▁" c "'])
    assert "do not match" in read_error(path, mt=mt, pieces=without).message
    none_left = TextColumn.of(["so he", "a b", "c"])
    fewer = write("y", "-1 -2\n-1 -2\n-1\n")
    assert read_error(fewer, mt=mt, pieces=none_left).place.line == 1
