"""Words of targets, and where tokens stand in the text that they were made of."""

from __future__ import annotations

from qe_desktop.corpus import Corpus, TextColumn, TextRole
from qe_desktop.formats.bilingual.target_words import cut_of, spans_of


def test_tokens_are_found_in_the_text_as_written():
    text = "Das Haus, „alt“."
    spans = spans_of(["Das", "Haus", ",", "„", "alt", "“", "."], text)
    assert spans is not None
    assert [text[low:high] for low, high in spans] == ["Das", "Haus", ",", "„", "alt", "“", "."]


def test_tokens_that_are_not_there_are_found_nowhere():
    assert spans_of(["a", "x"], "a b") is None
    assert spans_of(["a"], "a b") is None
    assert spans_of([], "") == []


def test_tokens_alone_are_cut_at_blanks_and_text_as_written_into_words():
    tokens = {TextRole.MT: TextColumn.of(["don 't ."])}
    assert cut_of(Corpus("c", 1, tokens))("don 't .") == [(0, 3), (4, 6), (7, 8)]
    written = {**tokens, TextRole.RAW_MT: TextColumn.of(["don't."])}
    assert cut_of(Corpus("c", 1, written))("don't.") == [(0, 5), (5, 6)]
