"""Repeated sampling as JSON and as tables; one table is laid out like table 2 of Logacheva et al. 2016."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np

from qe_desktop.i18n.messages import join_localized, join_names, tr
from qe_desktop.metrics import Metric
from qe_desktop.report.format_values import format_p
from qe_desktop.report.render.tables import Cell, Table
from qe_desktop.report.report_base import ReportBase
from qe_desktop.report.scores import settings_signature
from qe_desktop.studies.sampling.sampling_options import DEFAULT_ERROR_SHARES, format_share, format_shares
from qe_desktop.studies.sampling.sampling_study import RANGE_STANDARD_ERRORS, SamplingStudy

MIN_ERROR_TAGS = 10
"""Difference between error shares, in tags. A note warns that rounding to whole tags distorts smaller differences."""
DEVIATION_TOLERANCE = 1e-12
"""Standard deviations below this value are treated as rounding errors."""


def sampling_notes(study: SamplingStudy) -> list[str]:
    """Return the notes on a sampling study, most important first."""
    return [
        _protocol_note(study),
        *_early_end_note(study),
        *_lowered_errors_note(study),
        *_samples_note(study),
        *_rounding_note(study),
        *_metric_notes(study),
        tr(
            "The results show which metric needs fewer data sets to detect a difference in error rate, for errors like "
            "those of the systems studied. The results do not show agreement with human scores, nor do they show how "
            "large a test set must be."
        ),
    ]


def _protocol_note(study: SamplingStudy) -> str:
    if study.options.mode == "fast":
        return tr(
            "Analytic: p is the expected p-value of a t-test, computed from the mean and variance of the scores of "
                "{n:,} data sets per error rate. Its standard error reflects the errors of the estimated means and "
                "variances. In the simulation mode, every sample is tested instead.",
            "", study.orders - study.redrawn,
        )  # fmt: skip
    return tr(
        "Simulation: p is the mean over {n:,} {n:repetition|repetitions}. If p is far below "
            "alpha, a few repetitions dominate the mean, and its standard error is underestimated.",
        "", study.completed,
    )  # fmt: skip


def _early_end_note(study: SamplingStudy) -> list[str]:
    if study.stop_reason is None or study.completed >= study.requested:
        return []
    part = tr("{made:,} of {requested:,}", made=study.completed, requested=study.requested)
    if isinstance(study.stop_reason, KeyboardInterrupt):
        reason = tr("The study was cancelled before the end.")
    else:
        reason = tr("The study ended early: {reason}.", reason=study.stop_reason.message)
    if study.options.mode == "fast":
        return [join_localized(" ", (reason, tr("The results cover the completed part: {part} batches.", part=part)))]
    return [join_localized(" ", (reason, tr("The results cover the completed part: {part} repetitions.", part=part)))]


def _lowered_errors_note(study: SamplingStudy) -> list[str]:
    """Return a note if the default error rates were lowered."""
    options = study.options
    if not options.lowers_errors or options.errors == DEFAULT_ERROR_SHARES:
        return []
    note = tr(
        "The systems have too few errors for the default error rates, so lower rates are used: {shares} %.",
        shares=format_shares(options.errors),
    )
    return [note]


def _samples_note(study: SamplingStudy) -> list[str]:
    pool, options = study.pool, study.options
    notes = []
    if len(pool.systems) == 1:
        notes.append(tr("There is only one system, so all data sets contain errors of {system} only.",
                        system=pool.systems[0]))  # fmt: skip
    elif options.mixing == "one":
        totals = np.bincount(pool.system, pool.errors[:-1], len(pool.systems))
        part, denominator = options.share_ratios[-1]
        short_systems = [name for name, total in zip(pool.systems, totals.tolist(), strict=True)
                 if total * denominator < part * pool.tags]  # fmt: skip
        if short_systems and not options.repeated:
            notes.append(
                tr(
                    "No data sets are sampled from {systems}, because {n:it has|they have} too few errors.",
                    "", len(short_systems), systems=join_names(short_systems),
                )
            )  # fmt: skip
    if study.redrawn:
        notes.append(
            tr(
                "{n:,} of {orders:,} random segment orders {n:was|were} replaced, because {n:it|they} did not reach "
                    "an error rate of {share} %. Systems with many errors therefore contribute slightly more to the "
                    "data sets.",
                "", study.redrawn, orders=study.orders, share=format_share(options.errors[-1]),
            )
        )  # fmt: skip
    return notes


def _rounding_note(study: SamplingStudy) -> list[str]:
    """Return a note if error shares differ by so few tags that rounding to whole tags distorts the difference."""
    pool, options = study.pool, study.options
    nearest = min(options.difference(pair) for pair in options.pairs)
    if options.overshoot == "partial" or options.repeated or nearest / 100 * pool.tags >= MIN_ERROR_TAGS:
        return []
    if all(part * pool.tags % denominator == 0 for part, denominator in options.share_ratios):
        return []
    up = options.overshoot == "keep"
    needed = [
        -(-part * pool.tags // denominator) if up else part * pool.tags // denominator
        for part, denominator in options.share_ratios
    ]
    return [
        tr(
            "Rounded to whole tags, {shares} % of {n:,} {n:tag|tags} are {numbers} wrong tags. The numbers of wrong "
                "tags are therefore not exactly proportional to the error rates.",
            "", pool.tags, shares=format_shares(options.errors), numbers=", ".join(f"{number:,}" for number in needed),
        )
    ]  # fmt: skip


def _metric_notes(study: SamplingStudy) -> list[str]:
    notes = []
    constant = [metric.name for metric, deviations in zip(study.metrics, study.deviations, strict=True)
             if (deviations < DEVIATION_TOLERANCE).all()]  # fmt: skip
    if constant:
        notes.append(
            tr(
                "{metrics} {n:gives|give} all data sets the same score, so {n:it detects|they detect} no difference.",
                "", len(constant), metrics=join_names(constant),
            )
        )  # fmt: skip
    reversed_metrics = [
        metric.name
        for metric, means in zip(study.metrics, study.means, strict=True)
        if metric.name not in constant and metric.better * (means[-1] - means[0]) > 0
    ]
    if reversed_metrics:
        notes.append(
            tr(
                "{metrics} {n:gives|give} better scores to data sets with more errors, so the differences that "
                    "{n:it detects|they detect} are not differences in quality.",
                "", len(reversed_metrics), metrics=join_names(reversed_metrics),
            )
        )  # fmt: skip
    return notes


MIN_PRINTED_P = 0.0001
"""Smallest p-value that is printed as a number."""


@dataclass(frozen=True, slots=True, eq=False)
class SamplingReport(ReportBase):
    """Report on a sampling study.

    `remarks` are warnings about the files of the study. `level_settings` are included in the signature.
    """

    study: SamplingStudy
    remarks: tuple[str, ...] = ()
    level_settings: Mapping[str, str] = field(default_factory=dict)
    heading: ClassVar[str] = tr("Repeated sampling")

    @property
    def signature(self) -> str:
        """One-line signature with the settings needed to reproduce the numbers."""
        options = self.study.options
        test_settings = {"correction": options.correction, "alpha": options.alpha}
        count = {"mode": options.mode, "repetitions": options.repetitions}
        return settings_signature(
            "sampling", {**self.level_settings, **options.sampling_settings(), **count, **test_settings}
        )

    def content(self) -> dict[str, Any]:
        """Return the settings, p-values, numbers of data sets needed, and scores of data sets for the JSON.

        `p` is unadjusted. `samples` is the number of data sets needed after correction for multiple testing, or null if
        no sample size is sufficient.
        """
        study, options = self.study, self.study.options
        return {
            "mode": options.mode,
            "seed": options.seed,
            "repetitions": study.completed if options.mode == "full" else options.repetitions,
            "asked": options.repetitions,
            "errors": [float(error) for error in options.errors],
            "sizes": options.sizes,
            "metrics": {
                metric.name: {
                    options.pair_name(pair): self._cell(row, index) for index, pair in enumerate(options.pairs)
                }
                for row, metric in enumerate(study.metrics)
            },
            "differences": {
                metric.name: {
                    format_share(difference): self._samples(size_indices[row])
                    for difference, size_indices in self._by_difference(0.0)
                }
                for row, metric in enumerate(study.metrics)
            },
            "scores": {
                metric.name: {
                    format_share(error): {"mean": study.means[row, index], "sd": study.deviations[row, index]}
                    for index, error in enumerate(options.errors)
                }
                for row, metric in enumerate(study.metrics)
            },
            "orders": study.orders,
            "redrawn": study.redrawn,
            "correction": options.correction,
            "alpha": options.alpha,
        }

    def _cell(self, row: int, pair_index: int) -> dict[str, Any]:
        study = self.study
        low, high = study.size_index_bounds
        sizes = list(map(str, study.options.sizes))
        return {
            "samples": self._samples(study.required_size_indices()[row, pair_index]),
            "samples-between": [self._samples(low[row, pair_index]), self._samples(high[row, pair_index])],
            "p": dict(zip(sizes, study.p[row, pair_index], strict=True)),
            "p-error": dict(zip(sizes, study.error[row, pair_index], strict=True)),
        }

    def notes(self) -> list[str]:
        """Return the warnings, then notes on the method and its limits."""
        return [*self.remarks, *sampling_notes(self.study)]

    def display_tables(self) -> list[Table]:
        """Return tables of the sample sizes needed, the p-values with standard errors, and the scores of data sets.

        The first table is laid out like table 2 of Logacheva et al. 2016.
        """
        return [self._table_2(), self._p_values(), self._scores()]

    def columns(self) -> list[Table]:
        """Return one table for scripts, with a row per metric, pair of error rates, and sample size."""
        study, options = self.study, self.study.options
        adjusted = study.adjusted_p()
        header = ("metric", "errors 1", "errors 2", "samples", "p", "p error", "adjusted p", "seen")
        rows: list[tuple[Cell, ...]] = [
            (
                metric.name,
                *(float(options.errors[end]) for end in pair),
                size,
                float(study.p[row, pair_index, column]),
                float(study.error[row, pair_index, column]),
                float(adjusted[row, pair_index, column]),
                int(adjusted[row, pair_index, column] <= options.alpha),
            )
            for row, metric in enumerate(study.metrics)
            for pair_index, pair in enumerate(options.pairs)
            for column, size in enumerate(options.sizes)
        ]
        return [Table(self.heading, header, tuple(rows))]

    def _samples(self, size_index: int) -> int | None:
        """Return the sample size at an index; None if the index is beyond the last size."""
        sizes = self.study.options.sizes
        return sizes[size_index] if size_index < len(sizes) else None

    def _by_difference(self, by_errors: float) -> list[tuple[Decimal, np.ndarray]]:
        """Return the differences in error rate in ascending order, each with the sample sizes needed.

        The sizes are given by their indices, shape (metrics,). The size that a metric needs is the smallest at which it
        detects all pairs with the difference, after `by_errors` standard errors are added to each p-value.
        """
        options = self.study.options
        needed = self.study.required_size_indices(by_errors)
        results: dict[Decimal, list[int]] = {}
        for index, pair in enumerate(options.pairs):
            results.setdefault(options.difference(pair), []).append(index)
        return [(difference, needed[:, indices].max(axis=1)) for difference, indices in sorted(results.items())]

    def _table_2(self) -> Table:
        """Return the table of sample sizes needed; metrics are ordered by ascending size, then by mean p-value."""
        study = self.study
        exact = self._by_difference(0.0)
        low, high = (self._by_difference(by_errors) for by_errors in (-RANGE_STANDARD_ERRORS, RANGE_STANDARD_ERRORS))
        order = np.lexsort((study.p.mean(axis=(1, 2)), np.sum([indices for _, indices in exact], axis=0)))
        rows = tuple(
            (
                study.metrics[row].name,
                *(self._format_size_range(cell[row], low_cell[row], high_cell[row])
                  for (_, cell), (_, low_cell), (_, high_cell) in zip(exact, low, high, strict=True)),
            )
            for row in order.tolist()
        )  # fmt: skip
        title = tr("Data sets needed to detect a difference in error rate (percentage points)")
        notes = (
            tr("Smallest number of data sets at which the adjusted mean p is at most alpha for all pairs of error "
                "rates with this difference. In brackets: this number if p is two standard errors lower or higher."),
            tr("≤: the smallest number tested; fewer data sets may be enough."),
        )  # fmt: skip
        return Table(title, (tr("metric"), *(format_share(difference) for difference, _ in exact)), rows, notes=notes)

    def _format_size_range(self, size_index: int, low: int, high: int) -> str:
        if low == high:
            return self._amount(size_index)
        return f"{self._amount(size_index)} [{self._amount(low)}, {self._amount(high)}]"

    def _amount(self, size_index: int) -> str:
        result = self._samples(size_index)
        if result is None:
            return f">{self.study.options.sizes[-1]}"
        return str(result) if size_index else f"≤{result}"

    def _p_values(self) -> Table:
        study, options = self.study, self.study.options
        rows = tuple(
            (
                self._comparison_label(metric, pair),
                *map(_with_error, study.p[row, pair_index], study.error[row, pair_index]),
            )
            for row, metric in enumerate(study.metrics)
            for pair_index, pair in enumerate(options.pairs)
        )
        rules = tuple(range(len(options.pairs), len(rows), len(options.pairs)))
        title = tr("Mean unadjusted p by number of data sets, with its standard error")
        return Table(title, (tr("metric, error rates"), *map(str, options.sizes)), rows, rules=rules)

    def _comparison_label(self, metric: Metric, pair: tuple[int, int]) -> str:
        first, second = (format_share(self.study.options.errors[index]) for index in pair)
        return tr("{metric}, {one} and {other} %", metric=metric.name, one=first, other=second)

    def _scores(self) -> Table:
        study, options = self.study, self.study.options
        rows = tuple(
            (metric.name, *(f"{mean:.4f} ± {deviation:.4f}" for mean, deviation in zip(*scores, strict=True)))
            for metric, *scores in zip(study.metrics, study.means, study.deviations, strict=True)
        )
        title = tr("Scores of data sets by error rate in %: mean and standard deviation")
        return Table(title, (tr("metric"), *map(format_share, options.errors)), rows)


def _with_error(p: float, error: float) -> str:
    """Format a p-value with its standard error; if their sum is below `MIN_PRINTED_P`, return "<" and this limit."""
    if p + error < MIN_PRINTED_P:
        return f"<{MIN_PRINTED_P:.4f}"
    small = 0 < error < MIN_PRINTED_P / 2
    return f"{format_p(p, 4)} ± {f'<{MIN_PRINTED_P:.4f}' if small else f'{error:.4f}'}"
