"""Conversion of segments to lines of text and back: codes, their numbers, and refused lines."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.inline_codes import Code, CodeKind, CodeNumbering
from qe_desktop.formats.bilingual.plain_lines import INVALID_XML_CHARS, content_to_line, line_to_content

OPEN, CLOSE, STANDALONE = CodeKind.OPEN, CodeKind.CLOSE, CodeKind.STANDALONE


def code(kind: CodeKind, key: str, nests: bool = True) -> Code:
    return Code(kind, key, f"<{key}>", must_nest=nests)


def lines(source, target) -> tuple[str, str]:
    numbered = CodeNumbering().number_contents(tuple(source), tuple(target))
    return content_to_line(numbered[0]), content_to_line(numbered[1])


def test_target_codes_have_the_numbers_of_the_source_codes():
    source = [code(OPEN, "g"), "a", code(CLOSE, "g"), code(STANDALONE, "x"), code(STANDALONE, "x")]
    target = [
        code(STANDALONE, "x"),
        code(STANDALONE, "y"),
        code(OPEN, "g"),
        code(STANDALONE, "x"),
        code(CLOSE, "g"),
        code(STANDALONE, "x"),
    ]
    assert lines(source, target) == ("⟨1⟩a⟨/1⟩⟨2/⟩⟨3/⟩", "⟨2/⟩⟨4/⟩⟨1⟩⟨3/⟩⟨/1⟩⟨5/⟩")


def test_unpaired_codes_are_standalone():
    source = [code(CLOSE, "g"), code(OPEN, "g"), code(OPEN, "h"), code(CLOSE, "g")]
    assert lines(source, [code(OPEN, "h"), code(CLOSE, "h")]) == ("⟨1/⟩⟨2⟩⟨3/⟩⟨/2⟩", "⟨4⟩⟨/4⟩")


def test_codes_that_are_not_elements_may_overlap():
    source = [code(OPEN, "a", False), code(OPEN, "b", False), code(CLOSE, "a", False), code(CLOSE, "b", False)]
    numbered = CodeNumbering().number_contents(tuple(source), None)[0]
    assert content_to_line(numbered) == "⟨1⟩⟨2⟩⟨/1⟩⟨/2⟩"
    assert content_to_line(line_to_content("⟨1⟩⟨2⟩x⟨/1⟩⟨/2⟩", numbered, None)) == "⟨1⟩⟨2⟩x⟨/1⟩⟨/2⟩"


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("⟨1⟩a⟨/1⟩⟨2⟩⟨/2⟩", "the code ⟨3/⟩ is missing"),
        ("⟨1⟩a⟨/1⟩", "the codes ⟨2⟩, ⟨/2⟩ and ⟨3/⟩ are missing"),
        ("⟨1⟩a⟨/1⟩⟨2⟩⟨/2⟩⟨3/⟩⟨3/⟩", "the code ⟨3/⟩ occurs too often"),
        ("⟨1⟩a⟨/1⟩⟨2⟩⟨/2⟩⟨3/⟩⟨4/⟩", "the segment has no code ⟨4/⟩"),
        ("⟨/1⟩a⟨1⟩⟨2⟩⟨/2⟩⟨3/⟩", "the code ⟨/1⟩ is in the wrong position"),
        ("⟨1⟩a⟨2⟩⟨/1⟩⟨/2⟩⟨3/⟩", "the code ⟨/1⟩ is in the wrong position"),
        ("⟨1⟩a⟨/1⟩⟨2⟩⟨/2⟩⟨3/⟩⟨", "a ⟨ in the text is not doubled"),
        ("⟨01⟩a⟨/1⟩⟨2⟩⟨/2⟩⟨3/⟩", "the segment has no code ⟨01⟩"),
        ("⟨1⟩\x01⟨/1⟩⟨2⟩⟨/2⟩⟨3/⟩", "U\\+0001"),
    ],
)
def test_invalid_codes_in_a_line_are_refused(line, says):
    source = (code(OPEN, "g"), "a", code(CLOSE, "g"), code(OPEN, "h"), code(CLOSE, "h"), code(STANDALONE, "x"))
    numbered = CodeNumbering().number_contents(source, None)[0]
    with pytest.raises(QeError, match=says) as caught:
        line_to_content(line, numbered, None)
    assert caught.value.hint


TEXT = st.text(st.characters(exclude_categories=("Cs",))).filter(lambda text: not INVALID_XML_CHARS.search(text))


@given(st.lists(st.one_of(TEXT, st.sampled_from(["x", "y"]).map(lambda key: code(STANDALONE, key)))))
def test_content_is_preserved_as_a_line(runs):
    content = CodeNumbering().number_contents(tuple(run for run in runs if run), None)[0]
    text = "".join(run if isinstance(run, str) else "\0" for run in content)
    kinds = set(re.findall("\r\n|\r|\n|\u2028", text))
    restored = line_to_content(content_to_line(content), content, None)
    assert content_to_line(restored) == content_to_line(content)
    assert "\n" not in content_to_line(content)
    if len(kinds) < 2:
        assert "".join(run if isinstance(run, str) else "\0" for run in restored) == text
