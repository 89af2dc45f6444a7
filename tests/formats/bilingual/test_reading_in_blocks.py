"""Large files are read in blocks, their columns are built in blocks, and memory is released at once."""

from __future__ import annotations

import gc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import QeError, SourceLocation, TextColumn
from qe_desktop.formats.bilingual import document_corpus, encodings, parse_document, segment_columns
from qe_desktop.formats.bilingual.document_corpus import corpus_from_documents
from qe_desktop.formats.bilingual.encodings import decode_file
from qe_desktop.formats.bilingual.inline_codes import Code, CodeKind, content_text
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, LINE_BREAK_PATTERN, content_to_line
from qe_desktop.formats.bilingual.segment_columns import SegmentTexts
from qe_desktop.formats.bilingual.segments import Segment
from qe_desktop.formats.bilingual.xml import xml_tree
from tests.formats.bilingual.samples import FOLDER, NAMES, line_pairs, read_sample

HEAD = '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file source-language="en" {}><body>'
UNIT = '<trans-unit id="{}" {}><source>a</source><target>b</target></trans-unit>'


def segments_of(body: str, file: str = "") -> tuple[Segment, ...]:
    return parse_document(f"{HEAD.format(file)}{body}</body></file></xliff>".encode(), "job.xlf").segments


@given(st.text("ab", max_size=20), st.text("ab", min_size=1, max_size=5), st.integers(1, 8))
def test_text_search_works_across_block_boundaries(written, words, piece):
    text = decode_file(written.encode(), "some.xlf")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(encodings, "MAX_SEARCHED_BYTES", piece)
        assert text.contains(words.encode()) is (words in written)


@pytest.mark.parametrize("piece", [1, 7, 64])
@pytest.mark.parametrize("name", [name for name in NAMES if (FOLDER / name).suffix not in (".po", ".csv", ".tsv")])
def test_block_size_does_not_change_the_segments(name, piece, monkeypatch):
    expected = parse_document(read_sample(name), name)
    monkeypatch.setattr(xml_tree, "PARSE_BLOCK_BYTES", piece)
    monkeypatch.setattr(encodings, "DECODE_BLOCK_BYTES", 4)
    in_pieces = parse_document(read_sample(name), name)
    assert in_pieces.segments == expected.segments
    assert line_pairs(in_pieces) == line_pairs(expected)


@pytest.mark.parametrize("end", [b"", b"e", b"\n\n"])
def test_invalid_byte_is_reported_in_any_block(end, monkeypatch):
    monkeypatch.setattr(encodings, "DECODE_BLOCK_BYTES", 4)
    text = "a\nüß\n€\n𝄞x\n"
    assert decode_file(text.encode(), "x").utf8 == text.encode()
    # a truncated character at the end of the file is invalid too
    for invalid_bytes, byte_hex in ((b"\xe2\x82", "E2"), (b"\xff", "FF")):
        with pytest.raises(QeError, match=f"unexpected byte {byte_hex}") as caught:
            decode_file(text.encode() + invalid_bytes + end, "x")
        assert caught.value.place == SourceLocation("x", 5)


def test_segments_are_freed_without_garbage_collection():
    gc.collect()
    gc.disable()
    try:
        before = sum(isinstance(item, Segment) for item in gc.get_objects())
        document = parse_document(read_sample("plain.xlf"), "plain.xlf")
        assert sum(isinstance(item, Segment) for item in gc.get_objects()) == before + len(document.segments)
        del document
        assert sum(isinstance(item, Segment) for item in gc.get_objects()) == before
    finally:
        gc.enable()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_unit_lines_are_counted_with_any_line_ending(end):
    units = end.join(UNIT.format(number, "") for number in range(3))
    assert [segment.line for segment in segments_of(end + units)] == [2, 3, 4]


def test_nearest_translate_attribute_determines_locking():
    units = [UNIT.format(number, "") for number in range(6)]
    units[2], units[5] = UNIT.format(2, 'translate="no"'), UNIT.format(5, 'translate="yes"')
    body = '{}<group translate="yes">{}{}<group>{}</group></group>{}{}'.format(*units)
    assert [segment.locked for segment in segments_of(body, 'translate="no"')] == [
        True,
        False,
        True,
        False,
        True,
        False,
    ]
    assert [segment.locked for segment in segments_of(body)] == [False, False, True, False, False, False]


CODES = [Code(kind, "k", "<k>", number=3) for kind in CodeKind]
RUNS = st.one_of(st.text("ab⟨ü\u2028\r\n€", min_size=1, max_size=5), st.sampled_from(CODES))
CONTENTS = st.lists(st.lists(RUNS, max_size=4).map(tuple), max_size=9)


@pytest.mark.parametrize("block", [2, 4096])
@given(CONTENTS)
def test_columns_contain_each_text_and_line(block, contents):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segment_columns, "TEXTS_PER_BLOCK", block)
        texts = SegmentTexts()
        texts.add(contents[: len(contents) // 2])
        texts.add(contents[len(contents) // 2 :])
        assert list(texts.plain_text_column.lines()) == [
            LINE_BREAK_PATTERN.sub(LINE_BREAK, content_text(content)) for content in contents
        ]
        assert texts.are_empty == [not content for content in contents]
        assert list(texts.lines().lines()) == [content_to_line(content) for content in contents]
        blocks = list(segment_columns.iter_line_blocks(texts.plain_text_column))
    assert b"".join(blocks) == texts.plain_text_column.data
    assert all(line_block.endswith(b"\n") and line_block.count(b"\n") <= block for line_block in blocks)


@pytest.mark.parametrize("name", NAMES)
def test_job_has_the_status_of_each_segment(name):
    document = parse_document(read_sample(name), name)
    job = corpus_from_documents([document], "job").job
    assert job is not None
    assert job.statuses.tolist() == [int(document.status(segment)) for segment in document.segments]


@pytest.mark.parametrize("collects", [True, False])
def test_garbage_collection_is_paused_while_building_a_corpus(collects, monkeypatch):
    document = parse_document(read_sample("plain.xlf"), "plain.xlf")
    gc_states: list[bool] = []
    tokenize = document_corpus.tokenize_lines

    def recording(written: TextColumn) -> TextColumn:
        gc_states.append(gc.isenabled())
        return tokenize(written)

    monkeypatch.setattr(document_corpus, "tokenize_lines", recording)
    before = gc.isenabled()
    (gc.enable if collects else gc.disable)()
    try:
        corpus_from_documents([document], "job")
        assert gc_states == [False, False]
        assert gc.isenabled() == collects
    finally:
        (gc.enable if before else gc.disable)()
