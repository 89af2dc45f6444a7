"""The words of an MT and of its targets, cut by one rule, and tags of words as those of the tokens that are there.

Of a text as written (a translator's file, or beside the tokens) the words are those of `words`: a person types text as
it is written. Where the MT is there as tokens alone, words are what stands between blanks.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence

from qe_desktop.corpus import Corpus, TextRole
from qe_desktop.formats.bilingual.words import words_of

Span = tuple[int, int]
Spans = list[Span]
_TOKEN = re.compile(r"\S+")


def cut_of(corpus: Corpus) -> Callable[[str], Spans]:
    """How the targets of a corpus are cut into words: by the rule of `words` where there is text as written, and at
    blanks where the MT is there as tokens alone.
    """
    as_written = corpus.job is not None or TextRole.RAW_MT in corpus.texts
    return words_of if as_written else tokens_of


def tokens_of(text: str) -> Spans:
    """Where each token begins and ends (exclusive) in a text with blanks between them."""
    return [found.span() for found in _TOKEN.finditer(text)]


def lying_on(tags: Sequence[int], places: Sequence[Span], others: Sequence[Span]) -> list[int]:
    """Tags of what stands at these places as tags of what stands at others in the same text: 1 where any that shares a
    character with it is 1. Places come in the order of the text.
    """
    found = [0] * len(others)
    ends, starts = [high for _, high in others], [low for low, _ in others]
    for (low, high), tag in zip(places, tags, strict=True):
        if tag:
            for other in range(bisect_left(ends, low + 1), bisect_left(starts, high)):
                found[other] = 1
    return found
