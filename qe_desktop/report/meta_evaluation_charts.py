"""Pictures of metrics beside people as SVG: systems and pairs by each metric, curves, and which metric is better."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from qe_desktop.escaping import safe_file_name
from qe_desktop.i18n.messages import tr
from qe_desktop.report.render.chart_svg import panel_svg
from qe_desktop.report.render.matrix_svg import draw_matrix
from qe_desktop.significance import sign_meanings
from qe_desktop.studies.charts import curve_panels, metric_vs_human_panels
from qe_desktop.studies.meta_eval.agreement_curves import CorrelationCurve
from qe_desktop.studies.meta_eval.agreement_measures import (
    AgreementStatistic,
    metric_verdicts,
    order_by_statistic,
    statistic_of_test,
    test_text,
)
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation

ALPHA = 0.05
"""From which p on, uncorrected, a metric is better than another."""


def meta_evaluation_charts(study: MetaEvaluation, curves: Sequence[CorrelationCurve] = ()) -> dict[str, str]:
    """Every picture of a study by the name of its file."""
    pictures: dict[str, str] = {}
    for parts, picture in _chart_sources(study, curves):
        pictures[next(name for name in _names(parts) if name not in pictures)] = picture
    return pictures


def _names(parts: tuple[str, str]) -> Iterator[str]:
    """Names of a file; a second metric that would be called the same has a number."""
    of, what = parts
    for number in count(1):
        again = "" if number == 1 else f"-{number}"
        yield f"{safe_file_name(of, 'metric')}.{what}{again}.svg"


def _chart_sources(study: MetaEvaluation, curves: Sequence[CorrelationCurve]) -> Iterator[tuple[tuple[str, str], str]]:
    """What each picture is of, and the picture."""
    for place, one in enumerate(study.agreements):
        for what, panel in zip(("systems", "pairs"), metric_vs_human_panels(study, place), strict=True):
            yield (one.metric.name, what), panel_svg(panel)
    kinds = dict.fromkeys(curve.of for curve in curves)
    for kind in kinds:
        for panel in curve_panels([curve for curve in curves if curve.of == kind]):
            yield ("curve", kind), panel_svg(panel)
    if len(study.agreements) > 1:
        for figure in study.better:
            yield ("better", figure), _better(study, figure)


def significance_title(study: MetaEvaluation, figure: AgreementStatistic) -> str:
    """What the matrix of p by a figure is called; it names the test."""
    return tr("Significance: which metric is better by {figure} ({test}, p)", figure=figure.title,
              test=test_text(study, figure))  # fmt: skip


def _better(study: MetaEvaluation, figure: str) -> str:
    """Metrics, those that agree best first; a cell is shaded where its row is significantly better."""
    shown = statistic_of_test(figure)
    judged = metric_verdicts(study, shown, "none", ALPHA)
    assert judged is not None
    names = [one.metric.name for one in study.agreements]
    signs = ", ".join(f"{level.sign} {text}" for level, text in sign_meanings(ALPHA, "none").items())
    legend = [
        signs,
        tr("Filled cells: the metric of the row is significantly better than that of the column."),
        tr("p is not corrected."),
    ]
    title = significance_title(study, shown)
    return draw_matrix(names, judged, order_by_statistic(study, shown), title, legend)
