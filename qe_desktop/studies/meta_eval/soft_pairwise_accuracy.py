"""Soft pairwise accuracy: agreement of metric and human scores in the confidence that one system is better.

Thompson et al. 2024 define it as 1 minus the mean absolute difference between the p-values of the metric and of human
scores over all system pairs. One-sided p-values are computed by randomly swapping the outputs of two systems in each
segment. Metrics, human scores and all pairs use the same permutations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.metrics import Metric
from qe_desktop.metrics.external import is_plain_mean
from qe_desktop.significance import random_masks
from qe_desktop.significance.randomization import FamilyRows, OnRounds, subtask

SPA_ROUNDS = 1_000
"""Default number of permutations, as in mt-metrics-eval."""
_NEAR = 1e-9
_NEAR_SINGLE = 3e-7
"""Upper bound of the error of a single-precision sum of n numbers, relative to √(n · sum of their squares).

The largest error observed was a third of this bound.
"""
_CELLS = 1 << 20
"""Maximum number of swap flags (one per round and segment) in memory at a time."""
_HALVES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).astype(np.float32) - np.float32(0.5)
"""Values of eight segments for each byte of swap bits, shape (256, 8): ½ if a segment is swapped, else −½."""


def pairwise_p_values(
    families: Sequence[FamilyRows], *, rounds: int = SPA_ROUNDS, seed: int = 1, on_progress: OnRounds | None = None
) -> Floats:
    """Return one-sided p-values of every system pair by each metric of the families, shape (metrics, pairs).

    p is the share of permutations in which the score difference between the first and the second system of a pair is at
    least the observed difference, as in mt-metrics-eval (without adding 1). Each permutation is used together with its
    complement, which negates every difference at no cost; therefore, `rounds` is rounded up to an even number. All
    families must have rows of the same systems and segments. `on_progress` receives the progress, and may raise to
    stop.
    """
    half = (rounds + 1) // 2
    means = [index for index, family in enumerate(families) if is_plain_mean(family.rows, family.metrics)]
    other_families = [index for index in range(len(families)) if index not in means]
    parts = bool(means) + bool(other_families)
    # for a mean over all segments, system differences are sums of segment differences
    p_values: dict[int, Ints] = {}
    if means:
        reached = _count_for_means([families[index] for index in means], half, seed, subtask(on_progress, parts, 0))
        p_values |= dict(zip(means, reached[:, None], strict=True))
    if other_families:
        reached = _count_for_rows(
            [families[index] for index in other_families], half, seed, subtask(on_progress, parts, parts - 1)
        )
        ends = np.cumsum([0, *(len(families[index].metrics) for index in other_families)])
        p_values |= {
            index: reached[begin:high] for index, begin, high in zip(other_families, ends, ends[1:], strict=False)
        }
    return np.concatenate([p_values[index] for index in range(len(families))]) / (2 * half)


def soft_pairwise_accuracy(metric: Floats, human: Floats) -> Floats:
    """Return 1 minus the mean absolute difference between metric and human p-values, 0..1, shape (…,).

    The p-values have shape (…, pairs). The result is NaN if there are no pairs.
    """
    differences = np.abs(metric - human)
    return np.asarray(
        1 - differences.mean(axis=-1) if differences.shape[-1] else np.full(differences.shape[:-1], np.nan)
    )


def _count_for_means(families: Sequence[FamilyRows], half: int, seed: int, on_progress: OnRounds | None) -> Ints:
    """Count the permutations and complements that reach the observed difference of each pair, shape (metrics, pairs).

    Let T be the difference between the total scores of a pair, and g the part of T from the swapped segments. The
    permutation changes T to T − 2g, so it reaches T if g ≤ 0. Its complement swaps the other segments, whose part is
    T − g, so it reaches T if g ≥ T. Let h = g − T/2, the sum of segment differences multiplied by ½ if swapped, else by
    −½. If T > 0, one of the two reaches T if |h| ≥ T/2, otherwise neither does. If T ≤ 0, both do if |h| ≤ |T/2|,
    otherwise one does.
    """
    differences = _segment_differences(families)
    systems, metrics, segments = 1 + len(differences), *differences.shape[1:]
    ring = _PairRing(systems)
    totals = np.zeros((systems, metrics))
    totals[:-1] = differences.sum(axis=-1, dtype=np.float64)
    squares = np.einsum("smn,smn->sm", differences, differences, dtype=np.float64)
    # tolerance: rounding must not hide a difference equal to the observed one
    tolerance = _NEAR_SINGLE * np.sqrt(segments * squares.max(axis=0, initial=0.0))
    thresholds = (totals[ring.first] - totals[ring.second]) / 2 - tolerance
    bar = np.abs(thresholds).astype(np.float32)
    bar = np.where(thresholds > 0, bar, np.nextafter(bar, np.float32(np.inf)))[..., None]
    # buffers are allocated once: allocation per block costs more than the work
    signs = np.zeros((random_masks.ROUNDS_PER_BLOCK, -(-segments // 8), 8), np.float32)
    sums = np.zeros((systems + ring.steps, metrics, random_masks.ROUNDS_PER_BLOCK), np.float32)
    buffer = np.empty((systems, metrics, random_masks.ROUNDS_PER_BLOCK), np.float32)
    reached_buffer = np.empty(buffer.shape, np.bool_)
    reached_counts = np.zeros(thresholds.shape, np.int64)
    for block, drawn in random_masks.round_blocks(half):
        np.take(_HALVES, random_masks.swap_bits(seed, block, drawn, segments), axis=0, out=signs[:drawn], mode="clip")
        flips = signs.reshape(random_masks.ROUNDS_PER_BLOCK, -1)[:, :segments]
        np.matmul(
            differences.reshape(-1, segments),
            flips.T,
            out=sums[: systems - 1].reshape(-1, random_masks.ROUNDS_PER_BLOCK),
        )
        sums[systems:] = sums[: ring.steps]
        for step, pairs in enumerate(ring.pairs, 1):
            count = pairs.stop - pairs.start
            pair_sums = np.subtract(sums[:count], sums[step : step + count], out=buffer[:count])
            reached = np.greater_equal(np.abs(pair_sums, out=pair_sums), bar[pairs], out=reached_buffer[:count])
            if drawn < random_masks.ROUNDS_PER_BLOCK:
                reached[..., drawn:] = False
            reached_counts[pairs] += _count(reached)
        if on_progress is not None:
            on_progress(block * random_masks.ROUNDS_PER_BLOCK + drawn, half)
    return np.where(thresholds > 0, reached_counts, 2 * half - reached_counts)[ring.order].T


class _PairRing:
    """System pairs grouped by their distance on a ring, 1 to `steps`, so that few long subtractions suffice.

    `first` and `second`, shape (pairs,), are the system indices of each pair; `first` is lower. `pairs` has a slice of
    the pairs for each distance. `order` sorts the pairs by `first` and `second`.
    """

    def __init__(self, systems: int) -> None:
        self.steps = systems // 2
        # at half of the ring each pair would occur twice
        counts = [systems if 2 * step < systems else self.steps for step in range(1, self.steps + 1)]
        ends = np.cumsum([0, *counts]).tolist()
        self.pairs = [slice(*of) for of in pairwise(ends)]
        left = np.concatenate([np.arange(count) for count in counts])
        right = (left + np.repeat(np.arange(1, self.steps + 1), counts)) % systems
        self.first, self.second = np.minimum(left, right), np.maximum(left, right)
        self.order = np.lexsort((self.second, self.first))


def _segment_differences(families: Sequence[FamilyRows]) -> NDArray[np.float32]:
    """Return the segment scores of all systems but the last, minus those of the last system; higher is better.

    The shape is (systems − 1, metrics, segments). In single precision, differences lose less precision than scores.
    """
    systems, segments = families[0].rows.shape[:2]
    differences = np.empty((systems - 1, len(families), segments), np.float32)
    for index, family in enumerate(families):
        scores, metric = family.rows[:, :, 0], family.metrics[0]
        left, right = (scores[:-1], scores[-1]) if metric.better > 0 else (scores[-1], scores[:-1])
        differences[:, index] = np.subtract(left, right, dtype=np.float64)
    return differences


def _count(flags: NDArray[np.bool_]) -> Ints:
    """Count true values along the last axis, whose length must be `random_masks.ROUNDS_PER_BLOCK`."""
    words = np.packbits(flags).view(np.uint64).reshape(*flags.shape[:-1], -1)
    return np.asarray(np.add.reduce(np.bitwise_count(words), axis=-1, dtype=np.int64))


def _count_for_rows(families: Sequence[FamilyRows], half: int, seed: int, on_progress: OnRounds | None) -> Ints:
    """Count the permutations and complements that reach the observed difference of each pair.

    The shape is (metrics, pairs). The metrics may be of any kind.
    """
    systems, segments = families[0].rows.shape[:2]
    first, second = np.triu_indices(systems, 1)
    totals = [np.asarray(family.rows, np.float64).sum(axis=1) for family in families]
    observed = _pair_leads(families, [(total[first], total[second]) for total in totals])
    # tolerance: rounding must not hide a difference equal to the observed one
    bar = (observed - _NEAR * np.maximum(np.abs(observed), 1e-300))[:, None]
    reached = np.zeros(observed.shape, np.int64)
    completed = 0
    for flips in _flips(half, segments, seed):
        swapped = []
        for family, total in zip(families, totals, strict=True):
            # sums of a system's swapped segments, exchanged within a pair
            swapped_sums = np.tensordot(flips.astype(np.float64), family.rows, axes=(1, 1))
            exchanged_sums = swapped_sums[:, second] - swapped_sums[:, first]
            swapped.append((total[first] + exchanged_sums, total[second] - exchanged_sums))
        leads = _pair_leads(families, swapped)
        reached += np.add.reduce(leads >= bar, axis=1, dtype=np.int64)
        reached += np.add.reduce(leads <= -bar, axis=1, dtype=np.int64)
        completed += len(flips)
        if on_progress is not None:
            on_progress(completed, half)
    return reached


def _flips(rounds: int, segments: int, seed: int) -> Iterator[NDArray[np.float32]]:
    """Yield the swaps of all rounds in blocks of bounded size, shape (rounds, segments).

    Values are 1 for swapped segments, else 0.
    """
    blocks = list(random_masks.round_blocks(rounds))
    step = max(1, _CELLS // (random_masks.ROUNDS_PER_BLOCK * max(1, segments)))
    for begin in range(0, len(blocks), step):
        bits = [random_masks.swap_bits(seed, block, count, segments) for block, count in blocks[begin : begin + step]]
        yield random_masks.unpack_flips(np.concatenate(bits), 0, segments).astype(np.float32)


def _pair_leads(families: Sequence[FamilyRows], totals: Sequence[tuple[Floats, Floats]]) -> Floats:
    """Return the score of the first system of each pair minus that of the second, shape (metrics, …, pairs).

    `totals` has the row sums of the first and second systems for each family. The result is negated if lower is better.
    """
    return np.stack(
        [
            _total_score(metric, first) - _total_score(metric, second)
            for family, (first, second) in zip(families, totals, strict=True)
            for metric in family.metrics
        ]
    )


def _total_score(metric: Metric, totals: Floats) -> Floats:
    return metric.better * metric.finite_scores(totals)
