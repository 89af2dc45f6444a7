"""Numbered n-grams of references, and clipped counts of system n-grams; shared n-grams for chrF.

The number of an n-gram is its index among all reference n-grams of its length. Equal n-grams of different segments have
different numbers. A system n-gram is looked up only if its first n−1 tokens occur in a reference, so longer n-grams
need fewer lookups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from weakref import ReferenceType, WeakKeyDictionary

import numpy as np

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.metrics.text.tokenized_pairs import LineTokenizer, TokenColumn, TokenizedPair, TokenizedText


@dataclass(frozen=True, slots=True, eq=False)
class NgramOrder:
    """N-grams of one length in the references of each segment, one entry per segment and n-gram.

    Attributes
    ----------
    keys
        Lookup keys in ascending order. For n = 1, a key combines the segment and the token code; for n > 1, the index
        of the leading (n−1)-gram and the index of the last token, each in the keys for its length.
    segments
        Segment of each n-gram.
    max_counts
        Maximum count of each n-gram in one reference of its segment.
    first_positions
        Index of the first occurrence of each n-gram in `ReferenceNgrams.codes`.
    """

    keys: Ints
    segments: Ints
    max_counts: Ints
    first_positions: Ints


class ReferenceNgrams:
    """N-grams of the references of all segments, numbered up to the requested length; thread-safe.

    Attributes
    ----------
    codes
        Codes of the tokens of all references, one reference after another; all codes are less than `tokens`.
    ends
        For each token, the end (exclusive) of its segment as an index into `codes`.
    lengths
        Number of tokens, shape (references, segments).
    """

    def __init__(self, references: Sequence[TokenColumn]) -> None:
        self.codes = np.concatenate([reference.codes for reference in references])
        self.lengths = np.stack([reference.counts for reference in references])
        self.tokens = int(self.codes.max(initial=-1)) + 1
        counts = self.lengths.reshape(-1)
        self.ends = np.repeat(np.cumsum(counts), counts)
        self._segments = np.repeat(np.tile(np.arange(self.lengths.shape[1]), len(references)), counts)
        self._begins = np.cumsum(self.lengths.sum(axis=1))[:-1]
        self._sorted_lengths = np.sort(self.lengths, axis=0)
        self._orders: list[NgramOrder] = []
        self._words = self._positions = self._numbers = np.zeros(0, np.int64)
        self._lock = Lock()

    def orders(self, longest: int) -> tuple[NgramOrder, ...]:
        """Return the n-grams of 1 to `longest` tokens."""
        with self._lock:
            while len(self._orders) < longest:
                self._orders.append(self._extend_ngrams(len(self._orders) + 1) if self._orders else self._unigrams())
            return tuple(self._orders[:longest])

    def _unigrams(self) -> NgramOrder:
        self._positions = np.arange(len(self.codes))
        order = self._number_ngrams(self._segments * self.tokens + self.codes)
        self._words = self._numbers
        return order

    def _extend_ngrams(self, length: int) -> NgramOrder:
        is_within_segment = self._positions + length <= self.ends[self._positions]
        self._positions = self._positions[is_within_segment]
        last = self._words[self._positions + length - 1]
        return self._number_ngrams(self._numbers[is_within_segment] * len(self._orders[0].keys) + last)

    def _number_ngrams(self, values: Ints) -> NgramOrder:
        """Return the distinct n-grams at `_positions`, and set `_numbers`, from which longer n-grams are numbered."""
        keys, first, self._numbers = np.unique(values, return_index=True, return_inverse=True)
        max_counts = np.zeros(len(keys), np.int64)
        for numbers in np.split(self._numbers, np.searchsorted(self._positions, self._begins)):
            np.maximum(max_counts, np.bincount(numbers, minlength=len(keys)), out=max_counts)
        return NgramOrder(keys, self._segments[self._positions[first]], max_counts, self._positions[first])

    def closest_lengths(self, lengths: Ints) -> Ints:
        """Return the reference length closest to each of `lengths`, shape (segments,); the shorter one in a tie."""
        nearest = np.abs(self._sorted_lengths - lengths).argmin(axis=0)
        return np.asarray(np.take_along_axis(self._sorted_lengths, nearest[None], axis=0)[0])

    def shortest_lengths(self) -> Ints:
        """Return the length of each segment's shortest reference, shape (segments,)."""
        return np.asarray(self._sorted_lengths[0])


_ReferenceKey = tuple[LineTokenizer, tuple[ReferenceType[TokenizedText], ...]]
_numbered: WeakKeyDictionary[TokenizedText, dict[_ReferenceKey, ReferenceNgrams]] = WeakKeyDictionary()
"""Reference n-grams, cached for the lifetime of the first reference."""


def collect_reference_ngrams(references: tuple[TokenizedText, ...], tokenizer: LineTokenizer) -> ReferenceNgrams:
    """Return the n-grams of references tokenized by `tokenizer`; the result is cached and shared by all systems."""
    cache = _numbered.setdefault(references[0], {})
    key = (tokenizer, tuple(ReferenceType(text) for text in references[1:]))
    result = cache.get(key)
    if result is None:
        # two threads at once duplicate the work and get equal numbers
        result = cache[key] = ReferenceNgrams([reference.tokens(tokenizer) for reference in references])
    return result


def clipped_counts(system: TokenColumn, references: ReferenceNgrams, longest: int) -> list[Ints]:
    """Return the clipped count of each reference n-gram in the system output for the same segment.

    Parameters
    ----------
    system
        Tokens of the system.
    references
        N-grams of the references.
    longest
        Maximum n-gram length.

    Returns
    -------
    list of ndarray
        Counts, at most the maximum count in one reference; one array per n-gram length, with one value per n-gram.

    References
    ----------
    Papineni et al. 2002, section 2.1
    """
    orders = references.orders(longest)
    segments = np.repeat(np.arange(len(system.counts)), system.counts)
    words = _find_entries(orders[0], segments * references.tokens + system.codes)
    # a token added after the references were numbered would be mistaken for a token of a later segment
    words[system.codes >= references.tokens] = NO_ENTRY
    ends = np.repeat(system.offsets[1:], system.counts)
    positions, numbers = np.arange(len(words)), words
    counts = []
    for length, order in enumerate(orders, 1):
        if length > 1:
            is_within_segment = positions + length <= ends[positions]
            positions, numbers = positions[is_within_segment], numbers[is_within_segment]
            last = words[positions + length - 1]
            numbers = _find_entries(order, numbers * len(orders[0].keys) + last)
            numbers[last == NO_ENTRY] = NO_ENTRY
        is_present = numbers != NO_ENTRY
        positions, numbers = positions[is_present], numbers[is_present]
        counts.append(np.minimum(np.bincount(numbers, minlength=len(order.keys)), order.max_counts))
    return counts


NO_ENTRY = -1
"""Value that replaces the number of an n-gram that occurs in no reference."""


def _find_entries(order: NgramOrder, keys: Ints) -> Ints:
    """Return the index of each key in `order.keys`, or `NO_ENTRY` for a missing key."""
    if not len(order.keys):
        return np.full(len(keys), NO_ENTRY)
    indices = np.searchsorted(order.keys, keys)
    indices[indices == len(order.keys)] = 0
    return np.where(order.keys[indices] == keys, indices, NO_ENTRY)


def ngram_match_counts(pair: TokenizedPair, tokenizer: LineTokenizer, longest: int) -> Floats:
    """Return the numbers of clipped n-gram matches.

    Parameters
    ----------
    pair
        Translation with its references.
    tokenizer
        Tokenizer.
    longest
        Maximum n-gram length.

    Returns
    -------
    ndarray
        Matches per segment and n-gram length, shape (segments, longest).
    """
    references = collect_reference_ngrams(pair.references, tokenizer)
    counts = clipped_counts(pair.system.tokens(tokenizer), references, longest)
    return sum_by_segment(counts, references.orders(longest), len(pair.system))


def sum_by_segment(counts: Sequence[Ints | Floats], orders: Sequence[NgramOrder], segments: int) -> Floats:
    """Return the sum of `counts` (one value per n-gram) for each segment and order, shape (segments, orders)."""
    summed = [
        np.bincount(order.segments, weights=count, minlength=segments)
        for order, count in zip(orders, counts, strict=True)
    ]
    return np.stack(summed, axis=-1)


def ngram_totals(lengths: Ints, longest: int) -> Ints:
    """Return the number of n-grams of 1 to `longest` tokens in segments of these lengths, shape (segments, longest)."""
    return np.asarray(np.maximum(0, lengths[:, None] - np.arange(longest)))


BLOCK = 1 << 15
"""Maximum number of symbols sorted at once (except in a longer segment): few enough for the processor cache."""
_BITS = 63


def count_shared_ngrams(system: TokenColumn, reference: TokenColumn, order: int) -> Ints:
    """Return the number of shared n-grams per segment; each n-gram contributes its minimum count in the two texts.

    Parameters
    ----------
    system, reference
        Symbols of both texts, from any alphabet.
    order
        Maximum n-gram length, at most 6.

    Returns
    -------
    ndarray
        Shared n-grams for n = 1 … `order`, shape (segments, order).
    """
    counts = np.zeros((len(system.counts), order), np.int64)
    for first, last in _blocks(system.offsets + reference.offsets):
        counts[first:last] = _count_shared(_part(system, first, last), _part(reference, first, last), order)
    return counts


def _blocks(offsets: Ints) -> Iterator[tuple[int, int]]:
    """Yield consecutive ranges of segments, end exclusive, each of one segment or of at most `BLOCK` symbols."""
    first, end = 0, len(offsets) - 1
    while first < end:
        last = int(np.searchsorted(offsets, offsets[first] + BLOCK, side="right")) - 1
        last = min(max(last, first + 1), first + BLOCK, end)
        yield first, last
        first = last


def _part(text: TokenColumn, first: int, last: int) -> TokenColumn:
    offsets = text.offsets[first : last + 1]
    return TokenColumn(text.codes[offsets[0] : offsets[-1]], offsets - offsets[0])


def _count_shared(first: TokenColumn, second: TokenColumn, order: int) -> Ints:
    segments = len(first.counts)
    keys, symbol, shift = _sort_positions(first, second, order)
    result = np.zeros((segments, order), np.int64)
    if not len(keys):
        return result
    segment = keys >> shift
    second_text_counts = np.concatenate([[0], np.cumsum(keys & 1)])
    is_new = np.diff(segment, prepend=-1) != 0
    for n in range(order):
        current = symbol(n)
        is_new[1:] |= current[1:] != current[:-1]
        starts = np.flatnonzero(is_new)
        ends = np.append(starts[1:], len(keys))
        other_has = second_text_counts[ends] - second_text_counts[starts]
        both_have = np.minimum(other_has, ends - starts - other_has)
        # positions that end before the n-th symbol have no n-gram
        both_have *= current[starts] > 0
        result[:, n] = np.bincount(segment[starts], both_have, minlength=segments)
    return result


def _sort_positions(first: TokenColumn, second: TokenColumn, order: int) -> tuple[Ints, Callable[[int], Ints], int]:
    """Return the sorted keys of all positions, a function for the n-th symbol (0-based) of each key, and a shift.

    The lowest bit of a key is the text (0 or 1), and the key shifted right by the returned shift is the segment.
    Symbols are greater than 0; 0 marks the end of a segment.
    """
    symbols, bits = _with_ends(first, second)
    segments = len(first.counts)
    # each segment with its end mark
    segment_of_token = np.repeat(np.tile(np.arange(segments), 2), np.concatenate([first.counts, second.counts]) + 1)
    text_indices = np.zeros(len(symbols), np.int64)
    text_indices[len(first.codes) + segments :] = 1
    bits_left = _BITS - 1 - segments.bit_length()
    if order * bits <= bits_left:
        shift = 1 + order * bits
        packed = _pack_symbols(symbols, order, bits)

        def symbol(n: int) -> Ints:
            return keys >> 1 + bits * (order - 1 - n) & (1 << bits) - 1

    else:
        # alphabet too large for one number: both halves are replaced by their ranks
        half = -(-order // 2)
        table, ranks = np.unique(_pack_symbols(symbols, half, bits), return_inverse=True)
        rank_bits = len(table).bit_length()
        shift = 1 + 2 * rank_bits
        is_complete_half = table[ranks] & (1 << bits) - 1 > 0
        after = np.append(ranks[half:], np.zeros(min(half, len(ranks)), np.int64))
        packed = ranks << rank_bits | np.where(is_complete_half, after, 0)

        def symbol(n: int) -> Ints:
            side = keys >> 1 + rank_bits * (n < half) & (1 << rank_bits) - 1
            return np.asarray(table[side] >> bits * (half - 1 - n % half) & (1 << bits) - 1)

    keys = np.sort((segment_of_token << shift | packed << 1 | text_indices)[symbols > 0])
    return keys, symbol, shift


def _with_ends(first: TokenColumn, second: TokenColumn) -> tuple[Ints, int]:
    """Return the symbols of both texts, with a 0 after each segment, and the number of bits per symbol.

    Distinct symbols are numbered from 1 in the order of their codes.
    """
    codes = np.concatenate([first.codes, second.codes])
    number = np.zeros(int(codes.max(initial=-1)) + 1, np.int64)
    number[codes] = 1
    number = np.cumsum(number)
    segments = len(first.counts)
    before = np.concatenate(
        [np.repeat(np.arange(segments), first.counts), segments + np.repeat(np.arange(segments), second.counts)]
    )
    symbols = np.zeros(len(codes) + 2 * segments, np.int64)
    symbols[np.arange(len(codes)) + before] = number[codes]
    return symbols, int(number[-1] if len(number) else 0).bit_length()


def _pack_symbols(symbols: Ints, length: int, bits: int) -> Ints:
    """Pack the `length` symbols that begin at each position into one number, with 0 after the end of the segment."""
    packed = symbols
    for n in range(1, length):
        packed = np.asarray(symbols << bits * n | np.append(packed[1:], 0) * (symbols > 0))
    return packed


@dataclass(frozen=True, slots=True)
class MatchingNgram:
    """N-gram of a system segment that also occurs in a reference.

    Attributes
    ----------
    first, end
        Index of the first token of the n-gram, and index of the token after its last one.
    references
        Indices of the references that contain the n-gram.
    is_counted
        Whether BLEU counts the match. Only the first matches of an n-gram are counted, up to its maximum count in one
        reference.
    """

    first: int
    end: int
    references: tuple[int, ...]
    is_counted: bool

    @property
    def length(self) -> int:
        """Number of tokens."""
        return self.end - self.first


@dataclass(frozen=True, slots=True)
class MatchingNgrams:
    """Tokens of one segment in the system output and in the references, and the matching n-grams, shortest first."""

    tokens: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    matches: tuple[MatchingNgram, ...]

    def count_matches(self, length: int) -> int:
        """Return the number of n-grams of this length that BLEU counts as matches."""
        return sum(match.is_counted for match in self.matches if match.length == length)


def find_matching_ngrams(
    pair: TokenizedPair, segment: int, tokenizer: LineTokenizer, longest: int = 4
) -> MatchingNgrams:
    """Return the n-grams of 1 to `longest` tokens of a system segment that also occur in a reference."""
    tokens, *references = tokenizer([text.lines[segment] for text in (pair.system, *pair.references)])
    matches = []
    for length in range(1, longest + 1):
        counts = [Counter(_ngrams(reference, length)) for reference in references]
        counts_so_far: Counter[tuple[str, ...]] = Counter()
        for first, ngram in enumerate(_ngrams(tokens, length)):
            containing_references = tuple(number for number, count in enumerate(counts) if ngram in count)
            if containing_references:
                counts_so_far[ngram] += 1
                counted = counts_so_far[ngram] <= max(counts[number][ngram] for number in containing_references)
                matches.append(MatchingNgram(first, first + length, containing_references, counted))
    return MatchingNgrams(tuple(tokens), tuple(map(tuple, references)), tuple(matches))


def _ngrams(tokens: list[str], length: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[first : first + length]) for first in range(len(tokens) - length + 1)]
