"""The metric looked at: each system's score as a dot with its 95 % interval, best first."""

from __future__ import annotations

import math

from qe_desktop.ui.parts.dots import Dot, Dots
from qe_desktop.ui.scores.compared import Looked
from qe_desktop.ui.scores.sentences import interval_sentence
from qe_desktop.wording import tr


def intervals_of(looked: Looked, decimals: int) -> Dots | str:
    """The intervals as they are drawn, with so many digits in what a screen reader says; words while there are none."""
    result, metric = looked.result, looked.metric
    if result is None or metric not in result.metrics:
        return tr("Once systems are compared, this shows their intervals of {metric}.", metric=metric)
    one, intervals = result.comparison.of(metric), result.intervals[result.metrics.index(metric)]
    rows = []
    for place in one.order:
        name, score = result.layers[place].shown, float(one.scores[place])
        low, high = float(intervals[place, 0]), float(intervals[place, 1])
        said = interval_sentence(name, metric, (low, high), decimals, result.resampled)
        rows.append(Dot(name, 0.0 if math.isnan(score) else score, low, high, said))
    title = tr("{metric}, 95 % over {units}", metric=metric, units=result.resampled)
    return Dots(" · ".join((title, tr("before the last edits"))) if looked.stale else title, tuple(rows))
