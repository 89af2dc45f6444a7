"""Spans of search matches in a text."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import TextColumn
from qe_desktop.ui.inspect.reader.word_decorations import MAX_SPANS, find_spans

TEXTS = ["Über uns", "ÜBER über", "same 内容 の 同じ内容", "(a.b) A.B axb", "😀 cat 😀", "no"]


@pytest.mark.parametrize("query", ["über", "内容", "a.b", "CAT", "😀", "zzz"])
def test_marked_spans_agree_with_the_matches_of_the_list(query):
    column = TextColumn.of(TEXTS)
    matches = [bool(find_spans(query, text)) for text in TEXTS]
    assert matches == column.matches(query).tolist()
    for text in TEXTS:
        for start, end in find_spans(query, text):
            assert text[start:end].lower() == query.lower()


def test_empty_search_has_no_spans_and_spans_are_limited():
    assert find_spans("", "text") == []
    assert len(find_spans("a", "a" * 10_000)) == MAX_SPANS
