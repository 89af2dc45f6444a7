"""Wins and ties between systems, and the shares of wins that WMT used for rankings until 2013.

Shares have shape (systems,) and are in 0..1, or NaN for systems without counted judgements; only `expected_wins` with
the option "zero" returns 0 for such systems.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from qe_desktop.corpus import ItemRole, PairRatings
from qe_desktop.corpus.columns import Floats, Ints

UnseenPairs = Literal["average", "zero"]


@dataclass(frozen=True, slots=True, eq=False)
class WinTable:
    """Number of wins and ties between systems.

    `wins[i, j]` is the number of judgements in which system i is strictly better than system j; `ties[i, j]` is the
    number in which they are equal. Both arrays are int64, shape (systems, systems), with zeros on the diagonal; `ties`
    is symmetric.
    """

    systems: tuple[str, ...]
    wins: Ints
    ties: Ints

    @property
    def comparisons(self) -> int:
        """Number of judgements between different systems."""
        return int(self.wins.sum() + self.ties.sum() // 2)

    @property
    def comparison_counts(self) -> Ints:
        """Number of judgements between each pair of systems, shape (systems, systems), symmetric."""
        return self.wins + self.wins.T + self.ties

    def undecided_pairs(self) -> tuple[tuple[str, str], ...]:
        """Return the pairs of systems that were never compared, or tied in every judgement."""
        return tuple(
            (self.systems[first], self.systems[second])
            for first, second in np.argwhere(np.triu(self.wins + self.wins.T == 0, 1)).tolist()
        )


def count_wins(pairs: PairRatings) -> WinTable:
    """Count the judgements between different systems.

    A unit of several systems with identical outputs is expanded into single systems. Only items with the role SYSTEM
    count, not repeats, quality-control items or training items. The table contains only the systems of these items, in
    the order in which `pairs` lists them.
    """
    counted = pairs.take(pairs.role == ItemRole.SYSTEM).expand_units()
    named = np.zeros(len(counted.units), bool)
    named[counted.first] = named[counted.second] = True
    used_units, size = np.flatnonzero(named), int(named.sum())
    new_index = np.cumsum(named) - 1
    first, second = new_index[counted.first], new_index[counted.second]
    outcome = counted.outcome()
    better = np.where(outcome >= 0, first, second)
    worse = np.where(outcome >= 0, second, first)
    # a pair of identical units is not a judgement between two systems
    is_between_systems = first != second
    wins = _count_pairs(better, worse, is_between_systems & (outcome != 0), size)
    ties = _count_pairs(first, second, is_between_systems & (outcome == 0), size)
    return WinTable(tuple(counted.units[int(unit)] for unit in used_units), wins, ties + ties.T)


def _count_pairs(row: Ints, column: Ints, keep: NDArray[np.bool_], size: int) -> Ints:
    cells = row[keep] * size + column[keep]
    return np.bincount(cells, minlength=size * size).reshape(size, size).astype(np.int64)


def at_least_as_good(table: WinTable) -> Floats:
    """Return the share of each system's judgements in which it is better or tied ("≥ others", WMT 2008–2010)."""
    return _share(table.wins.sum(1) + table.ties.sum(1), table.comparison_counts.sum(1))


def strictly_better(table: WinTable) -> Floats:
    """Return the share of each system's judgements in which it is better ("> others"); a tie counts as a loss."""
    return _share(table.wins.sum(1), table.comparison_counts.sum(1))


def ignoring_ties(table: WinTable) -> Floats:
    """Return each system's share of wins among its wins and losses (Bojar et al. 2011; WMT 2012)."""
    return _share(table.wins.sum(1), table.wins.sum(1) + table.wins.sum(0))


def half_tie_wins(table: WinTable) -> Floats:
    """Return each system's share of wins among its judgements, with a tie counted as half a win."""
    return _share(table.wins.sum(1) + table.ties.sum(1) / 2, table.comparison_counts.sum(1))


def expected_wins(table: WinTable, unseen: UnseenPairs = "average") -> Floats:
    """Return each system's share of wins against another system, averaged over the others (Koehn 2012; WMT 2013).

    Ties are ignored. `unseen` determines how pairs without a winner (`WinTable.undecided_pairs`) are treated: "average"
    leaves them out of the mean, and "zero" counts them as a share of 0. As in the program used at WMT, "zero" thus
    penalizes systems for missing comparisons; a system without judgements has 0, not NaN.
    """
    shares = _share(table.wins, table.wins + table.wins.T)
    decided = ~np.isnan(shares)
    opponents = decided.sum(1) if unseen == "average" else np.full(len(shares), len(shares) - 1)
    return _share(np.where(decided, shares, 0.0).sum(1), opponents)


def _share(count: ArrayLike, total: ArrayLike) -> Floats:
    count, total = np.asarray(count, np.float64), np.asarray(total, np.float64)
    share = np.full(total.shape, np.nan)
    np.divide(count, total, out=share, where=total > 0)
    return share


def sign_test(wins: ArrayLike, losses: ArrayLike) -> Floats:
    """Return the two-sided p-value of the exact binomial test that wins and losses are equally likely, elementwise.

    p = min(1, 2 P(X ≤ min(wins, losses))) with X ~ Binomial(wins + losses, 1/2). p is NaN if there are no wins and no
    losses. Ties must not be counted in `wins` or `losses`.
    """
    # deferred import: fast start of the command line
    from scipy.special import betainc

    wins, losses = np.broadcast_arrays(np.asarray(wins, np.float64), np.asarray(losses, np.float64))
    fewer, decided = np.minimum(wins, losses), wins + losses
    # P(X ≤ k) of Binomial(n, 1/2) is the regularized incomplete beta function I(1/2; n - k, k + 1)
    tail = betainc(np.maximum(decided - fewer, 1.0), fewer + 1.0, 0.5)
    p: Floats = np.where(decided > 0, np.minimum(1.0, 2.0 * tail), np.nan)
    return p


def sign_tests(table: WinTable) -> Floats:
    """Return the p-value of the sign test for each pair of systems, shape (systems, systems), symmetric.

    Ties are ignored. P-values are NaN on the diagonal and for pairs without a winner. They are not adjusted for
    multiple tests.
    """
    return sign_test(table.wins, table.wins.T)
