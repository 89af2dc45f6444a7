"""Stemming: the oracle, caching, and languages by name and code."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor

import pytest
import snowballstemmer

from qe_desktop.corpus import QeError
from qe_desktop.metrics.text import stemming
from qe_desktop.metrics.text.stemming import STEMMER_BY_CODE, stem_words, stemmer_for, stemmer_names


@pytest.mark.published
def test_stems_equal_the_oracle(data_folder):
    words = json.loads((data_folder.parent / "oracles/translations/porter_stems.json").read_text())["words"]
    assert len(words) == 145
    for language in ("porter", "english"):
        expected = [stems[f"snowball:{language}"] for stems in words.values()]
        assert stem_words(list(words), language) == expected
    assert stem_words(list(words), "porter") == [stems["nltk:ORIGINAL_ALGORITHM"] for stems in words.values()]
    assert stem_words(list(words), "porter") != stem_words(list(words), "english")


def test_each_different_word_is_stemmed_once(monkeypatch):
    stemmed_words = []
    stemmer = stemming._Stemmer("porter")
    stem = stemmer._stem
    monkeypatch.setattr(stemmer, "_stem", lambda word: (stemmed_words.append(word), stem(word))[1])
    assert stemmer.stems(["ponies", "cats", "ponies"]) == ["poni", "cat", "poni"]
    assert stemmer.stems(["cats"]) == ["cat"]
    assert sorted(stemmed_words) == ["cats", "ponies"]
    assert stemmer.stems([]) == []


def test_stem_cache_is_bounded(monkeypatch):
    monkeypatch.setattr(stemming, "_MAX_CACHED_STEMS", 2)
    stemmer = stemming._Stemmer("porter")
    for word in ("ponies", "cats", "runs", "goes"):
        stemmer.stems([word])
    assert len(stemmer._stems) < 4
    assert stemmer.stems(["ponies", "goes"]) == ["poni", "goe"]


def test_stemmers_are_selected_by_language_name_or_code():
    assert set(stemmer_names()) == set(snowballstemmer.algorithms())
    assert set(STEMMER_BY_CODE.values()) <= set(stemmer_names())
    assert set(stemmer_names()) - set(STEMMER_BY_CODE.values()) == {"porter", "dutch_porter"}
    for language in ("german", "German", "de", "DE", "de-AT", "de_AT", " de "):
        assert stemmer_for(language) == "german"
    assert stemmer_for("dutch_porter") == "dutch_porter"
    assert stem_words(["Häuser".lower()], "de") == stem_words(["haus"], "german")


@pytest.mark.parametrize(
    ("language", "message"), [("germn", "Use one of german"), ("klingon", "porter"), ("", "porter")]
)
def test_language_without_stemmer_is_an_error_with_suggestions(language, message):
    with pytest.raises(QeError, match="no stemmer for") as caught:
        stem_words(["a"], language)
    assert message in caught.value.hint
    assert language in caught.value.message


def test_stemming_is_thread_safe():
    words = [
        f"{stem}{ending}" for stem in ("walk", "talk", "pon", "relat") for ending in ("s", "ing", "ational", "ies")
    ]
    expected = [snowballstemmer.stemmer("porter").stemWord(word) for word in words * 50]
    stemming._stemmer.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda _: stem_words(words * 50, "porter") == expected, range(8))) == [True] * 8
