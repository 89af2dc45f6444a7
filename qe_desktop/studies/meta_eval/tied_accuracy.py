"""acc*eq: how often a metric orders or ties two translations of one segment as human scores do.

Deutsch et al. 2023: metrics hardly ever tie translations, whereas human scores often do. Therefore, translations count
as tied by the metric if their scores differ by at most ε, and ε is tuned for the highest accuracy.

To bound memory, pairs of translations are processed by system pair, and then by ranges of their score differences.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats

MAX_PAIRS = 1 << 19
"""Maximum number of pairs of translations in memory at a time."""
_BITS = 16
"""Number of bits that select a bin when pairs are counted by score difference in one pass."""
_MAX_KEY = 1 << 63
"""Exclusive upper bound of the integers that `_keys` returns for score differences."""
SortKeys = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class TiedAccuracy:
    """Accuracy, 0..1, at the best ε; NaN if no segment has two translations with metric and human scores.

    `epsilon` is the best ε, in units of the metric; if several are equally good, it is the smallest.
    """

    accuracy: float
    epsilon: float


class _PairDifferences:
    """Score differences of all system pairs in all segments, recomputed on each access.

    Each pair of translations has a weight. All segments with scored pairs have the same total weight, and all weights
    sum to 1. Pairs in which a score is missing have weight 0.
    """

    def __init__(self, metric: Floats, human: Floats) -> None:
        self._metric, self._human = metric, human
        first, second = np.triu_indices(len(metric), 1)
        self._pairs = list(zip(first.tolist(), second.tolist(), strict=True))
        pair_counts = np.zeros(metric.shape[1], np.int64)
        for metric_differences, human_differences in self._differences():
            pair_counts += _is_scored(metric_differences, human_differences)
        self.count = int(pair_counts.sum())
        self._pairs_per_segment, self._segments = np.maximum(pair_counts, 1), max(1, int(np.count_nonzero(pair_counts)))

    def _differences(self) -> Iterator[tuple[Floats, Floats]]:
        for first, second in self._pairs:
            yield self._metric[first] - self._metric[second], self._human[first] - self._human[second]

    def accuracy_contributions(self, epsilon: float) -> Floats:
        """Return the contribution of each segment to the accuracy at `epsilon`, shape (segments,)."""
        counts = np.zeros(self._metric.shape[1])
        for metric_differences, human_differences in self._differences():
            right, tied = _is_concordant(metric_differences, human_differences), human_differences == 0
            counts += np.where(np.abs(metric_differences) <= epsilon, tied, right) * self._weight(
                _is_scored(metric_differences, human_differences)
            )
        return counts

    def concordant_weights(self) -> Iterator[Floats]:
        """Yield, for each system pair, its weights in the segments in which neither system lacks a score.

        A weight is 0 unless metric and human scores order the two systems alike.
        """
        for metric_differences, human_differences in self._differences():
            is_scored = _is_scored(metric_differences, human_differences)
            yield (_is_concordant(metric_differences, human_differences) * self._weight(is_scored))[is_scored]

    def distances(self, low: int, high: int) -> Iterator[SortKeys]:
        """Yield, for each system pair, the keys (see `_keys`) of its metric differences from `low` to below `high`.

        Segments in which a system of the pair lacks a score are left out.
        """
        for metric_differences, human_differences in self._differences():
            yield _keys(metric_differences[_is_in_range(metric_differences, human_differences, low, high)])

    def gains(self, low: int, high: int) -> Iterator[tuple[SortKeys, Floats]]:
        """Yield, for each system pair, the keys that `distances` yields, and the gain in accuracy for each key.

        The gain is the change in accuracy if the metric ties the two translations that have this score difference.
        """
        for metric_differences, human_differences in self._differences():
            inside = _is_in_range(metric_differences, human_differences, low, high)
            weight = self._weight(_is_scored(metric_differences, human_differences))[inside]
            metric_differences, human_differences = metric_differences[inside], human_differences[inside]
            yield (
                _keys(metric_differences),
                ((human_differences == 0).astype(np.float64) - _is_concordant(metric_differences, human_differences))
                * weight,
            )

    def _weight(self, is_scored: NDArray[np.bool_]) -> Floats:
        return np.asarray(is_scored / self._pairs_per_segment / self._segments)


def tied_accuracy(metric: Floats, human: Floats) -> TiedAccuracy:
    """Return acc*eq, the mean accuracy over segments with pairs, and its ε.

    Scores have shape (systems, segments), NaN if missing. A pair consists of two translations of one segment that both
    have a metric score and a human score.
    """
    pairs = _PairDifferences(metric, human)
    if not pairs.count:
        return TiedAccuracy(np.nan, np.nan)
    base = _sum(_ChunkReader(pairs.concordant_weights()), pairs.count)
    # once ε reaches the difference of a pair, the metric ties the pair, which is correct if human scores also tie it
    best, best_key, gained, has_started = -np.inf, 0, 0.0, False
    for low, high in _ranges(pairs, 0, _MAX_KEY, pairs.count):
        distances, sums = _cumulative_gains(pairs, low, high, gained)
        gained = float(sums[-1])
        levels = base + sums
        # pairs with equal metric scores are tied at any ε
        if not has_started and distances[0]:
            levels, distances = np.append(base, levels), np.append(np.uint64(0), distances)
        has_started = True
        index = int(np.argmax(np.round(levels, 12)))
        if np.round(levels[index], 12) > np.round(best, 12):
            best, best_key = float(levels[index]), int(distances[index])
    return TiedAccuracy(best, float(np.uint64(best_key).view(np.float64)))


def accuracy_by_segment(metric: Floats, human: Floats, epsilon: float) -> Floats:
    """Return the contribution of each segment to the accuracy at an ε ≥ 0, shape (segments,).

    The contribution of a segment without pairs of scored translations is 0.
    """
    return _PairDifferences(metric, human).accuracy_contributions(epsilon)


def has_comparisons(metric: Floats, human: Floats) -> NDArray[np.bool_]:
    """Return which segments have at least two translations with metric and human scores, shape (segments,)."""
    return np.asarray(_is_scored(metric, human).sum(axis=0) > 1)


def _is_scored(metric: Floats, human: Floats) -> NDArray[np.bool_]:
    return np.asarray(~(np.isnan(metric) | np.isnan(human)))


def _is_concordant(metric_differences: Floats, human_differences: Floats) -> NDArray[np.bool_]:
    return np.asarray((np.sign(metric_differences) == np.sign(human_differences)) & (human_differences != 0))


def _keys(differences: Floats) -> SortKeys:
    """Return the bits of absolute differences as integers, which sort in the same order as the differences."""
    return np.abs(differences).view(np.uint64)


def _is_in_range(metric_differences: Floats, human_differences: Floats, low: int, high: int) -> NDArray[np.bool_]:
    keys = _keys(metric_differences)
    return np.asarray(
        _is_scored(metric_differences, human_differences) & (keys >= np.uint64(low)) & (keys < np.uint64(high))
    )


def _ranges(pairs: _PairDifferences, low: int, high: int, count: int) -> Iterator[tuple[int, int]]:
    """Yield ascending ranges of differences, as start and exclusive stop.

    Each range has at most `MAX_PAIRS` pairs or only a single difference.
    """
    if count <= MAX_PAIRS or high - low == 1:
        yield low, high
        return
    shift = max(0, (high - low).bit_length() - 1 - _BITS)
    counts = np.zeros(((high - low) >> shift) + 1, np.int64)
    for keys in pairs.distances(low, high):
        bins = ((keys - np.uint64(low)) >> np.uint64(shift)).astype(np.int64)
        counts += np.bincount(bins, minlength=len(counts))
    begin, collected = low, 0
    for bin_index in np.flatnonzero(counts).tolist():
        key, size = low + (bin_index << shift), int(counts[bin_index])
        if collected and collected + size > MAX_PAIRS:
            yield begin, key
            begin, collected = key, 0
        collected += size
        if collected > MAX_PAIRS:
            after = key + (1 << shift)
            yield from _ranges(pairs, key, after, size)
            begin, collected = after, 0
    if collected:
        yield begin, high


def _cumulative_gains(pairs: _PairDifferences, low: int, high: int, before: float) -> tuple[SortKeys, Floats]:
    """Return the distinct differences from `low` to below `high`, ascending, and the accuracy gain up to each of them.

    `before` is the accuracy gain of all differences below `low`.
    """
    if high - low == 1:
        for _, gains in pairs.gains(low, high):
            before = float(np.cumsum(np.append(before, gains))[-1])
        return np.full(1, low, np.uint64), np.full(1, before)
    result = list(pairs.gains(low, high))
    keys, gains = (np.concatenate(parts) for parts in zip(*result, strict=True))
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    # all pairs of one difference are tied together
    last = np.flatnonzero(np.append(keys[1:] != keys[:-1], True))
    return keys[last], np.cumsum(np.append(before, gains[order]))[1 + last]


class _ChunkReader:
    """Reader that returns chunks of any length from a sequence of arrays."""

    def __init__(self, arrays: Iterator[Floats]) -> None:
        self._arrays = arrays
        self._left = np.zeros(0)

    def take(self, count: int) -> Floats:
        """Return the next `count` numbers."""
        parts, size = [self._left], len(self._left)
        while size < count:
            parts.append(next(self._arrays))
            size += len(parts[-1])
        joined = np.concatenate(parts)
        self._left = joined[count:]
        return joined[:count]


def _sum(stream: _ChunkReader, count: int) -> float:
    """Return the sum of the next `count` numbers, bitwise equal to the sum that numpy computes for a single array."""
    if count <= MAX_PAIRS:
        return float(stream.take(count).sum())
    half = count // 2
    half -= half % 8
    return _sum(stream, half) + _sum(stream, count - half)
