"""Where tokens stand in the text as written, and which text is shown where they stand nowhere."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Corpus, DisplayText, TextColumn, TextRole, display_text
from qe_desktop.corpus.detokenized_text import MAX_ALIGNED_CHARS, token_offsets

TOKENS = st.lists(st.text(alphabet="aäß字ש😀e\u0301\u200d.,\"'&…", min_size=1, max_size=4), max_size=20)
BLANKS = st.lists(st.sampled_from(["", " ", "  ", "\u2028", "\u00a0"]), min_size=21, max_size=21)


def words(tokens: str, text: str) -> list[str] | None:
    places = token_offsets(tokens.split(), text)
    return None if places is None else [text[low:high] for low, high in places]


@given(TOKENS, BLANKS)
def test_tokens_are_found_whatever_blanks_stand_between_them(tokens, blanks):
    text = "".join(f"{blank}{token}" for blank, token in zip(blanks, [*tokens, ""], strict=False))
    places = token_offsets(tokens, text)
    assert places is not None
    assert [text[low:high] for low, high in places] == tokens


@given(TOKENS, BLANKS)
def test_signs_written_otherwise_change_no_place(tokens, blanks):
    """In another form of Unicode, in capitals and escaped, tokens stand where they stood."""
    tokens = [token.replace("\u200d", "") or "x" for token in tokens]
    text = "".join(f"{blank}{token}" for blank, token in zip(blanks, [*tokens, ""], strict=False))
    other = [
        unicodedata.normalize("NFD", token.upper()).replace("&", "&amp;").replace('"', "&quot;") for token in tokens
    ]
    found = token_offsets(other, text)
    assert found is not None
    assert [text[low:high] for low, high in found] == tokens


@pytest.mark.parametrize(
    ("tokens", "text", "found"),
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
def test_what_tokenisers_write_otherwise(tokens, text, found):
    assert words(tokens, text) == found


@pytest.mark.parametrize(
    ("tokens", "text"),
    [("a b", "a"), ("a", "a b"), ("a c", "a b"), ("", "a"), ("a", ""), ("a \u200b", "A"), ("ab", "a x b")],
)
def test_texts_that_tokens_do_not_spell_are_not_guessed_at(tokens, text):
    assert token_offsets(tokens.split(" ") if tokens else [], text) is None


def test_a_text_without_end_is_not_looked_at_sign_by_sign():
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


def test_the_text_as_written_is_shown_with_its_words():
    shown = display_text(corpus("a &quot; b &quot; .", 'a "b".'), TextRole.MT, 0)
    assert shown == DisplayText('a "b".', ((0, 1), (2, 3), (3, 4), (4, 5), (5, 6)))
    assert shown.words == ["a", '"', "b", '"', "."]


def test_without_it_or_where_it_is_another_the_tokens_are_shown():
    assert display_text(corpus("a  b .", None), TextRole.MT, 0) == DisplayText("a b .", ((0, 1), (2, 3), (4, 5)))
    assert display_text(corpus("a b .", "a c."), TextRole.MT, 0) == DisplayText(
        "a b .", ((0, 1), (2, 3), (4, 5)), unaligned=True
    )
    assert display_text(corpus("a", "a"), TextRole.SOURCE, 0) == DisplayText("", ())


@pytest.mark.parametrize(("tokens", "virtual"), [("a .", True), ("a . <EOS>", False)])
def test_the_end_is_no_word_of_the_text(tokens, virtual):
    assert display_text(corpus(tokens, "a.", eos=virtual), TextRole.MT, 0) == DisplayText(
        "a.", ((0, 1), (1, 2)), ending=True
    )
    assert display_text(corpus(tokens, None, eos=virtual), TextRole.MT, 0).text == "a ."


@pytest.mark.published
@pytest.mark.parametrize("pair", ["en-de", "en-ja", "ps-en"])
@pytest.mark.parametrize("text", ["mt", "src"])
def test_the_words_of_a_shared_task_are_all_found(data_folder, pair, text):
    folder = data_folder / "wmt22_word" / pair
    tokens = (folder / f"test.2022.{text}_tok").read_text(encoding="utf-8").splitlines()
    texts = (folder / f"test.2022.{text}").read_text(encoding="utf-8").splitlines()
    for row, line in zip(tokens, texts, strict=True):
        assert token_offsets(row.removesuffix(" <EOS>").split(" "), line) is not None
