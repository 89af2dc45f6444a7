"""Significance clusters and rank ranges of systems."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.significance.corrections import Correction, adjust_p

Beats = NDArray[np.bool_]


def significantly_better(p: Floats, *, alpha: float = 0.05, correction: Correction = "none") -> tuple[Beats, Floats]:
    """Return which systems are significantly better, and the adjusted p-values.

    Parameters
    ----------
    p
        One-sided p-values (alternative: the row is better than the column), shape (systems, systems); NaN if untested.
    alpha
        Significance level.
    correction
        Correction over the one-sided tests, n(n - 1) if all pairs were tested; WMT uses none.

    Returns
    -------
    tuple of ndarray
        Whether the row is significantly better than the column (False if untested), and the adjusted p-values (NaN
        if untested), both of shape (systems, systems).
    """
    corrected = np.full_like(p, np.nan)
    tested = ~np.eye(len(p), dtype=bool) & np.isfinite(p)
    corrected[tested] = adjust_p(p[tested], correction)
    return np.where(tested, corrected, np.inf) <= alpha, corrected


def rank_clusters(order: Sequence[int] | NDArray[np.integer], beats: Beats) -> list[list[int]]:
    """Split ranked systems into significance clusters, as at WMT.

    Parameters
    ----------
    order
        System indices, best first.
    beats
        Whether the row is significantly better than the column, shape (systems, systems).

    Returns
    -------
    list of list of int
        System indices of each cluster, best first. There is a boundary after each rank k where all of the systems 1 to
        k are significantly better than all systems below.
    """
    order = np.asarray(order, np.int64)
    if not len(order):
        return []
    ordered = beats[np.ix_(order, order)]
    # row r beats everything below a cut if and only if the last system it does not beat is above the cut
    ranks = np.arange(len(order))
    last = np.where(ordered, -1, ranks).max(axis=1)
    cuts = np.flatnonzero(np.maximum.accumulate(last) <= ranks) + 1
    return [part.tolist() for part in np.split(order, cuts) if len(part)]


def rank_ranges(beats: Beats) -> tuple[Ints, Ints]:
    """Return the best and worst rank possible for each system.

    Parameters
    ----------
    beats
        Whether the row is significantly better than the column, shape (systems, systems).

    Returns
    -------
    tuple of ndarray
        Best ranks, 1 + losses, and worst ranks, n − wins, of n systems, shape (systems,) each.
    """
    return 1 + beats.sum(axis=0, dtype=np.int64), len(beats) - beats.sum(axis=1, dtype=np.int64)
