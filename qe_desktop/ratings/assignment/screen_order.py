"""Order of a rater's screens: random, with a minimum distance between screens of the same source.

A source is a segment or a document. A block is a single screen, or all screens of a document, which stay together.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence

import numpy as np

from qe_desktop.ratings.assignment.random_stream import RandomStream

MAX_SHUFFLE_TRIES = 40
"""Maximum number of positions to try for an inserted block; if none is suitable, the best of them is used."""


def spaced_order(sources: Sequence[int], distance: int, stream: RandomStream) -> list[int]:
    """Return a random order of blocks in which blocks of the same source are at least `distance` positions apart.

    `sources` is the source of each block; the result contains indices of blocks. If `distance` is impossible, the
    largest possible distance is used. The blocks of each source are first spread at even intervals with a random start
    and jitter. If two blocks of a source are then too close, an order with a strict minimum distance is used instead.
    """
    max_count = max(Counter(sources).values(), default=0)
    if max_count < 2:
        return stream.permutation(len(sources))
    target = min(distance, _max_min_distance(sources))
    order = _spread_evenly(sources, stream)
    if min_distance([sources[index] for index in order]) >= target:
        return order
    return _strictly_spaced_order(sources, target, stream)


def min_distance(sources: Sequence[int]) -> int:
    """Return the smallest distance between blocks of the same source, or the number of blocks if all sources differ."""
    last: dict[int, int] = {}
    smallest = len(sources)
    for index, source in enumerate(sources):
        if source in last:
            smallest = min(smallest, index - last[source])
        last[source] = index
    return smallest


def _max_min_distance(sources: Sequence[int]) -> int:
    """Return the largest possible minimum distance between blocks of the same source.

    It is (n - k) // (m - 1) for n blocks, where m is the largest number of blocks of any source (at least 2), and k is
    the number of sources with m blocks.
    """
    counts = Counter(sources).values()
    max_count = max(counts)
    return (len(sources) - sum(count == max_count for count in counts)) // (max_count - 1)


def _blocks_by_source(sources: Sequence[int], stream: RandomStream) -> dict[int, list[int]]:
    """Return the block indices of each source; the sources, and the blocks of each source, are in random order."""
    by_source: dict[int, list[int]] = {}
    for index in stream.permutation(len(sources)):
        by_source.setdefault(sources[index], []).append(index)
    return by_source


def _spread_evenly(sources: Sequence[int], stream: RandomStream) -> list[int]:
    """Return an order with the blocks of each source at even intervals from a random start, with random jitter.

    The jitter is at most a quarter of the interval.
    """
    by_source = _blocks_by_source(sources, stream)
    random_numbers = stream.random_array(len(sources) + len(by_source)).tolist()
    positions = np.empty(len(sources))
    for indices in by_source.values():
        begin = random_numbers.pop()
        for occurrence, index in enumerate(indices):
            positions[index] = (occurrence + begin + (random_numbers.pop() - 0.5) / 2) / len(indices)
    order: list[int] = np.argsort(positions, kind="stable").tolist()
    return order


def _strictly_spaced_order(sources: Sequence[int], min_distance: int, stream: RandomStream) -> list[int]:
    """Return an order with a strict minimum distance between blocks of the same source.

    After each block, its source is excluded from the next `min_distance` - 1 positions. The next block is from the
    source with the most remaining blocks among those not excluded (task scheduling with a cooldown). Such a source
    always exists if `min_distance` is at most `_max_min_distance`.
    """
    by_source = _blocks_by_source(sources, stream)
    ready = [(-len(indices), stream.random(), source) for source, indices in by_source.items()]
    heapq.heapify(ready)
    cooling: list[tuple[int, int]] = []
    order: list[int] = []
    while len(order) < len(sources):
        while cooling and (cooling[0][0] <= len(order) or not ready):
            source = heapq.heappop(cooling)[1]
            heapq.heappush(ready, (-len(by_source[source]), stream.random(), source))
        source = heapq.heappop(ready)[2]
        order.append(by_source[source].pop())
        if by_source[source]:
            heapq.heappush(cooling, (len(order) - 1 + min_distance, source))
    return order


class BlockInserter:
    """Selector of positions for inserting blocks into an order, away from other blocks of the same source.

    Position p is before block p of the original order, and position `count` is after the last block, where `count` is
    the number of blocks in the original order. Insertions only increase distances, so distances in the original order
    are lower bounds.
    """

    def __init__(self, sources: Sequence[int], min_distance: int, stream: RandomStream) -> None:
        self.count = len(sources)
        self._min_distance = min_distance
        self._stream = stream
        self._positions: dict[int, list[float]] = {}
        for index, source in enumerate(sources):
            # a block lies between the positions before and after it
            self._positions.setdefault(source, []).append(index + 0.5)

    def place(self, source: int, first: int) -> int:
        """Return a random position, at least `first`, for a block of `source`.

        The position is at least the minimum distance away from other blocks of the same source. If none of the
        positions tried is far enough, the farthest of them is returned.
        """
        positions = self._positions.setdefault(source, [])
        span = self.count + 1 - first
        best, farthest = self.count, -1.0
        for _ in range(min(MAX_SHUFFLE_TRIES, 4 * span)):
            candidate = first + self._stream.randbelow(span)
            distance = min((abs(candidate - position) + 0.5 for position in positions), default=float(self.count))
            if distance > farthest:
                best, farthest = candidate, distance
            if distance >= self._min_distance:
                break
        positions.append(float(best))
        return best
