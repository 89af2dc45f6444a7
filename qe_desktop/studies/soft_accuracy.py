"""Soft pairwise accuracy: whether a metric is as sure as people are which of two systems is ahead.

Thompson et al. 2024, a main figure of the WMT metrics tasks since: 1 less how far the p-values lie apart, over all
pairs of systems. p is one-sided, from randomly swapping whose output of a segment is whose; metrics and people, and all
pairs, are swapped alike. It is the randomisation test of rows, whatever they count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics import Metric
from qe_desktop.metrics.brought import is_plain_mean
from qe_desktop.metrics.family import Floats
from qe_desktop.significance import masks
from qe_desktop.significance.randomisation import FamilyRows, Watch

Counts = NDArray[np.int64]
ROUNDS = 1_000
"""Permutations, as in mt-metrics-eval."""
_NEAR = 1e-9
_NEAR_SINGLE = 1e-6
_CELLS = 1 << 20
"""Flips that are held at once."""


def pair_p_values(
    families: Sequence[FamilyRows], *, rounds: int = ROUNDS, seed: int = 1, watch: Watch | None = None
) -> Floats:
    """One-sided p of every pair of systems by each metric of the families, in their order, shape (metrics, pairs).

    p = #(swapped ≥ observed) / rounds of how far the first system of a pair is ahead of the second, as mt-metrics-eval
    has it (no 1 is added). With each permutation comes the one that swaps what it leaves and leaves what it swaps, for
    it turns the sign of every difference and so costs nothing; `rounds` is made even for that. All families have rows
    of the same systems and segments.
    """
    half = (rounds + 1) // 2
    means = [place for place, family in enumerate(families) if is_plain_mean(family.rows, family.metrics)]
    others = [place for place in range(len(families)) if place not in means]
    # where the score is a mean of all segments, differences of systems are sums of differences of segments
    found: dict[int, Counts] = {}
    if means:
        columns = np.stack([families[place].metrics[0].better * families[place].rows[:, :, 0] for place in means])
        found |= dict(zip(means, _of_means(columns, half, seed)[:, None], strict=True))
    if others:
        reached = _of_rows([families[place] for place in others], half, seed, watch)
        ends = np.cumsum([0, *(len(families[place].metrics) for place in others)])
        found |= {place: reached[low:high] for place, low, high in zip(others, ends, ends[1:], strict=False)}
    return np.concatenate([found[place] for place in range(len(families))]) / (2 * half)


def soft_accuracy(metric: Floats, people: Floats) -> Floats:
    """1 − the mean distance of p-values of pairs, each of shape (…, pairs): shape (…,), 0..1; NaN without pairs."""
    apart = np.abs(metric - people)
    return np.asarray(1 - apart.mean(axis=-1) if apart.shape[-1] else np.full(apart.shape[:-1], np.nan))


def _of_means(scores: Floats, half: int, seed: int) -> Counts:
    """How many permutations and their mirror images reach the observed difference, shape (metrics, pairs).

    Scores have shape (metrics, systems, segments), more being better.
    """
    metrics, systems, segments = scores.shape
    first, second = np.triu_indices(systems, 1)
    # what all systems share is in no difference, and takes digits from what is
    apart = scores - scores.mean(axis=1, keepdims=True)
    columns = apart.reshape(metrics * systems, segments).astype(np.float32)
    totals = apart.sum(axis=-1)
    slack = _NEAR_SINGLE * np.abs(apart).sum(axis=-1).max(axis=-1, initial=0.0)[:, None]
    # a pair's swapped segments hold g of their difference T, which becomes T − 2g: T is reached where g ≤ 0, and by
    # the mirror image, whose swapped segments hold T − g, where g ≥ T
    low = np.asarray(slack, np.float32)[:, :, None]
    high = np.asarray(totals[:, first] - totals[:, second] - slack, np.float32)[:, :, None]
    reached = np.zeros((metrics, len(first)), np.int64)
    for flips in _flips(half, segments, seed):
        held = (columns @ flips.T).reshape(metrics, systems, len(flips))
        end = 0
        for system in range(systems - 1):
            # pairs of one system at a time, without a copy of either side
            pairs = slice(end, end := end + systems - 1 - system)
            drawn = held[:, system, None] - held[:, system + 1 :]
            reached[:, pairs] += _count(drawn <= low) + _count(drawn >= high[:, pairs])
    return reached


def _count(true: NDArray[np.bool_]) -> Counts:
    """How many are true along the last axis."""
    return np.asarray(np.add.reduce(np.bitwise_count(np.packbits(true, axis=-1)), axis=-1, dtype=np.int64))


def _of_rows(families: Sequence[FamilyRows], half: int, seed: int, watch: Watch | None) -> Counts:
    """The same of any rows, shape (metrics, pairs)."""
    systems, segments = families[0].rows.shape[:2]
    first, second = np.triu_indices(systems, 1)
    totals = [np.asarray(family.rows, np.float64).sum(axis=1) for family in families]
    observed = _ahead(families, [(total[first], total[second]) for total in totals])
    # what rounding may take from a difference that is the observed one must not hide it
    bar = (observed - _NEAR * np.maximum(np.abs(observed), 1e-300))[:, None]
    reached = np.zeros(observed.shape, np.int64)
    done = 0
    for flips in _flips(half, segments, seed):
        swapped = []
        for family, total in zip(families, totals, strict=True):
            # what a system's swapped segments hold, of which a pair trades one system's for the other's
            given = np.tensordot(flips.astype(np.float64), family.rows, axes=(1, 1))
            traded = given[:, second] - given[:, first]
            swapped.append((total[first] + traded, total[second] - traded))
        ahead = _ahead(families, swapped)
        reached += np.add.reduce(ahead >= bar, axis=1, dtype=np.int64)
        reached += np.add.reduce(ahead <= -bar, axis=1, dtype=np.int64)
        done += len(flips)
        if watch is not None:
            watch(done, half)
    return reached


def _flips(rounds: int, segments: int, seed: int) -> Iterator[NDArray[np.float32]]:
    """Which segments are swapped, 0 or 1, shape (rounds in it, segments), in pieces that memory holds."""
    blocks = list(masks.blocks(rounds))
    step = max(1, _CELLS // (masks.BLOCK * max(1, segments)))
    for begin in range(0, len(blocks), step):
        bits = [masks.swap_bits(seed, block, count, segments) for block, count in blocks[begin : begin + step]]
        yield masks.unpack(np.concatenate(bits), 0, segments)


def _ahead(families: Sequence[FamilyRows], totals: Sequence[tuple[Floats, Floats]]) -> Floats:
    """How much better the first of each pair is than the second, shape (metrics, …, pairs)."""
    return np.stack(
        [
            _worth(metric, one) - _worth(metric, other)
            for family, (one, other) in zip(families, totals, strict=True)
            for metric in family.metrics
        ]
    )


def _worth(metric: Metric, totals: Floats) -> Floats:
    return metric.better * metric.comparable(totals)
