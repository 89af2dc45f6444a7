"""Intervals of system means, by bootstrap over segments (Koehn 2004).

A system's mean is the sum of its segments' means over their number, both sums over segments: all systems' resampled
means are one product of resampling weights with those rows. The same segments are drawn for all systems and scales.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.ratings.aggregation.means import SegmentMeans
from qe_desktop.ratings.aggregation.units import compressed
from qe_desktop.significance import drawn_weights

Floats = NDArray[np.float64]
Watch = Callable[[int, int], None]
DENSE = 1 << 22
"""Cells of segments by systems up to which all are held, rated or not."""
SPARSE = 0.1
"""The share of rated cells below which larger ones are held without the others."""


def resampled_means(
    scales: Sequence[SegmentMeans], *, rounds: int = 1000, seed: int = 1, watch: Watch | None = None
) -> Floats:
    """System means on segments drawn with replacement, shape (scales, systems, rounds).

    All scales must be of the same ratings. Summed over scales, it gives resampled totals. NaN where none of a system's
    segments was drawn. Segments are drawn by name, so the order of a file does not matter.
    """
    systems = len(scales[0].systems)
    rated, rows, counts = _rows(scales)
    if not rated:
        return np.full((len(scales), systems, rounds), np.nan)
    sums, numbers = (np.empty((rounds, len(scales) * systems)) for _ in range(2))
    for first, weights in drawn_weights(rounds, seed, rated):
        last = first + len(weights)
        sums[first:last] = weights @ rows
        numbers[first:last] = rated if counts is None else weights @ counts
        if watch is not None:
            watch(last, rounds)
    means = sums / np.where(numbers > 0, numbers, np.nan)
    return np.ascontiguousarray(means.T).reshape(len(scales), systems, rounds)


def _rows(scales: Sequence[SegmentMeans]) -> tuple[int, Any, Any]:
    """How many segments were rated, and by these, in the order of their names, each system's means and whether it has
    one: shape (segments, scales × systems), the latter None where all have. Mostly empty ones are sparse.
    """
    names = scales[0].segments
    systems = len(scales[0].systems)
    if any(one.systems != scales[0].systems or one.segments != names for one in scales):
        raise ValueError("all scales must be of the same ratings")
    segments, place = compressed(np.concatenate([one.segment for one in scales]), len(names))
    by_name = np.empty(len(segments), np.int64)
    by_name[sorted(range(len(segments)), key=lambda at: names[segments[at]])] = np.arange(len(segments))
    cells = np.concatenate([one.system + number * systems for number, one in enumerate(scales)])
    means = np.concatenate([one.mean for one in scales])
    shape = (len(segments), len(scales) * systems)
    at, full = (by_name[place], cells), shape[0] * shape[1]
    if full > DENSE and len(means) < full * SPARSE:
        # imported here, so that the command line starts without it
        from scipy.sparse import csr_array

        return len(segments), csr_array((means, at), shape), csr_array((np.ones(len(means)), at), shape)
    rows, counts = np.zeros(shape), np.zeros(shape)
    rows[at] = means
    counts[at] = 1
    return len(segments), rows, None if len(means) == full else counts
