"""Charts of tags, built on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level import ChartRequest, ScoreChart

if TYPE_CHECKING:
    from qe_desktop.levels.chart_model import Panels


def _hits_and_misses(request: ChartRequest) -> Panels | str:
    # charts are imported on demand, by the window only
    from qe_desktop.levels.words.charts.hits_and_misses import hits_and_misses_panels

    return hits_and_misses_panels(request)


WORD_CHARTS = (
    ScoreChart(
        "hits-and-misses", tr("Hits and misses"),
        tr("Hits, misses and false alarms of each system. Positive class: BAD."),
        _hits_and_misses, is_live=True,
    ),
)  # fmt: skip
