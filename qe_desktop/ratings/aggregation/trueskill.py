"""TrueSkill as WMT ran it from 2014 to 2016: many runs, each on its own bootstrap of the judgements, all at once.

Sakaguchi, Post and Van Durme (2014), "Efficient Elicitation of Annotations for Human Evaluation of Machine
Translation", and the Findings of WMT16, section 3.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import PairRatings, QeError
from qe_desktop.ratings.aggregation.connection import apart
from qe_desktop.ratings.aggregation.trueskill_runs import Progress, skills
from qe_desktop.ratings.aggregation.wins import WinTable, win_table
from qe_desktop.wording import tr

Floats = NDArray[np.float64]
KEPT = 0.95
"""The share of the runs that a range of ranks covers."""
MOST = 100
"""Systems of which it is computed: a step looks at all of them, and there are as many steps as judgements."""


@dataclass(frozen=True, slots=True, eq=False)
class TrueSkill:
    """Systems best first, with the mean of their skills over the runs and the range of their ranks.

    `score`, `rank_low` (the better end) and `rank_high` have shape (systems,). `clusters` are best first; a new one
    begins below a system whose worst rank is better than the best rank of all below. `comparisons` are the judgements
    between two systems.
    `problem` says in words what must be known: with it there may be no systems, where there is nothing to tell, or all
    but those that were compared with no other.
    """

    systems: tuple[str, ...]
    score: Floats
    rank_low: NDArray[np.int64]
    rank_high: NDArray[np.int64]
    clusters: tuple[tuple[str, ...], ...]
    runs: int
    comparisons: int
    problem: str = ""


def trueskill(pairs: PairRatings, *, runs: int = 1000, seed: int = 1, progress: Progress | None = None) -> TrueSkill:
    """Ranks systems by `runs` bootstraps; the same seed gives the same result. Judgements count as in `win_table`.

    Each run draws as many judgements as there are, with replacement, and makes one step more than that. A step takes
    the system with the largest sigma, a partner with a chance in proportion to exp(-|difference of means|), and one of
    the run's judgements between the two. Partners without a judgement in the run are passed over (the program used at
    WMT stops there); a system without any stays at its prior. `progress` hears the share done (0..1), and may raise.
    Raises QeError where `runs` or `seed` are out of range.
    """
    if runs < 1 or seed < 0:
        raise QeError(
            tr("TrueSkill needs at least one run, and a seed of 0 or more"), hint=tr("Choose larger numbers.")
        )
    whole = win_table(pairs)
    # by name, so that the order of the judgements makes no difference to the random numbers
    compared = sorted(np.flatnonzero(whole.judged.sum(1) > 0).tolist(), key=whole.systems.__getitem__)
    table = WinTable(
        tuple(whole.systems[place] for place in compared),
        whole.wins[np.ix_(compared, compared)],
        whole.ties[np.ix_(compared, compared)],
    )
    problem = _nothing_to_tell(table) or apart(whole.systems, whole.judged > 0)
    if not table.wins.any() or len(table.systems) > MOST:
        nothing = np.zeros(0, np.int64)
        return TrueSkill((), nothing.astype(np.float64), nothing, nothing, (), runs, table.comparisons, problem)
    means = skills(table, runs, seed, progress)
    score = means.mean(0)
    order = np.argsort(-score, kind="stable")
    low, high = rank_ranges(means[:, order])
    systems = tuple(table.systems[int(place)] for place in order)
    return TrueSkill(systems, score[order], low, high, _clusters(systems, low, high), runs, table.comparisons, problem)


def _nothing_to_tell(table: WinTable) -> str:
    if len(table.systems) < 2:
        return tr("There are no judgements between two systems.")
    if not table.wins.any():
        return tr("All judgements are ties: none says that one system is better than another.")
    if len(table.systems) > MOST:
        return tr("It is not computed of more than {most} systems; here are {n:,}.", "", len(table.systems), most=MOST)
    return ""


def rank_ranges(means: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The best and the worst rank of each system, shape (systems,), in the middle `KEPT` of the runs.

    `means` has shape (runs, systems); the highest has rank 1.
    ceil((1 - KEPT) R / 2) runs are cut off at either end, but never the middle one. Systems that are equal in a run
    share the range of their ranks.
    """
    # imported here, so that the command line starts without it
    from scipy.stats import rankdata

    runs = len(means)
    cut = min(math.ceil(round((1 - KEPT) * runs / 2, 6)), (runs - 1) // 2)
    best = np.sort(rankdata(-means, "min", axis=1), axis=0)[cut]
    worst = np.sort(rankdata(-means, "max", axis=1), axis=0)[runs - 1 - cut]
    return best.astype(np.int64), worst.astype(np.int64)


def _clusters(systems: tuple[str, ...], low: NDArray[np.int64], high: NDArray[np.int64]) -> tuple[tuple[str, ...], ...]:
    """Cuts after a system whose worst rank is better than the best rank of all below it, where WMT draws its lines."""
    best_below = np.minimum.accumulate(low[::-1])[::-1][1:]
    cuts = [0, *(np.flatnonzero(high[:-1] < best_below) + 1).tolist(), len(systems)]
    return tuple(systems[begin:end] for begin, end in pairwise(cuts))
