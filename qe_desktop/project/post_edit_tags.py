"""Tags and HTER of translations and their post-edits, for the tokens that the translation has here.

Both are cut into words by one rule (`formats.bilingual.target_words`), and tagged as in WMT18 (`metrics.post_edits`).
The tokens of the MT may be other ones, as a tokeniser left them: a token is BAD where a word that it shares a character
with is BAD, or where something is missing within it. A gap is BAD where words are missing that stand between tokens.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import TextColumn
from qe_desktop.corpus.aligned import places_of
from qe_desktop.formats.bilingual.line_codes import text_of_line
from qe_desktop.formats.bilingual.target_words import Span, Spans, lying_on
from qe_desktop.metrics.post_edits import hter, post_edited


@dataclass(frozen=True, slots=True, eq=False)
class Tagged:
    """The tags of an MT's tokens, shape (tokens,), and of its gaps, shape (tokens + 1,), and its HTER, 0..1."""

    words: NDArray[np.uint8]
    gaps: NDArray[np.uint8]
    hter: float


@dataclass(frozen=True, slots=True)
class PostEdit:
    """An MT and its post-edit as lines with codes (`corpus.Job`), and the tokens that the MT has here."""

    mt: str
    target: str
    tokens: tuple[str, ...]


def tagged(pairs: Sequence[PostEdit], cut: Callable[[str], Spans]) -> list[Tagged]:
    """What each post-edit says of its MT, both cut into words in one way."""
    texts = [text_of_line(pair.mt) for pair in pairs]
    places = [places_of(pair.tokens, text) for pair, text in zip(pairs, texts, strict=True)]
    spans = [cut(text) for text in texts]
    # where the tokens are not those of the text, they are what the post-edit is held against
    own = [
        [text[low:high] for low, high in words] if there is not None else list(pair.tokens)
        for pair, text, there, words in zip(pairs, texts, places, spans, strict=True)
    ]
    theirs = [[text[low:high] for low, high in cut(text)] for text in (text_of_line(pair.target) for pair in pairs)]
    mt, post_edit = (TextColumn.of([" ".join(line) for line in lines]) for lines in (own, theirs))
    found, rates = post_edited(mt, post_edit), hter(mt, post_edit)
    return [
        Tagged(*_of_tokens(there, words, found.words[number], found.gaps[number]), float(rates[number]))
        for number, (there, words) in enumerate(zip(places, spans, strict=True))
    ]


def _of_tokens(
    tokens: Sequence[Span] | None, words: Spans, tags: NDArray[np.uint8], gaps: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The tags of words and gaps as those of the tokens at these places."""
    if tokens is None or list(tokens) == words:
        return tags, gaps
    of_tokens = np.asarray(lying_on(tags.tolist(), words, tokens), np.uint8)
    of_gaps = np.zeros(len(tokens) + 1, np.uint8)
    starts = [low for low, _ in tokens]
    for gap in gaps.nonzero()[0].tolist():
        place = words[gap][0] if gap < len(words) else (tokens[-1][1] if tokens else 0)
        token = bisect_left(starts, place)
        if token and tokens[token - 1][1] > place:
            of_tokens[token - 1] = 1
        else:
            of_gaps[token] = 1
    return of_tokens, of_gaps
