"""Approximate randomisation for all pairs of systems and all metrics at once (Noreen 1989, Yeh 2000).

One product of shared swap masks with the rows gives every system's swapped part P; for a pair (a, b) the swapped totals
are T_a − P_a + P_b and T_b − P_b + P_a. Rounds run in blocks that fit the cache, on several threads; counts of rounds
are integers, so the result depends on the seed alone.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics import Metric, families_of
from qe_desktop.significance import masks
from qe_desktop.significance.exact import UNITS_AT_ONCE, ExactColumns, exact_columns

TOLERANCE = 1e-9
"""A round whose difference falls short of the observed one by no more than this share of it counts as equal."""
ROUNDING = 1e-7
"""The same for fractions, as a difference of scores: many times what writing them in fixed point moves a score."""
Watch = Callable[[int, int], None]
Bits = Callable[[int, int], NDArray[np.uint8]]
"""The masks of a block: its number and how many rounds it has, to packed bits."""


@dataclass(frozen=True, slots=True)
class PairTests:
    """p-values of all pairs: `p` and `error` of shape (metrics, systems, systems), symmetric, 1 on the diagonal.

    `error` is the Monte-Carlo standard error sqrt(p(1−p)/R), 0 where all swaps were enumerated (`exact`).
    """

    p: NDArray[np.float64]
    error: NDArray[np.float64]
    rounds: int
    exact: bool


@dataclass(frozen=True, slots=True)
class FamilyRows:
    """The rows of one family, shape (systems, units, columns), with the metrics to be tested on them."""

    rows: NDArray[np.floating]
    metrics: tuple[Metric, ...]


def grouped(metrics: Sequence[Metric], rows: Mapping[str, NDArray[Any]]) -> list[FamilyRows]:
    """The rows that `rows_of` gives for the metrics' families, each with its metrics."""
    return [
        FamilyRows(rows[family.name], tuple(metric for metric in metrics if metric.family is family))
        for family in families_of(metrics)
    ]


def by_document(rows: NDArray[Any], of_segment: NDArray[np.integer]) -> NDArray[np.float64]:
    """Rows summed by document, shape (systems, documents, columns), so that whole documents are swapped."""
    order = np.argsort(of_segment, kind="stable")
    begins = np.flatnonzero(np.diff(of_segment[order], prepend=-1))
    return np.add.reduceat(rows[:, order], begins, axis=1, dtype=np.float64)


def randomisation(
    families: Sequence[FamilyRows],
    *,
    rounds: int = 10_000,
    seed: int = 1,
    threads: int | None = None,
    watch: Watch | None = None,
) -> PairTests:
    """Two-sided p of every pair for every metric, in the order of the families' metrics.

    p = (c+1)/(R+1), where c counts the rounds with |difference| ≥ the observed one; where all 2^units swaps are no
    more than `rounds`, they are enumerated instead and p = c/2^units. Identical rows give p = 1. `watch` hears the
    rounds done and their number, from any thread, and may raise to stop.
    """
    systems, units = families[0].rows.shape[:2]
    pairs = np.asarray(list(combinations(range(systems), 2)), np.int64).reshape(-1, 2)
    tests = [_FamilyTest(family, pairs) for family in families]
    exact = units < 63 and 2**units <= rounds
    if exact:
        # a mask and its complement give the same difference, and the last unit's bit tells them apart
        made = max(1, 2 ** (units - 1))
        bits: Bits = partial(_enumerated, units)
    else:
        made = rounds
        bits = partial(_drawn, seed, units)
    counts = _all_blocks(tests, bits, made, threads or _cores(), watch)
    if exact:
        p, error, made = counts / made, np.zeros(counts.shape), 2**units
    else:
        p = (counts + 1) / (rounds + 1)
        error = np.sqrt(p * (1 - p) / rounds)
    return PairTests(square(p, pairs, systems), square(error, pairs, systems, 0.0), made, exact)


def _enumerated(units: int, block: int, rounds: int) -> NDArray[np.uint8]:
    return masks.enumerated_bits(block, rounds, units)


def _drawn(seed: int, units: int, block: int, rounds: int) -> NDArray[np.uint8]:
    return masks.swap_bits(seed, block, rounds, units)


def _cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _FamilyTest:
    """One family's columns, its observed differences, and the count of a block of rounds."""

    def __init__(self, family: FamilyRows, pairs: NDArray[np.int64]) -> None:
        first = family.metrics[0].family
        self.metrics = family.metrics
        self.pairs = pairs
        self.own = first.own
        self.columns: ExactColumns = exact_columns(family.rows[:, :, list(first.own)])
        totals = self.columns.combine(self.columns.matrix.sum(axis=0, dtype=np.float64)[None])  # (own, systems, 1)
        self.left = totals[:, pairs[:, 0]]
        self.right = totals[:, pairs[:, 1]]
        shared = family.rows[0].sum(axis=0, dtype=np.float64)
        self.arguments: list[Any] = [shared[column] for column in range(len(first.columns))]
        observed = self._differences(np.stack([self.left, self.right], axis=1))
        slack = 0.0 if self.columns.whole else ROUNDING
        self.bars = [difference * (1 - TOLERANCE) - slack for difference in observed]

    def _differences(self, sides: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """|score left − score right| of each metric, from columns of shape (own, 2, pairs, rounds)."""
        arguments = list(self.arguments)
        for place, column in enumerate(self.own):
            arguments[column] = sides[place]
        found = []
        for metric in self.metrics:
            scores = metric.function(*arguments)
            difference = scores[0] - scores[1]
            found.append(np.abs(difference, out=difference))
        return found

    def counts(self, sums: NDArray[Any]) -> NDArray[np.int64]:
        """How many rounds reach the observed difference, shape (metrics, pairs), from sums of (rounds, limbs)."""
        swapped = self.columns.combine(sums)
        sides = np.empty((len(self.own), 2, len(self.pairs), sums.shape[0]))
        moved = sides[:, 0]
        np.subtract(swapped[:, self.pairs[:, 1]], swapped[:, self.pairs[:, 0]], out=moved)
        np.subtract(self.right, moved, out=sides[:, 1])
        np.add(self.left, moved, out=moved)
        differences = self._differences(sides)
        return np.stack(
            [np.count_nonzero(found >= bar, axis=-1) for found, bar in zip(differences, self.bars, strict=True)]
        )


def _all_blocks(
    tests: Sequence[_FamilyTest], bits: Bits, rounds: int, threads: int, watch: Watch | None
) -> NDArray[np.int64]:
    """How many of `rounds` masks reach the observed difference, shape (metrics, pairs)."""
    matrix = np.hstack([test.columns.matrix for test in tests])
    cuts = np.cumsum([test.columns.matrix.shape[1] for test in tests])[:-1]
    counts = np.zeros((sum(len(test.metrics) for test in tests), len(tests[0].pairs)), np.int64)
    done = 0
    lock = threading.Lock()

    def run(block: tuple[int, int]) -> None:
        nonlocal done, counts
        number, size = block
        sums = masked_sums(bits(number, size), matrix)
        parts = np.split(sums, cuts, axis=1)
        found = np.concatenate([test.counts(part) for test, part in zip(tests, parts, strict=True)])
        with lock:
            counts += found
            done += size
            if watch is not None:
                watch(done, rounds)

    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(run, block) for block in masks.blocks(rounds)]
        try:
            for future in futures:
                future.result()
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return counts


def masked_sums(bits: NDArray[np.uint8], matrix: NDArray[np.float32]) -> NDArray[Any]:
    """Sums of the swapped units' columns, shape (rounds, columns), exact."""
    units = len(matrix)
    if units <= UNITS_AT_ONCE:
        return masks.unpack(bits, 0, units) @ matrix
    sums = np.zeros((len(bits), matrix.shape[1]))
    for first in range(0, units, UNITS_AT_ONCE):
        last = min(units, first + UNITS_AT_ONCE)
        sums += masks.unpack(bits, first, last) @ matrix[first:last]
    return sums


def square(
    values: NDArray[np.float64], pairs: NDArray[np.int64], systems: int, diagonal: float = 1.0
) -> NDArray[np.float64]:
    """Values of pairs, shape (metrics, pairs), as symmetric matrices, shape (metrics, systems, systems)."""
    out = np.full((len(values), systems, systems), diagonal)
    out[:, pairs[:, 0], pairs[:, 1]] = values
    out[:, pairs[:, 1], pairs[:, 0]] = values
    return out
