"""SVG charts of a meta-evaluation: metrics against human scores, curves, and significant differences of metrics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qe_desktop.escaping import safe_file_name
from qe_desktop.i18n.messages import tr
from qe_desktop.report.meta_evaluation_notes import adjusted_note
from qe_desktop.report.render.chart_svg import panel_svg
from qe_desktop.report.render.matrix_svg import describe_signs, draw_matrix
from qe_desktop.report.render.svg import svg_file_name
from qe_desktop.significance import Correction
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

    `correction` and `alpha` determine which differences between metrics are significant.
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
        for chart_type, panel in zip(("systems", "pairs"), metric_vs_human_panels(study, index), strict=True):
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
