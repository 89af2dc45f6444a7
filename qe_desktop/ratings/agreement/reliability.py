"""Reliability indicators per rater, without a verdict: spread, runs, pace, agreement and quality control."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus import ItemRole, ScoreRatings
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.hypothesis_tests import mann_whitney_test, paired_t_test, signed_rank_test
from qe_desktop.ratings.aggregation.rating_groups import (
    RATED_ROLES,
    encode_values,
    exact_sums,
    group_deviations,
    group_means,
    group_values,
    scale_rows,
    sort_order,
    time_order,
    value_or_none,
)
from qe_desktop.ratings.aggregation.scale_range import HistogramBins, choose_bins, histograms
from qe_desktop.ratings.agreement.rater_agreement import (
    FirstRatings,
    IntraRater,
    find_repeats,
    first_ratings,
    intra_rater_agreement,
)

MIN_ITEM_SECONDS = 2.0
"""Number of seconds below which a rater can hardly have read the item."""
MIN_FAST_SHARE = 0.1
"""Minimum share of items rated too fast that causes a remark."""
MIN_LONG_RUN = 10
"""Minimum length of a run of equal ratings that causes a remark."""
MIN_SINGLE_VALUE_SHARE = 0.9
"""Minimum share of the most frequent value that causes a remark."""


@dataclass(frozen=True, slots=True)
class RatingPace:
    """Pace of one rater in seconds per item, over the `n` ratings with a known time.

    `p10` is the 10th percentile. `too_fast` is the share of ratings that took less than `limit` seconds.
    """

    n: int
    median: float
    p10: float
    too_fast: float
    limit: float


@dataclass(frozen=True, slots=True, eq=False)
class RaterReliability:
    """Reliability indicators of one rater on one scale, over `n` ratings; the training round is excluded.

    `sd` is None for a single rating. `longest_run` is the length of the longest run of equal consecutive values, and
    `run_value` is the value of that run. `most_frequent` is the most frequent value, and `share` is its share of the
    ratings. `histogram` (bins,) is the number of values in each of the `bins`. `with_others` is Pearson's correlation
    with the mean of the other raters, over the outputs that other raters also rated; None if undefined. `shared` is the
    number of these outputs. `pace` is None if no times are known. `control` is None if no quality-control item has a
    first rating, and `repeats` is None if no repeat has a first rating. `unmatched` is the number of repeats and
    quality-control items without a first rating. `remarks` are notes on unusual indicators.
    """

    rater: str
    n: int
    mean: float
    sd: float | None
    longest_run: int
    run_value: float
    most_frequent: float
    share: float
    bins: HistogramBins
    histogram: Ints
    with_others: float | None
    shared: int
    pace: RatingPace | None
    control: ControlTest | None
    repeats: IntraRater | None
    unmatched: int
    remarks: tuple[str, ...]


def rater_reliability(
    scores: ScoreRatings, scale: str, *, alpha: float = 0.05, too_fast: float = MIN_ITEM_SECONDS
) -> tuple[RaterReliability, ...]:
    """Return reliability indicators of each rater who has ratings on `scale`, in the order of `scores.raters`.

    `alpha` is the significance level of the test of quality-control items. `too_fast` is the `limit` of `RatingPace` in
    seconds.
    """
    rows = time_order(scores, scale_rows(scores, scale, RATED_ROLES))
    rater, value, raters = scores.rater[rows].astype(np.int64), scores.value[rows], len(scores.raters)
    mean, n = group_means(rater, value, raters)
    sd = group_deviations(rater, value, mean)
    run, run_value = longest_runs(rater, value, raters)
    most_frequent_values, most_frequent_counts = most_frequent(rater, value, raters)
    bins = choose_bins(value)
    counts = histograms(rater, value, raters, bins)
    correlations, shared = correlate_with_others(first_ratings(scores, scale))
    pace_by_rater = [rating_pace(seconds, too_fast) for seconds in group_values(rater, scores.seconds[rows], raters)]
    repeated, bad = (find_repeats(scores, scale, role) for role in (ItemRole.REPEAT, ItemRole.BAD))
    repeats, controls = (
        list(
            zip(
                group_values(item_pairs.rater, item_pairs.first, raters),
                group_values(item_pairs.rater, item_pairs.repeated, raters),
                strict=True,
            )
        )
        for item_pairs in (repeated, bad)
    )
    results = []
    for index in np.flatnonzero(n):
        (first, later), (original, degraded) = repeats[index], controls[index]
        control_test = compare_control_items(degraded, original, alpha=alpha) if len(original) else None
        remarks = _remarks(
            int(run[index]),
            float(run_value[index]),
            int(n[index]),
            int(most_frequent_counts[index]),
            pace_by_rater[index],
            control_test,
        )
        results.append(
            RaterReliability(
                scores.raters[index],
                int(n[index]),
                float(mean[index]),
                value_or_none(sd[index]),
                int(run[index]),
                float(run_value[index]),
                float(most_frequent_values[index]),
                float(most_frequent_counts[index] / n[index]),
                bins,
                counts[index],
                value_or_none(correlations[index]),
                int(shared[index]),
                pace_by_rater[index],
                control_test,
                intra_rater_agreement(first, later) if len(first) else None,
                int(repeated.unpaired_counts[index] + bad.unpaired_counts[index]),
                remarks,
            )
        )
    return tuple(results)


def longest_runs(rater: Ints, value: Floats, raters: int) -> tuple[Ints, Floats]:
    """Return the length and the value of each rater's longest run of equal values, shape (raters,) each.

    If several runs are longest, the first one counts. Rows must be sorted by rater, then in rating order
    (`time_order`). For raters without ratings, the length is 0 and the value is NaN.
    """
    run, run_values = np.zeros(raters, np.int64), np.full(raters, np.nan)
    if len(rater):
        begins = np.flatnonzero(np.append(True, (rater[1:] != rater[:-1]) | (value[1:] != value[:-1])))
        lengths = np.diff(begins, append=len(rater))
        run_rater = rater[begins]
        np.maximum.at(run, run_rater, lengths)
        longest = np.flatnonzero(lengths == run[run_rater])[::-1]
        run_values[run_rater[longest]] = value[begins[longest]]
    return run, run_values


def most_frequent(rater: Ints, value: Floats, raters: int) -> tuple[Floats, Ints]:
    """Return each rater's most frequent value and the number of times it occurs, shape (raters,) each.

    If several values are most frequent, the lowest one is returned. For raters without ratings, the value is NaN and
    the number is 0.
    """
    distinct_values, codes = encode_values(value)
    keys = rater * max(1, len(distinct_values)) + codes
    ordered = keys[sort_order(keys, raters * max(1, len(distinct_values)))]
    group_rater, code = np.divmod(ordered, max(1, len(distinct_values)))
    run_lengths, value_indices = longest_runs(group_rater, code.astype(np.float64), raters)
    values = np.full(raters, np.nan)
    values[run_lengths > 0] = distinct_values[value_indices[run_lengths > 0].astype(np.int64)]
    return values, run_lengths


def correlate_with_others(ratings: FirstRatings) -> tuple[Floats, Ints]:
    """Return each rater's correlation with the mean of the other raters, and the number of shared outputs.

    Both have shape (raters,). The correlation is NaN if there are fewer than three shared outputs, or if the rater's
    ratings or the means of the other raters are constant.
    """
    raters = len(ratings.raters)
    sizes = np.bincount(ratings.unit, minlength=ratings.units)
    sums = exact_sums(ratings.unit, ratings.value, ratings.units)
    mean_of_others = (sums[ratings.unit] - ratings.value) / (sizes[ratings.unit] - 1)
    own_mean, shared = group_means(ratings.rater, ratings.value, raters)
    others_mean, _ = group_means(ratings.rater, mean_of_others, raters)
    deviations, other_deviations = ratings.value - own_mean[ratings.rater], mean_of_others - others_mean[ratings.rater]
    product, own_square, rest_square = (
        exact_sums(ratings.rater, x, raters)
        for x in (deviations * other_deviations, deviations**2, other_deviations**2)
    )
    square = own_square * rest_square
    # remaining rounding error of constant values is not variation
    scale = exact_sums(ratings.rater, ratings.value**2, raters) * exact_sums(ratings.rater, mean_of_others**2, raters)
    varied = (shared > 2) & (square > 1e-24 * scale)
    return np.where(varied, np.clip(product / np.sqrt(np.where(varied, square, 1.0)), -1, 1), np.nan), shared


def rating_pace(seconds: Floats, limit: float) -> RatingPace | None:
    """Return the pace of one rater from the seconds spent on each item (NaN if unknown); None if no times are known."""
    seconds = seconds[np.isfinite(seconds)]
    if not len(seconds):
        return None
    median, p10 = np.quantile(seconds, [0.5, 0.1])
    return RatingPace(len(seconds), float(median), float(p10), float((seconds < limit).mean()), limit)


def _remarks(
    run: int, value: float, n: int, most_frequent_count: int, pace: RatingPace | None, control: ControlTest | None
) -> tuple[str, ...]:
    out = []
    if n > 1 and most_frequent_count == n:
        out.append(tr("gave the value {value:g} all {n} times", "", n, value=value))
    elif n >= MIN_LONG_RUN and most_frequent_count >= MIN_SINGLE_VALUE_SHARE * n:
        out.append(tr("gave the same value {often} of {n} {n:time|times}", "", n, often=most_frequent_count))
    elif run >= MIN_LONG_RUN:
        out.append(tr("gave the same value ({value:g}) {n} times in a row", "", run, value=value))
    if pace is not None and pace.too_fast >= MIN_FAST_SHARE:
        percent, limit = 100 * pace.too_fast, pace.limit
        out.append(
            tr("rated {percent:.0f} % of items too fast, in less than {limit:g} s each", percent=percent, limit=limit)
        )
    if control is not None and control.passes is False:
        out.append(control.verdict)
    return tuple(out)


MIN_CONTROL_ITEMS = 5
"""Minimum number of pairs with which a rater can fail: with four pairs, the signed-rank test cannot reach p ≤ .05."""


@dataclass(frozen=True, slots=True)
class ControlTest:
    """Test of whether one rater scored `n` degraded items lower than their originals.

    One-sided p-values: `paired_t` is from the paired t-test (Graham's quality-control.R), `mann_whitney` is from the
    rank-sum test in Appraise (asymptotic), and `signed_rank` is from Wilcoxon's test (exact for up to 50 pairs).
    Undefined values are None. `passes` is None if there are too few items for a decision. `verdict` is the result as
    text.
    """

    n: int
    mean_bad: float | None
    mean_original: float | None
    paired_t: float | None
    mann_whitney: float | None
    signed_rank: float | None
    passes: bool | None
    verdict: str


def compare_control_items(bad: Floats, original: Floats, *, alpha: float = 0.05) -> ControlTest:
    """Compare the ratings of degraded items with the ratings of their originals, shape (pairs,) each.

    The rater passes if the paired t-test gives p ≤ alpha (Graham et al. 2016). If t is undefined, because there is only
    one pair or because all differences are equal, the signed-rank test is used instead.
    """
    n = len(bad)
    differences = bad - original
    t, ranks = paired_t_test(differences), signed_rank_test(differences)
    u_p = mann_whitney_test(original, bad) if n else None
    mean_bad, mean_original = (float(values.mean()) if n else None for values in (bad, original))
    passes, verdict = _verdict(n, t if t is not None else ranks, alpha)
    return ControlTest(n, mean_bad, mean_original, t, u_p, ranks, passes, verdict)


def _verdict(n: int, p: float | None, alpha: float) -> tuple[bool | None, str]:
    if p is not None and p <= alpha:
        return True, tr("passed: degraded items score significantly lower than their originals (p = {p})", p=_number(p))
    if n < MIN_CONTROL_ITEMS:
        return None, tr("too few quality-control items ({n})", "", n) if n else tr("no quality-control items")
    if p is None:
        return False, tr("failed: all {n} degraded items have the same scores as their originals", "", n)
    return False, tr(
        "failed: degraded items do not score significantly lower than their originals (p = {p})", p=_number(p)
    )


def _number(p: float) -> str:
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}"
