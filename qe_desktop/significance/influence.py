"""Influence of each segment on the difference between two systems, for any metric that is computed from sums.

The influence is half the amount by which the difference decreases if the two outputs of the segment are swapped:

    D = f(A) - f(B)
    influence_i = (D - (f(A - a_i + b_i) - f(B - b_i + a_i))) / 2

with A and B the totals of the two systems and a_i, b_i their rows. This is one swap of the randomization test, so the
influences help to explain its p-value. The sign is reversed if lower is better: a positive influence means that the
segment favours A. For a metric that is a sum, influences add up to D, or to -D if lower is better. If both outputs have
the same row, the influence is exactly 0. Leaving the segment out would also change the reference totals, and give
influence to segments on which the systems agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import LayerKey
from qe_desktop.corpus.columns import Floats
from qe_desktop.metrics import Metric


@dataclass(frozen=True, slots=True, eq=False)
class SegmentInfluence:
    """Influence of each segment on the difference between two systems.

    Attributes
    ----------
    systems
        The two systems.
    metric
        Name of the metric; empty without gold.
    values
        Influence on the lead of the first system over the second, shape (segments,). Without a metric, the number of
        items (see `items`) in which the two outputs differ.
    """

    systems: tuple[LayerKey, LayerKey]
    metric: str
    values: Floats
    items: str = "tags"


def segment_influence(metric: Metric, rows: NDArray[Any]) -> Floats:
    """Return the influence of each segment on the lead of the first system over the second.

    Parameters
    ----------
    metric
        Metric.
    rows
        Rows of its family of both systems, shape (2, segments, columns).

    Returns
    -------
    ndarray
        Influences in the metric's units, shape (segments,); positive if the segment favours the first system, and
        exactly 0 if both rows are equal. Undefined scores count as 0.
    """
    first_rows, second_rows = np.asarray(rows[0], np.float64), np.asarray(rows[1], np.float64)
    first, second = first_rows.sum(axis=0), second_rows.sum(axis=0)
    row_differences = first_rows - second_rows
    observed = metric.finite_scores(first) - metric.finite_scores(second)
    swapped = metric.finite_scores(first - row_differences) - metric.finite_scores(second + row_differences)
    return np.where(row_differences.any(axis=1), metric.better * (observed - swapped) / 2, 0.0)
