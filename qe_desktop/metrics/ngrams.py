"""N-grams of references as numbers, and how many of a system's are among them: what BLEU and NIST count.

An n-gram's number is its place among all that the references of its segment hold, so counts of one segment never meet
those of another. Those of references are numbered once for all systems. A system's are only looked up: one whose first
n−1 tokens stand in no reference stands in none, so few are left to be looked for the longer they get.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from weakref import ReferenceType, WeakKeyDictionary

import numpy as np

from qe_desktop.metrics.family import Floats
from qe_desktop.metrics.texts import Codes, Cutting, Text, Tokens, Translated


@dataclass(frozen=True, slots=True, eq=False)
class Order:
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

    def __init__(self, references: Sequence[Tokens]) -> None:
        self.codes = np.concatenate([one.codes for one in references])
        self.lengths = np.stack([one.counts for one in references])
        self.tokens = int(self.codes.max(initial=-1)) + 1
        counts = self.lengths.reshape(-1)
        self.ends = np.repeat(np.cumsum(counts), counts)
        self._segments = np.repeat(np.tile(np.arange(self.lengths.shape[1]), len(references)), counts)
        self._begins = np.cumsum(self.lengths.sum(axis=1))[:-1]
        self._shorter_first = np.sort(self.lengths, axis=0)
        self._orders: list[Order] = []
        self._words = self._places = self._numbers = np.zeros(0, np.int64)
        self._lock = Lock()

    def orders(self, longest: int) -> tuple[Order, ...]:
        """N-grams of one token up to `longest`."""
        with self._lock:
            while len(self._orders) < longest:
                self._orders.append(self._longer(len(self._orders) + 1) if self._orders else self._of_words())
            return tuple(self._orders[:longest])

    def _of_words(self) -> Order:
        self._places = np.arange(len(self.codes))
        order = self._numbered(self._segments * self.tokens + self.codes)
        self._words = self._numbers
        return order

    def _longer(self, length: int) -> Order:
        inside = self._places + length <= self.ends[self._places]
        self._places = self._places[inside]
        last = self._words[self._places + length - 1]
        return self._numbered(self._numbers[inside] * len(self._orders[0].keys) + last)

    def _numbered(self, found: Codes) -> Order:
        """The n-grams that were found at `_places`; keeps their numbers for those that are one token longer."""
        keys, first, self._numbers = np.unique(found, return_index=True, return_inverse=True)
        most = np.zeros(len(keys), np.int64)
        for numbers in np.split(self._numbers, np.searchsorted(self._places, self._begins)):
            np.maximum(most, np.bincount(numbers, minlength=len(keys)), out=most)
        return Order(keys, self._segments[self._places[first]], most, self._places[first])

    def closest(self, lengths: Codes) -> Codes:
        """The length of the reference that is closest to each of `lengths`, shape (segments,); the shorter of two."""
        nearest = np.abs(self._shorter_first - lengths).argmin(axis=0)
        return np.asarray(np.take_along_axis(self._shorter_first, nearest[None], axis=0)[0])

    def shortest(self) -> Codes:
        """The length of each segment's shortest reference, shape (segments,)."""
        return np.asarray(self._shorter_first[0])


_Beside = tuple[Cutting, tuple[ReferenceType[Text], ...]]
_numbered: WeakKeyDictionary[Text, dict[_Beside, ReferenceNgrams]] = WeakKeyDictionary()
"""N-grams of references, by the first of them, for as long as it is there."""


def reference_ngrams(references: tuple[Text, ...], cutting: Cutting) -> ReferenceNgrams:
    """The n-grams of these references, cut in this way; numbered once for all systems beside them."""
    kept = _numbered.setdefault(references[0], {})
    key = (cutting, tuple(ReferenceType(text) for text in references[1:]))
    found = kept.get(key)
    if found is None:
        # two threads that ask at once do the same work twice and get equal numbers
        found = kept[key] = ReferenceNgrams([reference.tokens(cutting) for reference in references])
    return found


def clipped(system: Tokens, references: ReferenceNgrams, longest: int) -> list[Codes]:
    """How often the system has each n-gram of the references of its segment, at most as often as the one reference that
    has it most often (Papineni et al. 2002, section 2.1): one array a length, of the shape of its `Order.keys`.
    """
    orders = references.orders(longest)
    segments = np.repeat(np.arange(len(system.counts)), system.counts)
    words = _found(orders[0], segments * references.tokens + system.codes)
    # a token that was met after the references were numbered would pass for one of a later segment
    words[system.codes >= references.tokens] = NOWHERE
    ends = np.repeat(system.offsets[1:], system.counts)
    places, numbers = np.arange(len(words)), words
    counts = []
    for length, order in enumerate(orders, 1):
        if length > 1:
            inside = places + length <= ends[places]
            places, numbers = places[inside], numbers[inside]
            last = words[places + length - 1]
            numbers = _found(order, numbers * len(orders[0].keys) + last)
            numbers[last == NOWHERE] = NOWHERE
        there = numbers != NOWHERE
        places, numbers = places[there], numbers[there]
        counts.append(np.minimum(np.bincount(numbers, minlength=len(order.keys)), order.most))
    return counts


NOWHERE = -1
"""The number of an n-gram that no reference has."""


def _found(order: Order, keys: Codes) -> Codes:
    """The entry of each key, or `NOWHERE`."""
    if not len(order.keys):
        return np.full(len(keys), NOWHERE)
    places = np.searchsorted(order.keys, keys)
    places[places == len(order.keys)] = 0
    return np.where(order.keys[places] == keys, places, NOWHERE)


def matches(beside: Translated, cutting: Cutting, longest: int) -> Floats:
    """Clipped matches of each segment and length, shape (segments, longest)."""
    references = reference_ngrams(beside.references, cutting)
    counts = clipped(beside.system.tokens(cutting), references, longest)
    return by_segment(counts, references.orders(longest), len(beside.system))


def by_segment(counts: Sequence[Codes | Floats], orders: Sequence[Order], segments: int) -> Floats:
    """What is counted of each entry, summed by segment: shape (segments, orders)."""
    summed = [
        np.bincount(order.segments, weights=count, minlength=segments)
        for order, count in zip(orders, counts, strict=True)
    ]
    return np.stack(summed, axis=-1)


def totals(lengths: Codes, longest: int) -> Codes:
    """How many n-grams of one token up to `longest` segments of these lengths have, shape (segments, longest)."""
    return np.asarray(np.maximum(0, lengths[:, None] - np.arange(longest)))
