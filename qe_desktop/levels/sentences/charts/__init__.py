"""Charts of segment scores (Graham 2015), built on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import ChartRequest, ScoreChart

if TYPE_CHECKING:
    from qe_desktop.levels.chart_model import Panels


def _system_vs_gold(request: ChartRequest) -> Panels | str:
    # charts are imported on demand, by the window only
    from qe_desktop.levels.sentences.charts.gold_panels import system_vs_gold_panels

    return system_vs_gold_panels(request)


def _rescaling_gain(request: ChartRequest) -> Panels | str:
    from qe_desktop.levels.sentences.charts.rescaling_gain import rescaling_panels

    return rescaling_panels(request)


def _system_correlations(request: ChartRequest) -> Panels | str:
    from qe_desktop.levels.sentences.charts.system_correlations import between_systems_panels

    return between_systems_panels(request)


SENTENCE_CHARTS = (
    ScoreChart(
        "beside-gold", tr("System vs. gold"),
        tr("The selected system's scores against the gold, segment by segment, and the distributions of both."),
        _system_vs_gold,
    ),
    ScoreChart(
        "if-rescaled", tr("Rescaled"),
        tr(
            "The errors that each system would have if its scores had the mean and half the standard deviation of the "
            "gold."
        ),
        _rescaling_gain,
    ),
    ScoreChart(
        "between-systems", tr("Between systems"),
        tr("The correlations between the scores of systems."),
        _system_correlations,
    ),
)  # fmt: skip
