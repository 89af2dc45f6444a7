"""Influence of each segment on the difference between two systems, for any metric that is computed from sums.

The influence is half the amount by which the difference decreases if the two outputs for the segment are swapped:

    D = f(A) - f(B)
    influence_i = (D - (f(A - a_i + b_i) - f(B - b_i + a_i))) / 2

where f is the metric, A and B are the totals of the two systems, and a_i and b_i are their rows for segment i. The
randomization test makes the same swaps, so the influences help to explain its p-value. The sign is reversed if lower is
better, so a positive influence always means that the segment favours A. For a metric that is a sum, influences add up
to D, or to -D if lower is better. If a_i and b_i are equal, the influence is exactly 0. If a segment were removed
instead, the reference totals would also change, and segments on which the systems agree would have an influence.
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
        Name of the metric; empty if there is no gold.
    values
        Influence on the lead of the first system over the second, shape (segments,). If `metric` is empty, the number
        of items, such as tags (see `items`), that differ between the two outputs.
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
        Rows of the metric's family for both systems, shape (2, segments, columns).

    Returns
    -------
    ndarray
        Influences in the metric's units, shape (segments,); positive if the segment favours the first system, and
        exactly 0 if the rows of both systems are equal. Undefined scores count as 0.
    """
    first_rows, second_rows = np.asarray(rows[0], np.float64), np.asarray(rows[1], np.float64)
    first, second = first_rows.sum(axis=0), second_rows.sum(axis=0)
    row_differences = first_rows - second_rows
    observed = metric.finite_scores(first) - metric.finite_scores(second)
    swapped = metric.finite_scores(first - row_differences) - metric.finite_scores(second + row_differences)
    return np.where(row_differences.any(axis=1), metric.better * (observed - swapped) / 2, 0.0)
