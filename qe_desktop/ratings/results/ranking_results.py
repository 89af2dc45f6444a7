"""Results of pairwise judgements: shares of wins, strengths, sign tests and agreement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus import ItemRole, PairRatings
from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import join_localized, join_names, tr
from qe_desktop.ratings.aggregation.bradley_terry import fit_bradley_terry
from qe_desktop.ratings.aggregation.rating_groups import value_or_none
from qe_desktop.ratings.aggregation.win_rates import (
    WinTable,
    at_least_as_good,
    count_wins,
    expected_wins,
    half_tie_wins,
    ignoring_ties,
    sign_tests,
    strictly_better,
)
from qe_desktop.ratings.agreement.ranking_kappa import wmt_kappa
from qe_desktop.ratings.results.result_types import RankingAgreement, RatingOptions, SystemRanking, SystemWins
from qe_desktop.significance import adjust_p


@dataclass(frozen=True, slots=True, eq=False)
class RankingFindings:
    """Win table, statistics of each system, comparison of the systems, agreement, and notes."""

    table: WinTable
    systems: Mapping[str, SystemWins]
    ranking: SystemRanking
    agreement: RankingAgreement
    notes: tuple[str, ...]


def ranking_findings(pairs: PairRatings, options: RatingOptions) -> RankingFindings:
    """Return all ranking results except TrueSkill, which is slow."""
    table = count_wins(pairs)
    strengths, with_ties = fit_bradley_terry(table), fit_bradley_terry(table, "half")
    expected = expected_wins(table)
    columns = [
        at_least_as_good(table), strictly_better(table), ignoring_ties(table), half_tie_wins(table), expected,
        expected_wins(table, "zero"),
        *(_or_nan(fit.strengths, len(table.systems)) for fit in (strengths, with_ties)),
    ]  # fmt: skip
    counts = (table.comparison_counts.sum(1), table.wins.sum(1), table.ties.sum(1), table.wins.sum(0))
    systems = {
        name: SystemWins(
            *(int(count[index]) for count in counts), *(value_or_none(column[index]) for column in columns)
        )
        for index, name in enumerate(table.systems)
    }
    notes = _notes(table, strengths.problem, with_ties.problem)
    if (pairs.role == ItemRole.REPEAT).any():
        notes += (tr("repeats: repeated rankings count toward agreement, not toward wins"),)
    return RankingFindings(table, systems, _sign_ranking(table, expected, options), _agreement(pairs), notes)


def _or_nan(values: Floats | None, size: int) -> Floats:
    return np.full(size, np.nan) if values is None else values


def _notes(table: WinTable, strengths: str, with_ties: str) -> tuple[str, ...]:
    notes = []
    undecided = table.undecided_pairs()
    if undecided:
        pairs = join_localized(", ", [join_names(two) for two in undecided[:3]])
        more = len(undecided) - 3
        notes.append(
            tr("expected wins exclude pairs of systems without a winner in any judgement: {pairs}", pairs=pairs)
            if more <= 0
            else tr(
                "expected wins exclude pairs of systems without a winner in any judgement: {pairs} and {n:,} "
                "more {n:pair|pairs}",
                "",
                more,
                pairs=pairs,
            )
        )
    if strengths:
        notes.append(tr("Bradley–Terry: {problem}", problem=strengths))
    if with_ties and with_ties != strengths:
        notes.append(tr("Bradley–Terry, ties as half a win: {problem}", problem=with_ties))
    return tuple(notes)


def _sign_ranking(table: WinTable, expected: Floats, options: RatingOptions) -> SystemRanking:
    """Rank systems by expected wins, with two-sided sign tests; `options.correction` is the correction of p-values."""
    order = np.argsort(np.where(np.isnan(expected), np.inf, -expected), kind="stable")
    p = sign_tests(table)[np.ix_(order, order)]
    upper = np.triu(np.isfinite(p), 1)
    corrected = np.full_like(p, np.nan)
    corrected[upper] = adjust_p(p[upper], options.correction)
    corrected.T[upper] = corrected[upper]
    wins = table.wins[np.ix_(order, order)]
    better = (np.where(np.isfinite(corrected), corrected, np.inf) <= options.alpha) & (wins > wins.T)
    systems = tuple(table.systems[index] for index in order)
    method = tr("sign test on judgements, ignoring ties")
    return SystemRanking.of(method, systems, p, corrected, better, two_sided=True)


def reorder_ranking(ranking: SystemRanking, systems: tuple[str, ...]) -> SystemRanking:
    """Return `ranking` with its systems in the order of `systems`, and with the clusters that result from this order.

    Systems of `ranking` that are not in `systems` come last.
    """
    indices = [ranking.systems.index(name) for name in systems if name in ranking.systems]
    indices += [index for index in range(len(ranking.systems)) if index not in indices]
    square = np.ix_(indices, indices)
    names = tuple(ranking.systems[index] for index in indices)
    return SystemRanking.of(
        ranking.method, names, ranking.p[square], ranking.adjusted[square], ranking.beats[square],
        two_sided=ranking.two_sided,
    )  # fmt: skip


def _agreement(pairs: PairRatings) -> RankingAgreement:
    return RankingAgreement(
        wmt_kappa(pairs, intra=False),
        wmt_kappa(pairs, intra=True),
        wmt_kappa(pairs, intra=False, as_listed=True),
        wmt_kappa(pairs, intra=True, as_listed=True),
    )
