"""Interpretation of p-values, shared by tables, matrices and sentences.

Adjusted p-values determine significance. Each `SignificanceLevel` is shown as its own character.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.significance.corrections import Correction, adjust_p_matrix

STRONG_P = 0.01
"""Significant differences with an adjusted p-value below this value have the level `SignificanceLevel.STRONG`."""


class SignificanceLevel(enum.IntEnum):
    """Result of the significance test of two systems; levels are ordered by strength of evidence."""

    SAME_SYSTEM = -3
    """System compared with itself."""
    UNTESTED = -2
    """No test was possible."""
    IDENTICAL = -1
    """Both systems have the same output, so there is nothing to test."""
    NOT_SIGNIFICANT = 0
    """Not significant."""
    WEAK = 1
    """Significant: adjusted p ≤ alpha."""
    STRONG = 2
    """Significant, and adjusted p < .01. If alpha is at most .01, every significant difference has this level."""

    @property
    def sign(self) -> str:
        """Character shown for this level."""
        return _SIGNS[self]

    @property
    def is_significant(self) -> bool:
        """Whether one system is significantly better than the other."""
        return self >= SignificanceLevel.WEAK


_SIGNS = {
    SignificanceLevel.SAME_SYSTEM: "·",
    SignificanceLevel.UNTESTED: "–",
    SignificanceLevel.IDENTICAL: "=",
    SignificanceLevel.NOT_SIGNIFICANT: "○",
    SignificanceLevel.WEAK: "◐",
    SignificanceLevel.STRONG: "●",
}


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """Test result of two systems.

    Attributes
    ----------
    level
        Result, ordered by strength of evidence.
    p, adjusted
        Unadjusted and adjusted p-value; NaN if untested.
    better
        Index of the significantly better system; None if neither is significantly better.
    """

    level: SignificanceLevel
    p: float
    adjusted: float
    better: int | None = None


_LEVELS = {level.value: level for level in SignificanceLevel}
"""Levels by number; looking up a level is faster than calling `SignificanceLevel(number)`."""


@dataclass(frozen=True, eq=False)
class PairVerdicts:
    """Test results of all pairs of systems, as matrices of shape (systems, systems).

    Parameters
    ----------
    p, adjusted
        Unadjusted and adjusted p-values.
    beats
        Whether system a is significantly better than system b, `beats[a, b]`.
    two_sided
        Whether the tests are two-sided. If they are one-sided, `p[a, b]` is the p-value of the test of whether system a
        is better than system b, and `p[b, a]` is the p-value of the opposite test.
    identical
        Whether two systems have the same output; None if unknown.
    alpha
        Significance level; if it is at most `STRONG_P`, no difference has the level `SignificanceLevel.WEAK`.
    """

    p: Floats
    adjusted: Floats
    beats: NDArray[np.bool_]
    two_sided: bool = True
    identical: NDArray[np.bool_] | None = None
    alpha: float = 0.05

    def pair(self, left: int, right: int) -> PairVerdict:
        """Return the verdict on whether two systems differ.

        Parameters
        ----------
        left, right
            Indices of the systems.

        Returns
        -------
        PairVerdict
            Verdict of the two-sided test. If tests are one-sided, verdict of the significant test; if neither
            test is significant, verdict of the test of whether `left` is better.
        """
        first, second = (right, left) if self.beats[right, left] else (left, right)
        better = first if self.beats[first, second] else None
        return self._verdict(first, second, better, self._levels_of_pairs)

    def levels(self) -> set[SignificanceLevel]:
        """Return the levels of all pairs of different systems.

        Returns
        -------
        set of SignificanceLevel
            Levels that occur.
        """
        return {_LEVELS[number] for number in np.unique(self._levels_of_pairs).tolist()} - {
            SignificanceLevel.SAME_SYSTEM
        }

    def claim(self, left: int, right: int) -> PairVerdict:
        """Return the verdict on whether a system is better than another.

        Parameters
        ----------
        left, right
            Indices of the systems; the claim is that `left` is better.

        Returns
        -------
        PairVerdict
            Verdict of the one-sided test of this claim. If tests are two-sided, the result of `pair`.
        """
        if self.two_sided:
            return self.pair(left, right)
        return self._verdict(left, right, left if self.beats[left, right] else None, self._levels_of_claims)

    def _verdict(self, left: int, right: int, better: int | None, levels: NDArray[np.int8]) -> PairVerdict:
        p, adjusted = float(self.p[left, right]), float(self.adjusted[left, right])
        return PairVerdict(_LEVELS[levels.item(left, right)], p, adjusted, better)

    @cached_property
    def _levels_of_pairs(self) -> NDArray[np.int8]:
        """Levels of the verdicts that `pair` returns, shape (systems, systems)."""
        return self._levels(np.where(self.beats.T, self.adjusted.T, self.adjusted), self.beats | self.beats.T)

    @cached_property
    def _levels_of_claims(self) -> NDArray[np.int8]:
        """Levels of the verdicts that `claim` returns if tests are one-sided, shape (systems, systems)."""
        return self._levels(self.adjusted, self.beats)

    def _levels(self, adjusted: Floats, significant: NDArray[np.bool_]) -> NDArray[np.int8]:
        is_strong = (adjusted < STRONG_P) | (self.alpha <= STRONG_P)
        levels = np.where(is_strong, SignificanceLevel.STRONG, SignificanceLevel.WEAK).astype(np.int8)
        levels[~significant] = SignificanceLevel.NOT_SIGNIFICANT
        levels[np.isnan(adjusted)] = SignificanceLevel.UNTESTED
        if self.identical is not None:
            levels[self.identical] = SignificanceLevel.IDENTICAL
        np.fill_diagonal(levels, SignificanceLevel.SAME_SYSTEM)
        return levels


def format_level(level: float) -> str:
    """Return a significance level as text, without a zero before the decimal point.

    Parameters
    ----------
    level
        Significance level, such as alpha.

    Returns
    -------
    str
        Text with up to six significant digits, such as ".05".
    """
    return f"{level:g}".removeprefix("0")


def sign_meanings(alpha: float, correction: Correction) -> dict[SignificanceLevel, str]:
    """Return the meanings of the characters that are shown for tested pairs.

    Parameters
    ----------
    alpha
        Significance level.
    correction
        Correction for multiple tests, which determines whether the text says “adjusted”.

    Returns
    -------
    dict of SignificanceLevel to str
        Localized meanings, strongest level first. Levels that cannot occur are omitted.
    """
    is_uncorrected = correction == "none"
    level, below = map(format_level, (alpha, STRONG_P))
    weak = tr("p ≤ {level}", level=level) if is_uncorrected else tr("adjusted p ≤ {level}", level=level)
    if alpha <= STRONG_P:
        return {SignificanceLevel.STRONG: weak, SignificanceLevel.NOT_SIGNIFICANT: tr("not significant")}
    strong = tr("p < {level}", level=below) if is_uncorrected else tr("adjusted p < {level}", level=below)
    return {
        SignificanceLevel.STRONG: strong,
        SignificanceLevel.WEAK: weak,
        SignificanceLevel.NOT_SIGNIFICANT: tr("not significant"),
    }


def judge_matrix(p: Floats, scores: Floats, correction: Correction, alpha: float) -> PairVerdicts:
    """Judge all pairs of items by p-values and scores.

    Parameters
    ----------
    p
        Symmetric matrix of unadjusted p-values, shape (n, n). NaN means that a pair was not tested; the correction does
        not count such pairs.
    scores
        Scores of the items, shape (n,); higher is better.
    correction
        Correction for multiple tests.
    alpha
        Significance level.

    Returns
    -------
    PairVerdicts
        Adjusted p-values and significant differences.
    """
    corrected = adjust_p_matrix(p, correction)
    beats = (corrected <= alpha) & (scores[:, None] > scores[None, :])
    return PairVerdicts(p, corrected, beats, alpha=alpha)
