"""Order of a rater's screens: random, with a minimum distance between screens of the same source.

Blocks are single screens, or the screens of a document, which stay together.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Sequence

import numpy as np

from qe_desktop.ratings.assignment.random_stream import RandomStream

MAX_SHUFFLE_TRIES = 40
"""Maximum number of positions to try for an inserted block; then the best of these is used."""


def spaced_order(sources: Sequence[int], distance: int, stream: RandomStream) -> list[int]:
    """Return an order of block indices in which blocks of one source are at least `distance` positions apart.

    If impossible, they are as far apart as possible. The blocks of each source are first spread at even intervals with
    a random start and jitter. If two of them are too close, an order with a strict minimum distance is used instead.
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
    """Return the smallest distance between two blocks of the same source; the number of blocks if none is repeated."""
    last: dict[int, int] = {}
    smallest = len(sources)
    for index, source in enumerate(sources):
        if source in last:
            smallest = min(smallest, index - last[source])
        last[source] = index
    return smallest


def _max_min_distance(sources: Sequence[int]) -> int:
    """Return the largest possible minimum distance: (n - k) // (m - 1) if k sources have m blocks, the maximum."""
    counts = Counter(sources).values()
    max_count = max(counts)
    return (len(sources) - sum(count == max_count for count in counts)) // (max_count - 1)


def _blocks_by_source(sources: Sequence[int], stream: RandomStream) -> dict[int, list[int]]:
    """Return the blocks of each source, both in random order."""
    by_source: dict[int, list[int]] = {}
    for index in stream.permutation(len(sources)):
        by_source.setdefault(sources[index], []).append(index)
    return by_source


def _spread_evenly(sources: Sequence[int], stream: RandomStream) -> list[int]:
    """Spread each source's blocks at even intervals from a random start, with jitter of up to a quarter interval."""
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
    """Return an order with a strict minimum distance; the permitted source with the most blocks left is next.

    If `min_distance` is at most `_max_min_distance`, some source is always permitted (task scheduling with a cooldown).
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
    """Finder of positions for blocks to insert into an order, away from other blocks of the same source.

    Position p is before block p of the original order, and position `count`, the number of blocks, is after its last
    block. Insertions only increase distances, so distances in the original order are lower bounds.
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
        """Return a random position from `first` on, as far from other blocks of the source as required.

        If none of the positions tried is far enough, the farthest of them is returned.
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
