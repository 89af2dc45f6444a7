import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import Kind, QeError, TagColumn, TextColumn
from qe_desktop.formats import deinterleave, interleave, read_tags, write_tags

segments = st.lists(st.lists(st.integers(0, 1), max_size=6), min_size=1, max_size=8)


@given(segments, st.data())
@settings(max_examples=60, deadline=None)
def test_deinterleave_reverses_interleave(words, data):
    gaps = [data.draw(st.lists(st.integers(0, 1), min_size=len(w) + 1, max_size=len(w) + 1)) for w in words]
    interleaved = interleave(TagColumn.of(words), TagColumn.of(gaps))
    for segment, (w, g) in enumerate(zip(words, gaps, strict=True)):
        assert interleaved[segment].tolist()[1::2] == w
        assert interleaved[segment].tolist()[0::2] == g
    assert deinterleave(interleaved) == (TagColumn.of(words), TagColumn.of(gaps))


def test_interleave_works_across_blocks(monkeypatch):
    monkeypatch.setattr("qe_desktop.formats.tags.tag_lines.LAYOUT_BLOCK_SEGMENTS", 3)
    rng = np.random.default_rng(2)
    words = [rng.integers(0, 2, n).tolist() for n in rng.integers(0, 9, 50)]
    gaps = [rng.integers(0, 2, len(w) + 1).tolist() for w in words]
    interleaved = interleave(TagColumn.of(words), TagColumn.of(gaps))
    assert deinterleave(interleaved) == (TagColumn.of(words), TagColumn.of(gaps))
    assert interleaved[49].tolist()[1::2] == words[49]


def test_mismatched_columns_raise_value_error():
    with pytest.raises(ValueError, match="one more gap than words"):
        interleave(TagColumn.of([[0]]), TagColumn.of([[0]]))
    with pytest.raises(ValueError, match="odd"):
        deinterleave(TagColumn.of([[0, 1]]))


MT = TextColumn.of(["a b c", "d", "e f"])


@pytest.mark.parametrize(
    ("tags", "form", "kinds"),
    [
        ([[0, 1, 0], [1], [0, 0]], "n", {Kind.WORDS}),
        ([[0, 1, 0, 1], [1, 0], [0, 0, 1]], "n+1 <EOS>", {Kind.WORDS}),
        ([[0, 1, 0, 1, 0, 1, 1], [1, 0, 1], [0, 0, 1, 1, 1]], "2n+1", {Kind.WORDS, Kind.GAPS}),
    ],
)
def test_layout_is_detected_by_the_token_counts(tmp_path, tags, form, kinds):
    write_tags(tmp_path / "x.tags", TagColumn.of(tags))
    read = read_tags(tmp_path / "x.tags", None, mt=MT)
    assert read.form == form
    assert set(read.columns) == kinds
    assert read.eos == (form == "n+1 <EOS>")
    if len(kinds) == 2:
        assert interleave(read.columns[Kind.WORDS], read.columns[Kind.GAPS]) == TagColumn.of(tags)
        assert read_tags(tmp_path / "x.tags", Kind.GAPS, mt=MT).columns.keys() == {Kind.GAPS}
        assert read_tags(tmp_path / "x.tags", "all", mt=MT).columns.keys() == kinds


def test_odd_tag_counts_are_not_read_as_interleaved(tmp_path):
    write_tags(tmp_path / "x.tags", TagColumn.of([[0] * 3, [1] * 5]))
    read = read_tags(tmp_path / "x.tags", Kind.WORDS, mt=TextColumn.of(["a b c", "a b c d e"]))
    assert read.form == "n"
    alone = read_tags(tmp_path / "x.tags", Kind.WORDS)
    assert alone.columns[Kind.WORDS].lengths().tolist() == [3, 5]
    assert "the MT is needed to distinguish them" in alone.notes[0]


@pytest.mark.parametrize("name", ["x.gap_tags", "task_gaps.tags", "x.tags"])
def test_gap_tags_are_identified_by_file_name_or_kind(tmp_path, name):
    write_tags(tmp_path / name, TagColumn.of([[0, 1, 0, 1], [1, 0], [0, 0, 1]]))
    assert set(read_tags(tmp_path / name, Kind.GAPS, mt=MT).columns) == {Kind.GAPS}
    assert set(read_tags(tmp_path / name, None, mt=MT).columns) == {Kind.GAPS if "gap" in name else Kind.WORDS}


def read_error(path, **options) -> QeError:
    with pytest.raises(QeError) as caught:
        read_tags(path, options.pop("kind", Kind.WORDS), **options)
    return caught.value


def test_missing_tag_is_reported_with_its_line(write):
    path = write("x.tags", "OK OK OK\nOK\nOK\n")
    error = read_error(path, mt=MT)
    assert (error.place.file, error.place.line) == (str(path), 3)
    assert error.message.startswith("line 3 has 1 tag, but the MT has 2 tokens (")


def test_wrong_tag_count_error_lists_the_possible_counts(write):
    error = read_error(write("x.tags", "OK OK OK\nOK\nOK OK OK OK\n"), mt=MT)
    assert error.message == "line 3 has 4 tags, but the MT has 2 tokens (2, 3 or 5 expected)"


def test_line_of_a_different_layout_is_refused(write):
    error = read_error(write("x.tags", "OK OK OK OK\nOK OK\nOK OK\n"), mt=MT)
    assert error.place.line == 3
    assert "3 expected from the layout of the other lines" in error.message


@pytest.mark.parametrize("text", ["OK OK OK\nOK\n", "OK OK OK\nOK\nOK OK\nOK\n"])
def test_wrong_line_count_is_refused(write, text):
    error = read_error(write("x.tags", text), mt=MT)
    assert error.message == f"{text.count(chr(10))} lines, but the MT has 3"


def test_kind_all_needs_interleaved_tags(write):
    path = write("x.tags", "OK OK OK\nOK\nOK OK\n")
    assert "7 expected" in read_error(path, kind="all", mt=MT).message
    assert set(read_tags(path, "all").columns) == {Kind.WORDS}


def test_reading_gaps_needs_the_mt(write):
    error = read_error(write("x.tags", "OK OK OK\n"), kind=Kind.GAPS)
    assert "--mt" in error.command_hint


def test_source_tags_are_checked_against_the_source(write):
    path = write("x.src_tags", "OK BAD\nOK\n")
    source = TextColumn.of(["a b", "c"])
    assert set(read_tags(path, Kind.SOURCE, source=source).columns) == {Kind.SOURCE}
    assert "the source has 2 tokens" in read_error(path, kind=Kind.SOURCE, source=TextColumn.of(["a b", "c d"])).message


def test_mt_with_eos_tokens_gets_no_additional_eos(write):
    mt = TextColumn.of(["a b <EOS>", "c <EOS>"])
    assert read_tags(write("x.tags", "OK OK BAD\nOK BAD\n"), None, mt=mt).eos is False
    assert "3 or 7 expected" in read_error(write("y.tags", "OK OK OK BAD\nOK OK BAD\n"), mt=mt).message


def test_numbers_are_refused_as_tags(write):
    assert "numbers" in read_error(write("x", "0.5 0.1\n0.2\n")).message
