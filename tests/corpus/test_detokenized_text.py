"""Offsets of tokens in the raw text, and the display text if they do not match."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Corpus, DisplayText, TextColumn, TextRole, display_text
from qe_desktop.corpus.text_spans import MAX_ALIGNED_CHARS, token_offsets

TOKENS = st.lists(st.text(alphabet="aäß字ש😀e\u0301\u200d.,\"'&…", min_size=1, max_size=4), max_size=20)
SPACES = st.lists(st.sampled_from(["", " ", "  ", "\u2028", "\u00a0"]), min_size=21, max_size=21)


def words(tokens: str, text: str) -> list[str] | None:
    places = token_offsets(tokens.split(), text)
    return None if places is None else [text[start:stop] for start, stop in places]


@given(TOKENS, SPACES)
def test_tokens_are_found_with_any_spaces_between_them(tokens, blanks):
    text = "".join(f"{blank}{token}" for blank, token in zip(blanks, [*tokens, ""], strict=False))
    places = token_offsets(tokens, text)
    assert places is not None
    assert [text[start:stop] for start, stop in places] == tokens


@given(TOKENS, SPACES)
def test_case_normalization_and_escapes_do_not_change_token_offsets(tokens, blanks):
    """Tokens in NFD, in upper case and with escapes keep their offsets."""
    tokens = [token.replace("\u200d", "") or "x" for token in tokens]
    text = "".join(f"{blank}{token}" for blank, token in zip(blanks, [*tokens, ""], strict=False))
    other = [
        unicodedata.normalize("NFD", token.upper()).replace("&", "&amp;").replace('"', "&quot;") for token in tokens
    ]
    offsets = token_offsets(other, text)
    assert offsets is not None
    assert [text[start:stop] for start, stop in offsets] == tokens


@pytest.mark.parametrize(
    ("tokens", "text", "expected"),
    [
        ("&quot; Ja &quot; , sagte er", "„Ja“, sagte er", ["„", "Ja", "“", ",", "sagte", "er"]),
        ("l &apos; eau &amp; &#91; 1 &#93; &#124;", "l’eau & [1] |", ["l", "’", "eau", "&", "[", "1", "]", "|"]),
        ("E @-@ Mail 3 @/@ 4 @@@", "E-Mail 3/4 @", ["E", "-", "Mail", "3", "/", "4", "@"]),
        ("`` yes '' -LRB- no -RRB-", "“yes” (no)", ["“", "yes", "”", "(", "no", ")"]),
        ("&amp;quot;", "&quot;", ["&quot;"]),
        ("10 000 m", "10\u00a0000 m", ["10", "000", "m"]),
        ("und . . .", "und…", ["und", "…", "…", "…"]),
        ("同じ 内容", "同じ内容", ["同じ", "内容"]),
        ("weis se", "weiße", ["weiß", "ße"]),
    ],
)  # fmt: skip
def test_characters_changed_by_tokenizers_are_aligned(tokens, text, expected):
    assert words(tokens, text) == expected


@pytest.mark.parametrize(
    ("tokens", "text"),
    [("a b", "a"), ("a", "a b"), ("a c", "a b"), ("", "a"), ("a", ""), ("a \u200b", "A"), ("ab", "a x b")],
)
def test_text_that_does_not_match_its_tokens_has_no_offsets(tokens, text):
    assert token_offsets(tokens.split(" ") if tokens else [], text) is None


def test_very_long_text_is_aligned_only_if_tokens_match_exactly():
    long = "a" * MAX_ALIGNED_CHARS
    assert token_offsets([long, ","], f"{long},") == (
        (0, MAX_ALIGNED_CHARS),
        (MAX_ALIGNED_CHARS, MAX_ALIGNED_CHARS + 1),
    )
    assert token_offsets([long.upper(), ","], f"{long},") is None


def corpus(tokens: str, text: str | None, *, eos: bool = False) -> Corpus:
    texts = {TextRole.MT: TextColumn.of([tokens])}
    if text is not None:
        texts[TextRole.RAW_MT] = TextColumn.of([text])
    return Corpus("one", 1, texts, eos=eos)


def test_display_text_is_the_raw_text_with_word_offsets():
    shown = display_text(corpus("a &quot; b &quot; .", 'a "b".'), TextRole.MT, 0)
    assert shown == DisplayText('a "b".', ((0, 1), (2, 3), (3, 4), (4, 5), (5, 6)))
    assert shown.words == ["a", '"', "b", '"', "."]


def test_display_text_is_tokens_if_raw_text_is_missing_or_does_not_match():
    assert display_text(corpus("a  b .", None), TextRole.MT, 0) == DisplayText("a b .", ((0, 1), (2, 3), (4, 5)))
    assert display_text(corpus("a b .", "a c."), TextRole.MT, 0) == DisplayText(
        "a b .", ((0, 1), (2, 3), (4, 5)), is_unaligned=True
    )
    assert display_text(corpus("a", "a"), TextRole.SOURCE, 0) == DisplayText("", ())


@pytest.mark.parametrize(("tokens", "virtual"), [("a .", True), ("a . <EOS>", False)])
def test_eos_is_not_a_word_of_the_display_text(tokens, virtual):
    assert display_text(corpus(tokens, "a.", eos=virtual), TextRole.MT, 0) == DisplayText(
        "a.", ((0, 1), (1, 2)), has_ending_tag=True
    )
    assert display_text(corpus(tokens, None, eos=virtual), TextRole.MT, 0).text == "a ."


@pytest.mark.published
@pytest.mark.parametrize("pair", ["en-de", "en-ja", "ps-en"])
@pytest.mark.parametrize("text", ["mt", "src"])
def test_all_tokens_of_wmt22_are_found_in_the_raw_text(data_folder, pair, text):
    folder = data_folder / "wmt22_word" / pair
    tokens = (folder / f"test.2022.{text}_tok").read_text(encoding="utf-8").splitlines()
    texts = (folder / f"test.2022.{text}").read_text(encoding="utf-8").splitlines()
    for row, line in zip(tokens, texts, strict=True):
        assert token_offsets(row.removesuffix(" <EOS>").split(" "), line) is not None
