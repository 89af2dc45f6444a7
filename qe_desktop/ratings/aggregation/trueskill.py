"""TrueSkill as used by WMT from 2014 to 2016: many runs on bootstrap resamples of the judgements, vectorized.

Sources: Sakaguchi, Post and Van Durme (2014), "Efficient Elicitation of Annotations for Human Evaluation of Machine
Translation"; Findings of WMT16, section 3.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import PairRatings, QeError
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.progress import OnProgress
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.bradley_terry import disconnected_note
from qe_desktop.ratings.aggregation.win_rates import WinTable, count_wins

Shares = NDArray[np.float32]
SIGMA = 0.5
"""Prior standard deviation of every system's skill; the prior mean is 0."""
TIE_SHARE = 0.25
"""Expected share of ties among judgements."""
BETA_DIVISOR = 40.0
"""Divisor in beta = `SIGMA` × steps / `BETA_DIVISOR`; with more judgements, each of them changes a skill less."""
MAX_RUN_CELLS = 1 << 21
"""Maximum number of cells (runs × systems²) per batch."""
STEPS_PER_BATCH = 256
"""Number of steps per progress report and per batch of random numbers."""


def run_skills(table: WinTable, runs: int, seed: int, progress: OnProgress | None = None) -> Floats:
    """Return the mean of each system's skill at the end of each run, shape (runs, systems).

    Every system must have at least one judgement. `progress` receives the share done (0..1), and may raise an exception
    to stop the computation.
    """
    size, steps = len(table.systems), table.comparisons + 1
    runs_per_batch = max(1, min(runs, MAX_RUN_CELLS // size**2))
    means = np.empty((runs, size))
    for block, begin in enumerate(range(0, runs, runs_per_batch)):
        rng = np.random.default_rng([seed, block])
        count = min(runs_per_batch, runs - begin)
        judgements = _bootstrap(table, count, rng)
        skills = np.zeros((size, count))
        for step in _steps(judgements, steps, rng, skills):
            if progress is not None:
                progress((begin + count * step / steps) / runs)
        means[begin : begin + count] = skills.T
    return means


@dataclass(frozen=True, slots=True, eq=False)
class _BootstrapJudgements:
    """Bootstrap resamples of the judgements, one per run; all arrays have shape (systems, systems, runs).

    `loss_share` is the share of the judgements between two systems in which the row's system is worse than the column's
    system. `loss_or_tie_share` is the share in which it is worse or tied. `is_sampled` tells whether the resample
    contains any judgement between the two systems.
    """

    loss_share: Shares
    loss_or_tie_share: Shares
    is_sampled: NDArray[np.bool_]


def _bootstrap(table: WinTable, runs: int, rng: np.random.Generator) -> _BootstrapJudgements:
    """Resample the judgements with replacement, once per run.

    A step uses only the outcome of a random judgement between two systems. Therefore, only the number of judgements
    with each outcome is sampled, from a multinomial distribution.
    """
    size = len(table.systems)
    first, second = np.nonzero(np.triu(table.comparison_counts, 1))
    counts = np.stack([table.wins[first, second], table.ties[first, second], table.wins[second, first]], axis=1)
    resampled = rng.multinomial(table.comparisons, counts.ravel() / counts.sum(), runs).reshape(runs, len(first), 3)
    won, tied, lost = np.moveaxis(resampled, (2, 1), (0, 1))
    total = won + tied + lost
    judgements = _BootstrapJudgements(
        np.zeros((size, size, runs), np.float32),
        np.zeros((size, size, runs), np.float32),
        np.zeros((size, size, runs), bool),
    )
    for row, column, worse in ((first, second, lost), (second, first, won)):
        judgements.loss_share[row, column] = worse / np.maximum(total, 1)
        judgements.loss_or_tie_share[row, column] = (worse + tied) / np.maximum(total, 1)
        judgements.is_sampled[row, column] = total > 0
    return judgements


def _steps(judgements: _BootstrapJudgements, steps: int, rng: np.random.Generator, means: Floats) -> Iterator[int]:
    """Perform the steps of all runs, updating `means` in place; after each batch, yield the number of steps done.

    `means` has shape (systems, runs) and is initially 0. Indices refer to flat arrays, in which the runs of a system
    are adjacent: system × runs + run.
    """
    size, _, runs = judgements.is_sampled.shape
    beta = SIGMA * steps / BETA_DIVISOR
    lost, not_won = judgements.loss_share.reshape(-1), judgements.loss_or_tie_share.reshape(-1)
    has_unsampled_pairs = size * (size - 1) * runs != int(judgements.is_sampled.sum())
    system_indices, run_indices = np.arange(size, dtype=np.int16)[:, None], np.arange(runs)
    # a system without judgements in its run never moves; zero variance keeps it from being selected
    variances = np.where(judgements.is_sampled.any(1), SIGMA**2, 0.0)
    mean, variance = means.reshape(-1), variances.reshape(-1)
    chances = np.empty((size, runs))
    cells = np.empty((2, runs), np.int64)
    for begin in range(0, steps, STEPS_PER_BATCH):
        count = min(STEPS_PER_BATCH, steps - begin)
        # float32: a product of a number below 1 stays below 1, so that there is always a partner
        for for_partner, for_outcome in rng.random((count, 2, runs), np.float32):
            # index of the largest variance (the last one in a tie); numpy's argmax across rows is several times slower
            selected = np.maximum.reduce((variances == np.maximum.reduce(variances, axis=0)) * system_indices, axis=0)
            np.add(selected * np.int64(runs), run_indices, out=cells[0])
            np.subtract(means, mean[cells[0]], out=chances)
            np.exp(np.negative(np.abs(chances, out=chances), out=chances), out=chances)
            chances.reshape(-1)[cells[0]] = 0.0
            if has_unsampled_pairs:
                chances *= judgements.is_sampled[selected, :, run_indices].T
            np.add(_sample_rows(chances, for_partner) * runs, run_indices, out=cells[1])
            cell = selected * np.int64(size * runs) + cells[1]
            outcome = 1.0 - (for_outcome < lost[cell]) - (for_outcome < not_won[cell])
            mean[cells], variance[cells] = update_skills(mean[cells], variance[cells], outcome, beta)
        yield begin + count


def _sample_rows(chances: Floats, share: Shares) -> Ints:
    """Sample a row for each column, with probabilities proportional to `chances`, which is overwritten.

    `share` contains a random number (0 ≤ x < 1) for each column.
    """
    # numpy's cumsum down the columns is several times slower
    for row in range(1, len(chances)):
        np.add(chances[row - 1], chances[row], out=chances[row])
    rows_passed: Ints = np.add.reduce(chances[:-1] <= share * chances[-1], axis=0, dtype=np.int64)
    return rows_passed


def update_skills(
    mean: Floats, variance: Floats, outcome: NDArray[np.floating], beta: float, ties: float = TIE_SHARE
) -> tuple[Floats, Floats]:
    """Return the means and variances of two players' skills after a game, both of shape (2, …), first player first.

    `outcome` (…) is 1 if the first player won, -1 if the second player won, and 0 for a tie. `beta` is the standard
    deviation of a player's performance around the skill, and `ties` is the expected share of ties. The result is exact
    up to rounding for any difference in skill.

    The outcome restricts the normally distributed difference of the performances to an interval. v is the resulting
    shift of the mean of this difference, in standard deviations; w is the share by which the variance of this
    difference decreases. Ratios of densities to tail probabilities are computed with erfcx(x) = exp(x²) erfc(x), which
    remains accurate in the tails.
    """
    # deferred import: fast start of the command line
    from scipy.special import erfcx, ndtri

    total = variance[0] + variance[1] + 2 * beta * beta
    deviation = np.sqrt(total)
    difference = (mean[0] - mean[1]) / deviation
    margin = float(ndtri((1 + ties) / 2)) * math.sqrt(2) * beta / deviation
    won = np.abs(outcome)
    tied = 1 - won
    sign = won - tied
    # from the perspective of the winner or, for a tie, of the stronger player
    side = outcome + tied * np.copysign(1.0, difference)
    size = np.abs(difference)
    lower = sign * (margin - side * difference)
    upper = margin + size
    correction = np.exp(-2 * margin * size) * tied
    density = math.sqrt(2 / math.pi) / (erfcx(lower * math.sqrt(0.5)) - correction * erfcx(upper * math.sqrt(0.5)))
    v = density * (correction + sign)
    w = v * v + density * (correction * upper - lower)
    shift = variance * (side * v / deviation)
    shift[1:] *= -1.0
    return mean + shift, variance * (1 - variance * (w / total))


RANK_RANGE_SHARE = 0.95
"""Share of the runs that a rank range covers."""
MAX_SKILL_SYSTEMS = 100
"""Maximum number of systems, to limit the run time: each step considers all systems, and each judgement adds a step."""


@dataclass(frozen=True, slots=True, eq=False)
class TrueSkill:
    """Result of TrueSkill: systems, best first, with mean skills and rank ranges over the runs.

    `score` (mean skill), `rank_low` (best rank) and `rank_high` (worst rank) have shape (systems,). `clusters` are
    ordered from best to worst; a new cluster begins below a system whose worst rank is better than the best ranks of
    all systems below it. `comparisons` is the number of judgements between different systems. `problem` is the reason
    for a missing result, or a note on systems that were never compared with others; otherwise empty.
    """

    systems: tuple[str, ...]
    score: Floats
    rank_low: Ints
    rank_high: Ints
    clusters: tuple[tuple[str, ...], ...]
    runs: int
    comparisons: int
    problem: str = ""


def trueskill(pairs: PairRatings, *, runs: int = 1000, seed: int = 1, progress: OnProgress | None = None) -> TrueSkill:
    """Rank systems by TrueSkill on `runs` bootstrap resamples; equal seeds give equal results.

    Judgements count as in `count_wins`. Each run resamples all judgements with replacement, and makes one step more
    than there are judgements. A step selects the system with the largest standard deviation, a partner with probability
    proportional to exp(-|difference of means|), and one of the resampled judgements between these two systems. A
    partner without such a judgement is never selected (the program used at WMT stops instead). A system without any
    resampled judgement keeps its prior skill.

    `progress` receives the share done (0..1), and may raise an exception to stop the computation. The result has no
    systems if fewer than two or more than `MAX_SKILL_SYSTEMS` systems were compared, or if all judgements are ties.
    Raises QeError if `runs` is below 1 or `seed` below 0.
    """
    if runs < 1 or seed < 0:
        raise QeError(
            tr("TrueSkill needs at least one bootstrap resample, and a seed of 0 or more"),
            hint=tr("Correct the number of resamples or the seed."),
        )
    all_wins = count_wins(pairs)
    # sorted by name, so that the order of the judgements does not affect the random numbers
    compared_indices = sorted(
        np.flatnonzero(all_wins.comparison_counts.sum(1) > 0).tolist(), key=all_wins.systems.__getitem__
    )
    table = WinTable(
        tuple(all_wins.systems[index] for index in compared_indices),
        all_wins.wins[np.ix_(compared_indices, compared_indices)],
        all_wins.ties[np.ix_(compared_indices, compared_indices)],
    )
    problem = skills_problem(all_wins)
    if not table.wins.any() or len(table.systems) > MAX_SKILL_SYSTEMS:
        no_ranks = np.zeros(0, np.int64)
        return TrueSkill((), no_ranks.astype(np.float64), no_ranks, no_ranks, (), runs, table.comparisons, problem)
    means = run_skills(table, runs, seed, progress)
    score = means.mean(0)
    order = np.argsort(-score, kind="stable")
    low, high = rank_ranges(means[:, order])
    systems = tuple(table.systems[int(index)] for index in order)
    return TrueSkill(systems, score[order], low, high, _clusters(systems, low, high), runs, table.comparisons, problem)


def skills_problem(table: WinTable) -> str:
    """Return why TrueSkill is not computed, or a note on systems never compared with others; empty if neither applies.

    The names of systems in the text are those in `table`, which may be display names.
    """
    compared_count = int(np.count_nonzero(table.comparison_counts.any(1)))
    if compared_count < 2:
        return tr("No judgement compares two systems.")
    if not table.wins.any():
        return tr("All judgements are ties: no system was judged better than another.")
    if compared_count > MAX_SKILL_SYSTEMS:
        return tr(
            "Not computed for more than {most} systems; there are {n:,}.", "", compared_count, most=MAX_SKILL_SYSTEMS
        )
    return disconnected_note(table.systems, table.comparison_counts > 0)


def rank_ranges(means: Floats) -> tuple[Ints, Ints]:
    """Return the ends of each system's rank range: the best and the worst rank, shape (systems,) each.

    `means` has shape (runs, systems); in each run, the system with the highest mean has rank 1. The range covers the
    middle `RANK_RANGE_SHARE` of the R runs: the ceil((1 - RANK_RANGE_SHARE) R / 2) best ranks of a system and as many
    of its worst ranks are dropped, but never the median. Systems tied in a run share several ranks: the best of these
    counts for the best rank, and the worst of these for the worst rank.
    """
    # deferred import: fast start of the command line
    from scipy.stats import rankdata

    runs = len(means)
    trimmed_runs = min(math.ceil(round((1 - RANK_RANGE_SHARE) * runs / 2, 6)), (runs - 1) // 2)
    best = np.sort(rankdata(-means, "min", axis=1), axis=0)[trimmed_runs]
    worst = np.sort(rankdata(-means, "max", axis=1), axis=0)[runs - 1 - trimmed_runs]
    return best.astype(np.int64), worst.astype(np.int64)


def _clusters(systems: tuple[str, ...], low: Ints, high: Ints) -> tuple[tuple[str, ...], ...]:
    """Split `systems`, best first, into clusters as at WMT.

    A new cluster begins below a system whose worst rank is better than the best ranks of all systems below it.
    """
    best_below = np.minimum.accumulate(low[::-1])[::-1][1:]
    cuts = [0, *(np.flatnonzero(high[:-1] < best_below) + 1).tolist(), len(systems)]
    return tuple(systems[begin:end] for begin, end in pairwise(cuts))
