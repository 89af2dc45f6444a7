"""P-values adjusted for multiple tests, as in R's `p.adjust`."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr

Correction = Literal["none", "bonferroni", "holm"]
CORRECTION_LABELS: dict[Correction, str] = {"none": tr("no correction"), "bonferroni": "Bonferroni", "holm": "Holm"}
"""Localized labels of the corrections."""
CORRECTIONS: tuple[Correction, ...] = ("none", "bonferroni", "holm")


def adjust_p(p: Floats, correction: Correction) -> Floats:
    """Return adjusted p-values of sets of tests; a test is significant if its adjusted p-value is at most alpha.

    Parameters
    ----------
    p
        Unadjusted p-values, shape (..., tests); each set along the last axis is corrected separately. NaN means
        untested and is not counted.
    correction
        "none", "bonferroni" or "holm".

    Returns
    -------
    ndarray
        Adjusted p-values, same shape as `p`; NaN where `p` is NaN.

    Notes
    -----
    With m tests, Bonferroni multiplies each p-value by m. Holm's step-down procedure multiplies the i-th smallest
    p-value by m + 1 − i and takes the maximum of the first i products. It is never less powerful than Bonferroni.
    Adjusted p-values are at most 1.

    References
    ----------
    Holm 1979
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


def adjust_p_matrix(p: Floats, correction: Correction) -> Floats:
    """Return adjusted p-values of symmetric matrices; each matrix is corrected separately, with one test per pair.

    Parameters
    ----------
    p
        Unadjusted p-values, shape (..., systems, systems); NaN if untested. Only the upper triangle is used.
    correction
        "none", "bonferroni" or "holm", as for `adjust_p`.

    Returns
    -------
    ndarray
        Symmetric matrices of adjusted p-values, same shape as `p`; NaN if untested, 1 on the diagonal.
    """
    rows, columns = upper_triangle(p.shape[-1])
    out = np.ones_like(p)
    out[..., rows, columns] = adjust_p(p[..., rows, columns], correction)
    out[..., columns, rows] = out[..., rows, columns]
    return out


def tested_pair_count(p: Floats) -> int:
    """Return the number of tests that a correction counts: pairs whose p-value in the symmetric matrix is not NaN."""
    return int(np.count_nonzero(~np.isnan(p[upper_triangle(len(p))])))


@lru_cache(maxsize=64)
def upper_triangle(systems: int) -> tuple[Ints, Ints]:
    """Return the row and column indices of all pairs of systems (above the diagonal), as read-only arrays."""
    rows, columns = np.triu_indices(systems, 1)
    for indices in (rows, columns):
        indices.flags.writeable = False
    return rows, columns
