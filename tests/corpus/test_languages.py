"""Language tags (BCP 47) and language pairs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Corpus
from qe_desktop.corpus.languages import LanguageTag, language_direction, parse_language, split_language_pair

LANGUAGES = st.sampled_from(("en", "de", "zh", "pt", "sr", "ar", "fil", "yue"))
TAGS = st.tuples(LANGUAGES, st.sampled_from(("", "-Hant", "-Latn")), st.sampled_from(("", "-TW", "-BR", "-419"))).map(
    "".join
)


@pytest.mark.parametrize(
    ("name", "tag"),
    [
        ("zh-Hant-TW", ("zh", "Hant", "TW")),
        ("ZH_hant_tw", ("zh", "Hant", "TW")),
        ("zh-yue-HK", ("zh", "", "HK")),
        ("es-419", ("es", "", "419")),
        ("de-CH-1996", ("de", "", "CH")),
        ("sl-rozaj-biske", ("sl", "", "")),
        ("en-US-u-ca-gregory-x-private", ("en", "", "US")),
        ("deu", ("deu", "", "")),
        ("", ("", "", "")),
        ("many", ("", "", "")),
        ("en--US", ("", "", "")),
        ("English (US)", ("", "", "")),
    ],
)
def test_parse_language_returns_its_subtags(name, tag):
    assert parse_language(name) == LanguageTag(*tag)


@pytest.mark.parametrize(
    ("pair", "languages"),
    [
        ("en-de", ("en", "de")),
        ("en-US-de-DE", ("en-US", "de-DE")),
        ("en-pt-BR", ("en", "pt-BR")),
        ("en-zh-Hant-TW", ("en", "zh-Hant-TW")),
        ("zh-Hant-TW-pt-Latn-BR", ("zh-Hant-TW", "pt-Latn-BR")),
        ("en_US-de_DE", ("en_US", "de_DE")),
        ("en-us-de", ("en-us", "de")),
        ("EN-GB-DE", ("EN-GB", "DE")),
        ("deu-eng", ("deu", "eng")),
        ("fr", ("fr", "")),
        ("zh-Hant-TW", ("zh-Hant-TW", "")),
        ("xx1-yy2", ("xx1", "yy2")),
        ("", ("", "")),
    ],
)
def test_language_pair_is_split_between_two_languages(pair, languages):
    assert split_language_pair(pair) == languages


@given(TAGS, TAGS)
def test_any_joined_language_pair_is_split_correctly(source, target):
    assert split_language_pair(f"{source}-{target}") == (source, target)


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("ar", "rtl"), ("ar-EG", "rtl"), ("he_IL", "rtl"), ("fa", "rtl"), ("ur-PK", "rtl"), ("az-Arab", "rtl"),
        ("ku-Arab-IQ", "rtl"), ("ckb", "rtl"), ("ur-Latn", "ltr"), ("ar-Latn", "ltr"), ("de", "ltr"), ("ku", "ltr"),
        ("", "auto"), ("many", "auto"),
    ],
)  # fmt: skip
def test_writing_direction_of_a_language(name, direction):
    assert str(language_direction(name)) == direction


@pytest.mark.parametrize(
    ("pair", "languages", "expected"),
    [
        ("", ("en", "zh-Hant-TW"), ("en", "zh-Hant-TW")),
        ("en-zh-Hant-TW", ("en", "zh-Hant-TW"), ("en", "zh-Hant-TW")),
        ("a-b-c-d", ("a", "b-c-d"), ("a", "b-c-d")),
        ("en-zh", ("en-US", "zh-Hant-TW"), ("en-US", "zh-Hant-TW")),
        ("en-de", ("", "de-AT"), ("en", "de-AT")),
        ("en-fr", ("en-US", "zh-Hant-TW"), ("en-US", "fr")),
        ("", ("", "ar"), ("", "ar")),
        ("en-pt-BR", ("", ""), ("en", "pt-BR")),
    ],
)
def test_languages_of_files_take_precedence_over_the_pair(pair, languages, expected):
    assert Corpus("made", 0, language_pair=pair, languages=languages).source_and_target() == expected
