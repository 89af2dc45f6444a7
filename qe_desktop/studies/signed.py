"""A paired permutation test of values that lie side by side: is one series higher than another by more than chance?"""

from __future__ import annotations

import numpy as np

from qe_desktop.metrics.family import Floats
from qe_desktop.significance import masks
from qe_desktop.significance.randomisation import Watch
from qe_desktop.studies.perm_both import Sides


def paired_p_values(
    values: Floats, *, rounds: int, seed: int, sides: Sides = "two", watch: Watch | None = None
) -> Floats:
    """p of all pairs of series of shape (series, n), from swapping whose value is whose: (series, series), symmetric.

    p = (c + 1) / (rounds + 1) with c the rounds whose difference of sums is as far from 0 as the observed one, or
    farther; one-sided, of the series with the higher sum, in the same direction. 1 where two series are the same, and
    on the diagonal. `watch` may raise to stop.
    """
    count, size = values.shape
    first, second = np.triu_indices(count, 1)
    sums = values.sum(axis=1)
    apart = sums[first] - sums[second]
    ahead, observed = np.sign(apart), np.abs(apart)
    bar = observed - 1e-9 * np.abs(values).sum(axis=1).max(initial=0.0)
    reached = np.zeros(len(first), np.int64)
    done = 0
    for block, drawn in masks.blocks(rounds):
        flips = masks.unpack(masks.swap_bits(seed, block, drawn, size), 0, size).astype(np.float64)
        # a swapped value is taken away from one sum and added to the other
        swapped = sums - 2 * (flips @ values.T)
        moved = (swapped[:, first] - swapped[:, second]) * ahead
        reached += np.count_nonzero((np.abs(moved) if sides == "two" else moved) >= bar, axis=0)
        done += drawn
        if watch is not None:
            watch(done, rounds)
    p = np.ones((count, count))
    p[first, second] = p[second, first] = (reached + 1) / (rounds + 1)
    same = (values[:, None] == values[None, :]).all(axis=-1)
    return np.where(same, 1.0, p)
