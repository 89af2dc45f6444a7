"""The least p that a number of rounds can give, and the number that a level needs.

With R rounds the least p is 1/(R+1). Bonferroni's correction multiplies it by the number of pairs, Holm's does so with
the least of all p, and no other comes out smaller (Holm 1979). Swapping n units there are 2^n swaps, of which two
reach the observed difference at least (all and none), so more and more rounds bring p to no less than 2^(1-n).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from qe_desktop.significance.comparison import Comparison
from qe_desktop.significance.registry import get_test
from qe_desktop.significance.verdicts import STRONG_P

MIN_SUGGESTED_ROUNDS = 1_000
"""No fewer rounds are offered."""


@dataclass(frozen=True, slots=True)
class UnattainableLevel:
    """A level that no pair can reach: judged p is `least` at the smallest, over so many `pairs` corrected for.

    `significance` says that alpha itself is out of reach, else it is the level of `Sureness.STRONG`; `rounds` is a
    number that suffices, None where none does because there are too few units to swap.
    """

    level: float
    least: float
    pairs: int
    significance: bool
    rounds: int | None


def unattainable_level(comparison: Comparison) -> UnattainableLevel | None:
    """The level that this comparison cannot reach whatever the systems do, alpha first; None where it reaches all, or
    where p comes in closed form.
    """
    options, systems = comparison.options, len(comparison.systems)
    if systems < 2 or not comparison.rounds:
        return None
    pairs = 1 if options.correction == "none" else systems * (systems - 1) // 2
    bound = min(1.0, get_test(options.test).least(comparison.units) * pairs)
    least = bound if comparison.exact else min(1.0, pairs / (comparison.rounds + 1))
    strong = options.alpha > STRONG_P
    alpha_missed, strong_missed = least > options.alpha, strong and least >= STRONG_P
    if not alpha_missed and not strong_missed:
        return None
    level = options.alpha if alpha_missed else STRONG_P
    reachable = bound <= level if alpha_missed else bound < level
    if not reachable:
        return UnattainableLevel(level, least, pairs, alpha_missed, None)
    # one press is enough: what suffices for alpha suffices for the stricter level too, where that can be reached
    wanted = STRONG_P if strong and bound < STRONG_P else level
    return UnattainableLevel(level, least, pairs, alpha_missed, required_rounds(wanted, pairs))


def required_rounds(level: float, pairs: int) -> int:
    """The least of 1,000, 2,000, 5,000, 10,000… rounds with which p corrected for so many pairs gets below a level.

    >>> required_rounds(0.05, 435), required_rounds(0.01, 435)
    (10000, 50000)
    """
    needed = max(MIN_SUGGESTED_ROUNDS, math.floor(pairs / level * (1 + 1e-9)))
    power: int = 10 ** math.floor(math.log10(needed))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= needed)
