"""How sure it is that one of two systems is better: the one reading of p-values that tables, matrices and sentences
share.

What is judged is p after correction. Each level has one sign, and a sign stands for one level.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.i18n.messages import tr
from qe_desktop.significance.corrections import Correction, adjust_p_matrix

STRONG_P = 0.01
"""Judged p below this is `Sureness.STRONG`."""


class SignificanceLevel(enum.IntEnum):
    """What the tests say of two systems; the higher, the surer it is that they differ."""

    ITSELF = -3
    """There are no two systems."""
    UNTESTED = -2
    """Nothing tells the two apart: no test was possible."""
    IDENTICAL = -1
    """Both gave the same output, so there is nothing to test."""
    NOT = 0
    """Not significant."""
    WEAK = 1
    """Significant: judged p ≤ alpha."""
    STRONG = 2
    """Significant, and judged p < .01."""

    @property
    def sign(self) -> str:
        """The character that stands for it, and for nothing else."""
        return _SIGNS[self]

    @property
    def significant(self) -> bool:
        """Whether one of the two is better."""
        return self >= SignificanceLevel.WEAK


_SIGNS = {
    SignificanceLevel.ITSELF: "·",
    SignificanceLevel.UNTESTED: "–",
    SignificanceLevel.IDENTICAL: "=",
    SignificanceLevel.NOT: "○",
    SignificanceLevel.WEAK: "◐",
    SignificanceLevel.STRONG: "●",
}


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """What the tests say of two systems. `p` is uncorrected, `judged` after correction (NaN where untested);
    `better` is the place of the one that is significantly better, or None.
    """

    sureness: SignificanceLevel
    p: float
    judged: float
    better: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PairVerdicts:
    """The tests of all pairs, every matrix of shape (systems, systems): uncorrected `p`, p after correction
    (`judged`), and `beats[a, b]`: a is significantly better than b.

    Where p is not `two_sided`, p[a, b] is that a is better than b, and p[b, a] another test. `identical` says which
    systems gave the same output.
    """

    p: NDArray[np.float64]
    judged: NDArray[np.float64]
    beats: NDArray[np.bool_]
    two_sided: bool = True
    identical: NDArray[np.bool_] | None = None

    def pair(self, one: int, other: int) -> PairVerdict:
        """Whether two systems differ, whichever is better: of two one-sided tests, the one that is significant, else
        the one that `one` is better.
        """
        first, second = (other, one) if self.beats[other, one] else (one, other)
        better = first if self.beats[first, second] else None
        return self._verdict(first, second, better)

    def claim(self, one: int, other: int) -> PairVerdict:
        """Whether `one` is better than `other`, as one cell of a one-sided matrix says; two-sided, as `pair`."""
        if self.two_sided:
            return self.pair(one, other)
        return self._verdict(one, other, one if self.beats[one, other] else None)

    def _verdict(self, one: int, other: int, better: int | None) -> PairVerdict:
        p, judged = float(self.p[one, other]), float(self.judged[one, other])
        return PairVerdict(self._sureness(one, other, judged, better), p, judged, better)

    def _sureness(self, one: int, other: int, judged: float, better: int | None) -> SignificanceLevel:
        if one == other:
            return SignificanceLevel.ITSELF
        if self.identical is not None and self.identical[one, other]:
            return SignificanceLevel.IDENTICAL
        if np.isnan(judged):
            return SignificanceLevel.UNTESTED
        if better is None:
            return SignificanceLevel.NOT
        return SignificanceLevel.STRONG if judged < STRONG_P else SignificanceLevel.WEAK


def sign_meanings(alpha: float, correction: Correction) -> dict[SignificanceLevel, str]:
    """What the signs of tested pairs mean under an alpha and a correction, the surest first; only those that occur."""
    plain = correction == "none"
    level, below = (f"{bound:g}".removeprefix("0") for bound in (alpha, STRONG_P))
    weak = tr("p ≤ {level}", level=level) if plain else tr("adjusted p ≤ {level}", level=level)
    if alpha < STRONG_P:
        return {SignificanceLevel.STRONG: weak, SignificanceLevel.NOT: tr("not significant")}
    strong = tr("p < {level}", level=below) if plain else tr("adjusted p < {level}", level=below)
    return {
        SignificanceLevel.STRONG: strong,
        SignificanceLevel.WEAK: weak,
        SignificanceLevel.NOT: tr("not significant"),
    }


def judge_matrix(
    p: NDArray[np.float64], worth: NDArray[np.float64], correction: Correction, alpha: float
) -> PairVerdicts:
    """What symmetric p (things, things) say where things are worth so much, shape (things,), more being better.

    NaN stands for what could not be tested; it is no test that a correction counts.
    """
    corrected = adjust_p_matrix(p, correction)
    return PairVerdicts(p, corrected, (corrected <= alpha) & (worth[:, None] > worth[None, :]))
