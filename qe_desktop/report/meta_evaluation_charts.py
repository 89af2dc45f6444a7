"""Charts of a meta-evaluation, and tables of curves and of the significance of metric differences."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from qe_desktop.corpus.columns import Floats
from qe_desktop.escaping import safe_file_name
from qe_desktop.i18n.messages import tr
from qe_desktop.report.format_values import P_DECIMALS, round_short_p
from qe_desktop.report.meta_evaluation_notes import adjusted_note, test_size_notes
from qe_desktop.report.render.chart_svg import panel_svg
from qe_desktop.report.render.svg import describe_signs, draw_matrix, svg_file_name
from qe_desktop.report.render.tables import Cell, Table, format_interval, interval_json, square_json
from qe_desktop.significance import CORRECTION_LABELS, Correction, adjust_p_matrix
from qe_desktop.studies.charts import curve_panels, metric_vs_human_panels
from qe_desktop.studies.meta_eval.agreement_curves import CorrelationCurve, CurvePoint
from qe_desktop.studies.meta_eval.agreement_statistics import (
    AgreementStatistic,
    metric_verdicts,
    order_by_statistic,
    statistic_of_test,
    test_text,
)
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation
from qe_desktop.studies.meta_eval.score_data import CORRELATIONS, HEADINGS

ALPHA = 0.05
"""Default of the maximum p-value at which a metric is significantly better."""
DECIMALS = 3
"""Number of decimals of correlations."""


def meta_evaluation_charts(
    study: MetaEvaluation,
    curves: Sequence[CorrelationCurve] = (),
    correction: Correction = "none",
    alpha: float = ALPHA,
) -> dict[str, str]:
    """Return every chart of a meta-evaluation as SVG, by file name.

    `correction` and `alpha` determine which differences between metrics are significant; `alpha` also determines which
    pairs of systems have significant differences in opposite directions.
    """
    pictures: dict[str, str] = {}
    for (subject, kind), picture in _chart_sources(study, curves, correction, alpha):
        pictures[svg_file_name(f"{safe_file_name(subject, 'metric')}.{kind}", pictures)] = picture
    return pictures


def _chart_sources(
    study: MetaEvaluation, curves: Sequence[CorrelationCurve], correction: Correction, alpha: float
) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the subject and type of each chart, from which its file name is formed, and the chart as SVG."""
    for index, agreement in enumerate(study.agreements):
        for chart_type, panel in zip(
            ("systems", "pairs"), metric_vs_human_panels(study, index, alpha=alpha), strict=True
        ):
            yield (agreement.metric.name, chart_type), panel_svg(panel)
    kinds = dict.fromkeys(curve.kind for curve in curves)
    for kind in kinds:
        for panel in curve_panels([curve for curve in curves if curve.kind == kind], len(study.systems)):
            yield ("curve", kind), panel_svg(panel)
    if len(study.agreements) > 1:
        for figure in study.metric_p_values:
            yield ("better", figure), _significance_matrix(study, figure, correction, alpha)


def significance_title(study: MetaEvaluation, figure: AgreementStatistic, correction: Correction) -> str:
    """Title of the p-value matrix of a statistic, including the names of the test and of the correction, if any."""
    if correction != "none":
        return tr(
            "Significance of differences in {figure} ({test}, p adjusted by {correction})",
            figure=figure.title, test=test_text(study, figure), correction=CORRECTION_LABELS[correction],
        )  # fmt: skip
    return tr("Significance of differences in {figure} ({test}, p)", figure=figure.title,
              test=test_text(study, figure))  # fmt: skip


def _significance_matrix(study: MetaEvaluation, figure: str, correction: Correction, alpha: float) -> str:
    """SVG matrix of the differences between metrics, highest agreement first.

    A cell is filled if the metric in its row is significantly better than the metric in its column.
    """
    statistic = statistic_of_test(figure)
    verdicts = metric_verdicts(study, statistic, correction, alpha)
    assert verdicts is not None
    names = [agreement.metric.name for agreement in study.agreements]
    legend = [
        describe_signs(alpha, correction),
        tr("Blue cells: the metric in the row is significantly better than the metric in the column."),
        adjusted_note(verdicts.p, correction) or tr("p-values are unadjusted."),
    ]
    title = significance_title(study, statistic, correction)
    return draw_matrix(names, verdicts, order_by_statistic(study, statistic), title, legend)


def metric_differences_json(study: MetaEvaluation, correction: Correction, alpha: float) -> dict[str, Any]:
    """Return the unadjusted p-values of all pairs of metrics and, if there is a correction, the adjusted ones."""
    names, williams = _names(study), study.tests.williams
    content: dict[str, Any] = {
        "better": {figure: square_json(names, p) for figure, p in study.metric_p_values.items()},
        "tests": {
            figure: {
                "test": study.tests.tests[figure],
                "sides": study.options.sides,
                "segments": study.tests.segments[figure] or None,
            }
            for figure in study.metric_p_values
        },
    }
    if williams is not None:
        content["williams"] = square_json(names, williams)
    if correction != "none":
        adjusted = {figure: adjust_p_matrix(p, correction) for figure, p in study.metric_p_values.items()}
        content["correction"], content["alpha"] = correction, alpha
        content["better_adjusted"] = {figure: square_json(names, p) for figure, p in adjusted.items()}
        if williams is not None:
            content["williams_adjusted"] = square_json(names, adjust_p_matrix(williams, correction))
    return content


def metric_difference_tables(study: MetaEvaluation, correction: Correction, order: Sequence[int]) -> Iterator[Table]:
    """Yield a matrix of p-values, adjusted with `correction`, for each tested statistic.

    `order` contains the indices of the metrics.
    """
    for figure, p in study.metric_p_values.items():
        title = significance_title(study, statistic_of_test(figure), correction)
        yield _matrix(study, title, p, correction, order, test_size_notes(study, figure))
    if study.tests.williams is not None:
        yield _matrix(study, _williams_title(study, correction), study.tests.williams, correction, order)


def _williams_title(study: MetaEvaluation, correction: Correction) -> str:
    is_two_sided = study.options.sides == "two"
    if correction == "none":
        return (
            tr("Significance of differences in Pearson (Williams test, two-sided, p)")
            if is_two_sided
            else tr("Significance of differences in Pearson (Williams test, one-sided, p)")
        )
    name = CORRECTION_LABELS[correction]
    return (
        tr("Significance of differences in Pearson (Williams test, two-sided, p adjusted by {correction})",
           correction=name)
        if is_two_sided
        else tr("Significance of differences in Pearson (Williams test, one-sided, p adjusted by {correction})",
                correction=name)
    )  # fmt: skip


def _names(study: MetaEvaluation) -> list[str]:
    return [agreement.metric.name for agreement in study.agreements]


def _matrix(
    study: MetaEvaluation,
    title: str,
    p: Floats,
    correction: Correction,
    order: Sequence[int],
    notes: tuple[str, ...] = (),
) -> Table:
    names, adjusted = _names(study), adjust_p_matrix(p, correction)
    rows = tuple(
        (
            names[row],
            *(
                None if row == column else "".join(round_short_p(float(adjusted[row, column]))) or None
                for column in order
            ),
        )
        for row in order
    )
    note = adjusted_note(p, correction)
    return Table(title, ("", *(names[index] for index in order)), rows, P_DECIMALS, (*notes, *([note] if note else [])))


# --- curves


CURVE_FIELDS = {"recall": "alpha", "references": "references"}


def curves_json(curves: Sequence[CorrelationCurve]) -> dict[str, dict[str, list[dict[str, Any]]]]:
    """Return the points of each curve, by curve type and metric; undefined values are null."""
    content: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for curve in curves:
        content.setdefault(curve.kind, {})[curve.metric] = [_point(curve, point) for point in curve.points]
    return content


def _point(curve: CorrelationCurve, point: CurvePoint) -> dict[str, Any]:
    sets = {"sets": point.set_count, "sampled": point.sampled} if curve.kind == "references" else {}
    return {
        CURVE_FIELDS[curve.kind]: point.x,
        **sets,
        **point.correlations,
        "intervals": {name: interval_json(ends) for name, ends in point.intervals.items()},
    }


def curve_tables(curves: Sequence[CorrelationCurve]) -> list[Table]:
    """Return one table for each curve over recall weights, and one for all curves over reference counts, if any."""
    recall = [_recall(curve) for curve in curves if curve.kind == "recall"]
    reference_curves = [curve for curve in curves if curve.kind == "references"]
    return [*recall, *([_references(reference_curves)] if reference_curves else [])]


def _recall(curve: CorrelationCurve) -> Table:
    rows: list[tuple[Cell, ...]] = [(f"{point.x:.2f}", *_cells(point)) for point in curve.points]
    best = curve.best
    notes = () if best is None else (tr("Pearson is highest at recall weight {weight:.2f}.", weight=best.x),)
    title = tr(
        "Correlation with human scores by recall weight in Fmean (0: precision only, 1: recall "
        "only; Lavie et al. 2004 use .9)"
    )
    return Table(title, (tr("recall weight"), *HEADINGS.values()), tuple(rows), DECIMALS, notes)


def _references(curves: Sequence[CorrelationCurve]) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (curve.metric, int(point.x), point.set_count, *_cells(point)) for curve in curves for point in curve.points
    ]
    size = len(curves[0].points)
    notes = [tr("Each value is the mean over reference sets; the number of sets is shown.")]
    if any(point.sampled for point in curves[0].points):
        notes.append(tr("If more sets are possible than shown, a random sample is used."))
    header = (tr("metric"), tr("references"), tr("sets"), *HEADINGS.values())
    rules = tuple(range(size, size * len(curves), size))
    return Table(
        tr("Correlation with human scores by number of references"), header, tuple(rows), DECIMALS, tuple(notes), rules
    )


def _cells(point: CurvePoint) -> list[str]:
    return [format_interval(value, point.intervals.get(name), DECIMALS) for name, value in point.correlations.items()]


def curve_columns(curves: Sequence[CorrelationCurve]) -> list[Table]:
    """Return one table with a row per point of each curve, or an empty list if there are no curves."""
    if not curves:
        return []
    rows = tuple(
        (
            curve.kind, curve.metric, point.x if curve.kind == "recall" else int(point.x), point.set_count,
            *point.correlations.values(), *interval_end_values(point.intervals, CORRELATIONS),
        )
        for curve in curves
        for point in curve.points
    )  # fmt: skip
    return [
        Table(tr("Curves"), ("curve", "metric", "at", "sets", *CORRELATIONS, *interval_end_names(CORRELATIONS)), rows)
    ]


def interval_end_names(names: Iterable[str]) -> tuple[str, ...]:
    """Names of the columns for the lower and upper ends of the intervals of statistics."""
    return tuple(f"{name} {end}" for name in names for end in ("low", "high"))


def interval_end_values(intervals: Mapping[str, tuple[float, float]], names: Iterable[str]) -> list[float]:
    """Return the lower and upper ends of the intervals of statistics, NaN if undefined."""
    return [end for name in names for end in intervals.get(name, (math.nan, math.nan))]
