import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import (
    AlignmentColumn,
    Documents,
    NumberColumn,
    TagColumn,
    TextColumn,
    offsets_from_lengths,
    segment_indices,
    segment_sums,
)
from qe_desktop.corpus import text as text_module

segments = st.lists(st.lists(st.integers(0, 1), max_size=6), max_size=9)


@given(segments)
def test_tag_column_returns_its_segments_and_sums(tags):
    column = TagColumn.of(tags)
    assert len(column) == len(tags)
    assert [column[segment].tolist() for segment in range(len(tags))] == tags
    assert column.lengths().tolist() == [len(line) for line in tags]
    assert segment_sums(column.values, column.offsets).tolist() == [sum(line) for line in tags]
    assert column.bad_segments().tolist() == [any(line) for line in tags]
    assert segment_indices(column.offsets).tolist() == [index for index, line in enumerate(tags) for _ in line]
    flat = [tag for line in tags for tag in line]
    assert column.bad_share() == pytest.approx(sum(flat) / len(flat) if flat else 0)


@given(segments, st.data())
def test_take_returns_a_range_of_segments(tags, data):
    column = TagColumn.of(tags)
    first = data.draw(st.integers(0, len(tags)))
    last = data.draw(st.integers(first, len(tags)))
    assert column.take(first, last) == TagColumn.of(tags[first:last])


def test_columns_are_equal_by_content_and_cannot_be_changed():
    column = TagColumn.of([[0, 1], [1]])
    assert column == TagColumn.of([[0, 1], [1]])
    assert column != TagColumn.of([[0], [1, 1]])
    assert column != TagColumn.of([[0, 1], [0]])
    assert column != NumberColumn(np.array([0, 1, 1], np.float32), offsets_from_lengths([2, 1]))
    for array in (column.values, column.offsets):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_with_segments_returns_a_new_column():
    column = TagColumn.of([[0, 1], [1]])
    changed = column.with_segments({0: np.array([1, 1], np.uint8)})
    assert changed == TagColumn.of([[1, 1], [1]])
    assert column == TagColumn.of([[0, 1], [1]])
    assert column.with_segments({}) is column


@pytest.mark.parametrize("offsets", [[], [1, 2], [0, 3], [0, 1]])
def test_offsets_must_cover_the_values(offsets):
    with pytest.raises(ValueError, match="offsets"):
        TagColumn(np.zeros(2, np.uint8), np.array(offsets, np.int64))


def test_segment_sums_of_two_columns():
    values = np.arange(8, dtype=np.float64).reshape(4, 2)
    assert segment_sums(values, offsets_from_lengths([1, 0, 3])).tolist() == [[0, 1], [0, 0], [12, 15]]


lines = st.lists(st.text(alphabet="ab \t\r\u00a0\u2028\u0085\x0bé日", max_size=8), max_size=8)


@given(lines, st.booleans(), st.integers(0, 2))
@settings(max_examples=150)
def test_text_columns_split_lines_and_count_tokens(texts, last_end, start):
    data = b"\xef\xbb\xbf"[:start] + "\n".join(texts).encode() + (b"\n" if last_end else b"")
    column = TextColumn.from_bytes(data, start)
    expected = data[start:].decode().split("\n")
    if not expected[-1]:
        expected.pop()
    assert list(column.lines()) == [line.removesuffix("\r") for line in expected]
    assert column.token_counts().tolist() == [len(column.tokens(segment)) for segment in range(len(column))]


def test_text_column_larger_than_a_block(monkeypatch):
    monkeypatch.setattr(text_module, "LINE_BLOCK_BYTES", 16)
    texts = ["ein Wort", "", "noch viel mehr Wörter als in einen Block gehen", "x " * 9]
    column = TextColumn.of(texts)
    assert list(column.lines()) == texts
    assert column.token_counts().tolist() == [2, 0, 9, 9]


def test_token_counts_are_thread_safe(monkeypatch):
    """Several files are matched with a text in parallel, so partial counts must not be visible."""
    monkeypatch.setattr(text_module, "LINE_BLOCK_BYTES", 4)
    column = TextColumn.of(["ein Wort", "", "noch eins"] * 3)
    plain = text_module.segment_sums
    seen = []

    def summed(values, offsets):
        # simulates a call by another thread
        if not seen:
            seen.append(None)
            seen.append(column.token_counts().tolist())
        return plain(values, offsets)

    monkeypatch.setattr(text_module, "segment_sums", summed)
    assert column.token_counts().tolist() == seen[1] == [2, 0, 2] * 3


def test_text_search_ignores_case_and_is_literal():
    column = TextColumn.of(["Straße", "STRASSE", "ein Äffchen", ""])
    assert column.matches("äff").tolist() == [False, False, True, False]
    assert column.matches("str").tolist() == [True, True, False, False]
    assert column.matches("").tolist() == [True] * 4
    assert column.matches(".").tolist() == [False] * 4


def test_alignment_column_in_both_directions():
    column = AlignmentColumn.of([[(0, 0), (0, 1), (2, 1)], []])
    assert column.mt_of(0, 0) == [0, 1]
    assert column.source_of(0, 1) == [0, 2]
    assert column.source_of(1, 0) == []
    assert len(column) == 2


def test_documents_are_numbered_in_order_of_appearance():
    documents = Documents.from_names(["b", "b", "a", "b"])
    assert documents.names == ("b", "a")
    assert documents.of_segment.tolist() == [0, 0, 1, 0]
    assert documents.name(2) == "a"
