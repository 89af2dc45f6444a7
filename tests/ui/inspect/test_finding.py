"""Where what was searched for stands."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import TextColumn
from qe_desktop.ui.inspect.reader.word_decorations import MAX_SPANS, find_spans

TEXTS = ["Über uns", "ÜBER über", "same 内容 の 同じ内容", "(a.b) A.B axb", "😀 cat 😀", "no"]


@pytest.mark.parametrize("wanted", ["über", "内容", "a.b", "CAT", "😀", "zzz"])
def test_what_the_list_finds_is_what_is_marked(wanted):
    column = TextColumn.of(TEXTS)
    found = [bool(find_spans(wanted, text)) for text in TEXTS]
    assert found == column.matches(wanted).tolist()
    for text in TEXTS:
        for start, end in find_spans(wanted, text):
            assert text[start:end].lower() == wanted.lower()


def test_nothing_wanted_is_nowhere_and_much_is_bounded():
    assert find_spans("", "text") == []
    assert len(find_spans("a", "a" * 10_000)) == MAX_SPANS
