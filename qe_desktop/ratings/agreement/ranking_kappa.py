"""Agreement on rankings as at WMT: a kappa over pairs of judgements about the same two outputs.

The formula is that of Callison-Burch et al. (2011), "Findings of the 2011 Workshop on SMT", section 3.2. Pairs are
counted as in the Findings of WMT16, whose published numbers are reproduced exactly by the option `as_listed`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ItemRole, PairRatings
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.ratings import CAMPAIGN_JOINER, encode_names
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.rating_groups import dense_codes, unordered_units

INTER_ROLES = (ItemRole.SYSTEM, ItemRole.REFERENCE)
INTRA_ROLES = (*INTER_ROLES, ItemRole.REPEAT)
OUTCOME_COUNT = 3


@dataclass(frozen=True, slots=True)
class WmtKappa:
    """Kappa as used at WMT, (P(A) - P(E)) / (1 - P(E)), and its components.

    `comparable` is the number of pairs of judgements about the same two outputs of a segment. `agree` is the number of
    these pairs in which both judgements have the same outcome (better, worse or tie). P(A) is agree / comparable. P(E),
    the agreement expected by chance, is computed from the share of `ties` among the `total` judgements. Undefined
    numbers are None; `problem` is then the reason.
    """

    agree: int
    comparable: int
    ties: int
    total: int
    pA: float | None
    pE: float | None
    kappa: float | None
    problem: str = ""


def wmt_kappa(pairs: PairRatings, *, intra: bool, as_listed: bool = False) -> WmtKappa:
    """Return the agreement between different raters or, if `intra` is true, between judgements by the same rater.

    Units are compared as displayed: systems with identical outputs are one unit, so that an agreement is counted only
    once. Quality-control items, training items and judgements that compare a unit with itself are excluded.

    - By default, two judgements of a segment are comparable if they are about the same two units, in any order. The
      inter-rater kappa uses all pairs of comparable judgements by different raters, without intentional repeats. The
      intra-rater kappa uses all pairs of comparable judgements by the same rater.
    - With `as_listed`, as published by WMT, two judgements are comparable only if the two units were also listed in the
      same order, which excludes about half of the pairs. The inter-rater kappa then also uses pairs of judgements by
      the same rater.
    - P(E) = P(tie)² + 2 ((1 - P(tie)) / 2)², as at WMT since 2011. For the inter-rater kappa, P(tie) is the share of
      ties among all judgements. For the intra-rater kappa, it is the share among the judgements of segments that the
      rater saw again. For such a segment, the rater has two judgements about the same two units (with `as_listed`, in
      the same order), or a judgement marked as a repeat.
    """
    counted = _normalize_units(pairs)
    counted = counted.take(
        np.isin(counted.role, INTRA_ROLES if intra else INTER_ROLES) & (counted.first != counted.second)
    )
    if intra:
        counted = counted.take(_repeated_judgements(counted, as_listed))
    outcome = counted.outcome().astype(np.int64)
    ties = int(np.count_nonzero(outcome == 0))
    first, second, compared_outcome = (
        (counted.first, counted.second, outcome) if as_listed else unordered_units(counted)
    )
    group = dense_codes(_judgement_keys(counted, first, second))
    rater_groups = dense_codes(group * len(counted.raters) + counted.rater)
    no_pairs_reason = (
        _no_intra_pairs_reason(as_listed, len(counted) > 0) if intra else _no_inter_pairs_reason(as_listed)
    )
    agree, comparable = _count_agreeing_pairs(rater_groups if intra else group, compared_outcome)
    if not intra and not as_listed:
        agree_within, comparable_within = _count_agreeing_pairs(rater_groups, compared_outcome)
        agree, comparable = agree - agree_within, comparable - comparable_within
    return _kappa(agree, comparable, ties, len(counted), no_pairs_reason)


def _no_inter_pairs_reason(as_listed: bool) -> str:
    if as_listed:
        return tr("No two outputs of a segment were compared twice in the same order.")
    return tr("No two outputs of a segment were compared by two raters.")


def _no_intra_pairs_reason(as_listed: bool, seen_again: bool) -> str:
    if seen_again and as_listed:
        return tr("Raters saw segments again, but never the same two outputs in the same order.")
    if seen_again:
        return tr("Raters saw segments again, but never the same two outputs.")
    if as_listed:
        return tr(
            "No rater saw the same two outputs of a segment twice in the same order, and no judgement is marked as a "
            "repeat."
        )
    return tr("No rater saw the same two outputs of a segment twice, and no judgement is marked as a repeat.")


def _normalize_units(pairs: PairRatings) -> PairRatings:
    """Sort the systems within each unit, so that units with the same systems have the same name."""
    names, code = encode_names(CAMPAIGN_JOINER.join(sorted(unit.split(CAMPAIGN_JOINER))) for unit in pairs.units)
    if len(names) == len(pairs.units):
        return pairs
    first, second = code[pairs.first], code[pairs.second]
    return replace(pairs, units=names, first=first, second=second)


def _judgement_keys(pairs: PairRatings, first: NDArray[np.integer], second: NDArray[np.integer]) -> Ints:
    """Return a key per judgement; two keys are equal if and only if segment, `first` and `second` all match."""
    units = np.int64(len(pairs.units))
    return (pairs.segment * units + first) * units + second


def _repeated_judgements(pairs: PairRatings, as_listed: bool) -> NDArray[np.bool_]:
    """Return the mask of judgements about segments that the rater saw again, as defined in `wmt_kappa`."""
    raters = np.int64(len(pairs.raters))
    first, second = (pairs.first, pairs.second) if as_listed else unordered_units(pairs)[:2]
    judgement_codes = dense_codes(dense_codes(_judgement_keys(pairs, first, second)) * raters + pairs.rater)
    is_repeated = (np.bincount(judgement_codes)[judgement_codes] > 1) | (pairs.role == ItemRole.REPEAT)
    visit = dense_codes(pairs.segment * raters + pairs.rater)
    visits = np.zeros(int(visit.max(initial=-1)) + 1, bool)
    visits[visit[is_repeated]] = True
    return visits[visit]


def _count_agreeing_pairs(group: Ints, outcome: Ints) -> tuple[int, int]:
    """Count pairs of judgements within groups: return the number with equal outcomes, and the total number."""
    groups = int(group.max(initial=-1)) + 1
    counts = np.bincount(group * OUTCOME_COUNT + outcome + 1, minlength=groups * OUTCOME_COUNT).reshape(
        groups, OUTCOME_COUNT
    )
    group_sizes = counts.sum(1)
    return int((counts * (counts - 1)).sum()) // 2, int((group_sizes * (group_sizes - 1)).sum()) // 2


def _kappa(agree: int, comparable: int, ties: int, total: int, no_pairs_reason: str) -> WmtKappa:
    if not total:
        return WmtKappa(agree, comparable, ties, total, None, None, None, no_pairs_reason)
    share = ties / total
    by_chance = share**2 + 2 * ((1 - share) / 2) ** 2
    if not comparable:
        return WmtKappa(agree, comparable, ties, total, None, by_chance, None, no_pairs_reason)
    observed = agree / comparable
    if by_chance == 1:
        problem = tr("All judgements are ties, so chance agreement is 1.")
        return WmtKappa(agree, comparable, ties, total, observed, by_chance, None, problem)
    return WmtKappa(agree, comparable, ties, total, observed, by_chance, (observed - by_chance) / (1 - by_chance))
