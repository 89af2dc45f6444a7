"""Test of quality-control items: whether a rater scores degraded outputs lower than the originals."""

from __future__ import annotations

from dataclasses import dataclass

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.hypothesis_tests import mann_whitney_test, paired_t_test, signed_rank_test

MIN_CONTROL_ITEMS = 5
"""Minimum number of pairs with which a rater can fail: with four pairs, the signed-rank test cannot reach p ≤ .05."""


@dataclass(frozen=True, slots=True)
class ControlTest:
    """Test of whether one rater scored `n` degraded items lower than their originals.

    P-values are one-sided: `paired_t` is that of the paired t-test (Graham's quality-control.R), `mann_whitney` that of
    the rank-sum test in Appraise (asymptotic), and `signed_rank` that of Wilcoxon's test (exact for up to 50 pairs).
    Undefined values are None. `passes` is None if there are too few items for a decision. `verdict` is the result as
    text.
    """

    n: int
    mean_bad: float | None
    mean_original: float | None
    paired_t: float | None
    mann_whitney: float | None
    signed_rank: float | None
    passes: bool | None
    verdict: str


def compare_control_items(bad: Floats, original: Floats, *, alpha: float = 0.05) -> ControlTest:
    """Compare the ratings of degraded items with the ratings of their originals, shape (pairs,) each.

    The rater passes if the paired t-test gives p ≤ alpha (Graham et al. 2016). If t is undefined, because there is only
    one pair or because all differences are equal, the signed-rank test is used instead.
    """
    n = len(bad)
    differences = bad - original
    t, ranks = paired_t_test(differences), signed_rank_test(differences)
    u_p = mann_whitney_test(original, bad) if n else None
    mean_bad, mean_original = (float(values.mean()) if n else None for values in (bad, original))
    passes, verdict = _verdict(n, t if t is not None else ranks, alpha)
    return ControlTest(n, mean_bad, mean_original, t, u_p, ranks, passes, verdict)


def _verdict(n: int, p: float | None, alpha: float) -> tuple[bool | None, str]:
    if p is not None and p <= alpha:
        return True, tr("passed: degraded items score significantly lower than their originals (p = {p})", p=_number(p))
    if n < MIN_CONTROL_ITEMS:
        return None, tr("too few quality-control items ({n})", "", n) if n else tr("no quality-control items")
    if p is None:
        return False, tr("failed: all {n} degraded items have the same scores as their originals", "", n)
    return False, tr(
        "failed: degraded items do not score significantly lower than their originals (p = {p})", p=_number(p)
    )


def _number(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}"
