"""Codes in lines of text: splitting, joining, and comparison with the codes of the source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import (
    CodeDifferences,
    LineCode,
    code_differences,
    join_line,
    parse_line_codes,
    split_line,
    strip_codes,
)

OPEN, CLOSE, STANDALONE = (LineCode(kind, 1) for kind in (CodeKind.OPEN, CodeKind.CLOSE, CodeKind.STANDALONE))
TWO = LineCode(CodeKind.STANDALONE, 2)


def test_split_line_returns_texts_and_codes():
    assert list(split_line("a ⟨1⟩b⟨/1⟩⟨2/⟩ c")) == ["a ", OPEN, "b", CLOSE, TWO, " c"]
    assert list(split_line("⟨⟨1⟩ is no code")) == ["⟨1⟩ is no code"]
    assert list(split_line("⟨/1/⟩ ⟨x⟩ ⟨")) == ["⟨/1/⟩ ⟨x⟩ ⟨"]
    assert list(split_line("")) == []
    assert strip_codes("⟨1⟩a⟨/1⟩ ⟨⟨b") == "a ⟨b"
    assert parse_line_codes("⟨1⟩a⟨/1⟩ ⟨⟨b") == [OPEN, CLOSE]


codes = st.builds(LineCode, st.sampled_from(CodeKind), st.integers(1, 999_999))


@given(st.lists(st.text(st.sampled_from("ab ⟨⟩/12\u2028😀"), min_size=1) | codes, max_size=8))
def test_joined_lines_are_split_into_the_same_codes_and_texts(pieces):
    line = join_line(pieces)
    assert join_line(split_line(line)) == line
    assert parse_line_codes(line) == [piece for piece in pieces if isinstance(piece, LineCode)]
    assert strip_codes(line) == "".join(piece for piece in pieces if isinstance(piece, str))


@pytest.mark.parametrize(
    ("line", "aside"),
    [
        ("x ⟨1⟩y⟨/1⟩ ⟨2/⟩", CodeDifferences()),
        ("⟨2/⟩ ⟨1⟩y⟨/1⟩", CodeDifferences()),
        ("⟨1⟩y⟨/1⟩", CodeDifferences(missing=(TWO,))),
        ("⟨1⟩y⟨/1⟩⟨2/⟩⟨2/⟩", CodeDifferences(extra=(TWO,))),
        ("⟨/1⟩y⟨1⟩⟨2/⟩", CodeDifferences(unopened=(CLOSE,))),
        ("none", CodeDifferences(missing=(OPEN, CLOSE, TWO))),
    ],
)
def test_code_differences_compare_target_and_source_codes(line, aside):
    assert code_differences(line, "a ⟨1⟩b⟨/1⟩ ⟨2/⟩") == aside


def test_extra_codes_of_the_loaded_target_are_allowed_if_all_remain():
    loaded = "auf ⟨1⟩Ebene⟨/1⟩ ⟨2/⟩ ⟨3⟩es⟨/3⟩"
    assert code_differences(loaded.replace("Ebene", "ebener"), "on ⟨2/⟩", loaded) == CodeDifferences()
    assert code_differences("auf Ebene ⟨2/⟩ es", "on ⟨2/⟩", loaded) == CodeDifferences()
    # either all of them must be present or none
    assert code_differences("auf ⟨1⟩Ebene⟨/1⟩ ⟨2/⟩ es", "on ⟨2/⟩", loaded).extra == (OPEN, CLOSE)
    # codes that the loaded target already lacked are reported
    assert code_differences("auf", "on ⟨2/⟩", "auf").missing == (TWO,)


MARKED = "a ⟨1⟩b⟨/1⟩ ⟨2/⟩ ⟨3⟩c⟨/3⟩"
"""Line with a code, and with marks 1 and 3."""


@pytest.mark.parametrize(
    ("line", "differences"),
    [
        ("b ⟨2/⟩ ⟨3⟩c⟨/3⟩", CodeDifferences(optional=(OPEN, CLOSE))),
        ("b c", CodeDifferences(missing=(TWO,), optional=(OPEN, CLOSE, *parse_line_codes("⟨3⟩⟨/3⟩")))),
        (f"{MARKED}⟨1⟩d⟨/1⟩", CodeDifferences(extra=(OPEN, CLOSE))),
        # a mark that is not closed makes the file invalid
        ("⟨1⟩b ⟨2/⟩ ⟨3⟩c⟨/3⟩", CodeDifferences(missing=(CLOSE,))),
        ("b⟨/1⟩ ⟨2/⟩ ⟨3⟩c⟨/3⟩", CodeDifferences(missing=(OPEN,), unopened=(CLOSE,))),
    ],
)
def test_marks_are_optional_as_pairs(line, differences):
    assert code_differences(line, MARKED, MARKED, frozenset((1, 3))) == differences
    # the loaded target may have marks of its own
    if differences.optional:
        assert code_differences(line, "b ⟨2/⟩", MARKED, frozenset((1, 3))).extra == ()


def test_half_a_mark_whose_other_half_is_in_another_segment_is_not_optional():
    assert code_differences("b", "b ⟨2/⟩", "b ⟨2/⟩", frozenset((2,))) == CodeDifferences(missing=(TWO,))


XLIFF12 = """<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="x" datatype="x"
 source-language="en" target-language="de"><body><trans-unit id="1">
<source>Press <mrk mtype="term" comment="key">Enter</mrk> <x id="1"/>.</source>
<target><mrk mtype="x-comment" mid="7">Drücken</mrk> Sie <mrk mtype="term">Enter</mrk> <x id="1"/>.</target>
</trans-unit></body></file></xliff>"""
XLIFF2 = """<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="de"><file id="f">
<unit id="1"><notes><note id="n">which?</note></notes><segment id="s">
<source>Press <mrk id="m" type="term">Enter</mrk> <ph id="1"/>.</source>
<target><sm id="k" type="comment" ref="#n=n"/>Drücken<em startRef="k"/> Sie <mrk id="m" type="term">Enter</mrk> <ph
 id="1"/>.</target></segment></unit></file></xliff>"""


@pytest.mark.parametrize("text", [XLIFF12, XLIFF2])
def test_a_target_is_saved_without_marks_that_were_removed(text):
    document = parse_document(text.encode(), "x.xlf")
    assert document.segments[0].target_line == "⟨3⟩Drücken⟨/3⟩ Sie ⟨1⟩Enter⟨/1⟩ ⟨2/⟩."
    for line in ("Drücken Sie ⟨1⟩Enter⟨/1⟩ ⟨2/⟩.", "⟨3⟩Drücken⟨/3⟩ Sie Enter ⟨2/⟩.", "Drücken Sie Enter ⟨2/⟩."):
        new = document.with_targets({0: line})
        read = parse_document(new.data, "x.xlf")
        assert strip_codes(read.segments[0].target_line) == strip_codes(line)
        assert len(parse_line_codes(read.segments[0].target_line)) == len(parse_line_codes(line))
        assert read.segments[0].source_line == document.segments[0].source_line
    for line in ("Drücken Sie Enter.", "Drücken Sie ⟨1⟩Enter⟨/1⟩ ⟨1⟩Enter⟨/1⟩ ⟨2/⟩.", "⟨3⟩Drücken Sie Enter ⟨2/⟩."):
        with pytest.raises(QeError):
            document.with_targets({0: line})
