"""Corrections for many tests at once, as adjusted p-values (the same as R's p.adjust)."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.wording import tr

Correction = Literal["none", "bonferroni", "holm"]
CALLED: dict[Correction, str] = {"none": tr("no correction"), "bonferroni": "Bonferroni", "holm": "Holm"}
"""What people call them."""
CORRECTIONS: tuple[Correction, ...] = ("none", "bonferroni", "holm")


def adjusted(p: NDArray[np.float64], correction: Correction) -> NDArray[np.float64]:
    """Adjusted p-values of one set of tests, shape (tests,); a test is significant where the result is ≤ alpha.

    NaN stands for what could not be tested, stays so, and is no test of the set.

    Bonferroni multiplies by the number of tests; Holm's step-down (Holm 1979) finds all that Bonferroni finds and more.
    """
    p = np.asarray(p, np.float64)
    tests = np.count_nonzero(~np.isnan(p))
    if correction == "none" or tests == 0:
        return p.copy()
    if correction == "bonferroni":
        return np.minimum(1.0, p * tests)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.maximum(tests - np.arange(len(p)), 1))
    out = np.empty(len(p))
    out[order] = np.minimum(1.0, stepped)
    return out


def adjusted_matrix(p: NDArray[np.float64], correction: Correction) -> NDArray[np.float64]:
    """As `adjusted` for a symmetric matrix of p, shape (systems, systems): each pair is one test; 1 on the diagonal."""
    upper = np.triu_indices(len(p), 1)
    out = np.ones_like(p)
    out[upper] = adjusted(p[upper], correction)
    out.T[upper] = out[upper]
    return out
