"""How many data sets a metric needs to see a difference in errors: the study, made fast or in full, and its answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError
from qe_desktop.levels.scoring import Scoring
from qe_desktop.metrics import Metric
from qe_desktop.metrics.family import Floats
from qe_desktop.significance.corrections import adjusted
from qe_desktop.significance.randomisation import Watch
from qe_desktop.studies.sampling.cluster import LostClusterError
from qe_desktop.studies.sampling.data_sets import DataSets
from qe_desktop.studies.sampling.expectation import Moments, expectation
from qe_desktop.studies.sampling.kept import read_sums, write_sums
from qe_desktop.studies.sampling.options import Options
from qe_desktop.studies.sampling.pool import Ints, Pool, pool_of
from qe_desktop.studies.sampling.running import Results, Run, threads
from qe_desktop.studies.sampling.sums import Sums
from qe_desktop.studies.sampling.units import BATCHES, Found, batch, figures_of, repetition
from qe_desktop.wording import tr

Ended = KeyboardInterrupt | QeError
BETWEEN = 15.0
"""Seconds between two times that sums are written."""
CERTAIN = 2.0
"""A p is taken for less or more than alpha where it is so by so many of its errors."""


@dataclass(frozen=True, slots=True, eq=False)
class SamplingStudy:
    """What was found. `p` and `error` have shape (metrics, pairs, sizes): p averaged over repetitions, uncorrected, and
    its standard error. `means` and `deviations` are those of data sets' scores, shape (metrics, shares).

    `made` repetitions are in it (of the fast mode: batches), of `asked`; `ended` is what made them fewer, or, where all
    are there, why their sums could not be written. `orders` were drawn, of which `redrawn` ended before the highest
    share and were drawn again.
    """

    metrics: tuple[Metric, ...]
    options: Options
    pool: Pool
    p: Floats
    error: Floats
    means: Floats
    deviations: Floats
    made: int
    asked: int
    orders: int
    redrawn: int
    ended: Ended | None = None

    def adjusted(self, by_errors: float = 0.0) -> Floats:
        """p corrected for the pairs of one metric and size, after moving it by so many of its errors."""
        moved = np.clip(self.p + by_errors * self.error, 0.0, 1.0)
        return np.moveaxis(adjusted(np.moveaxis(moved, 1, -1), self.options.correction), -1, 1)

    def needed(self, by_errors: float = 0.0) -> Ints:
        """The place of the smallest size at which each metric sees each pair, shape (metrics, pairs); the number of
        sizes where it sees it at none.
        """
        seen: NDArray[np.bool_] = self.adjusted(by_errors) <= self.options.alpha
        return np.where(seen.any(axis=-1), seen.argmax(axis=-1), len(self.options.sizes))

    @property
    def between(self) -> tuple[Ints, Ints]:
        """Between which places `needed` lies for certain."""
        return self.needed(-CERTAIN), self.needed(CERTAIN)


def study_sampling(
    scoring: Scoring,
    metrics: Sequence[Metric],
    options: Options | None = None,
    *,
    run: Run | None = None,
    resume: Path | None = None,
    watch: Watch | None = None,
) -> SamplingStudy:
    """Repeated sampling of some metrics from the errors of all subjects; QeError for what cannot be studied.

    `run` says where the work is done, else on the threads of this machine. In the full mode, `resume` names a file of
    sums that is gone on from and written now and then. `watch` hears how much is done, and may raise to stop. An
    interrupt (Ctrl+C), or a cluster that is lost, ends the study with what was found until then. Sums that cannot be
    written on the way, as on a full disk, are tried again later, and no reason to stop.
    """
    options = (options or Options()).checked()
    sets = DataSets.of(pool_of(scoring, metrics, repeated=options.repeated), options)
    make = _fast if options.mode == "fast" else _full
    return make(sets, tuple(metrics), run or threads(), resume, watch)


def _fast(
    sets: DataSets, metrics: tuple[Metric, ...], run: Run, resume: Path | None, watch: Watch | None
) -> SamplingStudy:
    if resume is not None:
        raise QeError(tr("the fast mode takes seconds and is not gone on with"), hint=tr("Choose the full mode."))
    rows: dict[int, Floats] = {}

    def take(number: int, row: Floats) -> None:
        rows[number] = row
        if watch is not None:
            watch(len(rows), BATCHES)

    ended = _taken(run(batch, sets, range(BATCHES)), take)
    if ended is not None and len(rows) < 2:
        raise ended
    options = sets.options
    shape = (len(metrics), 0, 0)
    found = [Found.of_flat(row, shape, len(options.errors)) for _, row in sorted(rows.items())]
    moments = Moments(
        np.stack([one.means for one in found]), np.stack([one.variances for one in found]), max(2, options.repetitions)
    )
    p, error = expectation(moments, options)
    means, variances = moments.of_all()
    return SamplingStudy(
        metrics, options, sets.pool, p, error, means, np.sqrt(variances), len(rows), BATCHES,
        sum(one.orders for one in found), sum(one.redrawn for one in found), ended,
    )  # fmt: skip


def _full(
    sets: DataSets, metrics: tuple[Metric, ...], run: Run, resume: Path | None, watch: Watch | None
) -> SamplingStudy:
    options = sets.options
    asked, shape = options.repetitions, (len(metrics), len(options.pairs), len(options.sizes))
    figures = figures_of(repetition, sets)
    sums = Sums.empty(figures) if resume is None else read_sums(resume, sets, figures)
    if sums.done > asked:
        message = tr("{n:,} {n:repetition is|repetitions are} already in this file", "", sums.done)
        raise QeError(message, hint=tr("Ask for as many repetitions or more."))
    written = time.monotonic()

    def take(number: int, row: Floats) -> None:
        nonlocal written
        sums.add(number, row)
        if resume is not None and time.monotonic() - written > BETWEEN:
            # where there is no room now there may be some later, and what is computed is here
            with suppress(QeError):
                write_sums(resume, sets, sums)
            written = time.monotonic()
        if watch is not None:
            watch(sums.done, asked)

    if resume is not None:
        # that it cannot be written is said before anything is computed
        write_sums(resume, sets, sums)
    try:
        # one after the other, for there may be more than could be listed
        left = (number for number in range(sums.added, asked) if not sums.has(number))
        ended = _taken(run(repetition, sets, left), take)
    finally:
        # also where nobody wants the answer any more
        unwritten = None if resume is None or not sums.done else _unwritten(resume, sets, sums)
    if ended is not None and not sums.done:
        raise ended
    total, squares = sums.of_all()
    done = sums.done
    found = Found.of_flat(total, shape, len(options.errors))
    p = found.p / done
    spread = np.maximum(Found.of_flat(squares, shape, len(options.errors)).p / done - p**2, 0.0)
    # of one repetition alone nothing is known but that p lies between 0 and 1
    error = np.sqrt(spread / (done - 1)) if done > 1 else np.full(p.shape, 1.0)
    return SamplingStudy(
        metrics, options, sets.pool, p, error, found.means / done, np.sqrt(found.variances / done), done, asked,
        found.orders, found.redrawn, unwritten or ended,
    )  # fmt: skip


def _unwritten(resume: Path, sets: DataSets, sums: Sums) -> QeError | None:
    """Write sums for the last time; what hinders it, which must not take the answer away."""
    try:
        write_sums(resume, sets, sums)
    except QeError as error:
        return error
    return None


def _taken(results: Results, take: Callable[[int, Floats], None]) -> Ended | None:
    """Take all results, or those that are there when the work ends before; then what ended it."""
    try:
        with closing(results):
            for number, row in results:
                take(number, row)
    except (KeyboardInterrupt, LostClusterError) as ended:
        return ended
    return None
