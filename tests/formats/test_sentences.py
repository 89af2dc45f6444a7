"""What sentences about files name, and how many of it."""

from __future__ import annotations

from qe_desktop.formats.sentences import few


def test_names_are_listed_as_in_a_sentence_or_counted_where_they_are_many():
    pairs = [f"{name}-de" for name in ("aa", "ab", "ac", "ad", "ae", "af", "ag")]
    assert few(pairs[:3], joined=True) == "aa-de, ab-de and ac-de"
    assert few(pairs[:3]) == "aa-de, ab-de, ac-de"
    assert few(pairs, joined=True) == few(pairs) == "aa-de, ab-de, ac-de, ad-de, ae-de and 2 more"
    assert few(["x" * 41]) == "x" * 40 + "…"
