"""Tags and HTER of one translation and its post-edit, for the tokens that the translation has here.

Both are cut into words by one rule (`formats.bilingual.words`), for a translator types text as it is written; the words
are tagged as in WMT18 (`metrics.post_edits`). The tokens of the MT may be other ones, as a tokeniser left them: a token
is BAD where a word that it shares a character with is BAD, or where something is missing within it. A gap is BAD where
words are missing that stand between its tokens.
"""

from __future__ import annotations

import html
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import TextColumn
from qe_desktop.formats.bilingual.lines import text_in
from qe_desktop.formats.bilingual.words import words_of
from qe_desktop.metrics.post_edits import hter, post_edited

Spans = Sequence[tuple[int, int]]
_HYPHEN = "@-@"


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


def tagged(pairs: Sequence[PostEdit]) -> list[Tagged]:
    """What each post-edit says of its MT."""
    texts = [text_in(pair.mt) for pair in pairs]
    spans = [placed(pair.tokens, text) for pair, text in zip(pairs, texts, strict=True)]
    words = [words_of(text) for text in texts]
    # where the tokens are not those of the text, they are what the post-edit is held against
    own = [
        [text[low:high] for low, high in found] if places is not None else [_written(token) for token in pair.tokens]
        for pair, text, places, found in zip(pairs, texts, spans, words, strict=True)
    ]
    theirs = [[text[low:high] for low, high in words_of(text)] for text in (text_in(pair.target) for pair in pairs)]
    mt, post_edit = (TextColumn.of([" ".join(line) for line in lines]) for lines in (own, theirs))
    found, rates = post_edited(mt, post_edit), hter(mt, post_edit)
    return [
        Tagged(*_of_tokens(places, of_words, found.words[number], found.gaps[number]), float(rates[number]))
        for number, (places, of_words) in enumerate(zip(spans, words, strict=True))
    ]


def _of_tokens(
    tokens: Spans | None, words: Spans, tags: NDArray[np.uint8], gaps: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The tags of words and gaps as those of the tokens at these places."""
    if tokens is None or list(tokens) == list(words):
        return tags, gaps
    of_tokens, of_gaps = np.zeros(len(tokens), np.uint8), np.zeros(len(tokens) + 1, np.uint8)
    ends, starts = [high for _, high in tokens], [low for low, _ in tokens]
    for word in tags.nonzero()[0].tolist():
        low, high = words[word]
        of_tokens[bisect_left(ends, low + 1) : bisect_left(starts, high)] = 1
    for gap in gaps.nonzero()[0].tolist():
        place = words[gap][0] if gap < len(words) else (ends[-1] if ends else 0)
        token = bisect_left(starts, place)
        if token and ends[token - 1] > place:
            of_tokens[token - 1] = 1
        else:
            of_gaps[token] = 1
    return of_tokens, of_gaps


def placed(tokens: Sequence[str], text: str) -> list[tuple[int, int]] | None:
    """Where tokens stand in the text that they were made of, but for blanks and escapes; None where they do not."""
    solid = [place for place, sign in enumerate(text) if not sign.isspace()]
    written = [_written(token) for token in tokens]
    if "".join(written) != "".join([text[place] for place in solid]) or not all(written):
        return None
    spans, low = [], 0
    for token in written:
        high = low + len(token)
        spans.append((solid[low], solid[high - 1] + 1))
        low = high
    return spans


def _written(token: str) -> str:
    """A token without the escapes of tokenisers."""
    if token == _HYPHEN:
        return "-"
    return html.unescape(token) if "&" in token else token
