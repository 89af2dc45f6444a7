"""System comparison as JSON and tables: a ranking and a p-value matrix for each metric.

Matrices show adjusted p-values; JSON and the table of all pairs also contain unadjusted p-values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.report.format_values import format_verdict
from qe_desktop.report.power_notes import too_few_documents_note, too_few_rounds_note, too_few_segments_note
from qe_desktop.report.render.svg import describe_signs, matrix_or_title
from qe_desktop.report.render.tables import (
    Cell,
    ReportColumn,
    Table,
    format_interval,
    script_table,
    square_json,
    title_after_pair,
    to_json,
)
from qe_desktop.report.report_base import PairedReport
from qe_desktop.report.scores import (
    documents_note,
    interval_notes,
    intervals_json,
    negative_correlation_notes,
    no_interval_notes,
    settings_signature,
    undefined_notes,
)
from qe_desktop.significance import (
    CORRECTION_LABELS,
    Comparison,
    Correction,
    MetricComparison,
    SignificanceLevel,
    get_test,
    top_and_bottom,
    unattainable_level,
)

if TYPE_CHECKING:
    from qe_desktop.levels import Scoring

DECIMALS = 4
Intervals = Mapping[str, Floats]
"""Intervals of shape (systems, 2), by metric name."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonReport(PairedReport):
    """Report on a comparison of systems, with 95% intervals, if any; `remarks` are warnings that precede the notes.

    `of(metric)` returns the matrices of a metric; rows and columns are in the order of `systems`.
    """

    comparison: Comparison
    remarks: tuple[str, ...] = ()
    intervals: Intervals | None = None
    size: str = ""
    """Size of the data as displayed, such as the number of segments."""
    signature: str = ""
    pair: str = ""
    heading: ClassVar[str] = tr("Comparison")
    notes_below: ClassVar[int] = 0

    @classmethod
    def build(
        cls,
        scoring: Scoring,
        comparison: Comparison,
        remarks: tuple[str, ...] = (),
        intervals: Intervals | None = None,
        interval_settings: Mapping[str, Any] | None = None,
    ) -> ComparisonReport:
        """Build the report of the systems in `scoring`; `interval_settings` states how intervals were computed."""
        level, options = scoring.level, comparison.options
        parts = {
            **level.signature(scoring), "test": options.test, "tails": get_test(options.test).tails,
            "rounds": options.rounds, "seed": options.seed, "unit": options.unit,
            "correction": options.correction, "alpha": options.alpha, **(interval_settings or {}),
        }  # fmt: skip
        signature = settings_signature(level.group, parts)
        return cls(comparison, remarks, intervals, level.report_summary(scoring), signature)

    @property
    def systems(self) -> tuple[str, ...]:
        """System names in input order."""
        return self.comparison.systems

    def of(self, metric: str) -> MetricComparison:
        """Return scores, p-values, significance and d for a metric. Raises KeyError if the metric was not compared."""
        results = {item.metric.name.lower(): item for item in self.comparison.metrics}
        return results[metric.lower()]

    def notes(self) -> list[str]:
        """Return the notes on the comparison."""
        lacking = [
            note
            for metric in self.comparison.metrics
            if self.intervals is not None
            for note in no_interval_notes(
                metric.metric, self.systems, metric.scores, self.intervals[metric.metric.name]
            )
        ]
        return [*self.remarks, *comparison_notes(self.comparison), *lacking]

    def content(self) -> dict[str, Any]:
        """Return rankings and p-values."""
        return comparison_json(self.comparison, self.intervals)

    def display_tables(self) -> list[Table]:
        """Return a matrix for each metric."""
        tables = [matrix_table(self.comparison, metric, intervals=self.intervals) for metric in self._metrics()]
        return [tables[0], *(table.with_subject(self.subject) for table in tables[1:])]

    def columns(self) -> list[Table]:
        """Return one table of all system pairs."""
        return [pairs_table(self.comparison, self.intervals)]

    def pictures(self) -> list[str]:
        """Return a significance matrix for each metric as SVG."""
        titled = {metric: tr("{metric}: significance", metric=metric) for metric in self._metrics()}
        return [
            matrix_or_title(self.comparison, metric, title_after_pair(self.pair, title))
            for metric, title in titled.items()
        ]

    def _metrics(self) -> list[str]:
        return [metric.metric.name for metric in self.comparison.metrics]


def comparison_json(comparison: Comparison, intervals: Intervals | None = None) -> dict[str, Any]:
    """Return a comparison as JSON (the command-line contract).

    "p" holds unadjusted and "p_adjusted" adjusted p-values; "significant" is based on adjusted p-values.
    """
    options = comparison.options
    first = comparison.metrics[0]
    content: dict[str, Any] = {
        "systems": [comparison.systems[index] for index in first.order],
        "segments": comparison.segments,
        "test": options.test,
        "tails": get_test(options.test).tails,
        "rounds": options.rounds,
        "exact": comparison.exact,
        "seed": options.seed,
        "unit": options.unit,
        "units": comparison.units,
        "correction": options.correction,
        "alpha": options.alpha,
        "metrics": {metric.metric.name: _metric_json(comparison.systems, metric) for metric in comparison.metrics},
        "notes": comparison_notes(comparison),
    }
    if intervals is not None:
        content["intervals"] = intervals_json(comparison.systems, intervals)
    return content


def _metric_json(names: tuple[str, ...], comparison: MetricComparison) -> dict[str, Any]:
    order = [int(index) for index in comparison.order]

    content = {
        "scores": {names[index]: comparison.scores[index] for index in order},
        "p": square_json(names, comparison.p, order),
        "p_adjusted": square_json(names, comparison.adjusted, order),
        "p-error": square_json(names, comparison.error, order),
        "significant": {names[a]: [names[b] for b in order if comparison.beats[a, b]] for a in order},
        "clusters": [[names[index] for index in cluster] for cluster in comparison.clusters],
        "d": comparison.d,
        "d_top": comparison.d_top,
        "d_bottom": comparison.d_bottom,
    }
    return {name: to_json(value) for name, value in content.items()}


def comparison_notes(comparison: Comparison) -> list[str]:
    """Return the notes on a comparison."""
    notes = []
    if comparison.exact:
        notes.append(exact_note(comparison.rounds))
    for metric in comparison.metrics:
        notes += undefined_notes(metric.metric, comparison.systems, metric.scores)
        notes += negative_correlation_notes(metric.metric, comparison.systems, metric.scores, comparison.segments)
        notes += (
            [join_localized(": ", (metric.metric.name, metric.metric.signature))] if metric.metric.signature else []
        )
    notes.append(top_and_bottom_note(*top_and_bottom(len(comparison.systems), comparison.options.top)))
    split = documents_note(comparison.split_documents, comparison.segments)
    cautions = [get_test(comparison.options.test).caution, split, reach_note(comparison)]
    return [*notes, *(note for note in cautions if note)]


def exact_note(rounds: int) -> str:
    """Return a note that a test enumerated all `rounds` permutations."""
    return tr("All permutations ({n:,}) were enumerated, so p is exact.", "", rounds)


def top_and_bottom_note(top: int, bottom: int) -> str:
    """Return a note on the numbers of systems over which d_top and d_bottom are computed."""
    return tr(
        "d is the share of system pairs that differ significantly; d_top covers the {top} best {top:system|systems}, "
        "d_bottom the other {bottom}. A correction for multiple comparisons, if selected, covers only the pairs within "
        "each group.",
        top=top, bottom=bottom,
    )  # fmt: skip


def reach_note(comparison: Comparison) -> str:
    """Return a note on a significance level that cannot be reached, and on what to do; empty if all can be reached."""
    missed = unattainable_level(comparison)
    if missed is None:
        return ""
    options = comparison.options
    if missed.rounds is not None:
        return too_few_rounds_note(comparison.rounds, options.correction, missed)
    too_few = too_few_documents_note if options.unit == "document" else too_few_segments_note
    return too_few(comparison.units, options.correction, missed)


def signs_note(alpha: float, correction: Correction) -> str:
    """Return a note that explains the signs of a matrix and which p-values it shows."""
    p_values = tr("p-values are unadjusted")
    if correction != "none":
        p_values = tr("p-values in the table are adjusted ({name})", name=CORRECTION_LABELS[correction])
    return f"{describe_signs(alpha, correction)}; {p_values}"


def pairs_table(comparison: Comparison, intervals: Intervals | None = None) -> Table:
    """Return a table for scripts, at full precision: a row per metric and pair of systems, the better system first.

    Clusters are numbered from 1 (best); an untested system has no cluster number. The last columns are the intervals of
    both systems, if any, and the metric's signature.
    """

    def scores(metric: MetricComparison, system: int) -> list[float]:
        return [] if intervals is None else intervals[metric.metric.name][system].tolist()

    ends = () if intervals is None else ("low", "high", "other low", "other high")
    columns = [
        ReportColumn(lambda row: row[0].metric.name, name="metric"),
        ReportColumn(lambda row: comparison.systems[row[1]], name="system"),
        ReportColumn(lambda row: comparison.systems[row[2]], name="other"),
        ReportColumn(lambda row: float(row[0].scores[row[1]]), name="score"),
        ReportColumn(lambda row: float(row[0].scores[row[2]]), name="other score"),
        ReportColumn(lambda row: float(row[0].p[row[1:]]), name="p"),
        ReportColumn(lambda row: float(row[0].error[row[1:]]), name="p-error"),
        ReportColumn(lambda row: float(row[0].adjusted[row[1:]]), name="adjusted"),
        ReportColumn(lambda row: "yes" if row[0].beats[row[1:]] else "no", name="significant"),
        ReportColumn(lambda row: _cluster(row[0], row[1]), name="cluster"),
        ReportColumn(lambda row: _cluster(row[0], row[2]), name="other cluster"),
        ReportColumn(lambda row: [*scores(row[0], row[1]), *scores(row[0], row[2])], name=ends),
    ]
    pairs = [(metric, *pair) for metric in comparison.metrics for pair in combinations(map(int, metric.order), 2)]
    return script_table("", columns, pairs).with_last("signature", [metric.metric.signature for metric, *_ in pairs])


def _cluster(metric: MetricComparison, system: int) -> int | None:
    """Return the cluster number of a system; None if the system was not tested."""
    return next((number for number, cluster in enumerate(metric.clusters, 1) if system in cluster), None)


def matrix_table(comparison: Comparison, metric: str, intervals: Intervals | None = None) -> Table:
    """Return the matrix of adjusted p-values of a metric with significance signs; the best system comes first."""
    metric_comparison, verdicts = comparison.of(metric), comparison.verdicts(metric)
    order = [int(index) for index in metric_comparison.order]
    names = comparison.systems
    rows: list[tuple[Cell, ...]] = []
    for left in order:
        cells = ["" if left == right else format_verdict(verdicts.pair(left, right), DECIMALS) for right in order]
        score = float(metric_comparison.scores[left])
        rows.append(
            (
                names[left],
                score if intervals is None else format_interval(score, intervals[metric][left], DECIMALS),
                *cells,
            )
        )
    options = comparison.options
    signs = signs_note(options.alpha, options.correction)
    if comparison.identical is not None and comparison.identical.sum() > len(names):
        identical = tr("identical output")
        signs = f"{signs}; {SignificanceLevel.IDENTICAL.sign} {identical}"
    errors = metric_comparison.error[~np.eye(len(names), dtype=bool)]
    is_estimated = not comparison.exact and comparison.rounds > 0 and not np.isnan(errors).all()
    error = _error(np.nanmax(errors), options.correction) if is_estimated else ""
    d = Table("", ("",), ((metric_comparison.d,), (metric_comparison.d_top,), (metric_comparison.d_bottom,)), 3).cells()
    coefficients = f"d = {d[0][0]}, d_top = {d[1][0]}, d_bottom = {d[2][0]}"
    clusters = _clusters(names, metric_comparison)
    interval_remarks = interval_notes([] if intervals is None else [intervals[metric]])
    remarks = tuple(remark for remark in (signs, error, *interval_remarks, coefficients, clusters) if remark)
    header = (tr("system"), tr("score"), *(names[index] for index in order))
    return Table(_title(comparison, metric), header, tuple(rows), DECIMALS, remarks)


def _title(comparison: Comparison, metric: str) -> str:
    """Title that states how the p-values of a matrix were computed."""
    test, rounds, seed = get_test(comparison.options.test).title, comparison.rounds, comparison.options.seed
    if not rounds:
        return tr("{metric}. {test}: p in closed form", metric=metric, test=test)
    if comparison.options.unit == "segment":
        swaps = tr(
            "{metric}. {test}: exact p from all {n:,} {n:permutation|permutations} of segments",
            "", rounds, metric=metric, test=test,
        )  # fmt: skip
        sampled = tr(
            "{metric}. {test}: p from {n:,} {n:trial|trials} over segments, seed {seed}",
            "", rounds, metric=metric, test=test, seed=seed,
        )  # fmt: skip
    else:
        swaps = tr(
            "{metric}. {test}: exact p from all {n:,} {n:permutation|permutations} of documents",
            "", rounds, metric=metric, test=test,
        )  # fmt: skip
        sampled = tr(
            "{metric}. {test}: p from {n:,} {n:trial|trials} over documents, seed {seed}",
            "", rounds, metric=metric, test=test, seed=seed,
        )  # fmt: skip
    return swaps if comparison.exact else sampled


def _clusters(names: tuple[str, ...], comparison: MetricComparison) -> str:
    """Format the significance clusters as one line, best first."""
    cluster_text = " | ".join(", ".join(names[index] for index in cluster) for cluster in comparison.clusters)
    return tr("Clusters, best first: {clusters}", clusters=cluster_text)


def _error(greatest: float, correction: Correction) -> str:
    if correction == "none":
        return tr("Monte Carlo error of p: ±{error:.4f} at most", error=greatest)
    return tr("Monte Carlo error of unadjusted p: ±{error:.4f} at most", error=greatest)


def p_column_note(correction: Correction) -> str:
    """Return the label of p-values in a spreadsheet, such as “p adjusted by Holm”, or “unadjusted p”.

    The label is in English, as are all texts in exchange formats.
    """
    return "unadjusted p" if correction == "none" else f"p adjusted by {CORRECTION_LABELS[correction]}"


def matrix_numbers(comparison: Comparison, metric: str, order: Sequence[int] | None = None) -> Table:
    """Return adjusted p-values of a metric as a table for spreadsheets; the first header names the correction.

    `order` holds the indices of the systems to include; by default, these are all systems, best first.
    """
    metric_comparison = comparison.of(metric)
    order = [int(index) for index in (metric_comparison.order if order is None else order)]
    names, correction = comparison.systems, comparison.options.correction
    rows = tuple(
        (
            names[a],
            float(metric_comparison.scores[a]),
            *(None if a == b else float(metric_comparison.adjusted[a, b]) for b in order),
        )
        for a in order
    )
    return Table("", (f"{metric}, {p_column_note(correction)}", "score", *(names[index] for index in order)), rows)
