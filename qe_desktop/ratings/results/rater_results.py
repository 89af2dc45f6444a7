"""Results per rater: values by scale, rankings, pace, and notes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Comment, ItemRole, PairRatings, RatingFlag, ScoreRatings
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ratings.aggregation.rating_groups import dense_codes, group_values, has_role, unordered_units
from qe_desktop.ratings.agreement.ranking_kappa import wmt_kappa
from qe_desktop.ratings.agreement.reliability import MAX_FAST_SHARE, RaterReliability, rater_reliability, rating_pace
from qe_desktop.ratings.results.result_types import RankingPage, RaterPage

Floats = NDArray[np.float64]
QUICK_SCREEN = 5.0
"""Seconds below which a ranking is too fast; 1 in 100 screens at WMT16 took less."""
_IN_EARNEST = (ItemRole.SYSTEM, ItemRole.REPEAT, ItemRole.REFERENCE)


def rater_pages(
    scores: ScoreRatings, scales: dict[str, str], pairs: PairRatings, comments: tuple[Comment, ...], *, alpha: float
) -> tuple[RaterPage, ...]:
    """Return the results of all raters with a rating, a judgement or a comment, in the order of names in the ratings.

    `scales` maps each displayed scale to the name of its values in the ratings.
    """
    by_scale: dict[str, dict[str, RaterReliability]] = {}
    for name, source in scales.items():
        for page in rater_reliability(scores, source, alpha=alpha):
            by_scale.setdefault(page.rater, {})[name] = page
    rankings = _ranking_pages(pairs)
    changed = np.bincount(
        scores.rater[(scores.flags & RatingFlag.CHANGED_AFTER_REVEAL) > 0], minlength=len(scores.raters)
    )
    late = {name: int(changed[place]) for place, name in enumerate(scores.raters)}
    skipped, commented = ({name: 0 for name in {remark.rater for remark in comments}} for _ in range(2))
    for comment in comments:
        (skipped if comment.skipped else commented)[comment.rater] += 1
    names = dict.fromkeys([*scores.raters, *pairs.raters, *(comment.rater for comment in comments)])
    return tuple(
        RaterPage(
            name, by_scale.get(name, {}), rankings.get(name), skipped.get(name, 0), commented.get(name, 0),
            late.get(name, 0), _remarks(by_scale.get(name, {}), rankings.get(name)),
        )
        for name in names
        if name in by_scale or name in rankings or name in skipped
    )  # fmt: skip


def _remarks(scales: dict[str, RaterReliability], rankings: RankingPage | None) -> tuple[str, ...]:
    remarks = [
        join_localized(": ", (name, remark)) if len(scales) > 1 else remark
        for name, page in scales.items()
        for remark in page.remarks
    ]
    pace = rankings.pace if rankings is not None else None
    if pace is not None and pace.too_fast >= MAX_FAST_SHARE:
        remarks.append(
            tr("too fast: {share:.0%} of rankings in less than {limit:g} s", share=pace.too_fast, limit=pace.limit)
        )
    return tuple(remarks)


def _ranking_pages(pairs: PairRatings) -> dict[str, RankingPage]:
    pairs = pairs.take(has_role(pairs, _IN_EARNEST) & (pairs.first != pairs.second))
    if not len(pairs):
        return {}
    raters = len(pairs.raters)
    counts = np.bincount(pairs.rater, minlength=raters)
    ties = np.bincount(pairs.rater[pairs.outcome() == 0], minlength=raters)
    agree, shared = _with_others(pairs, raters)
    pages = {}
    for place, rows in enumerate(group_values(pairs.rater, np.arange(len(pairs)), raters)):
        if not len(rows):
            continue
        own = pairs.take(rows)
        seconds = _seconds(own)
        pages[pairs.raters[place]] = RankingPage(
            len(seconds), len(rows), float(ties[place] / counts[place]), rating_pace(seconds, QUICK_SCREEN),
            wmt_kappa(own, intra=True),
            float(agree[place] / shared[place]) if shared[place] else None, int(shared[place]),
        )  # fmt: skip
    return pages


def _seconds(pairs: PairRatings) -> Floats:
    """Return the seconds of each screen of one rater's judgements."""
    keys = pairs.segment.astype(np.int64) * max(1, len(pairs.screens)) + pairs.screen
    return pairs.seconds[np.unique(keys, return_index=True)[1]]


def _with_others(pairs: PairRatings, raters: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Count each rater's pairs of an own and another rater's judgement about the same two outputs.

    Return the numbers of agreeing and of all such pairs, both of shape (raters,).
    """
    units = np.int64(len(pairs.units))
    low, high, outcome = unordered_units(pairs)
    item = dense_codes((pairs.segment * units + low) * units + high)
    same = dense_codes(item * 3 + outcome + 1)
    own_item, own_same = (
        dense_codes(item * raters + pairs.rater),
        dense_codes(same * raters + pairs.rater),
    )
    others = np.bincount(item)[item] - np.bincount(own_item)[own_item]
    agreeing = np.bincount(same)[same] - np.bincount(own_same)[own_same]
    sums = (np.bincount(pairs.rater, values, raters) for values in (agreeing, others))
    agree, shared = (np.rint(total).astype(np.int64) for total in sums)
    return agree, shared
