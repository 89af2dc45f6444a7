"""A comparison of the open systems, computed beside the window, as frozen values that models and painters hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import LayerKey
from qe_desktop.levels import Level, Scoring
from qe_desktop.metrics import Metric
from qe_desktop.significance import Comparison, Options, in_units, intervals, resampled_scores
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.parts.dots import Dot, Dots
from qe_desktop.ui.scores.sentences import interval_sentence, layer_text
from qe_desktop.wording import tr

COUNTED, TESTED = 0.2, 0.8
"""The shares of the work that are done when rows are counted, and when they are tested; intervals come last."""
INTERVAL_ROUNDS = 1_000
MANY_UNITS, FEWER_ROUNDS = 100_000, 200
"""From so many units on intervals are drawn in fewer rounds: they are narrow, and each round takes long."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A comparison with its level and the systems' layers, and intervals of shape (metrics, systems, 2) in its metrics'
    order.
    """

    level: Level
    layers: tuple[LayerKey, ...]
    comparison: Comparison
    intervals: NDArray[np.float64]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of the tested metrics."""
        return tuple(one.metric.name for one in self.comparison.metrics)

    def interval(self, metric: str, layer: LayerKey) -> tuple[float, float] | None:
        """The 95 % bootstrap interval of a layer's score, or None where it was not computed."""
        if metric not in self.metrics or layer not in self.layers:
            return None
        low, high = self.intervals[self.metrics.index(metric), self.layers.index(layer)]
        return float(low), float(high)

    @property
    def resampled(self) -> str:
        """What the intervals were drawn over, for people: 40 documents."""
        if self.comparison.options.unit == "document":
            return tr("{n:,} documents", "", self.comparison.units)
        return tr("{n:,} segments", "", self.comparison.units)


@dataclass(frozen=True, slots=True)
class Looked:
    """What there is to be looked at: the metric, the result that there is, and whether edits came since."""

    metric: str = ""
    result: Compared | None = None
    stale: bool = False


def intervals_of(looked: Looked, decimals: int) -> Dots | str:
    """The intervals as they are drawn, with so many digits in what a screen reader says; words while there are none."""
    result, metric = looked.result, looked.metric
    if result is None or metric not in result.metrics:
        return tr("Once systems are compared, this shows their intervals of {metric}.", metric=metric)
    one, intervals = result.comparison.of(metric), result.intervals[result.metrics.index(metric)]
    rows = []
    for place in one.order:
        name, score = layer_text(result.layers[place]), float(one.scores[place])
        low, high = float(intervals[place, 0]), float(intervals[place, 1])
        said = interval_sentence(name, metric, (low, high), decimals, result.resampled)
        rows.append(Dot(name, 0.0 if math.isnan(score) else score, low, high, said))
    title = tr("{metric}, 95 % over {units}", metric=metric, units=result.resampled)
    return Dots(" · ".join((title, tr("before the last edits"))) if looked.stale else title, tuple(rows))


def compute(scoring: Scoring, metrics: Sequence[Metric], options: Options, progress: Progress) -> Compared:
    """Tests and intervals, both over the unit of the options."""

    def counted(share: float) -> None:
        progress.report(COUNTED * share, tr("rows"))

    def tested(done: int, total: int) -> None:
        progress.report(
            COUNTED + (TESTED - COUNTED) * done / total, tr("{done:,} of {n:,} rounds", "", total, done=done)
        )

    def drawn(done: int, total: int) -> None:
        progress.report(TESTED + (1 - TESTED) * done / total, tr("intervals"))

    families = scoring.family_rows(metrics, counted)
    ordered = [metric for family in families for metric in family.metrics]
    compared = scoring.compared(families, ordered, options, tested)
    units = in_units(families, options.unit, scoring.documents)
    rounds = INTERVAL_ROUNDS if compared.units <= MANY_UNITS else FEWER_ROUNDS
    resampled = resampled_scores(units, rounds=rounds, seed=options.seed, watch=drawn)
    return Compared(scoring.level, scoring.subjects, compared, intervals(resampled))
