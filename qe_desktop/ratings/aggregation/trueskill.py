"""TrueSkill as WMT ran it from 2014 to 2016: many runs, each on its own bootstrap of the judgements, all at once.

Sakaguchi, Post and Van Durme (2014), "Efficient Elicitation of Annotations for Human Evaluation of Machine
Translation", and the Findings of WMT16, section 3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import PairRatings, QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.connectivity import disconnected_note
from qe_desktop.ratings.aggregation.win_rates import WinTable, count_wins

Floats = NDArray[np.float64]
Shares = NDArray[np.float32]
SIGMA = 0.5
"""The standard deviation of every system's skill before anything is known; the mean is 0."""
TIES = 0.25
"""The share of ties that is expected."""
PER_BETA = 40.0
"""beta = SIGMA × steps / PER_BETA: the more judgements, the less each of them moves a skill."""
MAX_RUN_CELLS = 1 << 21
"""Bounds the runs made at once, by runs × systems²."""
STEPS_PER_BATCH = 256
"""Steps between two reports of progress, for which random numbers are drawn in one go."""
OnSkillRuns = Callable[[float], None]


def run_skills(table: WinTable, runs: int, seed: int, progress: OnSkillRuns | None = None) -> Floats:
    """The mean skill of each system after each run, shape (runs, systems). Every system must have a judgement.

    `progress` hears the share done (0..1), and may raise to stop.
    """
    size, steps = len(table.systems), table.comparisons + 1
    at_once = max(1, min(runs, MAX_RUN_CELLS // size**2))
    means = np.empty((runs, size))
    for block, begin in enumerate(range(0, runs, at_once)):
        rng = np.random.default_rng([seed, block])
        count = min(at_once, runs - begin)
        judgements = _bootstrap(table, count, rng)
        found = np.zeros((size, count))
        for done in _steps(judgements, steps, rng, found):
            if progress is not None:
                progress((begin + count * done / steps) / runs)
        means[begin : begin + count] = found.T
    return means


@dataclass(frozen=True, slots=True, eq=False)
class _BootstrapJudgements:
    """The bootstraps of some runs, as shares of the judgements between two systems; shapes (systems, systems, runs).

    Of the row against the column: `lost`, and `not_won`, which adds the ties. `seen` says whether the run has any.
    """

    lost: Shares
    not_won: Shares
    seen: NDArray[np.bool_]


def _bootstrap(table: WinTable, runs: int, rng: np.random.Generator) -> _BootstrapJudgements:
    """Judgements drawn with replacement, as many as there are.

    A step looks at the outcome of a random judgement between two systems and at nothing else, so the counts of
    outcomes, which are multinomial, stand for the judgements drawn.
    """
    size = len(table.systems)
    one, other = np.nonzero(np.triu(table.judged, 1))
    counts = np.stack([table.wins[one, other], table.ties[one, other], table.wins[other, one]], axis=1)
    drawn = rng.multinomial(table.comparisons, counts.ravel() / counts.sum(), runs).reshape(runs, len(one), 3)
    won, tied, lost = np.moveaxis(drawn, (2, 1), (0, 1))
    total = won + tied + lost
    found = _BootstrapJudgements(
        np.zeros((size, size, runs), np.float32),
        np.zeros((size, size, runs), np.float32),
        np.zeros((size, size, runs), bool),
    )
    for row, column, worse in ((one, other, lost), (other, one, won)):
        found.lost[row, column] = worse / np.maximum(total, 1)
        found.not_won[row, column] = (worse + tied) / np.maximum(total, 1)
        found.seen[row, column] = total > 0
    return found


def _steps(judgements: _BootstrapJudgements, steps: int, rng: np.random.Generator, means: Floats) -> Iterator[int]:
    """Makes the steps of all runs on `means`, shape (systems, runs) and 0 before; now and then says how many are done.

    Places are those of the flat arrays, in which a system's runs lie side by side: system × runs + run.
    """
    size, _, runs = judgements.seen.shape
    beta = SIGMA * steps / PER_BETA
    lost, not_won = judgements.lost.reshape(-1), judgements.not_won.reshape(-1)
    gaps = size * (size - 1) * runs != int(judgements.seen.sum())
    numbers, lanes = np.arange(size, dtype=np.int16)[:, None], np.arange(runs)
    # a system without a judgement in its run never moves; no variance keeps it from being picked
    variances = np.where(judgements.seen.any(1), SIGMA**2, 0.0)
    mean, variance = means.reshape(-1), variances.reshape(-1)
    chances = np.empty((size, runs))
    places = np.empty((2, runs), np.int64)
    for begin in range(0, steps, STEPS_PER_BATCH):
        count = min(STEPS_PER_BATCH, steps - begin)
        # float32: a number below 1 stays below 1 when it is multiplied, so that a partner is always found
        for for_partner, for_outcome in rng.random((count, 2, runs), np.float32):
            # the last of those with the largest variance; numpy's argmax across rows takes several times as long
            picked = np.maximum.reduce((variances == np.maximum.reduce(variances, axis=0)) * numbers, axis=0)
            np.add(picked * np.int64(runs), lanes, out=places[0])
            np.subtract(means, mean[places[0]], out=chances)
            np.exp(np.negative(np.abs(chances, out=chances), out=chances), out=chances)
            chances.reshape(-1)[places[0]] = 0.0
            if gaps:
                chances *= judgements.seen[picked, :, lanes].T
            np.add(_sample_rows(chances, for_partner) * runs, lanes, out=places[1])
            cell = picked * np.int64(size * runs) + places[1]
            outcome = 1.0 - (for_outcome < lost[cell]) - (for_outcome < not_won[cell])
            mean[places], variance[places] = update_skills(mean[places], variance[places], outcome, beta)
        yield begin + count


def _sample_rows(chances: Floats, share: Shares) -> NDArray[np.int64]:
    """For each column, a row drawn in proportion to its chance, by a random share (0..1); `chances` are overwritten."""
    # numpy's cumsum down the columns takes several times as long
    for row in range(1, len(chances)):
        np.add(chances[row - 1], chances[row], out=chances[row])
    passed: NDArray[np.int64] = np.add.reduce(chances[:-1] <= share * chances[-1], axis=0, dtype=np.int64)
    return passed


def update_skills(
    mean: Floats, variance: Floats, outcome: NDArray[np.floating], beta: float, ties: float = TIES
) -> tuple[Floats, Floats]:
    """Means and variances of two players' skills after a game; both of shape (2, …), the first player's first.

    `outcome` (…): 1 where the first won, -1 where the second did, 0 for a tie; `beta` is the standard deviation of a
    performance around the skill, `ties` the share of ties that is expected. Exact to rounding for any difference.

    The difference of performances is a normal variable of which the outcome tells the interval that it lies in. In
    units of its standard deviation, v is how far its mean moves and w by what share its variance shrinks. Densities
    over tails are written with erfcx(x) = exp(x²) erfc(x), which neither overflows nor cancels far out.
    """
    # imported here, so that the command line starts without it
    from scipy.special import erfcx, ndtri

    total = variance[0] + variance[1] + 2 * beta * beta
    deviation = np.sqrt(total)
    difference = (mean[0] - mean[1]) / deviation
    margin = float(ndtri((1 + ties) / 2)) * math.sqrt(2) * beta / deviation
    won = np.abs(outcome)
    tied = 1 - won
    sign = won - tied
    # seen from the winner, or at a tie from the stronger one
    side = outcome + tied * np.copysign(1.0, difference)
    size = np.abs(difference)
    near = sign * (margin - side * difference)
    far = margin + size
    beyond = np.exp(-2 * margin * size) * tied
    density = math.sqrt(2 / math.pi) / (erfcx(near * math.sqrt(0.5)) - beyond * erfcx(far * math.sqrt(0.5)))
    v = density * (beyond + sign)
    w = v * v + density * (beyond * far - near)
    shift = variance * (side * v / deviation)
    shift[1:] *= -1.0
    return mean + shift, variance * (1 - variance * (w / total))


RANK_RANGE_SHARE = 0.95
"""The share of the runs that a range of ranks covers."""
MAX_SKILL_SYSTEMS = 100
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


def trueskill(pairs: PairRatings, *, runs: int = 1000, seed: int = 1, progress: OnSkillRuns | None = None) -> TrueSkill:
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
    whole = count_wins(pairs)
    # by name, so that the order of the judgements makes no difference to the random numbers
    compared = sorted(np.flatnonzero(whole.judged.sum(1) > 0).tolist(), key=whole.systems.__getitem__)
    table = WinTable(
        tuple(whole.systems[place] for place in compared),
        whole.wins[np.ix_(compared, compared)],
        whole.ties[np.ix_(compared, compared)],
    )
    problem = _no_skills_reason(table) or disconnected_note(whole.systems, whole.judged > 0)
    if not table.wins.any() or len(table.systems) > MAX_SKILL_SYSTEMS:
        nothing = np.zeros(0, np.int64)
        return TrueSkill((), nothing.astype(np.float64), nothing, nothing, (), runs, table.comparisons, problem)
    means = run_skills(table, runs, seed, progress)
    score = means.mean(0)
    order = np.argsort(-score, kind="stable")
    low, high = rank_ranges(means[:, order])
    systems = tuple(table.systems[int(place)] for place in order)
    return TrueSkill(systems, score[order], low, high, _clusters(systems, low, high), runs, table.comparisons, problem)


def _no_skills_reason(table: WinTable) -> str:
    if len(table.systems) < 2:
        return tr("There are no judgements between two systems.")
    if not table.wins.any():
        return tr("All judgements are ties: none says that one system is better than another.")
    if len(table.systems) > MAX_SKILL_SYSTEMS:
        return tr(
            "It is not computed of more than {most} systems; here are {n:,}.",
            "",
            len(table.systems),
            most=MAX_SKILL_SYSTEMS,
        )
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
    cut = min(math.ceil(round((1 - RANK_RANGE_SHARE) * runs / 2, 6)), (runs - 1) // 2)
    best = np.sort(rankdata(-means, "min", axis=1), axis=0)[cut]
    worst = np.sort(rankdata(-means, "max", axis=1), axis=0)[runs - 1 - cut]
    return best.astype(np.int64), worst.astype(np.int64)


def _clusters(systems: tuple[str, ...], low: NDArray[np.int64], high: NDArray[np.int64]) -> tuple[tuple[str, ...], ...]:
    """Cuts after a system whose worst rank is better than the best rank of all below it, where WMT draws its lines."""
    best_below = np.minimum.accumulate(low[::-1])[::-1][1:]
    cuts = [0, *(np.flatnonzero(high[:-1] < best_below) + 1).tolist(), len(systems)]
    return tuple(systems[begin:end] for begin, end in pairwise(cuts))
