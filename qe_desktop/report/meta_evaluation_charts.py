"""Charts of a meta-evaluation, and tables of the significance of metric differences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from qe_desktop.corpus.columns import Floats
from qe_desktop.escaping import safe_file_name
from qe_desktop.i18n.messages import tr
from qe_desktop.report.format_values import format_p
from qe_desktop.report.meta_evaluation_notes import adjusted_note, test_size_notes
from qe_desktop.report.render.chart_svg import panel_svg
from qe_desktop.report.render.svg import describe_signs, draw_matrix, svg_file_name
from qe_desktop.report.render.tables import Table, square_json
from qe_desktop.significance import Correction, adjust_p_matrix
from qe_desktop.studies.charts import curve_panels, metric_vs_human_panels
from qe_desktop.studies.meta_eval.agreement_curves import CorrelationCurve
from qe_desktop.studies.meta_eval.agreement_statistics import (
    AgreementStatistic,
    metric_verdicts,
    order_by_statistic,
    statistic_of_test,
    test_text,
)
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation

ALPHA = 0.05
"""Default of the maximum p-value at which a metric is significantly better."""


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


def significance_title(study: MetaEvaluation, figure: AgreementStatistic) -> str:
    """Title of the p-value matrix of a statistic, including the name of the test."""
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
    title = significance_title(study, statistic)
    return draw_matrix(names, verdicts, order_by_statistic(study, statistic), title, legend)


P_DECIMALS = 3
"""Number of decimals of p-values."""


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


def metric_difference_tables(study: MetaEvaluation, correction: Correction) -> Iterator[Table]:
    """Yield a matrix of p-values, adjusted with `correction`, for each tested statistic."""
    for figure, p in study.metric_p_values.items():
        title = significance_title(study, statistic_of_test(figure))
        yield _matrix(study, title, p, correction, test_size_notes(study, figure))
    if study.tests.williams is not None:
        title = (
            tr("Significance of differences in Pearson (Williams test, two-sided, p)")
            if study.options.sides == "two"
            else tr("Significance of differences in Pearson (Williams test, one-sided, p)")
        )
        yield _matrix(study, title, study.tests.williams, correction)


def _names(study: MetaEvaluation) -> list[str]:
    return [agreement.metric.name for agreement in study.agreements]


def _matrix(study: MetaEvaluation, title: str, p: Floats, correction: Correction, notes: tuple[str, ...] = ()) -> Table:
    names, adjusted = _names(study), adjust_p_matrix(p, correction)
    rows = tuple(
        (
            name,
            *(
                None if row == column else format_p(float(value), P_DECIMALS)
                for column, value in enumerate(adjusted[row])
            ),
        )
        for row, name in enumerate(names)
    )
    note = adjusted_note(p, correction)
    return Table(title, ("", *names), rows, P_DECIMALS, (*notes, *([note] if note else [])))
