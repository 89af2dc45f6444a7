"""The distinction coefficient d: the share of pairs of systems that a metric tells apart (Logacheva et al. 2016)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.significance.corrections import Correction, adjusted_matrix


def distinction(p: NDArray[np.float64], correction: Correction, alpha: float) -> float:
    """Significant pairs / all pairs of a symmetric matrix of uncorrected p; NaN with fewer than two systems.

    The correction counts the pairs of this matrix alone, so a half of the systems is tested against its own number of
    pairs (the paper's footnote 3).
    """
    systems = len(p)
    if systems < 2:
        return float("nan")
    upper = np.triu_indices(systems, 1)
    return float((adjusted_matrix(p, correction)[upper] <= alpha).mean())


def halves(systems: int, top: int | None = None) -> tuple[int, int]:
    """How many systems are the top and how many the bottom: floor(half) and the rest, 8 and 9 of 17, unless chosen."""
    upper = systems // 2 if top is None else max(0, min(top, systems))
    return upper, systems - upper
