"""Sampling study: number of data sets that a metric needs to detect a difference in error rate."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.scoring import Scoring
from qe_desktop.metrics import Metric
from qe_desktop.significance.corrections import adjust_p
from qe_desktop.significance.randomization import OnRounds
from qe_desktop.studies.sampling.checkpoint import PartialSums, read_sums, write_sums
from qe_desktop.studies.sampling.data_sets import DataSets
from qe_desktop.studies.sampling.error_pool import ErrorPool, build_error_pool
from qe_desktop.studies.sampling.executors import (
    BATCH_COUNT,
    LostClusterError,
    RunUnits,
    UnitResult,
    UnitResults,
    run_batch,
    run_in_threads,
    run_repetition,
    statistics_per_row,
)
from qe_desktop.studies.sampling.sampling_options import SamplingOptions
from qe_desktop.studies.sampling.t_tests import ScoreMoments, expected_p_values

StopReason = KeyboardInterrupt | QeError
SAVE_INTERVAL_SECONDS = 15.0
"""Minimum interval in seconds between two checkpoints."""
RANGE_STANDARD_ERRORS = 2.0
"""Number of standard errors by which p-values are lowered and raised to obtain the range of required sizes."""


@dataclass(frozen=True, slots=True, eq=False)
class SamplingStudy:
    """Result of repeated sampling.

    `p` is the mean unadjusted p-value over repetitions (the expected p-value in the analytic mode), and `error` is its
    standard error; both have shape (metrics, pairs, sizes). `means` and `deviations` are means and standard deviations
    of the scores of data sets, shape (metrics, shares). The result is based on `completed` of `requested` repetitions
    (batches in the analytic mode). `stop_reason` is the error if the checkpoint could not be written at the
    end, otherwise the exception that ended the study early, if any. `orders` is the number of all orders; `redrawn` of
    them ended before the highest share and were replaced by new orders.
    """

    metrics: tuple[Metric, ...]
    options: SamplingOptions
    pool: ErrorPool
    p: Floats
    error: Floats
    means: Floats
    deviations: Floats
    completed: int
    requested: int
    orders: int
    redrawn: int
    stop_reason: StopReason | None = None

    def adjusted_p(self, error_shift: float = 0.0) -> Floats:
        """Return `p` shifted by `error_shift` standard errors, then adjusted for multiple comparisons.

        The p-values of all pairs are adjusted together, separately for each metric and size. The shape is that of `p`.
        """
        moved = np.clip(self.p + error_shift * self.error, 0.0, 1.0)
        return np.moveaxis(adjust_p(np.moveaxis(moved, 1, -1), self.options.correction), -1, 1)

    def required_size_indices(self, error_shift: float = 0.0) -> Ints:
        """Return the index of the smallest size that is sufficient, shape (metrics, pairs).

        A size is sufficient if the metric detects the difference between the two shares of the pair, that is, if
        `adjusted_p(error_shift)` is at most alpha. If no size is sufficient, the index is the number of sizes.
        """
        is_significant: NDArray[np.bool_] = self.adjusted_p(error_shift) <= self.options.alpha
        return np.where(is_significant.any(axis=-1), is_significant.argmax(axis=-1), len(self.options.sizes))

    @property
    def size_index_bounds(self) -> tuple[Ints, Ints]:
        """Lower and upper bounds of `required_size_indices`.

        They result from p-values that are `RANGE_STANDARD_ERRORS` standard errors lower and higher, respectively.
        """
        return self.required_size_indices(-RANGE_STANDARD_ERRORS), self.required_size_indices(RANGE_STANDARD_ERRORS)


def study_sampling(
    scoring: Scoring,
    metrics: Sequence[Metric],
    options: SamplingOptions | None = None,
    *,
    run: RunUnits | None = None,
    resume: Path | None = None,
    on_progress: OnRounds | None = None,
) -> SamplingStudy:
    """Run repeated sampling for metrics, with the errors of all systems. Raises QeError for invalid input.

    `run` executes the work, by default in threads of this process. `resume`, which requires the simulation mode, is a
    checkpoint file to continue and update. `on_progress` receives the numbers of completed and of all units, and may
    raise to stop. An interrupt (Ctrl+C) or the loss of the cluster ends the study with partial results; if there are
    too few results, the exception is raised. If a checkpoint cannot be written during the study (because the disk is
    full, for example), the next attempt is made at the next checkpoint.
    """
    options = (options or SamplingOptions()).normalize()
    sets = DataSets.of(build_error_pool(scoring, metrics, repeated=options.repeated), options)
    make = _run_fast if options.mode == "fast" else _run_full
    return make(sets, tuple(metrics), run or run_in_threads(), resume, on_progress)


def _run_fast(
    sets: DataSets, metrics: tuple[Metric, ...], run: RunUnits, resume: Path | None, on_progress: OnRounds | None
) -> SamplingStudy:
    if resume is not None:
        message = tr("a study in the analytic mode cannot be resumed")
        raise QeError(message, hint=tr("Use the simulation mode."), command_hint=tr("Use --mode full."))
    rows: dict[int, Floats] = {}

    def take(number: int, row: Floats) -> None:
        rows[number] = row
        if on_progress is not None:
            on_progress(len(rows), BATCH_COUNT)

    ended = _collect_results(run(run_batch, sets, range(BATCH_COUNT)), take)
    if ended is not None and len(rows) < 2:
        raise ended
    options = sets.options
    shape = (len(metrics), 0, 0)
    results = [UnitResult.of_flat(row, shape, len(options.errors)) for _, row in sorted(rows.items())]
    moments = ScoreMoments(
        np.stack([item.means for item in results]),
        np.stack([item.variances for item in results]),
        max(2, options.repetitions),
    )
    p, error = expected_p_values(moments, options)
    means, variances = moments.overall_moments()
    return SamplingStudy(
        metrics, options, sets.pool, p, error, means, np.sqrt(variances), len(rows), BATCH_COUNT,
        sum(item.orders for item in results), sum(item.redrawn for item in results), ended,
    )  # fmt: skip


def _run_full(
    sets: DataSets, metrics: tuple[Metric, ...], run: RunUnits, resume: Path | None, on_progress: OnRounds | None
) -> SamplingStudy:
    options = sets.options
    requested, shape = options.repetitions, (len(metrics), len(options.pairs), len(options.sizes))
    figures = statistics_per_row(run_repetition, sets)
    sums = PartialSums.empty(figures) if resume is None else read_sums(resume, sets, figures)
    if sums.received_count > requested:
        message = tr("the checkpoint already contains {n:,} {n:repetition|repetitions}", "", sums.received_count)
        raise QeError(message, hint=tr("Use at least that many repetitions, or the name of a new file."))
    written = time.monotonic()

    def take(number: int, row: Floats) -> None:
        nonlocal written
        sums.add(number, row)
        if resume is not None and time.monotonic() - written > SAVE_INTERVAL_SECONDS:
            # the results are in memory, and the next attempt may succeed
            with suppress(QeError):
                write_sums(resume, sets, sums)
            written = time.monotonic()
        if on_progress is not None:
            on_progress(sums.received_count, requested)

    if resume is not None:
        # fail before computing anything if the file cannot be written
        write_sums(resume, sets, sums)
    try:
        # lazily, as there may be too many for a list
        left = (number for number in range(sums.added, requested) if not sums.has(number))
        ended = _collect_results(run(run_repetition, sets, left), take)
    finally:
        # even if the caller stops the study
        unwritten = None if resume is None or not sums.received_count else _write_final_sums(resume, sets, sums)
    if ended is not None and not sums.received_count:
        raise ended
    total, squares = sums.all_sums()
    repetitions = sums.received_count
    result = UnitResult.of_flat(total, shape, len(options.errors))
    p = result.p / repetitions
    spread = np.maximum(UnitResult.of_flat(squares, shape, len(options.errors)).p / repetitions - p**2, 0.0)
    # with one repetition, p is only known to be between 0 and 1
    error = np.sqrt(spread / (repetitions - 1)) if repetitions > 1 else np.full(p.shape, 1.0)
    return SamplingStudy(
        metrics,
        options,
        sets.pool,
        p,
        error,
        result.means / repetitions,
        np.sqrt(result.variances / repetitions),
        repetitions,
        requested,
        result.orders,
        result.redrawn,
        unwritten or ended,
    )


def _write_final_sums(resume: Path, sets: DataSets, sums: PartialSums) -> QeError | None:
    """Write the sums for the last time; return the error instead of raising it, so that results are not lost."""
    try:
        write_sums(resume, sets, sums)
    except QeError as error:
        return error
    return None


def _collect_results(results: UnitResults, take: Callable[[int, Floats], None]) -> StopReason | None:
    """Pass each result to `take`; return the exception that ended the work early, or None if all were passed."""
    try:
        with closing(results):
            for number, row in results:
                take(number, row)
    except (KeyboardInterrupt, LostClusterError) as ended:
        return ended
    return None
