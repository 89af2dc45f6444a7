"""DeltaAvg: mean gold score of the segments that a system ranks first, minus the mean of all gold scores (WMT12–15).

The n segments, sorted by ascending system score, form q quantiles of ⌊n/q⌋ segments, for each q = 2 … ⌊n/2⌋. For each
q, the mean gold score of the first i quantiles is averaged over i = 1 … q−1. DeltaAvg is the absolute difference
between the mean of these averages over all q and the mean gold score of all segments. Before the absolute value is
taken, the difference is a weighted sum of the gold scores, where the weight of a segment depends only on its rank.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.correlation import SystemNumbers
from qe_desktop.metrics.family import Family, Metric, ScoreTerm

MIN_SEGMENTS = 4
"""Minimum number of segments: two quantiles of two segments each."""


@lru_cache(maxsize=8)
def rank_weights(size: int) -> Floats:
    """Return the weight of each rank in DeltaAvg.

    Parameters
    ----------
    size
        Number of segments n.

    Returns
    -------
    ndarray
        Read-only weights in ascending order of system scores, shape (size,); they add up to 0. All weights are 0 for
        fewer than `MIN_SEGMENTS` segments.
    """
    if size < MIN_SEGMENTS:
        zeros = np.zeros(size)
        zeros.flags.writeable = False
        return zeros
    max_quantiles = size // 2
    shares = np.zeros(size + 1)
    # cumulative sums of 1/(q-1) over q
    harmonic = np.concatenate([[0.0, 0.0], np.cumsum(1 / np.arange(1, max_quantiles))])
    lowest = 2
    while lowest <= max_quantiles:
        # values of q with quantiles of the same size
        quantile_size = size // lowest
        highest = min(max_quantiles, size // quantile_size)
        parts = np.arange(1, highest)
        ends = parts * quantile_size
        shares[ends] += (harmonic[highest] - harmonic[np.maximum(lowest - 1, parts)]) / ends
        lowest = highest + 1
    weights = np.cumsum(shares[::-1])[::-1][1:] / (max_quantiles - 1) - 1 / size
    weights.flags.writeable = False
    return np.asarray(weights)


def delta_rows(numbers: SystemNumbers) -> Floats:
    """Return the rows of DeltaAvg.

    Parameters
    ----------
    numbers
        Scores of a system, paired with the gold.

    Returns
    -------
    ndarray
        1 and (gold − mean gold) · weight of the rank, shape (segments, 2); ties share their mean weight.
    """
    gold = numbers.gold.values
    _, inverse, counts = np.unique(numbers.system, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    sums = np.concatenate([[0.0], np.cumsum(rank_weights(len(gold)))])
    # the weights of all ranks sum to exactly 0, so constant scores give exactly 0
    sums[-1] = 0.0
    weight = ((sums[ends] - sums[ends - counts]) / counts)[inverse.reshape(-1)] if len(gold) else gold
    mean_gold = gold.mean() if len(gold) else 0.0
    return np.stack([np.ones(len(gold)), weight * (gold - mean_gold)], axis=-1)


DELTA: Family[SystemNumbers] = Family(
    "delta", ("segments", "weighted gold"), shared=(0,), rows=delta_rows, has_independent_rows=False
)


def _parts(segments: Any, weighted: Any) -> tuple[Any, ...]:
    return (weighted,)


def _absolute_value(weighted: Any, out: Floats | None = None) -> Any:
    return np.abs(weighted, out=out)


METRICS = (
    Metric(
        "DeltaAvg", DELTA, (ScoreTerm(_parts, _absolute_value),), 0, np.inf,
        tr("Rewards scores that rank segments in the order of the gold or in reverse order."),
        tr("WMT12 to WMT15, as in their scoring script"),
        undefined=lambda segments, weighted: segments < MIN_SEGMENTS,
        reason=tr("Undefined for fewer than {n} segments.", "", MIN_SEGMENTS),
        caution=tr("In units of the gold; the value does not show whether the order is reversed."),
    ),
)  # fmt: skip
