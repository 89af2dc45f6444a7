"""Vectorized tokenization of many texts equals tokenization of each text."""

from __future__ import annotations

import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.formats.bilingual.word_tokenization import needs_full_rules, tokenize_column, tokenize_text, word_spans

TEXTS = st.lists(st.text(st.sampled_from("ab1_''' .,-üж \tא\n\x1f\x0b\u0301’中ポ\U00020001\u2028\u00a0"), max_size=9))


@given(TEXTS)
def test_tokenize_column_equals_tokenize_text(texts):
    assert list(tokenize_column(texts).lines()) == [tokenize_text(text) for text in texts]
    assert [" ".join(text[start:end] for start, end in word_spans(text)) for text in texts] == list(
        map(tokenize_text, texts)
    )


def test_tokenize_column_equals_tokenize_text_for_each_character():
    characters = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]
    texts = [f"{char}a{char}b {char}" for char in characters]
    assert list(tokenize_column(texts).lines()) == [tokenize_text(text) for text in texts]
    # without characters that need the full rules, so that all texts are tokenized in one pass
    common = [text for char, text in zip(characters, texts, strict=True) if not needs_full_rules(char)]
    assert len(common) > 20_000
    assert list(tokenize_column(common).lines()) == [tokenize_text(text) for text in common]


def test_marks_of_all_planes_continue_a_word():
    """The pattern visits only blocks that contain marks, so a new version of Unicode must not add others."""
    marks = [chr(code) for code in range(0x10000, sys.maxunicode + 1) if unicodedata.category(chr(code))[0] == "M"]
    assert len(marks) > 500
    assert [mark for mark in marks if word_spans(f"a{mark}b") != [(0, 3)]] == []
