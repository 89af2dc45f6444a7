"""Translations and references as sequences of integer tokens, used by all text metrics.

A text is tokenized once per tokenizer; references are shared by all systems.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, count
from threading import Lock
from typing import Protocol

import numpy as np

from qe_desktop.corpus.columns import Ints


class LineTokenizer(Protocol):
    """Hashable tokenizer of lines; tokenizers that compare equal must return equal results."""

    def __call__(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the tokens of each line."""

    def __hash__(self) -> int: ...


@dataclass(frozen=True, slots=True, eq=False)
class TokenColumn:
    """Tokens of a text: `codes` of shape (tokens,), with segment i from `offsets[i]` to `offsets[i + 1]`.

    Equal tokens of texts that share a vocabulary have equal codes.
    """

    codes: Ints
    offsets: Ints

    @property
    def counts(self) -> Ints:
        """Number of tokens per segment, shape (segments,)."""
        return np.diff(self.offsets)

    def of(self, segment: int) -> Ints:
        """Return one segment's tokens."""
        return self.codes[self.offsets[segment] : self.offsets[segment + 1]]


class Vocabulary:
    """Integer codes of tokens, numbered from 0 in order of first appearance; thread-safe."""

    def __init__(self) -> None:
        # numbers a token on first lookup, without Python code per token
        self._codes: defaultdict[str, int] = defaultdict(count().__next__)
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._codes)

    def words(self) -> list[str]:
        """Return all tokens, indexed by code."""
        with self._lock:
            return list(self._codes)

    def tokens(self, lines: Sequence[Sequence[str]]) -> TokenColumn:
        """Return the tokens of each segment as integer codes; new tokens are added to the vocabulary."""
        counts = np.fromiter(map(len, lines), np.int64, len(lines))
        offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        with self._lock:
            number = self._codes.__getitem__
            codes = np.fromiter(map(number, chain.from_iterable(lines)), np.int64, int(offsets[-1]))
        return TokenColumn(codes, offsets)


class TokenizedText:
    """Text with one line per segment, and its tokens for each tokenizer used."""

    def __init__(self, lines: Sequence[str], vocabulary: Vocabulary) -> None:
        self.lines = tuple(lines)
        self.vocabulary = vocabulary
        self._tokens: dict[LineTokenizer, TokenColumn] = {}

    def __len__(self) -> int:
        return len(self.lines)

    def tokens(self, tokenizer: LineTokenizer) -> TokenColumn:
        """Tokenize all segments with a tokenizer; the result is cached."""
        result = self._tokens.get(tokenizer)
        if result is None:
            # two threads at once duplicate the work and get equal tokens
            result = self._tokens[tokenizer] = self.vocabulary.tokens(tokenizer(self.lines))
        return result


@dataclass(frozen=True, slots=True, eq=False)
class TokenizedPair:
    """Translation of all segments with one or more references; all these texts share a vocabulary."""

    system: TokenizedText
    references: tuple[TokenizedText, ...]


def tokenized_pair(system: Sequence[str], references: Sequence[Sequence[str]]) -> TokenizedPair:
    """Pair a system with its references.

    Parameters
    ----------
    system
        Translation, one line per segment.
    references
        Lines of each reference.

    Returns
    -------
    TokenizedPair
        Texts that share a vocabulary; they are tokenized when first used.

    Raises
    ------
    ValueError
        If there are no references, or if the numbers of lines differ.
    """
    vocabulary = Vocabulary()
    texts = [TokenizedText(lines, vocabulary) for lines in (system, *references)]
    if not references or len({len(text) for text in texts}) != 1:
        raise ValueError("system and references must have the same number of lines")
    return TokenizedPair(texts[0], tuple(texts[1:]))
