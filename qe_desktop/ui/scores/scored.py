"""The live scores as they were when their keeper told of a change: frozen values for models and painters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import LayerKey
from qe_desktop.levels import Level, all_levels
from qe_desktop.metrics import Metric

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Scores of `layers` by the names of the metrics, each of shape (layers,), NaN where undefined; none before they
    are counted.

    `differences` says how the last edit moved them. `totals` are the sums that they are made of, by family, shape
    (layers, columns). `ready` says that nothing is being counted.
    """

    level: Level = field(default_factory=lambda: all_levels()[0])
    layers: tuple[LayerKey, ...] = ()
    values: Mapping[str, Floats] = field(default_factory=dict)
    differences: Mapping[str, Floats] = field(default_factory=dict)
    totals: Mapping[str, Floats] = field(default_factory=dict)
    ready: bool = False

    def value(self, metric: Metric, row: int) -> float:
        """A layer's score, NaN where undefined or not counted yet."""
        values = self.values.get(metric.name)
        return float("nan") if values is None or row >= len(values) else float(values[row])

    def difference(self, metric: Metric, row: int) -> float:
        """How the last edit moved a score; 0 before any edit."""
        moves = self.differences.get(metric.name)
        return 0.0 if moves is None or row >= len(moves) or np.isnan(moves[row]) else float(moves[row])
