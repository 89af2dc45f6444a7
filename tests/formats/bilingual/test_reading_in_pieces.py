"""Large files are read in pieces, their columns are made in blocks, and what was read is let go at once."""

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
from tests.formats.bilingual.samples import FOLDER, NAMES, bytes_of_sample, lines_of

HEAD = '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file source-language="en" {}><body>'
UNIT = '<trans-unit id="{}" {}><source>a</source><target>b</target></trans-unit>'


def segments_of(body: str, file: str = "") -> tuple[Segment, ...]:
    return parse_document(f"{HEAD.format(file)}{body}</body></file></xliff>".encode(), "job.xlf").segments


@given(st.text("ab", max_size=20), st.text("ab", min_size=1, max_size=5), st.integers(1, 8))
def test_what_a_text_has_is_found_wherever_pieces_end(written, words, piece):
    text = decode_file(written.encode(), "some.xlf")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(encodings, "MAX_SEARCHED_BYTES", piece)
        assert text.has(words.encode()) is (words in written)


@pytest.mark.parametrize("piece", [1, 7, 64])
@pytest.mark.parametrize("name", [name for name in NAMES if (FOLDER / name).suffix not in (".po", ".csv", ".tsv")])
def test_wherever_a_piece_ends_the_same_is_read(name, piece, monkeypatch):
    whole = parse_document(bytes_of_sample(name), name)
    monkeypatch.setattr(xml_tree, "PARSE_BLOCK_BYTES", piece)
    monkeypatch.setattr(encodings, "DECODE_BLOCK_BYTES", 4)
    cut = parse_document(bytes_of_sample(name), name)
    assert cut.segments == whole.segments
    assert lines_of(cut) == lines_of(whole)


@pytest.mark.parametrize("end", [b"", b"e", b"\n\n"])
def test_a_byte_that_is_no_text_is_found_in_any_piece(end, monkeypatch):
    monkeypatch.setattr(encodings, "DECODE_BLOCK_BYTES", 4)
    text = "a\nüß\n€\n𝄞x\n"
    assert decode_file(text.encode(), "x").utf8 == text.encode()
    # what is cut off at the end of the file is no text either
    for wrong, shown in ((b"\xe2\x82", "E2"), (b"\xff", "FF")):
        with pytest.raises(QeError, match=f"unexpected byte {shown}") as caught:
            decode_file(text.encode() + wrong + end, "x")
        assert caught.value.place == SourceLocation("x", 5)


def test_what_was_read_is_let_go_without_collecting_garbage():
    gc.collect()
    gc.disable()
    try:
        before = sum(isinstance(one, Segment) for one in gc.get_objects())
        document = parse_document(bytes_of_sample("plain.xlf"), "plain.xlf")
        assert sum(isinstance(one, Segment) for one in gc.get_objects()) == before + len(document.segments)
        del document
        assert sum(isinstance(one, Segment) for one in gc.get_objects()) == before
    finally:
        gc.enable()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_of_units_are_counted_at_any_kind_of_line_end(end):
    units = end.join(UNIT.format(number, "") for number in range(3))
    assert [segment.line for segment in segments_of(end + units)] == [2, 3, 4]


def test_the_nearest_element_says_whether_a_unit_is_locked():
    units = [UNIT.format(number, "") for number in range(6)]
    units[2], units[5] = UNIT.format(2, 'translate="no"'), UNIT.format(5, 'translate="yes"')
    body = '{}<group translate="yes">{}{}<group>{}</group></group>{}{}'.format(*units)
    assert [one.locked for one in segments_of(body, 'translate="no"')] == [True, False, True, False, True, False]
    assert [one.locked for one in segments_of(body)] == [False, False, True, False, False, False]


CODES = [Code(kind, "k", "<k>", number=3) for kind in CodeKind]
RUNS = st.one_of(st.text("ab⟨ü\u2028\r\n€", min_size=1, max_size=5), st.sampled_from(CODES))
CONTENTS = st.lists(st.lists(RUNS, max_size=4).map(tuple), max_size=9)


@pytest.mark.parametrize("block", [2, 4096])
@given(CONTENTS)
def test_columns_hold_each_text_and_each_line(block, contents):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(segment_columns, "TEXTS_PER_BLOCK", block)
        made = SegmentTexts()
        made.add(contents[: len(contents) // 2])
        made.add(contents[len(contents) // 2 :])
        assert list(made.written.lines()) == [
            LINE_BREAK_PATTERN.sub(LINE_BREAK, content_text(content)) for content in contents
        ]
        assert made.are_empty == [not content for content in contents]
        assert list(made.lines().lines()) == [content_to_line(content) for content in contents]
        blocks = list(segment_columns.iter_line_blocks(made.written))
    assert b"".join(blocks) == made.written.data
    assert all(one.endswith(b"\n") and one.count(b"\n") <= block for one in blocks)


@pytest.mark.parametrize("name", NAMES)
def test_a_corpus_has_the_status_of_each_segment(name):
    document = parse_document(bytes_of_sample(name), name)
    job = corpus_from_documents([document], "job").job
    assert job is not None
    assert job.statuses.tolist() == [int(document.status(one)) for one in document.segments]


@pytest.mark.parametrize("collects", [True, False])
def test_no_garbage_is_looked_for_while_a_corpus_is_made(collects, monkeypatch):
    document = parse_document(bytes_of_sample("plain.xlf"), "plain.xlf")
    seen: list[bool] = []
    column = document_corpus.tokenize_lines

    def noted(written: TextColumn) -> TextColumn:
        seen.append(gc.isenabled())
        return column(written)

    monkeypatch.setattr(document_corpus, "tokenize_lines", noted)
    before = gc.isenabled()
    (gc.enable if collects else gc.disable)()
    try:
        corpus_from_documents([document], "job")
        assert seen == [False, False]
        assert gc.isenabled() == collects
    finally:
        (gc.enable if before else gc.disable)()
