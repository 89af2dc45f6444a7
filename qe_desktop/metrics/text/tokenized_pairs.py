"""Translations beside their references, cut into tokens that are numbers: what all metrics of texts count.

A text is cut once for each way of cutting it, whatever counts it afterwards; the references of several systems are
shared by all of them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count
from threading import Lock
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]


class LineTokenizer(Protocol):
    """A way of cutting lines into tokens: a value, equal to and hashed like another that cuts alike."""

    def __call__(self, lines: Sequence[str]) -> list[list[str]]:
        """The tokens of each line."""

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class TokenColumn:
    """The tokens of a text: `codes` of shape (tokens,), those of segment i from `offsets[i]` to `offsets[i + 1]`.

    Tokens of texts that share a vocabulary have the same code where they are the same.
    """

    codes: Codes
    offsets: Codes

    @property
    def counts(self) -> Codes:
        """How many tokens each segment has, shape (segments,)."""
        return np.diff(self.offsets)

    def of(self, segment: int) -> Codes:
        """One segment's tokens."""
        return self.codes[self.offsets[segment] : self.offsets[segment + 1]]


class Vocabulary:
    """Numbers from 0 for the tokens that were met, in the order in which they were; any thread may ask."""

    def __init__(self) -> None:
        # numbers a token where it is first looked up, without a line of Python for each
        self._codes: defaultdict[str, int] = defaultdict(count().__next__)
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._codes)

    def words(self) -> list[str]:
        """All tokens; the one of code i in place i."""
        with self._lock:
            return list(self._codes)

    def tokens(self, cut: Sequence[Sequence[str]]) -> TokenColumn:
        """The tokens of each segment as numbers."""
        counts = np.fromiter(map(len, cut), np.int64, len(cut))
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        with self._lock:
            number = self._codes.__getitem__
            codes = np.fromiter(map(number, chain.from_iterable(cut)), np.int64, int(offsets[-1]))
        return TokenColumn(codes, offsets)


class TokenizedText:
    """One line a segment, and its tokens by each way of cutting them that was asked for."""

    def __init__(self, lines: Sequence[str], vocabulary: Vocabulary) -> None:
        self.lines = tuple(lines)
        self.vocabulary = vocabulary
        self._tokens: dict[LineTokenizer, TokenColumn] = {}

    def __len__(self) -> int:
        return len(self.lines)

    def tokens(self, cutting: LineTokenizer) -> TokenColumn:
        """The tokens of all segments, cut in this way; worked out once."""
        found = self._tokens.get(cutting)
        if found is None:
            # two threads that ask at once do the same work twice and get equal tokens
            found = self._tokens[cutting] = self.vocabulary.tokens(cutting(self.lines))
        return found


@dataclass(frozen=True, slots=True, eq=False)
class TokenizedPair:
    """A system's translation of all segments beside one or more references; all share one vocabulary."""

    system: TokenizedText
    references: tuple[TokenizedText, ...]


def tokenized_pair(system: Sequence[str], references: Sequence[Sequence[str]]) -> TokenizedPair:
    """Texts of (segments,) lines each, beside their references; a ValueError where one has other lines than another."""
    vocabulary = Vocabulary()
    texts = [TokenizedText(lines, vocabulary) for lines in (system, *references)]
    if not references or len({len(text) for text in texts}) != 1:
        raise ValueError("a system and its references have as many lines as each other")
    return TokenizedPair(texts[0], tuple(texts[1:]))
