"""Significance clusters and rank ranges of systems."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.significance.corrections import Correction, adjust_p

Beats = NDArray[np.bool_]


def significantly_better(p: Floats, *, alpha: float = 0.05, correction: Correction = "none") -> tuple[Beats, Floats]:
    """Return, for each ordered pair of systems, whether the first is significantly better, and the adjusted p-value.

    Parameters
    ----------
    p
        One-sided p-values, shape (systems, systems); NaN if untested. The alternative hypothesis of `p[a, b]` is that
        system a is better than system b.
    alpha
        Significance level.
    correction
        Correction for multiple tests. It counts all one-sided tests: n(n − 1) if all pairs of n systems were tested.
        WMT uses no correction.

    Returns
    -------
    tuple of ndarray
        Two arrays of shape (systems, systems). The first is True at index [a, b] if system a is significantly better
        than system b, and False if not or if untested. The second has the adjusted p-values, NaN if untested.
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
        Whether system a is significantly better than system b, `beats[a, b]`, shape (systems, systems).

    Returns
    -------
    list of list of int
        System indices of each cluster, best first. A cluster ends after rank k if each of the systems with ranks 1 to k
        is significantly better than each lower-ranked system.
    """
    order = np.asarray(order, np.int64)
    if not len(order):
        return []
    ordered = beats[np.ix_(order, order)]
    # system r beats all systems below a cut if and only if the last system that it does not beat is above the cut
    ranks = np.arange(len(order))
    last = np.where(ordered, -1, ranks).max(axis=1)
    cuts = np.flatnonzero(np.maximum.accumulate(last) <= ranks) + 1
    return [part.tolist() for part in np.split(order, cuts) if len(part)]


def rank_ranges(beats: Beats) -> tuple[Ints, Ints]:
    """Return the best and worst possible rank of each system.

    Parameters
    ----------
    beats
        Whether system a is significantly better than system b, `beats[a, b]`, shape (systems, systems).

    Returns
    -------
    tuple of ndarray
        Best ranks and worst ranks, shape (systems,) each. The best rank of a system is 1 + the number of significantly
        better systems; the worst is the number of all systems − the number of significantly worse systems.
    """
    return 1 + beats.sum(axis=0, dtype=np.int64), len(beats) - beats.sum(axis=1, dtype=np.int64)
