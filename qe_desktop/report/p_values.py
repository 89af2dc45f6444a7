"""How p-values are shown: in tables, matrices and pictures."""

from __future__ import annotations

import math

from qe_desktop.significance import Sureness, Verdict


def verdict_text(verdict: Verdict, decimals: int) -> str:
    """A cell of a matrix: the p that is judged, and the sign of how sure it is."""
    if verdict.sureness is Sureness.ITSELF or verdict.sureness is Sureness.UNTESTED:
        return verdict.sureness.sign
    return f"{p_text(verdict.judged, decimals)} {verdict.sureness.sign}"


def p_text(p: float, decimals: int) -> str:
    """A p-value with fixed decimals; one that is not 0 is never shown as 0, a pair that cannot be tested has none."""
    if math.isnan(p):
        return "–"
    least = 10.0**-decimals
    return f"<{least:.{decimals}f}" if 0 < p < least / 2 else f"{p:.{decimals}f}"
