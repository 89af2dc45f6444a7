"""A comparison of the open systems, computed beside the window, as frozen values that models and painters hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import LayerKey, TagColumn
from qe_desktop.metrics import Metric, families_of, rows_of
from qe_desktop.significance import (
    Comparison,
    Options,
    compare_rows,
    grouped,
    in_units,
    intervals,
    resampled_scores,
    same_tags,
)
from qe_desktop.ui.jobs import Progress

INTERVAL_ROUNDS = 1_000
MANY_UNITS, FEWER_ROUNDS = 100_000, 200
"""From so many units on intervals are drawn in fewer rounds: they are narrow, and each round takes long."""


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """A comparison with the systems' layers, and intervals of shape (metrics, systems, 2) in its metrics' order."""

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
        return f"{self.comparison.units:,} {self.comparison.options.unit}s"


@dataclass(frozen=True, slots=True)
class Looked:
    """What there is to be looked at: the metric, the result that there is, and whether edits came since."""

    metric: str = ""
    result: Compared | None = None
    stale: bool = False


def compute(
    layers: tuple[LayerKey, ...],
    gold: TagColumn,
    systems: Sequence[TagColumn],
    metrics: Sequence[Metric],
    options: Options,
    documents: NDArray[Any] | None,
    progress: Progress,
) -> Compared:
    """Tests and intervals, both over the unit of the options; `documents` (segments,) is needed where that is one."""

    def counted(share: float) -> None:
        progress.report(0.2 * share, "rows")

    def tested(done: int, total: int) -> None:
        progress.report(0.2 + 0.6 * done / total, f"{done:,} of {total:,} rounds")

    def drawn(done: int, total: int) -> None:
        progress.report(0.8 + 0.2 * done / total, "intervals")

    dtype = np.float32 if len(gold) > 100_000 else np.float64
    families = grouped(metrics, rows_of(families_of(metrics), gold, systems, dtype=dtype, watch=counted))
    ordered = [metric for family in families for metric in family.metrics]
    names = [key.name for key in layers]
    compared = compare_rows(names, families, ordered, options, documents=documents, watch=tested)
    units = in_units(families, options.unit, documents)
    rounds = INTERVAL_ROUNDS if compared.units <= MANY_UNITS else FEWER_ROUNDS
    resampled = resampled_scores(units, rounds=rounds, seed=options.seed, watch=drawn)
    return Compared(layers, replace(compared, identical=same_tags(systems)), intervals(resampled))
