"""Corrections for multiple tests by adjusted p-values, as in R's `p.adjust`."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.i18n.messages import tr

Correction = Literal["none", "bonferroni", "holm"]
CORRECTION_LABELS: dict[Correction, str] = {"none": tr("no correction"), "bonferroni": "Bonferroni", "holm": "Holm"}
"""Labels for display."""
CORRECTIONS: tuple[Correction, ...] = ("none", "bonferroni", "holm")


def adjust_p(p: NDArray[np.float64], correction: Correction) -> NDArray[np.float64]:
    """Return adjusted p-values of sets of tests; a test is significant if its adjusted p-value is at most alpha.

    Bonferroni multiplies by the number of tests; Holm's step-down procedure (Holm 1979) is never less powerful. NaN
    (untested) stays NaN and is not counted.

    Parameters
    ----------
    p
        Unadjusted p-values, shape (..., tests); each set is corrected separately.
    correction
        "none", "bonferroni" or "holm".

    Returns
    -------
    ndarray
        Adjusted p-values, of the shape of `p`.
    """
    p = np.asarray(p, np.float64)
    if correction == "none" or not p.size:
        return p.copy()
    tests = np.count_nonzero(~np.isnan(p), axis=-1, keepdims=True)
    if correction == "bonferroni":
        return np.minimum(1.0, p * tests)
    order = np.argsort(p, axis=-1, kind="stable")
    steps = np.maximum(tests - np.arange(p.shape[-1]), 1)
    stepped = np.maximum.accumulate(np.take_along_axis(p, order, -1) * steps, axis=-1)
    out = np.empty_like(p)
    np.put_along_axis(out, order, np.minimum(1.0, stepped), -1)
    return out


def adjust_p_matrix(p: NDArray[np.float64], correction: Correction) -> NDArray[np.float64]:
    """Return `adjust_p` of symmetric matrices of p-values, shape (..., systems, systems).

    Each pair is one test of its matrix; the diagonal is 1.
    """
    rows, columns = upper_triangle(p.shape[-1])
    out = np.ones_like(p)
    out[..., rows, columns] = adjust_p(p[..., rows, columns], correction)
    out[..., columns, rows] = out[..., rows, columns]
    return out


@lru_cache(maxsize=64)
def upper_triangle(systems: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the row and column indices of all pairs of systems (above the diagonal)."""
    rows, columns = np.triu_indices(systems, 1)
    for places in (rows, columns):
        places.flags.writeable = False
    return rows, columns
