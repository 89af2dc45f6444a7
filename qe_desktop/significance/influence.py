"""Which segments make the difference between two systems: each one's influence on it, in any metric of sums.

A segment's influence is half of what the difference changes by when the two outputs of that segment are swapped:

    D = f(A) - f(B)        influence_i = (D - (f(A - a_i + b_i) - f(B - b_i + a_i))) / 2

with A and B the totals of the two systems and a_i, b_i their rows. It is what one swap of the randomisation test does,
so the list explains the p beside it. Positive means that the segment puts A ahead, also where less is better. A metric
that is a sum has influences that add up to D; where both outputs count the same, it is exactly 0. Leaving the segment
out instead would change the reference's totals as well, and so give influence to segments on which the systems agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import LayerKey
from qe_desktop.metrics import Metric

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class SegmentInfluence:
    """What sets two systems apart in each segment, `values` of shape (segments,).

    With a `metric` it is each segment's influence on how far the first system is ahead of the second; without (there is
    nothing to score them against), the number of `items` in which they differ: what the two systems gave.
    """

    between: tuple[LayerKey, LayerKey]
    metric: str
    values: Floats
    items: str = "tags"


def segment_influence(metric: Metric, rows: NDArray[Any]) -> Floats:
    """Each segment's influence on how far the first system is ahead of the second, shape (segments,).

    `rows` are the metric's family's, shape (2, segments, columns). Undefined scores count as 0, as in the tests.
    """
    one, other = np.asarray(rows[0], np.float64), np.asarray(rows[1], np.float64)
    first, second = one.sum(axis=0), other.sum(axis=0)
    moved = one - other
    observed = metric.comparable(first) - metric.comparable(second)
    swapped = metric.comparable(first - moved) - metric.comparable(second + moved)
    return np.where(moved.any(axis=1), metric.better * (observed - swapped) / 2, 0.0)
