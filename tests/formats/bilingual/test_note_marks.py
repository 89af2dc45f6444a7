"""Marks that distinguish the notes of the reviewer from other notes in one text."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.reviewer_notes import (
    CellText,
    NoteMark,
    normalize_note,
    parse_mark,
    parse_prefix,
    split_note,
)
from tests.formats.bilingual.test_reviewer_notes import HOSTILE
from tests.formats.bilingual.workbook import SHARED, pack_workbook, workbook_parts


@given(st.text(max_size=20), st.booleans())
def test_marks(key, rejected):
    mark = NoteMark(key, rejected)
    try:
        assert parse_mark(mark.file_text) == mark
    except UnicodeEncodeError:
        assert any("\ud800" <= char <= "\udfff" for char in key)


@given(HOSTILE, HOSTILE, HOSTILE, st.sampled_from(["\n", "\r\n", "\r"]))
@example("Chapter 1", "Too long\n\nsee above", "Ann: agreed, see brief", "\r\n")
@example("\n\r", "0\n0", "", "\n")
def test_a_note_between_lines_of_others(before, note, after, line_break):
    if "qe-desktop" in before + after:
        return
    written = normalize_note(note)
    joined = CellText.of_others(before).with_note(written)
    text, read_back = split_note(joined)
    assert (text.text_without_note, read_back) == (before, written)
    if not written or f"{line_break}{after}".startswith("\r\n") != (line_break == "\r\n"):
        return
    # a reply of others below the note
    text, read_back = split_note(f"{joined}{line_break}{after}")
    replies = f"{before}{line_break}{after}" if before else after
    assert (text.text_without_note, read_back, text.with_note("")) == (replies, written, replies)
    assert split_note(text.with_note("x"))[1] == "x"
    assert split_note(text.with_note("x"))[0].text_without_note == replies
    assert text.with_note(written) == f"{joined}{line_break}{after}"


@pytest.mark.parametrize("name", ["a.csv", "a.xlsx"])
def test_a_reply_below_the_note_stays(name):
    cell = "qe-desktop: Too long\nAnn: agreed\nqe-desktop: really\nAnn: yes"
    data = f'source,target,notes\r\na,b,"{cell}"\r\n'.encode()
    if name == "a.xlsx":
        data = pack_workbook(workbook_parts(shared=(*SHARED[:-1], cell)))
    before = parse_document(data, name)
    assert (before.segments[0].note, before.segments[0].notes) == ("Too long\nreally", ("Ann: agreed\nAnn: yes",))
    for note in ("Shorter", ""):
        after = parse_document(before.with_targets({}, {}, {0: note}).data, name)
        assert (after.segments[0].note, after.segments[0].notes) == (note, ("Ann: agreed\nAnn: yes",))


@pytest.mark.parametrize("text", ["qe-desktop", "qe-desktops: x", "QE-desktop: x", " qe-desktop: x", "qe-desktop:x"])
def test_what_is_no_mark(text):
    assert parse_prefix(text) is None
