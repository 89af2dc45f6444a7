"""Metric meta-evaluation as JSON, and as tables in the layout of Lavie et al. 2004."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from qe_desktop.i18n.messages import join_localized, join_names, tr
from qe_desktop.report.meta_evaluation_charts import (
    ALPHA,
    DECIMALS,
    curve_columns,
    curve_tables,
    curves_json,
    interval_end_names,
    interval_end_values,
    meta_evaluation_charts,
    metric_difference_tables,
    metric_differences_json,
)
from qe_desktop.report.meta_evaluation_notes import (
    correction_notes,
    documents_notes,
    fixed_scores_notes,
    intervals_notes,
    match_notes,
    match_warnings,
    orientation_note,
    segments_notes,
    systems_notes,
    tests_notes,
)
from qe_desktop.report.render.tables import (
    Cell,
    ReportColumn,
    Table,
    format_interval,
    interval_json,
    json_rows,
    script_table,
    square_json,
)
from qe_desktop.report.report_base import ReportBase
from qe_desktop.report.scores import is_negative_correlation, settings_signature
from qe_desktop.significance import Correction
from qe_desktop.studies.charts.metric_side import NumberFormatter, format_three_digits
from qe_desktop.studies.meta_eval.agreement import MetricAgreement
from qe_desktop.studies.meta_eval.agreement_curves import CorrelationCurve
from qe_desktop.studies.meta_eval.agreement_statistics import (
    AGREEMENT_STATISTICS,
    FEW_SYSTEMS_MARK,
    AgreementStatistic,
    counts_text,
    few_systems_note,
    observations_text,
    order_by_statistic,
    top_metrics,
)
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation
from qe_desktop.studies.meta_eval.score_data import CORRELATIONS, HEADINGS

BOLD = tr("Bold: no metric is significantly better.")
_INTERVAL_COLUMNS = {
    "pairwise_accuracy": "pairwise accuracy", "spa": "SPA", "differentials": "score differences",
    "segments_pearson": "segments pearson", "segments_kendall": "segments kendall", "acc_eq": "acc_eq",
}  # fmt: skip
"""Statistics whose intervals are in the last columns of tables for scripts, with their names in column headers."""
_COUNT_COLUMNS = {
    "pearson": "n", "spa": "n SPA", "acc_eq": "n acc_eq", "segments_pearson": "n segments pearson",
    "segments_kendall": "n segments kendall",
}  # fmt: skip
"""Statistics whose segment counts are in tables for scripts, with column names; "n" is for system-level statistics."""


@dataclass(frozen=True, slots=True, eq=False)
class MetaEvaluationReport(ReportBase):
    """Report of a meta-evaluation, with the settings of text metrics and warnings from reading files (`remarks`).

    p-values of differences between metrics are adjusted with `correction`, separately for each statistic; `alpha` is
    the significance level in charts, notes and bold type. `number` formats correlations in warnings. In tables for
    display, the metrics are sorted by `statistic`, best first; if `statistic` is None, they are in the order of the
    study. If `is_main_only` is true, only the tables of the agreement of the metrics are displayed.
    """

    study: MetaEvaluation
    remarks: tuple[str, ...] = ()
    text_settings: Mapping[str, str] | None = None
    curves: tuple[CorrelationCurve, ...] = ()
    correction: Correction = "none"
    alpha: float = ALPHA
    number: NumberFormatter = format_three_digits
    statistic: AgreementStatistic | None = None
    is_main_only: bool = False
    heading: ClassVar[str] = tr("Metric meta-evaluation")

    @property
    def signature(self) -> str:
        """One-line signature needed to reproduce the numbers."""
        options = self.study.options
        requested: dict[str, str] = {
            "differentials": options.orientation, "segments": options.segments, "sides": options.sides,
            "unit": options.unit,
        }  # fmt: skip
        sampling = {"rounds": options.rounds, "draws": options.draws, "seed": options.seed}
        judged = {} if self.correction == "none" else {"correction": self.correction, "alpha": self.alpha}
        return settings_signature("humans", {**(self.text_settings or {}), **requested, **sampling, **judged})

    def content(self) -> dict[str, Any]:
        """Return the agreement of each metric, correlations between metrics, and p-values of metric differences."""
        study = self.study
        names = [agreement.metric.name for agreement in study.agreements]
        return {
            "systems": study.systems,
            "humans": dict(zip(study.systems, study.human_scores, strict=True)),
            "unit": study.options.unit,
            "metrics": json_rows(self._agreement_columns(), study.agreements, "metric.name"),
            "segments": {
                "scored": study.segments,
                "rated_of_all": study.shared_segments,
                "rated": study.rated_segments,
                "figures": study.options.segments,
            },
            "between": square_json(names, study.inter_metric),
            **metric_differences_json(study, self.correction, self.alpha),
            **({"curves": curves_json(self.curves)} if self.curves else {}),
        }

    def _agreement_columns(self) -> list[ReportColumn]:
        """Columns of the table of metrics; each row is built from a `MetricAgreement`."""
        study = self.study
        names = tuple(CORRELATIONS)
        return [
            ReportColumn("metric.name", key="", name="metric"),
            ReportColumn(lambda item: dict(zip(study.systems, item.scores, strict=True)), key="scores"),
            ReportColumn("correlations", "", names, names),
            ReportColumn(
                "intervals", name=interval_end_names(names),
                script=lambda intervals: interval_end_values(intervals, names),
                json=lambda intervals: {name: interval_json(ends) for name, ends in intervals.items()},
            ),
            ReportColumn("pairwise_accuracy"),
            ReportColumn("spa", name="SPA"),
            ReportColumn("counts", key="n", name=""),
            ReportColumn("differentials", json=lambda pearson: {"pearson": pearson, "pairs": study.pairs}),
            ReportColumn(
                lambda item: {
                    **{name: item.pooled.get(name, math.nan) for name in ("pearson", "kendall")},
                    "pearson_within": item.match.r, "acc_eq": item.tied.accuracy, "epsilon": item.tied.epsilon,
                },
                key="segments",
            ),
            ReportColumn(
                lambda item: [item.pooled.get(name, math.nan) for name in ("pearson", "kendall")],
                name=("segments pearson", "segments kendall"),
            ),
            ReportColumn("tied.accuracy", key="", name="acc_eq"),
            ReportColumn("tied.epsilon", key="", name="epsilon"),
            ReportColumn("match.r", key="", name="segments pearson within systems"),
            ReportColumn(
                lambda item: [item.counts.get(name) for name in _COUNT_COLUMNS],
                name=tuple(_COUNT_COLUMNS.values()),
            ),
            ReportColumn(lambda item: interval_end_values(item.intervals, _INTERVAL_COLUMNS),
            name=interval_end_names(_INTERVAL_COLUMNS.values())),
        ]  # fmt: skip

    def notes(self) -> list[str]:
        """Return warnings, and notes on the segments used, undefined values, tests and signs."""
        study = self.study
        notes = list(self.remarks)
        notes += [*segments_notes(study), *fixed_scores_notes(study), *documents_notes(study)]
        without_intervals = [agreement.metric.name for agreement in study.agreements if not agreement.intervals]
        if without_intervals:
            notes.append(
                tr(
                    "Metrics without segment scores have no intervals and no permutation tests: {metrics}.",
                    metrics=", ".join(without_intervals),
                )
            )
        lacking = [agreement.metric.name for agreement in study.agreements if np.isnan(agreement.scores).any()]
        if lacking:
            notes.append(
                tr(
                    "Some systems have no score by {metrics}, so system-level statistics of {n:this metric|these "
                        "metrics} are undefined.",
                    "", len(lacking), metrics=", ".join(lacking),
                )
            )  # fmt: skip
        notes += [*systems_notes(study), *tests_notes(study), *correction_notes(study, self.correction, self.alpha)]
        notes += self._negative_correlation_notes()
        notes += [*self.warnings(), *match_notes(study)]
        reversed_metrics = [agreement.metric.name for agreement in study.agreements if agreement.metric.better < 0]
        if reversed_metrics:
            names = ", ".join(reversed_metrics)
            notes.append(tr("Lower is better for {metrics}, so all statistics use the negated scores.", metrics=names))
        signed = [agreement.metric for agreement in study.agreements if agreement.metric.signature]
        notes += [join_localized(": ", (metric.name, metric.signature)) for metric in signed]
        return notes

    def _negative_correlation_notes(self) -> list[str]:
        """Note on metrics that clearly correlate negatively with human scores; empty if there are none."""
        segments = self.study.shared_segments * len(self.study.systems)
        negative_metrics = [
            agreement.metric.name
            for agreement in self.study.agreements
            if (is_negative_correlation(agreement.pooled["pearson"], segments) if agreement.pooled
                else is_negative_correlation(agreement.correlations["pearson"], len(self.study.systems)))
        ]  # fmt: skip
        if not negative_metrics:
            return []
        return [
            tr(
                "Pearson of {metrics} with human scores is negative: the metric scores or the human scores may measure "
                "errors instead of quality.",
                metrics=join_names(negative_metrics),
            )
        ]

    def warnings(self) -> list[str]:
        """Return warnings that segment-level numbers may be meaningless; empty if there are none."""
        return match_warnings(self.study, self.number)

    def display_tables(self) -> list[Table]:
        """Return tables of agreement (systems, pairs, segments), metric differences, system scores, and curves."""
        tables = [self._systems(), self._pairs(), self._segments()]
        if self.is_main_only:
            return tables
        tables += [self._inter_metric_table(), *metric_difference_tables(self.study, self.correction, self._order())]
        return [*tables, self._scores(), *curve_tables(self.curves)]

    def _order(self) -> list[int]:
        """Indices of the metrics, in the order of tables for display."""
        if self.statistic is None:
            return list(range(len(self.study.agreements)))
        return order_by_statistic(self.study, self.statistic)

    def _ordered(self) -> list[MetricAgreement]:
        return [self.study.agreements[index] for index in self._order()]

    def pictures(self) -> list[str]:
        """Return charts: each metric against human scores, curves, and significant differences between metrics."""
        return list(meta_evaluation_charts(self.study, self.curves, self.correction, self.alpha).values())

    def columns(self) -> list[Table]:
        """Return one row per metric with every statistic in its own column, and one row per curve point."""
        agreements = self.study.agreements
        table = script_table(self.heading, self._agreement_columns(), agreements)
        signatures = [agreement.metric.signature for agreement in agreements]
        return [table.with_last("signature", signatures), *curve_columns(self.curves)]

    def _scores(self) -> Table:
        """Systems sorted by human score, best first (Lavie 2004, table 1)."""
        study = self.study
        rows = [
            (name, float(human), *map(float, scores))
            for name, human, *scores in zip(
                study.systems, study.human_scores, *(agreement.scores for agreement in self._ordered()), strict=True
            )
        ]
        ranked = tuple(rows[index] for index in np.argsort(-study.human_scores, kind="stable").tolist())
        header = (tr("system"), tr("human"), *self._names())
        return Table(tr("Human and metric scores of systems"), header, ranked, DECIMALS)

    def _names(self) -> list[str]:
        return [agreement.metric.name for agreement in self._ordered()]

    def _systems(self) -> Table:
        """System-level correlations with intervals (Lavie 2004, table 2)."""
        systems = len(self.study.systems)
        title = tr("Correlation with human scores over {n} {n:system|systems}", "", systems)
        sizes = {tr("n (systems)"): [f"{systems:,}"] * len(CORRELATIONS)}
        table = self._agreement_table(title, dict(HEADINGS), sizes)
        return table.with_notes(*intervals_notes(self.study), *self._cautions())

    def _pairs(self) -> Table:
        """Agreement on pairs of systems (Lavie 2004, tables 3 and 4; WMT metrics task)."""
        header = {
            "pairwise_accuracy": tr("pairwise accuracy"), "spa": "SPA", "differentials": tr("score differences"),
        }  # fmt: skip
        title = tr("Agreement with human scores on {n} {n:pair|pairs} of systems", "", self.study.pairs)
        table = self._agreement_table(title, header, {tr("n (system pairs)"): [f"{self.study.pairs:,}"] * 3})
        return table.with_notes(orientation_note(self.study), *self._cautions())

    def _segments(self) -> Table:
        """Segment-level agreement, pooled and per segment; the last column is ε of acc*eq."""
        header = {
            "segments_pearson": tr("segment-level Pearson"), "segments_kendall": tr("segment-level Kendall"),
            "acc_eq": "acc*eq",
        }  # fmt: skip
        of_pearson, of_kendall, of_pairs = (observations_text(self.study, key) for key in header)
        sizes = {tr("n (translations)"): [of_pearson, of_kendall, ""], tr("n (translation pairs)"): ["", "", of_pairs]}
        table = self._agreement_table(tr("Segment-level agreement with human scores"), header, sizes)
        tolerances = [agreement.tied.epsilon for agreement in self._ordered()]
        last: list[Cell] = [None if math.isnan(epsilon) else f"{epsilon:.4g}" for epsilon in tolerances]
        last += [None] * (len(table.rows) - len(last))
        rows = tuple((*row, cell) for row, cell in zip(table.rows, last, strict=True))
        return replace(table, header=(*table.header, "ε"), rows=rows)

    def _agreement_table(self, title: str, header: Mapping[str, str], sizes: Mapping[str, Sequence[str]]) -> Table:
        """Return a table of statistics with intervals and a row per metric; `header` maps statistics to headings.

        The last rows contain sample sizes: `sizes`, keyed by row name, and the numbers of segments.
        """
        figures = [figure for figure in AGREEMENT_STATISTICS if figure.key in header]
        rows: list[tuple[Cell, ...]] = [
            (
                agreement.metric.name,
                *(
                    format_interval(figure.value(agreement), figure.interval(agreement), DECIMALS)
                    + self._mark(figure, agreement)
                    for figure in figures
                ),
            )
            for agreement in self._ordered()
        ]
        counts = {**sizes, tr("n (segments)"): [counts_text(self.study, figure.key) for figure in figures]}
        rows += [(name, *texts) for name, texts in counts.items()]
        tops = [top_metrics(self.study, figure, self.correction, self.alpha) for figure in figures]
        best = frozenset(
            (row, column)
            for row, index in enumerate(self._order())
            for column, top in enumerate(tops, 1)
            if index in top
        )
        return Table(title, (tr("metric"), *header.values()), tuple(rows), DECIMALS, best=best, bold_note=BOLD)

    def _cautions(self) -> list[str]:
        """Explanation of `FEW_SYSTEMS_MARK`, the mark of correlations over few systems; empty if not needed."""
        note = few_systems_note(self.study, AGREEMENT_STATISTICS[0])
        return [f"{FEW_SYSTEMS_MARK} {note}"] if note else []

    def _mark(self, figure: AgreementStatistic, agreement: MetricAgreement) -> str:
        return (
            f" {FEW_SYSTEMS_MARK}"
            if few_systems_note(self.study, figure) and not math.isnan(figure.value(agreement))
            else ""
        )

    def _inter_metric_table(self) -> Table:
        names, order = self._names(), self._order()
        values = self.study.inter_metric[np.ix_(order, order)].tolist()
        rows = tuple((name, *row) for name, row in zip(names, values, strict=True))
        return Table(tr("Inter-metric correlation over systems"), ("", *names), rows, DECIMALS)
