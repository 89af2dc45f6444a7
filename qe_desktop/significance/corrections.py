"""Corrections for many tests at once, as adjusted p-values (the same as R's p.adjust)."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.i18n.messages import tr

Correction = Literal["none", "bonferroni", "holm"]
CORRECTION_LABELS: dict[Correction, str] = {"none": tr("no correction"), "bonferroni": "Bonferroni", "holm": "Holm"}
"""What people call them."""
CORRECTIONS: tuple[Correction, ...] = ("none", "bonferroni", "holm")


def adjust_p(p: NDArray[np.float64], correction: Correction) -> NDArray[np.float64]:
    """Adjusted p-values of sets of tests, shape (..., tests), each set by itself; a test is significant where the
    result is ≤ alpha.

    NaN stands for what could not be tested, stays so, and is no test of its set.

    Bonferroni multiplies by the number of tests; Holm's step-down (Holm 1979) finds all that Bonferroni finds and more.
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
    """As `adjusted` for symmetric matrices of p, shape (..., systems, systems): each pair is one test of its matrix; 1
    on the diagonal.
    """
    rows, columns = upper_triangle(p.shape[-1])
    out = np.ones_like(p)
    out[..., rows, columns] = adjust_p(p[..., rows, columns], correction)
    out[..., columns, rows] = out[..., rows, columns]
    return out


@lru_cache(maxsize=64)
def upper_triangle(systems: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows and the columns of all pairs of systems, each once: what is above the diagonal."""
    rows, columns = np.triu_indices(systems, 1)
    for places in (rows, columns):
        places.flags.writeable = False
    return rows, columns
