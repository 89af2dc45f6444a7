"""Approximate randomization for all pairs of systems and all metrics together (Noreen 1989, Yeh 2000).

All pairs use the same swap masks. One matrix product of the masks and the rows gives P, the sum of the swapped rows of
each system. With T the sum of all rows of each system, the totals of a pair (a, b) after swapping are T_a − P_a + P_b
and T_b − P_b + P_a. Trials run on several threads in blocks that fit in the cache. Counts are integers, so the result
does not depend on the number of threads. KeyboardInterrupt is raised in the calling thread, which waits for the others
and holds no lock. Blocks that have not started are then skipped.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.metrics import Metric, metric_families
from qe_desktop.significance import random_masks
from qe_desktop.significance.exact_columns import SwappedSums, exact_columns
from qe_desktop.significance.randomization_kernel import Buffers, PairCounts

WorkItem = TypeVar("WorkItem")


def run_on_threads(items: Iterable[WorkItem], threads: int, worker: Callable[[Iterator[WorkItem]], object]) -> None:
    """Call `worker` once on each of `threads` threads; the calls share an iterator over `items`.

    Each item goes to only one call. An exception in any thread, or an interrupt, stops all threads after their current
    item and is then raised to the caller.
    """
    remaining, lock, stopped = iter(items), threading.Lock(), threading.Event()

    def fetch_items() -> Iterator[WorkItem]:
        while not stopped.is_set():
            with lock:
                try:
                    item = next(remaining)
                except StopIteration:
                    return
            yield item

    def run_worker() -> None:
        try:
            worker(fetch_items())
        except BaseException:
            # stop the other threads here, because the waiting thread may be slow to react
            stopped.set()
            raise

    pool = ThreadPoolExecutor(threads)
    try:
        running = [pool.submit(run_worker) for _ in range(threads)]
        for ended in wait(running, return_when=FIRST_EXCEPTION).done:
            ended.result()
    finally:
        stopped.set()
        pool.shutdown()


BLOCKS_PER_BATCH = 8
"""Maximum number of blocks that are evaluated together; results do not depend on this number.

More blocks mean fewer numpy calls and less thread contention, but more memory. The trials of a batch must not exceed
`MAX_BATCH_ROUNDS`.
"""
MAX_BATCH_FLIPS = 1 << 21
"""Maximum number of swaps, rounds × units, that are multiplied together; limits memory use."""
OnRounds = Callable[[int, int], None]
Block = tuple[int, int]
"""Index and number of rounds of a block."""
MaskBits = Callable[[int, int], NDArray[np.uint8]]
"""Function that returns the masks of a block as packed bits, given the block's index and number of rounds."""


@dataclass(frozen=True, slots=True)
class PairTests:
    """P-values of all pairs, as symmetric matrices of shape (metrics, systems, systems).

    Attributes
    ----------
    p
        P-values, 1 on the diagonal; NaN for pairs that could not be tested.
    error
        Monte Carlo standard errors sqrt(p(1−p)/R) for R rounds; 0 if `exact` or if p-values have a closed form.
    rounds
        Number of trials or resamples: the number of all permutations if `exact`, 0 if p-values have a closed form.
    exact
        Whether all permutations were enumerated.
    """

    p: Floats
    error: Floats
    rounds: int
    exact: bool


@dataclass(frozen=True, slots=True)
class FamilyRows:
    """Rows of one metric family, shape (systems, units, columns), and the metrics that are computed from them."""

    rows: NDArray[np.floating]
    metrics: tuple[Metric, ...]


def group_by_family(metrics: Sequence[Metric], rows: Mapping[str, NDArray[Any]]) -> list[FamilyRows]:
    """Group metrics by family, with the rows of each family.

    Parameters
    ----------
    metrics
        Metrics in any order.
    rows
        Rows by family name, shape (systems, units, columns) each.

    Returns
    -------
    list of FamilyRows
        One item per family, in the order in which the families first occur in `metrics`.
    """
    return [
        FamilyRows(rows[family.name], tuple(metric for metric in metrics if metric.family.name == family.name))
        for family in metric_families(metrics)
    ]


def sum_by_document(rows: NDArray[Any], of_segment: NDArray[np.integer]) -> Floats:
    """Return rows summed by document, so that documents can be permuted as a whole.

    Parameters
    ----------
    rows
        Rows of segments, shape (systems, segments, columns).
    of_segment
        Index of the document of each segment, shape (segments,).

    Returns
    -------
    ndarray
        Rows of documents, shape (systems, documents, columns), in ascending order of document index. Documents without
        segments are omitted.
    """
    order = np.argsort(of_segment, kind="stable")
    begins = np.flatnonzero(np.diff(of_segment[order], prepend=-1))
    return np.add.reduceat(rows[:, order], begins, axis=1, dtype=np.float64)


def randomization_tests(
    families: Sequence[FamilyRows],
    *,
    rounds: int = 10_000,
    seed: int = 1,
    threads: int | None = None,
    on_progress: OnRounds | None = None,
) -> PairTests:
    """Test all pairs of systems by all metrics with approximate randomization.

    Parameters
    ----------
    families
        Rows and metrics; all families have the same systems and units.
    rounds
        Number of trials R.
    seed
        Random seed.
    threads
        Number of threads; None for the number of available processors.
    on_progress
        Progress callback, called from any thread with the number of completed trials and the total. An exception that
        it raises stops the test.

    Returns
    -------
    PairTests
        Two-sided p-values of all pairs of systems, in the order in which `families` lists the metrics.

    Notes
    -----
    A trial swaps the outputs of the two systems in each unit with probability ½. p = (c + 1) / (R + 1), with c the
    number of trials whose |difference| is at least the observed |difference|, within a relative tolerance of 1e-9. If
    2^n, the number of permutations of n units, is at most R, all permutations are enumerated and p = c / 2^n. Identical
    rows give p = 1.

    References
    ----------
    Noreen 1989; Yeh 2000
    """
    systems, units = families[0].rows.shape[:2]
    exact = covers_all_swaps(rounds, units)
    if exact:
        # a mask and its complement give the same difference; the last unit's bit distinguishes them
        trials = max(1, 2 ** (units - 1))
        bits: MaskBits = partial(random_masks.enumerated_bits, units=units)
    else:
        trials = rounds
        bits = partial(random_masks.swap_bits, seed, units=units)
    counts = _Swaps(families).counts(bits, trials, threads or _cores(), on_progress)
    if exact:
        p = symmetric_matrix(counts / trials, systems, 1.0)
        return PairTests(p, np.zeros_like(p), 2**units, True)
    return tests_from_counts(counts, rounds, systems)


def covers_all_swaps(rounds: int, units: int) -> bool:
    """Return whether `rounds` is at least 2^`units`; all permutations are then enumerated instead of sampled."""
    return units < 63 and 2**units <= rounds


def tests_from_counts(counts: Ints, rounds: int, systems: int) -> PairTests:
    """Compute p-values from counts of trials.

    Parameters
    ----------
    counts
        Number of trials that reach the observed difference, shape (metrics, pairs); pairs are in the order of
        `itertools.combinations`.
    rounds
        Number of trials R.
    systems
        Number of systems.

    Returns
    -------
    PairTests
        p = (c + 1) / (R + 1) for each count c, and the standard errors sqrt(p (1 − p) / R).
    """
    p = (counts + 1) / (rounds + 1)
    error = np.sqrt(p * (1 - p) / rounds)
    return PairTests(symmetric_matrix(p, systems, 1.0), symmetric_matrix(error, systems, 0.0), rounds, False)


def _cores() -> int:
    """Return the number of processors available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Swaps:
    """Columns of all families, joined for one matrix product, and a `PairCounts` for each family."""

    def __init__(self, families: Sequence[FamilyRows]) -> None:
        own_columns = [family.metrics[0].family.system_columns for family in families]
        self.columns = exact_columns(
            [
                family.rows[:, :, column]
                for family, columns in zip(families, own_columns, strict=True)
                for column in columns
            ]
        )
        ends = np.cumsum([len(columns) for columns in own_columns]).tolist()
        self.parts = [slice(end - len(columns), end) for end, columns in zip(ends, own_columns, strict=True)]
        totals = self.columns.combine(self.columns.matrix.sum(axis=1, dtype=np.float64)[:, None])
        self.tests = [
            PairCounts(
                family.metrics,
                totals[part],
                family.rows[0].sum(axis=0, dtype=np.float64),
                integers=all(self.columns.is_integer[part]),
            )
            for family, part in zip(families, self.parts, strict=True)
        ]

    def counts(self, bits: MaskBits, rounds: int, threads: int, on_progress: OnRounds | None) -> Ints:
        """Return how many of `rounds` masks reach the observed difference, shape (metrics, pairs)."""
        counts = np.zeros((sum(len(test.metrics) for test in self.tests), self.tests[0].pairs), np.int64)
        groups = _groups(rounds, self.columns.matrix.shape[1], threads)
        max_rounds = sum(size for _, size in groups[0])
        completed = 0
        lock = threading.Lock()

        def run(fetched: Iterator[Sequence[Block]]) -> None:
            nonlocal completed, counts
            sums, buffers = SwappedSums(self.columns, max_rounds), Buffers(self.tests, max_rounds)
            for group in fetched:
                result = self._counts(sums.add_swapped([bits(*block) for block in group]), buffers)
                with lock:
                    counts += result
                    completed += sum(size for _, size in group)
                    if on_progress is not None:
                        on_progress(completed, rounds)

        run_on_threads(groups, min(threads, len(groups)), run)
        return counts

    def _counts(self, swapped: Floats, buffers: Buffers) -> Ints:
        results = [test.count(swapped[part], buffers) for test, part in zip(self.tests, self.parts, strict=True)]
        return np.concatenate(results)


def _groups(rounds: int, units: int, threads: int) -> list[list[Block]]:
    """Divide the blocks of all rounds into groups; the blocks of a group are counted together by one thread."""
    blocks = list(random_masks.round_blocks(rounds))
    in_memory = max(1, MAX_BATCH_FLIPS // (random_masks.ROUNDS_PER_BLOCK * max(1, units)))
    blocks_per_group = min(BLOCKS_PER_BATCH, -(-len(blocks) // threads), in_memory)
    return [blocks[first : first + blocks_per_group] for first in range(0, len(blocks), blocks_per_group)]


def symmetric_matrix(values: Floats, systems: int, diagonal: float) -> Floats:
    """Convert values of pairs, shape (metrics, pairs), to symmetric matrices, shape (metrics, systems, systems)."""
    first, second = np.triu_indices(systems, 1)
    out = np.full((len(values), systems, systems), diagonal)
    out[:, first, second] = out[:, second, first] = values
    return out


def subtask(on_progress: OnRounds | None, parts: int, index: int) -> OnRounds | None:
    """Return a progress callback for subtask `index` of `parts` equal subtasks; None if `on_progress` is None."""
    if on_progress is None:
        return None
    return lambda completed, total: on_progress(index * total + completed, parts * total)
