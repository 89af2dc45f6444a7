"""Minimum attainable p-value for a number of rounds, and the number of rounds that a significance level requires.

With R rounds, the minimum is 1/(R+1). Bonferroni multiplies each p-value by the number of pairs. Holm multiplies the
smallest p-value by the number of pairs, and no other adjusted p-value is smaller (Holm 1979). Of the 2^n permutations
of n units, at least two reach the observed difference: swapping all units and swapping none. Therefore, the p-value
over all permutations is at least 2^(1-n), and more rounds cannot reduce it further.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from qe_desktop.significance.comparison import Comparison
from qe_desktop.significance.registry import get_test
from qe_desktop.significance.verdicts import STRONG_P

MIN_SUGGESTED_ROUNDS = 1_000
"""Smallest number of rounds that is suggested."""


@dataclass(frozen=True, slots=True)
class UnattainableLevel:
    """Significance level that no pair can reach, because p-values adjusted for `pairs` tests are at least `min_p`.

    Attributes
    ----------
    is_alpha
        Whether `level` is alpha; otherwise, it is `STRONG_P`.
    rounds
        Number of rounds that suffices to reach `level`; None if no number suffices, because there are too few units.
    """

    level: float
    min_p: float
    pairs: int
    is_alpha: bool
    rounds: int | None


def unattainable_level(comparison: Comparison) -> UnattainableLevel | None:
    """Return the significance level that the tests of a comparison cannot reach, regardless of the scores.

    Parameters
    ----------
    comparison
        Comparison of systems.

    Returns
    -------
    UnattainableLevel or None
        Alpha if alpha cannot be reached; otherwise, `STRONG_P` if `STRONG_P` cannot be reached. None if both can be
        reached, if p-values have a closed form, or if there are fewer than two systems.
    """
    options, systems = comparison.options, len(comparison.systems)
    if systems < 2 or not comparison.rounds:
        return None
    pairs = 1 if options.correction == "none" else systems * (systems - 1) // 2
    bound = min(1.0, get_test(options.test).min_p(comparison.units) * pairs)
    min_p = bound if comparison.exact else min(1.0, pairs / (comparison.rounds + 1))
    return missed_level(options.alpha, pairs, min_p, bound)


def missed_level(alpha: float, pairs: int, min_p: float, bound: float) -> UnattainableLevel | None:
    """Return the significance level, `alpha` or `STRONG_P`, that adjusted p-values cannot reach; None if there is none.

    Parameters
    ----------
    alpha
        Significance level.
    pairs
        Number of tests for which p-values are adjusted.
    min_p
        Minimum adjusted p-value with the current number of rounds.
    bound
        Minimum adjusted p-value, regardless of the number of rounds.

    Returns
    -------
    UnattainableLevel or None
        Alpha if alpha cannot be reached; otherwise, `STRONG_P` if `STRONG_P` cannot be reached.
    """
    strong = alpha > STRONG_P
    alpha_missed, strong_missed = min_p > alpha, strong and min_p >= STRONG_P
    if not alpha_missed and not strong_missed:
        return None
    level = alpha if alpha_missed else STRONG_P
    reachable = bound <= level if alpha_missed else bound < level
    if not reachable:
        return UnattainableLevel(level, min_p, pairs, alpha_missed, None)
    # suggest the number of rounds for the stricter level if that level can be reached
    target_level = STRONG_P if strong and bound < STRONG_P else level
    return UnattainableLevel(level, min_p, pairs, alpha_missed, required_rounds(target_level, pairs))


def required_rounds(level: float, pairs: int) -> int:
    """Return the smallest number of rounds among 1,000, 2,000, 5,000, 10,000, … that can reach a level.

    Parameters
    ----------
    level
        Significance level, between 0 and 1.
    pairs
        Number of tests for which p-values are adjusted.

    Returns
    -------
    int
        Number of rounds R. The minimum adjusted p-value, `pairs` / (R + 1), is then below `level`.

    Examples
    --------
    >>> required_rounds(0.05, 435), required_rounds(0.01, 435)
    (10000, 50000)
    """
    needed = max(MIN_SUGGESTED_ROUNDS, math.floor(pairs / level * (1 + 1e-9)))
    power: int = 10 ** math.floor(math.log10(needed))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= needed)
