"""Codes in lines of text: splitting, joining, and comparison with the codes of the source."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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

OPEN, CLOSE, STANDALONE = (LineCode(kind, 1) for kind in (CodeKind.OPEN, CodeKind.CLOSE, CodeKind.ALONE))
TWO = LineCode(CodeKind.ALONE, 2)


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
        ("⟨/1⟩y⟨1⟩⟨2/⟩", CodeDifferences(early=(CLOSE,))),
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
