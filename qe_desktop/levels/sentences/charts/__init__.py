"""What can be seen of scores of segments, as Graham 2015 shows it. Each picture is made when somebody looks at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import ChartRequest, ScoreChart

if TYPE_CHECKING:
    from qe_desktop.levels.chart_model import Panels


def _system_vs_gold(asked: ChartRequest) -> Panels | str:
    # only the window draws, and only when somebody looks
    from qe_desktop.levels.sentences.charts.gold_panels import system_vs_gold_panels

    return system_vs_gold_panels(asked)


def _if_rescaled(asked: ChartRequest) -> Panels | str:
    from qe_desktop.levels.sentences.charts.rescaling_gain import rescaling_panels

    return rescaling_panels(asked)


def _between_systems(asked: ChartRequest) -> Panels | str:
    from qe_desktop.levels.sentences.charts.system_correlations import between_systems_panels

    return between_systems_panels(asked)


SENTENCE_CHARTS = (
    ScoreChart(
        "beside-gold", tr("Beside the gold"),
        tr("The scores of the system chosen above beside the gold: each segment, and how they spread."),
        _system_vs_gold,
    ),
    ScoreChart(
        "if-rescaled", tr("If rescaled"),
        tr("The errors that each system would have if its scores had the mean of the gold and half its deviation."),
        _if_rescaled,
    ),
    ScoreChart(
        "between-systems", tr("Between systems"),
        tr("How the scores of systems correlate with each other."),
        _between_systems,
    ),
)  # fmt: skip
