"""One segment with a target that somebody types, as what checks look at."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qe_desktop.corpus import Corpus, TextRole
from qe_desktop.formats.bilingual.line_codes import text_of_line
from qe_desktop.highlights.checks.check import Pair
from qe_desktop.highlights.checks.running import languages_of
from qe_desktop.highlights.sides import Span, lies_on, undone

_TOKEN = re.compile(r"\S+")


class Pairing:
    """Makes pairs of the segments of a corpus and targets as lines with codes (`Corpus.mt_line`)."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self.written = corpus.job is not None or TextRole.RAW_MT in corpus.texts
        self.source_written = corpus.job is not None or TextRole.RAW_SOURCE in corpus.texts
        self._languages = languages_of(corpus)

    def pair(self, segment: int, line: str) -> Pair:
        """A segment with this target; of tokens, text as it would be read."""
        source_line = self.corpus.source_line(segment)
        source, mt = text_of_line(source_line), text_of_line(line)
        coded = self.corpus.job is not None
        return Pair(
            segment,
            source if self.source_written else undone(source),
            mt if self.written else undone(mt),
            self.written,
            self.source_written,
            *self._languages,
            source_line if coded else "",
            line if coded else "",
        )

    def place(self, pair: Pair, line: str, span: Span) -> Span:
        """Where a span of a pair's MT stands in the text of the line that it was made of."""
        text = pair.mt if self.written else text_of_line(line)
        if text == pair.mt:
            return span
        shown, typed = _tokens(pair.mt), _tokens(text)
        _, tokens = lies_on(shown, pair.mt, span)
        if len(shown) != len(typed) or span[0] == span[1] or not tokens:
            return len(text), len(text)
        return typed[tokens[0]][0], typed[tokens[-1]][1]


def _tokens(text: str) -> Sequence[Span]:
    return [found.span() for found in _TOKEN.finditer(text)]
