"""Translations and references as sequences of integer tokens, and one-to-one matching of equal tokens."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, count
from threading import Lock
from typing import Protocol

import numpy as np

from qe_desktop.corpus.columns import Floats, Ints


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
        """Return the codes of one segment's tokens, shape (tokens,)."""
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


@dataclass(frozen=True, slots=True)
class TokenMatching:
    """Matched tokens of one segment: `pairs` of system and reference indices.

    `reference` is the index of the best reference.
    """

    reference: int
    pairs: tuple[tuple[int, int], ...]


def single_segment(tokens: TokenColumn, segment: int) -> TokenColumn:
    """Return a column that contains only the tokens of one segment."""
    codes = tokens.of(segment)
    return TokenColumn(codes, np.asarray([0, len(codes)]))


def count_matches(system: TokenColumn, reference: TokenColumn) -> Ints:
    """Return the number of matched tokens of each segment.

    Parameters
    ----------
    system, reference
        Tokens of both texts, with the same vocabulary.

    Returns
    -------
    ndarray
        Σ_w min(h_w, r_w), shape (segments,), where token w occurs h_w times in the system and r_w times in the
        reference. As only equal tokens match, this is the size of a maximum matching.

    References
    ----------
    Lavie et al. 2004, section 2.1
    """
    segments = len(system.counts)
    sides = (system, reference)
    vocabulary = 1 + max((int(side.codes.max()) for side in sides if len(side.codes)), default=0)
    keys = np.concatenate([np.repeat(np.arange(segments), side.counts) * vocabulary + side.codes for side in sides])
    # the lowest bit is 1 for the reference: equal tokens of a segment are adjacent, those of the system first
    keys = np.sort(keys << 1 | np.repeat([0, 1], [len(side.codes) for side in sides]))
    starts = np.flatnonzero(np.diff(keys >> 1, prepend=-1))
    totals = np.diff(starts, append=len(keys))
    reference_counts = np.add.reduceat(keys & 1, starts) if len(keys) else totals
    segment = keys[starts] // (2 * vocabulary)
    counts = np.bincount(segment, np.minimum(reference_counts, totals - reference_counts), minlength=segments)
    return counts.astype(np.int64)


def overlap_rows(system: TokenColumn, reference: TokenColumn) -> Floats:
    """Return the counts from which unigram metrics with a single reference are computed, one row per segment.

    Parameters
    ----------
    system, reference
        Tokens of both texts, with the same vocabulary.

    Returns
    -------
    ndarray
        Numbers of matches, system tokens and reference tokens, shape (segments, 3).
    """
    return np.stack([count_matches(system, reference), system.counts, reference.counts], axis=-1).astype(np.float64)


def rows_by_reference(
    translated: TokenizedPair, tokenizer: LineTokenizer, count: Callable[[TokenColumn, TokenColumn], Floats]
) -> list[Floats]:
    """Return the rows that `count` computes for each reference.

    Parameters
    ----------
    translated
        Translation with its references.
    tokenizer
        Tokenizer.
    count
        Function that takes the tokens of the system and of a reference and returns rows, shape (segments, columns).

    Returns
    -------
    list of ndarray
        Rows for each reference, in the order of the references; each array has shape (segments, columns).
    """
    system = translated.system.tokens(tokenizer)
    return [count(system, reference.tokens(tokenizer)) for reference in translated.references]


def select_best_references(rows: Sequence[Floats], score: Callable[[Floats], Floats]) -> Ints:
    """Return the best reference of each segment.

    Parameters
    ----------
    rows
        Rows for each reference, shape (segments, columns).
    score
        Function that takes the rows for one reference and returns scores, shape (segments,); higher is better.

    Returns
    -------
    ndarray
        Index of the best reference of each segment (the first in a tie), shape (segments,).
    """
    return np.asarray(np.argmax([score(row) for row in rows], axis=0))


def best_reference_rows(rows: Sequence[Floats], score: Callable[[Floats], Floats]) -> Floats:
    """Return the row of each segment for its best reference.

    Parameters
    ----------
    rows, score
        As in `select_best_references`.

    Returns
    -------
    ndarray
        Rows, shape (segments, columns).
    """
    if len(rows) == 1:
        return rows[0]
    best = select_best_references(rows, score)
    return np.stack(rows)[best, np.arange(len(best))]


def match_tokens(system: Ints, reference: Ints) -> tuple[tuple[int, int], ...]:
    """Return a maximum matching of the tokens of one segment: the n-th occurrences of each word are paired.

    Parameters
    ----------
    system, reference
        Tokens of the segment, shape (tokens,).

    Returns
    -------
    tuple of tuple of int
        Pairs of system and reference indices, in system order.
    """
    unmatched_positions: dict[int, list[int]] = defaultdict(list)
    for index in reversed(range(len(reference))):
        unmatched_positions[int(reference[index])].append(index)
    return tuple(
        (index, unmatched_positions[token].pop())
        for index, token in enumerate(system.tolist())
        if unmatched_positions.get(token)
    )
