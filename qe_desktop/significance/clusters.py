"""Clusters of systems that no test tells apart, and ranges of ranks, from who beats whom."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.significance.corrections import Correction, adjust_p

Floats = NDArray[np.float64]
Beats = NDArray[np.bool_]


def significantly_better(p: Floats, *, alpha: float = 0.05, correction: Correction = "none") -> tuple[Beats, Floats]:
    """Who significantly beats whom, and the adjusted p, both (systems, systems), from one-sided p that the row is
    better than the column.

    NaN (no test) beats nobody, the diagonal is NaN. A correction is for all n(n - 1) one-sided tests; WMT makes none.
    """
    corrected = np.full_like(p, np.nan)
    tested = ~np.eye(len(p), dtype=bool) & np.isfinite(p)
    corrected[tested] = adjust_p(p[tested], correction)
    return np.where(tested, corrected, np.inf) <= alpha, corrected


def rank_clusters(order: Sequence[int] | NDArray[np.integer], beats: Beats) -> list[list[int]]:
    """The systems in `order` (best first), cut after place k where all of 1..k beat all below, as WMT does."""
    order = np.asarray(order, np.int64)
    if not len(order):
        return []
    ordered = beats[np.ix_(order, order)]
    # row r beats all below a cut exactly if its last place that it does not beat stands above the cut
    places = np.arange(len(order))
    last = np.where(ordered, -1, places).max(axis=1)
    cuts = np.flatnonzero(np.maximum.accumulate(last) <= places) + 1
    return [part.tolist() for part in np.split(order, cuts) if len(part)]


def rank_ranges(beats: Beats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The best and the worst rank each system may have: 1 + losses and n - wins (WMT24); both of shape (systems,)."""
    return 1 + beats.sum(axis=0, dtype=np.int64), len(beats) - beats.sum(axis=1, dtype=np.int64)
