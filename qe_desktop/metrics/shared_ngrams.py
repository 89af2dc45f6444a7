"""N-grams that two texts share, of all segments and all orders at once.

Every place of a text becomes one number: its segment, the symbols from there on, and the text it is of. Sorted once,
equal n-grams of every order stand together, and the groups of one order are those of the order below, cut further.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics.texts import Codes, Tokens

BLOCK = 1 << 15
"""Symbols that are sorted in one go: few enough for the cache."""
_BITS = 63


def shared_ngrams(one: Tokens, other: Tokens, order: int) -> Codes:
    """How many n-grams of n = 1 … `order` symbols both texts have, shape (segments, order).

    Of an n-gram that is there more often in one of them, as many as the other has. Exact whatever the alphabet;
    `order` is 6 at the most.
    """
    found = np.zeros((len(one.counts), order), np.int64)
    for first, last in _blocks(one.offsets + other.offsets):
        found[first:last] = _shared(_part(one, first, last), _part(other, first, last), order)
    return found


def ngrams(text: Tokens, order: int) -> Codes:
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


def _part(text: Tokens, first: int, last: int) -> Tokens:
    offsets = text.offsets[first : last + 1]
    return Tokens(text.codes[offsets[0] : offsets[-1]], offsets - offsets[0])


def _shared(one: Tokens, other: Tokens, order: int) -> Codes:
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


def _sorted(one: Tokens, other: Tokens, order: int) -> tuple[Codes, Callable[[int], NDArray[np.int64]], int]:
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
        packed = _packed(symbols, order, bits)

        def symbol(n: int) -> NDArray[np.int64]:
            return keys >> 1 + bits * (order - 1 - n) & (1 << bits) - 1

    else:
        # too large an alphabet for one number: both halves are replaced by their ranks
        half = -(-order // 2)
        table, ranks = np.unique(_packed(symbols, half, bits), return_inverse=True)
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


def _with_ends(one: Tokens, other: Tokens) -> tuple[Codes, int]:
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


def _packed(symbols: Codes, length: int, bits: int) -> Codes:
    """So many symbols from each place on as one number, 0 in place of those behind the segment's end."""
    packed = symbols
    for n in range(1, length):
        packed = np.asarray(symbols << bits * n | np.append(packed[1:], 0) * (symbols > 0))
    return packed
