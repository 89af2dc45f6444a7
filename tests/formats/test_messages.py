"""Lists of names in messages."""

from __future__ import annotations

from qe_desktop.formats.messages import list_names


def test_list_names_shortens_and_counts_long_lists():
    pairs = [f"{name}-de" for name in ("aa", "ab", "ac", "ad", "ae", "af", "ag")]
    assert list_names(pairs[:3], joined=True) == "aa-de, ab-de and ac-de"
    assert list_names(pairs[:3]) == "aa-de, ab-de, ac-de"
    assert list_names(pairs, joined=True) == list_names(pairs) == "aa-de, ab-de, ac-de, ad-de, ae-de and 2 more"
    assert list_names(["x" * 41]) == "x" * 40 + "…"
