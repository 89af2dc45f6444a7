"""The words of targets as they are typed, and where the tokens that tags belong to stand in the text of the MT."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from qe_desktop.corpus import Corpus, TextRole
from qe_desktop.formats.bilingual.words import words_of

Spans = list[tuple[int, int]]
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


def spans_of(tokens: Sequence[str], text: str) -> Spans | None:
    """Where tokens stand in the text that they were made of, in order; None where one is not found, or some text is
    left over. Tokens without characters of their own (`<EOS>`) are not to be among them.
    """
    spans: Spans = []
    place = 0
    for token in tokens:
        while text[place : place + 1].isspace():
            place += 1
        if not text.startswith(token, place):
            return None
        spans.append((place, place + len(token)))
        place += len(token)
    return spans if not text[place:].strip() else None
