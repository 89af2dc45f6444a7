"""Where what was searched for stands."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import TextColumn
from qe_desktop.ui.inspect.finding import MOST, spans_of

TEXTS = ["Über uns", "ÜBER über", "same 内容 の 同じ内容", "(a.b) A.B axb", "😀 cat 😀", "no"]


@pytest.mark.parametrize("wanted", ["über", "内容", "a.b", "CAT", "😀", "zzz"])
def test_what_the_list_finds_is_what_is_marked(wanted):
    column = TextColumn.of(TEXTS)
    found = [bool(spans_of(wanted, text)) for text in TEXTS]
    assert found == column.matches(wanted).tolist()
    for text in TEXTS:
        for start, end in spans_of(wanted, text):
            assert text[start:end].lower() == wanted.lower()


def test_nothing_wanted_is_nowhere_and_much_is_bounded():
    assert spans_of("", "text") == []
    assert len(spans_of("a", "a" * 10_000)) == MOST
