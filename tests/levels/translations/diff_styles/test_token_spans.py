"""Character spans of tokens: each span covers the text that the tokenizer made the token from."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.levels.translations.diff_styles.marks import paired_words, token_char_spans
from qe_desktop.metrics.ter.ter_tokens import TercomLineTokenizer
from qe_desktop.metrics.text.tokenizers import Tokenizer

LETTERS = "abZ ,.-&;1İß你の😀é\u0301"
texts = st.text(st.sampled_from(LETTERS), max_size=25).map(lambda text: " ".join(text.split()))
TOKENIZERS = (
    Tokenizer(),
    Tokenizer(lowercase=True),
    Tokenizer("char"),
    Tokenizer("none"),
    Tokenizer("mteval", lowercase=True),
    TercomLineTokenizer(),
    Tokenizer("intl"),
)


def pieces(text, tokenize):
    (tokens,) = tokenize([text])
    return tokens, [text[start:end] for start, end in token_char_spans(text, tokens)]


@given(texts, st.sampled_from(TOKENIZERS))
def test_token_spans_cover_the_text_of_each_token(text, tokenize):
    tokens, covered = pieces(text, tokenize)
    assert [piece.lower() for piece in covered] == [token.lower() for token in tokens]
    spans = token_char_spans(text, tokens)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))


@pytest.mark.parametrize(
    ("text", "tokens", "expected"),
    [
        # 13a separates punctuation and decodes entities
        ('He said &quot;no&quot;, twice.', ["He", "said", '"', "no", '"', ",", "twice", "."],
         ["He", "said", "&quot;", "no", "&quot;", ",", "twice", "."]),
        ("AT&amp;T", ["AT", "&", "T"], ["AT", "&amp;", "T"]),
        ("AT&amp;T", ["at&amp;t"], ["AT&amp;T"]),
        # pieces with a word-start sign, full-width letters made half-width, and tokens that are not in the text
        ("Ｈｅｌｌｏ there", ["▁Hel", "lo", "▁there"], ["Ｈｅｌ", "ｌｏ", "there"]),
        ("a b", ["a", "???", "b"], ["a", "", "b"]),
        ("a <skipped> b", ["a", "b"], ["a", "b"]),
        ("", [], []),
    ],
)  # fmt: skip
def test_spans_of_tokens_that_differ_from_the_text(text, tokens, expected):
    assert [text[start:end] for start, end in token_char_spans(text, tokens)] == expected


def test_token_spans_cover_character_entities():
    tokens, covered = pieces("R&amp;D, 3.5 &lt; 4", Tokenizer())
    assert tokens == ["R", "&", "D", ",", "3.5", "<", "4"]
    assert covered == ["R", "&amp;", "D", ",", "3.5", "&lt;", "4"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat's mat, 3,5 m.", ["The", "cat's", "mat", ",", "3,5", "m", "."]),
        ("„Hallo“, sagte er …", ["„", "Hallo", "“", ",", "sagte", "er", "…"]),
        ("well-known (a)", ["well-known", "(", "a", ")"]),
        ("שלום, עולם", ["שלום", ",", "עולם"]),
        ("क्षि 👩‍👩‍👧 👍🏽!", ["क्षि", "👩‍👩‍👧", "👍🏽", "!"]),
        # already segmented by spaces
        ("すべて の 住民", ["すべて", "の", "住民"]),
        # a sentence without spaces
        ("B棟のエレベーターは3月10日から", ["B", *"棟のエレベーターは", "3", "月", "10", *"日から"]),
        ("コンピュータプログラミング の 本", ["コンピュータプログラミング", "の", "本"]),
        ("", []),
    ],
)
def test_paired_words_of_one_text(text, expected):
    assert [text[start:end] for start, end in paired_words([text])[0]] == expected


def test_paired_words_tokenizes_both_texts_equally():
    first, second = paired_words(["通知", "すべての住民へのお知らせと通知"])
    assert (len(first), len(second)) == (2, 15)
