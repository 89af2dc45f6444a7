"""Units of work of the sampling study, and their execution on threads of this machine."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.studies.sampling.data_sets import DataSets
from qe_desktop.studies.sampling.t_tests import p_from_samples

SamplingUnit = Callable[[DataSets, int, CheckCancelled | None], Floats]
UnitResults = Generator[tuple[int, Floats], None, None]
"""Generator of unit numbers and results in order of completion; closing it ends the work."""
RunUnits = Callable[[SamplingUnit, DataSets, Iterable[int]], UnitResults]
MAX_QUEUED_UNITS = 2
"""Maximum number of units per worker thread: one is running, and one is queued so that the thread is never idle."""


class _StoppedError(Exception):
    """Exception raised in a unit whose result is no longer needed."""


def run_in_threads(workers: int | None = None) -> RunUnits:
    """Return a function that runs units in threads; most work is in numpy and scipy, which release the GIL.

    `workers` is the number of threads; the default is one thread per available processor.
    """
    count = workers or _cores()

    def run(unit: SamplingUnit, sets: DataSets, numbers: Iterable[int]) -> UnitResults:
        stopping = threading.Event()

        def check() -> None:
            if stopping.is_set():
                raise _StoppedError

        left = iter(numbers)
        waiting: dict[Future[Floats], int] = {}
        with ThreadPoolExecutor(count) as pool:
            try:
                while True:
                    while len(waiting) < MAX_QUEUED_UNITS * count and (number := next(left, None)) is not None:
                        waiting[pool.submit(unit, sets, number, check)] = number
                    if not waiting:
                        return
                    for future in sorted(wait(waiting, return_when=FIRST_COMPLETED).done, key=waiting.__getitem__):
                        yield waiting.pop(future), future.result()
            finally:
                stopping.set()
                for future in waiting:
                    future.cancel()

    return run


def _cores() -> int:
    """Return the number of processors available to this process."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


BATCH_COUNT = 100
"""Number of batches in the analytic mode; a batch has `SamplingOptions.repetitions` data sets per share."""
FIRST, SECOND, BATCH = range(3)
"""Ids of the random streams for samples of the first share of each pair, samples of the second share, and batches."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitResult:
    """Result of a unit of work: p-values, means and variances of scores, and numbers of orders.

    `p` has shape (metrics, pairs, sizes) and is empty in a batch; means and variances have shape (metrics, shares).
    `redrawn` is the number of discarded orders, and `orders` is the number of all orders, including discarded ones.
    """

    p: Floats
    means: Floats
    variances: Floats
    redrawn: int
    orders: int

    def flatten(self) -> Floats:
        """Return all values in one row; `of_flat` is the inverse function."""
        counts = np.asarray([self.redrawn, self.orders], np.float64)
        return np.concatenate([self.p.ravel(), self.means.ravel(), self.variances.ravel(), counts])

    @classmethod
    def of_flat(cls, row: Floats, p: tuple[int, int, int], shares: int) -> UnitResult:
        """Return the result for a row from `flatten`; the row may also be a sum of such rows.

        `p` is the shape of the p-values.
        """
        metrics = p[0]
        cells, scores = int(np.prod(p)), metrics * shares
        parts = np.split(row[:-2], [cells, cells + scores])
        means, variances = (part.reshape(metrics, shares) for part in parts[1:])
        return cls(parts[0].reshape(p), means, variances, int(row[-2]), int(row[-1]))


def run_repetition(sets: DataSets, number: int, check: CheckCancelled | None = None) -> Floats:
    """Run one repetition of the simulation mode and return its result, flattened by `UnitResult.flatten`.

    The samples of the two shares of a pair come from separate orders, as an unpaired test requires. Samples of
    different pairs may use the same orders, and smaller samples are prefixes of larger ones; neither affects individual
    p-values. Raises QeError as `DataSets.draw` does.
    """
    size = sets.options.sizes[-1]
    first, redrawn = sets.scores(_generator(sets, number, FIRST), size, check)
    second, more = sets.scores(_generator(sets, number, SECOND), size, check)
    options = sets.options
    p = p_from_samples(first, second, options.sizes, options.pairs, options.variances)
    scores = np.concatenate([first, second], axis=-1)
    orders = 2 * size + redrawn + more
    return UnitResult(p, scores.mean(axis=-1), scores.var(axis=-1, ddof=1), redrawn + more, orders).flatten()


def run_batch(sets: DataSets, number: int, check: CheckCancelled | None = None) -> Floats:
    """Run one batch of the analytic mode; return means and variances of scores, flattened by `UnitResult.flatten`.

    All shares of a batch use the same orders, so that the differences between the mean scores of two shares vary
    little. Raises QeError as `DataSets.draw` does.
    """
    size = max(2, sets.options.repetitions)
    scores, redrawn = sets.scores(_generator(sets, number, BATCH), size, check)
    empty = np.zeros((len(scores), 0, 0))
    return UnitResult(empty, scores.mean(axis=-1), scores.var(axis=-1, ddof=1), redrawn, size + redrawn).flatten()


def statistics_per_row(unit: SamplingUnit, sets: DataSets) -> int:
    """Return the number of values in a row that `unit` returns."""
    metrics, options = len(sets.pool.metrics), sets.options
    cells = 0 if unit is run_batch else len(options.pairs) * len(options.sizes)
    return metrics * (cells + 2 * len(options.errors)) + 2


def _generator(sets: DataSets, number: int, stream: int) -> np.random.Generator:
    # the child of SeedSequence(seed).spawn with this index, and its own child
    seeds = np.random.SeedSequence(sets.options.seed, spawn_key=(number, stream))
    return np.random.Generator(np.random.SFC64(seeds))
