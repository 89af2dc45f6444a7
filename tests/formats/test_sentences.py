"""What sentences about files name, and how many of it."""

from __future__ import annotations

from qe_desktop.formats.messages import list_names


def test_names_are_listed_as_in_a_sentence_or_counted_where_they_are_many():
    pairs = [f"{name}-de" for name in ("aa", "ab", "ac", "ad", "ae", "af", "ag")]
    assert list_names(pairs[:3], joined=True) == "aa-de, ab-de and ac-de"
    assert list_names(pairs[:3]) == "aa-de, ab-de, ac-de"
    assert list_names(pairs, joined=True) == list_names(pairs) == "aa-de, ab-de, ac-de, ad-de, ae-de and 2 more"
    assert list_names(["x" * 41]) == "x" * 40 + "…"
