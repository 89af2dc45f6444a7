"""Charts of studies.

This module combines the charts of the meta-evaluation; the charts of other studies are in sibling modules.
"""

from __future__ import annotations

from qe_desktop.corpus.columns import Floats
from qe_desktop.levels.chart_model import Panels
from qe_desktop.studies.charts.curve_charts import curve_panels
from qe_desktop.studies.charts.metric_side import ALPHA, MetricVsHuman, NumberFormatter, format_three_digits
from qe_desktop.studies.charts.metric_vs_human_charts import pairs_panel, segments_panel, systems_panel
from qe_desktop.studies.meta_eval.agreement_statistics import AgreementStatistic
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation

__all__ = [
    "NumberFormatter",
    "curve_panels",
    "format_three_digits",
    "metric_vs_human_panels",
    "segment_level_panels",
]


def metric_vs_human_panels(
    study: MetaEvaluation, metric: int, number: NumberFormatter = format_three_digits, alpha: float = ALPHA
) -> Panels:
    """Return two charts that compare the metric at index `metric` with human scores: by system and by system pair.

    `alpha` is the two-sided significance level for reporting pairs with opposite differences.
    """
    side = MetricVsHuman(study, study.agreements[metric], number, alpha)
    return systems_panel(side), pairs_panel(side)


def segment_level_panels(
    study: MetaEvaluation,
    metric: int,
    figure: AgreementStatistic,
    scores: Floats,
    number: NumberFormatter = format_three_digits,
    alpha: float = ALPHA,
) -> Panels:
    """Return a chart of translations, with the segment-level statistic `figure` in the title, and a chart of systems.

    Both charts compare the metric at index `metric` with human scores. `scores` are the segment scores in the metric's
    units, shape (systems, segments). `alpha` is the two-sided significance level for reporting pairs with
    opposite differences.
    """
    side = MetricVsHuman(study, study.agreements[metric], number, alpha)
    return segments_panel(side, figure, scores), systems_panel(side)
