"""Which words are of the language of the MT: those that any segment's MT has and its source has not."""

from __future__ import annotations

from collections.abc import Callable

from qe_desktop.corpus import Corpus, TextRole
from qe_desktop.highlights.checks.untranslated import words_in

OFTEN = 512
"""Segments between two looks at whether anyone still waits."""


def own_words(corpus: Corpus, watch: Callable[[], object] = lambda: None) -> frozenset[str]:
    """Those of the MT as it was loaded; of no MT or no source, none."""
    texts = corpus.texts
    mt = texts.get(TextRole.RAW_MT, texts.get(TextRole.MT))
    source = texts.get(TextRole.RAW_SOURCE, texts.get(TextRole.SOURCE))
    found: set[str] = set()
    if mt is None or source is None:
        return frozenset()
    for segment in range(corpus.size):
        if not segment % OFTEN:
            watch()
        found |= words_in(mt[segment]) - words_in(source[segment])
    return frozenset(found)
