"""Words of many texts at once are those that the rule finds in each."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.formats.bilingual.word_tokenization import needs_full_rules, tokenize_column, tokenize_text, word_spans

TEXTS = st.lists(st.text(st.sampled_from("ab1_''' .,-üж \tא\n\x1f\x0b\u0301’中ポ\U00020001\u2028\u00a0"), max_size=9))


@given(TEXTS)
def test_all_at_once(texts):
    assert list(tokenize_column(texts).lines()) == [tokenize_text(text) for text in texts]
    assert [" ".join(text[low:high] for low, high in word_spans(text)) for text in texts] == list(
        map(tokenize_text, texts)
    )


def test_every_character_is_cut_at_once_as_alone():
    signs = [chr(code) for code in range(0x10000) if not 0xD800 <= code < 0xE000]
    texts = [f"{sign}a{sign}b {sign}" for sign in signs]
    assert list(tokenize_column(texts).lines()) == [tokenize_text(text) for text in texts]
    # without what is cut by itself, so that all of them are cut at once
    common = [text for sign, text in zip(signs, texts, strict=True) if not needs_full_rules(sign)]
    assert len(common) > 20_000
    assert list(tokenize_column(common).lines()) == [tokenize_text(text) for text in common]
