"""Selection of the words of a target that are checked."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.formats.bilingual.word_tokenization import word_spans
from qe_desktop.local_qe.spelling.spell_checker import checked_words, split_at_apostrophes, words_to_ignore


def words_of(text: str, source: str = "") -> list[str]:
    return [word.word for word in checked_words(text, words_to_ignore(source))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Der grüne Apfel.", ["Der", "grüne", "Apfel"]),
        ("B2B und 3D-Druck", ["und", "Druck"]),
        ("Siehe https://exmple.com/fooo?a=b, www.exmple.org und foo@exmple.de.", ["Siehe", "und"]),
        ("%s und %(naem)s, {naem}, ${naem}, $naem, %1$s, {0}", ["und"]),
        ("100 %d Fehler, 50%ige", ["Fehler"]),
        ("<b>fett</b> &nbsp; <a href='foo bar'>neu</a>", ["fett", "neu"]),
        ("USA NATO Straße STRASSE", ["Straße"]),
        ("my_name _Datei", []),
        ("Spei&chern &Datei", []),
        ("a b cd", ["cd"]),
        ("/usr/lib/foo ~/foo ./foo und/oder", ["und", "oder"]),
        ("Kaf\u00adfee ist Do\u00adnau\u00addampf\u00ad", ["Kaffee", "ist", "Donaudampf"]),
        ("שלום עולם", ["שלום", "עולם"]),
        ('צה"ל אמר שלום', ["אמר", "שלום"]),
        ("ארה״ב ודו״חות של הצ׳ק", ["של"]),
        ('הוא אמר "שלום" ל"עולם"', ["הוא", "אמר", "שלום"]),
        ("", []),
    ],
)
def test_codes_names_and_abbreviations_are_left_out(text, expected):
    assert words_of(text) == expected


def test_words_of_the_source_are_left_out_in_any_case():
    assert words_of("Der Browser von Mozilla", "the browser of MOZILLA") == ["Der", "von"]
    assert words_of("Moz\u00adilla", "Mozilla") == words_of("Mozilla", "Moz\u00adilla") == []


def test_words_joined_by_hyphens_may_be_known_as_a_whole():
    forms = [word.forms for word in checked_words("Arbeits- und vis-à-vis, Anna’s")]
    assert forms == [
        ("Arbeits", "Arbeits-"), ("und",), ("vis", "vis-", "vis-à-vis"), ("vis", "-vis", "vis-à-vis"),
        ("Anna’s", "Anna's"),
    ]  # fmt: skip


def test_elisions_are_split():
    assert split_at_apostrophes("l’homme") == ["homme"]
    assert split_at_apostrophes("homme") == []


@given(st.text(alphabet="ab ’'-&%{}<>@/$_:ä2\ud55c"))
def test_words_are_spans_of_the_text_and_given_spans_change_nothing(text):
    words = checked_words(text)
    assert words == checked_words(text, spans=word_spans(text))
    for word in words:
        assert text[word.start : word.stop] == word.word
        assert word.word == word.forms[0]


@pytest.mark.parametrize("piece", ["a", "%", "{", "%(", "<a", "a-", "&", "@", "$a", "x:", "%0", "&#"])
def test_time_grows_with_the_text(piece):
    def seconds(count: int) -> float:
        text, begun = piece * count, time.process_time()
        checked_words(text)
        return time.process_time() - begun

    seconds(100)
    assert seconds(100_000) < 30 * (min(seconds(10_000) for _ in range(3)) + 0.01)
