"""Whether a word is one of the language of the MT: whether any segment's MT has it that has it not from its source."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from qe_desktop.corpus import Corpus, TextColumn, TextRole
from qe_desktop.highlights.checks.untranslated import words_in

LOOKED = 5_000
"""Segments that have a word in both texts, after which it is held to be no word of the language."""
_BESIDE = re.compile(rb"[A-Za-z\xc3-\xd4]")
"""Bytes of letters of the scripts that know capitals; of those beyond ASCII the first byte."""


class OwnWords:
    """Looked up in the MT as it was loaded, each word once."""

    def __init__(self, corpus: Corpus) -> None:
        texts = corpus.texts
        mt = texts.get(TextRole.RAW_MT, texts.get(TextRole.MT))
        source = texts.get(TextRole.RAW_SOURCE, texts.get(TextRole.SOURCE))
        self.has = cache(lambda word: mt is not None and source is not None and _has(mt, source, word))


def _has(mt: TextColumn, source: TextColumn, word: str) -> bool:
    needle, data = word.encode(), mt.data
    looked, at = 0, data.find(needle)
    while at >= 0 and looked < LOOKED:
        behind = at + len(needle)
        if _BESIDE.match(data, behind) or (at and _BESIDE.match(data, at - 1)):
            at = data.find(needle, behind)
            continue
        segment = int(np.searchsorted(mt.starts, at, side="right")) - 1
        if segment < 0:
            at = data.find(needle, behind)
            continue
        if word in words_in(mt[segment]) and word not in words_in(source[segment]):
            return True
        looked += 1
        at = data.find(needle, int(mt.ends[segment]))
    return False
