"""N-grams of references as numbers, and how many of a system's are among them: what BLEU and NIST count.

An n-gram's number is its place among all that the references of its segment hold, so counts of one segment never meet
those of another. Those of references are numbered once for all systems. A system's are only looked up: one whose first
n−1 tokens stand in no reference stands in none, so few are left to be looked for the longer they get.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Lock
from weakref import ReferenceType, WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics.family import Floats
from qe_desktop.metrics.text.tokenized_pairs import Codes, LineTokenizer, TokenColumn, TokenizedPair, TokenizedText


@dataclass(frozen=True, slots=True, eq=False)
class NgramOrder:
    """The n-grams of one length in the references of each segment, one entry for each segment and n-gram, in order.

    `keys` are what they are looked up by: the number of the first n−1 tokens and that of the last. `segments` says
    where each stands, `most` how often in that reference of the segment which has it most often, and `first` is the
    place of one of them among the tokens of all references.
    """

    keys: Codes
    segments: Codes
    most: Codes
    first: Codes


class ReferenceNgrams:
    """The n-grams of the references of all segments, numbered up to the length that is asked for; any thread may ask.

    `codes` are the tokens of all references, one reference after another, `ends` says of each where its segment ends,
    and `lengths` has the shape (references, segments). All codes are less than `tokens`.
    """

    def __init__(self, references: Sequence[TokenColumn]) -> None:
        self.codes = np.concatenate([one.codes for one in references])
        self.lengths = np.stack([one.counts for one in references])
        self.tokens = int(self.codes.max(initial=-1)) + 1
        counts = self.lengths.reshape(-1)
        self.ends = np.repeat(np.cumsum(counts), counts)
        self._segments = np.repeat(np.tile(np.arange(self.lengths.shape[1]), len(references)), counts)
        self._begins = np.cumsum(self.lengths.sum(axis=1))[:-1]
        self._shorter_first = np.sort(self.lengths, axis=0)
        self._orders: list[NgramOrder] = []
        self._words = self._places = self._numbers = np.zeros(0, np.int64)
        self._lock = Lock()

    def orders(self, longest: int) -> tuple[NgramOrder, ...]:
        """N-grams of one token up to `longest`."""
        with self._lock:
            while len(self._orders) < longest:
                self._orders.append(self._longer(len(self._orders) + 1) if self._orders else self._of_words())
            return tuple(self._orders[:longest])

    def _of_words(self) -> NgramOrder:
        self._places = np.arange(len(self.codes))
        order = self._numbered(self._segments * self.tokens + self.codes)
        self._words = self._numbers
        return order

    def _longer(self, length: int) -> NgramOrder:
        inside = self._places + length <= self.ends[self._places]
        self._places = self._places[inside]
        last = self._words[self._places + length - 1]
        return self._numbered(self._numbers[inside] * len(self._orders[0].keys) + last)

    def _numbered(self, found: Codes) -> NgramOrder:
        """The n-grams that were found at `_places`; keeps their numbers for those that are one token longer."""
        keys, first, self._numbers = np.unique(found, return_index=True, return_inverse=True)
        most = np.zeros(len(keys), np.int64)
        for numbers in np.split(self._numbers, np.searchsorted(self._places, self._begins)):
            np.maximum(most, np.bincount(numbers, minlength=len(keys)), out=most)
        return NgramOrder(keys, self._segments[self._places[first]], most, self._places[first])

    def closest(self, lengths: Codes) -> Codes:
        """The length of the reference that is closest to each of `lengths`, shape (segments,); the shorter of two."""
        nearest = np.abs(self._shorter_first - lengths).argmin(axis=0)
        return np.asarray(np.take_along_axis(self._shorter_first, nearest[None], axis=0)[0])

    def shortest(self) -> Codes:
        """The length of each segment's shortest reference, shape (segments,)."""
        return np.asarray(self._shorter_first[0])


_ReferenceKey = tuple[LineTokenizer, tuple[ReferenceType[TokenizedText], ...]]
_numbered: WeakKeyDictionary[TokenizedText, dict[_ReferenceKey, ReferenceNgrams]] = WeakKeyDictionary()
"""N-grams of references, by the first of them, for as long as it is there."""


def collect_reference_ngrams(references: tuple[TokenizedText, ...], cutting: LineTokenizer) -> ReferenceNgrams:
    """The n-grams of these references, cut in this way; numbered once for all systems beside them."""
    kept = _numbered.setdefault(references[0], {})
    key = (cutting, tuple(ReferenceType(text) for text in references[1:]))
    found = kept.get(key)
    if found is None:
        # two threads that ask at once do the same work twice and get equal numbers
        found = kept[key] = ReferenceNgrams([reference.tokens(cutting) for reference in references])
    return found


def clipped_counts(system: TokenColumn, references: ReferenceNgrams, longest: int) -> list[Codes]:
    """How often the system has each n-gram of the references of its segment, at most as often as the one reference that
    has it most often (Papineni et al. 2002, section 2.1): one array a length, of the shape of its `Order.keys`.
    """
    orders = references.orders(longest)
    segments = np.repeat(np.arange(len(system.counts)), system.counts)
    words = _find_entries(orders[0], segments * references.tokens + system.codes)
    # a token that was met after the references were numbered would pass for one of a later segment
    words[system.codes >= references.tokens] = NO_ENTRY
    ends = np.repeat(system.offsets[1:], system.counts)
    places, numbers = np.arange(len(words)), words
    counts = []
    for length, order in enumerate(orders, 1):
        if length > 1:
            inside = places + length <= ends[places]
            places, numbers = places[inside], numbers[inside]
            last = words[places + length - 1]
            numbers = _find_entries(order, numbers * len(orders[0].keys) + last)
            numbers[last == NO_ENTRY] = NO_ENTRY
        there = numbers != NO_ENTRY
        places, numbers = places[there], numbers[there]
        counts.append(np.minimum(np.bincount(numbers, minlength=len(order.keys)), order.most))
    return counts


NO_ENTRY = -1
"""The number of an n-gram that no reference has."""


def _find_entries(order: NgramOrder, keys: Codes) -> Codes:
    """The entry of each key, or `NOWHERE`."""
    if not len(order.keys):
        return np.full(len(keys), NO_ENTRY)
    places = np.searchsorted(order.keys, keys)
    places[places == len(order.keys)] = 0
    return np.where(order.keys[places] == keys, places, NO_ENTRY)


def ngram_match_counts(beside: TokenizedPair, cutting: LineTokenizer, longest: int) -> Floats:
    """Clipped matches of each segment and length, shape (segments, longest)."""
    references = collect_reference_ngrams(beside.references, cutting)
    counts = clipped_counts(beside.system.tokens(cutting), references, longest)
    return sum_by_segment(counts, references.orders(longest), len(beside.system))


def sum_by_segment(counts: Sequence[Codes | Floats], orders: Sequence[NgramOrder], segments: int) -> Floats:
    """What is counted of each entry, summed by segment: shape (segments, orders)."""
    summed = [
        np.bincount(order.segments, weights=count, minlength=segments)
        for order, count in zip(orders, counts, strict=True)
    ]
    return np.stack(summed, axis=-1)


def ngram_totals(lengths: Codes, longest: int) -> Codes:
    """How many n-grams of one token up to `longest` segments of these lengths have, shape (segments, longest)."""
    return np.asarray(np.maximum(0, lengths[:, None] - np.arange(longest)))


BLOCK = 1 << 15
"""Symbols that are sorted in one go: few enough for the cache."""
_BITS = 63


def count_shared_ngrams(one: TokenColumn, other: TokenColumn, order: int) -> Codes:
    """How many n-grams of n = 1 … `order` symbols both texts have, shape (segments, order).

    Of an n-gram that is there more often in one of them, as many as the other has. Exact whatever the alphabet;
    `order` is 6 at the most.
    """
    found = np.zeros((len(one.counts), order), np.int64)
    for first, last in _blocks(one.offsets + other.offsets):
        found[first:last] = _shared(_part(one, first, last), _part(other, first, last), order)
    return found


def count_ngrams(text: TokenColumn, order: int) -> Codes:
    """How many n-grams of n = 1 … `order` symbols each segment has, shape (segments, order)."""
    return np.asarray(np.maximum(text.counts[:, None] - np.arange(order), 0))


def _blocks(offsets: Codes) -> Iterator[tuple[int, int]]:
    """Ranges of segments of about so many symbols, at least one segment each, together all of them."""
    first, end = 0, len(offsets) - 1
    while first < end:
        last = int(np.searchsorted(offsets, offsets[first] + BLOCK, side="right")) - 1
        last = min(max(last, first + 1), first + BLOCK, end)
        yield first, last
        first = last


def _part(text: TokenColumn, first: int, last: int) -> TokenColumn:
    offsets = text.offsets[first : last + 1]
    return TokenColumn(text.codes[offsets[0] : offsets[-1]], offsets - offsets[0])


def _shared(one: TokenColumn, other: TokenColumn, order: int) -> Codes:
    segments = len(one.counts)
    keys, symbol, shift = _sorted(one, other, order)
    found = np.zeros((segments, order), np.int64)
    if not len(keys):
        return found
    segment = keys >> shift
    of_other = np.concatenate([[0], np.cumsum(keys & 1)])
    fresh = np.diff(segment, prepend=-1) != 0
    for n in range(order):
        here = symbol(n)
        fresh[1:] |= here[1:] != here[:-1]
        starts = np.flatnonzero(fresh)
        ends = np.append(starts[1:], len(keys))
        other_has = of_other[ends] - of_other[starts]
        both_have = np.minimum(other_has, ends - starts - other_has)
        # what ends before its n-th symbol is no n-gram
        both_have *= here[starts] > 0
        found[:, n] = np.bincount(segment[starts], both_have, minlength=segments)
    return found


def _sorted(one: TokenColumn, other: TokenColumn, order: int) -> tuple[Codes, Callable[[int], NDArray[np.int64]], int]:
    """Sorted numbers of all places, what gives the n-th symbol (from 0) of each, and where the segment begins.

    The last bit says which text a place is of. A symbol is above 0; 0 stands where the segment has ended.
    """
    symbols, bits = _with_ends(one, other)
    segments = len(one.counts)
    # each segment with its end
    places = np.repeat(np.tile(np.arange(segments), 2), np.concatenate([one.counts, other.counts]) + 1)
    owner = np.zeros(len(symbols), np.int64)
    owner[len(one.codes) + segments :] = 1
    room = _BITS - 1 - segments.bit_length()
    if order * bits <= room:
        shift = 1 + order * bits
        packed = _pack_symbols(symbols, order, bits)

        def symbol(n: int) -> NDArray[np.int64]:
            return keys >> 1 + bits * (order - 1 - n) & (1 << bits) - 1

    else:
        # too large an alphabet for one number: both halves are replaced by their ranks
        half = -(-order // 2)
        table, ranks = np.unique(_pack_symbols(symbols, half, bits), return_inverse=True)
        wide = len(table).bit_length()
        shift = 1 + 2 * wide
        whole = table[ranks] & (1 << bits) - 1 > 0
        after = np.append(ranks[half:], np.zeros(min(half, len(ranks)), np.int64))
        packed = ranks << wide | np.where(whole, after, 0)

        def symbol(n: int) -> NDArray[np.int64]:
            side = keys >> 1 + wide * (n < half) & (1 << wide) - 1
            return np.asarray(table[side] >> bits * (half - 1 - n % half) & (1 << bits) - 1)

    keys = np.sort((places << shift | packed << 1 | owner)[symbols > 0])
    return keys, symbol, shift


def _with_ends(one: TokenColumn, other: TokenColumn) -> tuple[Codes, int]:
    """Both texts one after the other, each segment followed by a 0; and how many bits a symbol takes.

    Symbols are numbered from 1 in the order of their codes.
    """
    codes = np.concatenate([one.codes, other.codes])
    number = np.zeros(int(codes.max(initial=-1)) + 1, np.int64)
    number[codes] = 1
    number = np.cumsum(number)
    segments = len(one.counts)
    before = np.concatenate(
        [np.repeat(np.arange(segments), one.counts), segments + np.repeat(np.arange(segments), other.counts)]
    )
    symbols = np.zeros(len(codes) + 2 * segments, np.int64)
    symbols[np.arange(len(codes)) + before] = number[codes]
    return symbols, int(number[-1] if len(number) else 0).bit_length()


def _pack_symbols(symbols: Codes, length: int, bits: int) -> Codes:
    """So many symbols from each place on as one number, 0 in place of those behind the segment's end."""
    packed = symbols
    for n in range(1, length):
        packed = np.asarray(symbols << bits * n | np.append(packed[1:], 0) * (symbols > 0))
    return packed


@dataclass(frozen=True, slots=True)
class MatchingNgram:
    """Tokens of the system from `first` to before `end` that stand in a reference as well, in this order.

    `references` are the numbers, from 0, of those that have them. `counted` is False where the system says them more
    often than any one reference does, and this is one too many: earlier ones count first.
    """

    first: int
    end: int
    references: tuple[int, ...]
    counted: bool

    @property
    def length(self) -> int:
        """How many tokens it has."""
        return self.end - self.first


@dataclass(frozen=True, slots=True)
class MatchingNgrams:
    """The tokens of one segment of a system and its references, and which n-grams match, shorter ones first."""

    tokens: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    matches: tuple[MatchingNgram, ...]

    def counted(self, length: int) -> int:
        """How many n-grams of this length count as matches, which is what BLEU sums."""
        return sum(match.counted for match in self.matches if match.length == length)


def find_matching_ngrams(
    beside: TokenizedPair, segment: int, cutting: LineTokenizer, longest: int = 4
) -> MatchingNgrams:
    """The n-grams of 1 to `longest` tokens of a segment of the system that a reference has as well."""
    tokens, *references = cutting([text.lines[segment] for text in (beside.system, *beside.references)])
    matches = []
    for length in range(1, longest + 1):
        counts = [Counter(_ngrams(reference, length)) for reference in references]
        said: Counter[tuple[str, ...]] = Counter()
        for first, ngram in enumerate(_ngrams(tokens, length)):
            having = tuple(number for number, count in enumerate(counts) if ngram in count)
            if having:
                said[ngram] += 1
                counted = said[ngram] <= max(counts[number][ngram] for number in having)
                matches.append(MatchingNgram(first, first + length, having, counted))
    return MatchingNgrams(tuple(tokens), tuple(map(tuple, references)), tuple(matches))


def _ngrams(tokens: list[str], length: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[first : first + length]) for first in range(len(tokens) - length + 1)]
