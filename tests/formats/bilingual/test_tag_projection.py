"""Words of targets, and projection of tags between words and tokens."""

from __future__ import annotations

from qe_desktop.corpus import Corpus, TextColumn, TextRole
from qe_desktop.formats.bilingual.word_tokenization import project_tags, target_tokenizer


def test_tags_are_projected_to_overlapping_tokens():
    words, tokens = [(0, 10), (10, 11), (12, 14)], [(0, 4), (4, 5), (5, 10), (10, 14)]
    assert project_tags([1, 0, 0], words, tokens) == [1, 1, 1, 0]
    assert project_tags([0, 0, 1], words, tokens) == [0, 0, 0, 1]
    assert project_tags([0, 1, 0, 0], tokens, words) == [1, 0, 0]
    assert project_tags([], [], words) == [0, 0, 0]


def test_target_tokenizer_splits_at_spaces_unless_there_is_raw_text():
    tokens = {TextRole.MT: TextColumn.of(["don 't ."])}
    assert target_tokenizer(Corpus("c", 1, tokens))("don 't .") == [(0, 3), (4, 6), (7, 8)]
    written = {**tokens, TextRole.RAW_MT: TextColumn.of(["don't."])}
    assert target_tokenizer(Corpus("c", 1, written))("don't.") == [(0, 5), (5, 6)]
