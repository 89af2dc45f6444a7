"""Results of ratings on scales: means, z-scores, intervals, and rank-sum tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus import ScoreRatings
from qe_desktop.corpus.columns import Ints
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.ratings import MEAN_RATER
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ratings.aggregation.hypothesis_tests import rank_sum_tests
from qe_desktop.ratings.aggregation.means import (
    SegmentMeans,
    Standardised,
    SystemMeans,
    Z,
    resampled_means,
    segment_means,
    segment_totals,
    standardise,
    system_means,
)
from qe_desktop.ratings.aggregation.rating_groups import COUNTED_ROLES, RATED_ROLES, scale_rows, value_or_none
from qe_desktop.ratings.aggregation.scale_range import MIN_COVERED_SHARE, ScaleRange, out_of_range_note
from qe_desktop.ratings.results.result_types import (
    NO_Z_SCORE_NOTE,
    TOTAL,
    Estimate,
    RatingOptions,
    SystemRanking,
    SystemScaleScores,
)
from qe_desktop.significance import are_all_equal, percentile_intervals_ignoring_nan
from qe_desktop.significance.clusters import significantly_better

SCORE = "score"
ADEQUACY, FLUENCY = "adequacy", "fluency"
MAX_SHORT_SCALE_SPAN = 10.0
"""Maximum value of a short scale of integers, such as 1..5, whose values are assumed to mean the same to all raters."""
_SCALE_ORDER = (ADEQUACY, FLUENCY, SCORE)
_MAX_LISTED_RATERS = 5
"""Maximum number of raters listed in a note on raters whose z-scores are undefined or set to 0."""
ONE_SEGMENT_NOTE = tr("no interval: a bootstrap over segments needs at least two segments")
EQUAL_MEANS_NOTE = tr("no interval: the means of all segments are equal, so the uncertainty cannot be estimated")
"""`ONE_SEGMENT_NOTE` and `EQUAL_MEANS_NOTE` are reasons why a mean has no interval."""


@dataclass(frozen=True, slots=True, eq=False)
class RatedScale:
    """Scale with its displayed `name`, its name in the ratings (`source`), and its raw and z means.

    `is_compared_by_z` means that systems are compared by z, as on long scales. `raw` is None if the ratings were
    already standardized, and `z` is None if no rater's ratings can be standardized.
    """

    name: str
    source: str
    raw: SegmentMeans | None
    z: SegmentMeans | None
    is_compared_by_z: bool
    standardised: Standardised


def individual_ratings(scores: ScoreRatings) -> tuple[ScoreRatings, ScoreRatings]:
    """Return two sets of ratings: the ratings to average, and the ratings by known raters.

    Some files have means over raters instead of individual ratings. Such means are in the first set only for scales
    without individual ratings, and never in the second set.
    """
    if MEAN_RATER not in scores.raters:
        return scores, scores
    named = scores.rater != scores.raters.index(MEAN_RATER)
    named_scales = np.unique(scores.scale[named])
    return scores.take(named | ~np.isin(scores.scale, named_scales)), scores.take(named)


def rated_scales(scores: ScoreRatings) -> tuple[str, ...]:
    """Return the rated scales in display order; values that were already standardized in the file belong to "score"."""
    rated = [name for name in scores.scales if len(scale_rows(scores, name, COUNTED_ROLES))]
    names = dict.fromkeys(SCORE if name == Z else name for name in rated)
    return tuple(
        sorted(names, key=lambda name: _SCALE_ORDER.index(name) if name in _SCALE_ORDER else len(_SCALE_ORDER))
    )


def scale_means(scores: ScoreRatings, name: str, options: RatingOptions) -> RatedScale:
    """Return the raw and z means of one scale."""
    has_source_z = name == SCORE and bool(len(scale_rows(scores, Z, COUNTED_ROLES)))
    has_raw = bool(len(scale_rows(scores, name, COUNTED_ROLES)))
    source = Z if has_source_z and not has_raw else name
    standardised = standardise(scores, Z if has_source_z else name, options.standardise)
    by_rater = options.repeats == "rater"
    z: SegmentMeans | None = segment_means(scores, Z if has_source_z else name, standardised.values, by_rater=by_rater)
    if z is not None and (not len(z) or not (has_source_z or _has_known_raters(scores, name))):
        z = None
    by_z = z is not None and (has_source_z or not is_short_scale(scores, name))
    raw = None
    if has_raw:
        # WMT's raw means exclude ratings without z
        z_values = np.where(standardised.has_z_score, scores.value, np.nan) if by_z and not has_source_z else None
        raw = segment_means(scores, name, z_values, by_rater=by_rater)
    return RatedScale(name, source, raw, z, by_z, standardised)


def _has_known_raters(scores: ScoreRatings, name: str) -> bool:
    """Return whether a scale has ratings by known raters, not only means over raters."""
    rows = scale_rows(scores, name, RATED_ROLES)
    return MEAN_RATER not in scores.raters or bool((scores.rater[rows] != scores.raters.index(MEAN_RATER)).any())


def is_short_scale(scores: ScoreRatings, name: str) -> bool:
    """Return whether enough of the values (`MIN_COVERED_SHARE`) are integers from 0 to `MAX_SHORT_SCALE_SPAN`.

    The result is False if there are no values.
    """
    values = scores.value[scale_rows(scores, name, RATED_ROLES)]
    # one rater's typing error must not change the comparison of all systems
    return bool(len(values)) and bool(
        np.mean((values >= 0) & (values <= MAX_SHORT_SCALE_SPAN) & (values % 1 == 0)) >= MIN_COVERED_SHARE
    )


@dataclass(frozen=True, slots=True, eq=False)
class ScaleFindings:
    """Scales, statistics of each system with ratings, and comparison of the systems.

    `n` is the number of segments of each system that were rated on the scale by which systems are compared. For a
    system without such segments, it is the largest number of segments rated on another scale. `has_repeated_ratings` is
    true if a rater rated an output more than once on a scale.
    """

    scales: tuple[RatedScale, ...]
    systems: Mapping[str, SystemScaleScores]
    n: Mapping[str, int]
    ranking: SystemRanking
    notes: tuple[str, ...]
    has_repeated_ratings: bool


def scale_findings(
    scores: ScoreRatings, options: RatingOptions, ranges: Mapping[str, ScaleRange] | None = None
) -> ScaleFindings:
    """Return the results of ratings on scales; at least one rating must count.

    `ranges` maps scales to their expected ranges.
    """
    ranges = ranges or {}
    scales = tuple(scale_means(scores, name, options) for name in rated_scales(scores))
    raw = {rated_scale.name: rated_scale.raw for rated_scale in scales if rated_scale.raw is not None}
    z = {rated_scale.name: rated_scale.z for rated_scale in scales if rated_scale.z is not None}
    estimates = {kind: _estimates(means, options) for kind, means in (("raw", raw), ("z", z))}
    rated = _counts(scores)
    names = [name for index, name in enumerate(scores.systems) if rated[index]]
    if len(names) == 1 and not len(scale_rows(scores, Z, COUNTED_ROLES)):
        # z-scores of one system's ratings have the mean 0, unless the ratings were standardized with other systems
        undefined = Estimate(None, problem=NO_Z_SCORE_NOTE)
        estimates["z"] = {scale: dict.fromkeys(by_scale, undefined) for scale, by_scale in estimates["z"].items()}
    means, notes = _measure(scales)
    measure, method = means.comparison_means, _method(means)
    compared_means = system_means(measure)
    segments = np.maximum.reduce([_segments(rated_scale) for rated_scale in (*raw.values(), *z.values())])
    systems = {
        name: SystemScaleScores(
            {scale: by_scale[name] for scale, by_scale in estimates["raw"].items() if name in by_scale},
            {scale: by_scale[name] for scale, by_scale in estimates["z"].items() if name in by_scale},
            int(rated[scores.systems.index(name)]),
            int(segments[scores.systems.index(name)]),
        )
        for name in names
    }
    # for a system without ratings on the compared scale, the segments of other scales are counted
    n = {name: int(compared_means.segments[scores.systems.index(name)]) or systems[name].segments for name in names}
    range_notes = {
        rated_scale.name: out_of_range_note(scores, rated_scale.name, ranges.get(rated_scale.name))
        for rated_scale in scales
    }
    notes = (*notes, *(join_localized(": ", by_scale) for by_scale in range_notes.items() if by_scale[1]))
    repeat_notes = repeats_note(scores, options)
    notes = (*notes, *_notes(scales), *repeat_notes, *_problem_notes(systems))
    return ScaleFindings(
        scales, systems, n, _ranking(measure, compared_means, method, options), notes, bool(repeat_notes)
    )


def repeats_note(scores: ScoreRatings, options: RatingOptions) -> tuple[str, ...]:
    """Return a note on how repeated ratings of an output are counted; empty if there are no repeated ratings."""
    rows = np.flatnonzero(np.isin(scores.role, COUNTED_ROLES))
    keys = np.stack([scores.rater[rows], scores.system[rows], scores.segment[rows], scores.scale[rows]])
    more = len(rows) - np.unique(keys, axis=1).shape[1]
    if not more:
        return ()
    if options.repeats == "each":
        note = tr(
            "repeats: {n:,} {n:rating of an output|ratings of outputs} that the same rater had already rated; each "
            "rating counts, as at WMT",
            "",
            more,
        )
    else:
        note = tr(
            "repeats: {n:,} {n:rating of an output|ratings of outputs} that the same rater had already rated; the "
            "mean of each rater's ratings of an output counts, so raters have equal weight",
            "",
            more,
        )
    return (note,)


def _counts(scores: ScoreRatings) -> Ints:
    rows = np.flatnonzero(np.isin(scores.role, COUNTED_ROLES))
    return np.bincount(scores.system[rows], minlength=len(scores.systems))


def _segments(means: SegmentMeans) -> Ints:
    return np.bincount(means.system, minlength=len(means.systems))


def _estimates(scales: Mapping[str, SegmentMeans], options: RatingOptions) -> dict[str, dict[str, Estimate]]:
    """Return means with bootstrap intervals by scale (including `TOTAL`) and system; undefined means are left out."""
    if not scales:
        return {}
    resampled = resampled_means(list(scales.values()), rounds=options.rounds, seed=options.seed)
    means = {name: system_means(outputs).mean for name, outputs in scales.items()}
    resampled_by_scale = dict(zip(scales, resampled, strict=True))
    if ADEQUACY in scales and FLUENCY in scales:
        means[TOTAL] = np.round(means[ADEQUACY] + means[FLUENCY], 12)
        resampled_by_scale[TOTAL] = resampled_by_scale[ADEQUACY] + resampled_by_scale[FLUENCY]
    systems = next(iter(scales.values())).systems
    estimates: dict[str, dict[str, Estimate]] = {}
    for name, values in means.items():
        ends = percentile_intervals_ignoring_nan(resampled_by_scale[name], 1 - options.alpha)
        # all resamples of a single segment are equal, but zero variance does not mean certainty
        has_one_segment = (
            np.min([_segments(scales[outputs]) for outputs in ((name,) if name in scales else (ADEQUACY, FLUENCY))], 0)
            < 2
        )
        equal = are_all_equal(resampled_by_scale[name])
        estimates[name] = {
            system: Estimate(
                float(values[index]), None, None, ONE_SEGMENT_NOTE if has_one_segment[index] else EQUAL_MEANS_NOTE
            )
            if has_one_segment[index] or equal[index]
            else Estimate(float(values[index]), value_or_none(ends[index, 0]), value_or_none(ends[index, 1]))
            for index, system in enumerate(systems)
            if np.isfinite(values[index])
        }
    return estimates


def _problem_notes(systems: Mapping[str, SystemScaleScores]) -> tuple[str, ...]:
    notes = []
    for problem in (ONE_SEGMENT_NOTE, EQUAL_MEANS_NOTE, NO_Z_SCORE_NOTE):
        names = [
            name
            for name, scores in systems.items()
            if any(estimate.problem == problem for estimate in (*scores.raw.values(), *scores.z.values()))
        ]
        if names:
            notes.append(tr("{systems}: {problem}", systems=list_names(names, joined=True), problem=problem))
    return tuple(notes)


@dataclass(frozen=True, slots=True, eq=False)
class OutputMeans:
    """Mean of each rated output, as `raw` and `z` values, one of which may be missing.

    `is_compared_by_z` is true if z is used for comparisons; `scale` is empty for adequacy + fluency.
    """

    scale: str
    raw: SegmentMeans | None
    z: SegmentMeans | None
    is_compared_by_z: bool

    @property
    def comparison_means(self) -> SegmentMeans:
        """Means used to compare systems: `z` on long scales (as at WMT) or if there is no `raw`, otherwise `raw`."""
        means = self.z if (self.is_compared_by_z and self.z is not None) or self.raw is None else self.raw
        assert means is not None, "there are raw or standardised values"
        return means


def output_means(scores: ScoreRatings) -> OutputMeans:
    """Return the mean of each rated output, for comparing systems; at least one rating must count.

    Means over raters are used only for scales without individual ratings (`individual_ratings`). An output has a total
    of adequacy and fluency only if it has ratings of both.
    """
    options, scores = RatingOptions(), individual_ratings(scores)[0]
    return _measure(tuple(scale_means(scores, name, options) for name in rated_scales(scores)))[0]


def _measure(scales: tuple[RatedScale, ...]) -> tuple[OutputMeans, tuple[str, ...]]:
    """Return the mean ratings that are used to compare systems, and notes on the choice of scale."""
    by_name = {rated.name: rated for rated in scales}
    adequacy, fluency = by_name.get(ADEQUACY), by_name.get(FLUENCY)
    if adequacy is not None and fluency is not None:
        raw, z = _totals(adequacy.raw, fluency.raw), _totals(adequacy.z, fluency.z)
        by_z = adequacy.is_compared_by_z and fluency.is_compared_by_z
        # if neither raw nor z means exist for both scales, systems are compared by the first scale only
        if by_z or (adequacy.raw is not None and fluency.raw is not None):
            totals = OutputMeans("", raw, z, by_z)
            if (raw is not None or z is not None) and len(totals.comparison_means):
                return totals, ()
            note = tr("no output was rated for both adequacy and fluency, so systems are compared by adequacy")
            return _means_of(adequacy), (note,)
    return _means_of(scales[0]), ()


def _totals(adequacy: SegmentMeans | None, fluency: SegmentMeans | None) -> SegmentMeans | None:
    return None if adequacy is None or fluency is None else segment_totals(adequacy, fluency)


def _means_of(scale: RatedScale) -> OutputMeans:
    return OutputMeans(scale.name, scale.raw, scale.z, scale.is_compared_by_z)


def _method(means: OutputMeans) -> str:
    by_z = means.comparison_means is means.z
    if not means.scale:
        by_totals = tr("rank-sum test on segment means (adequacy + fluency)")
        return tr("rank-sum test on segment means of z-scores (adequacy + fluency)") if by_z else by_totals
    if by_z:
        return tr("rank-sum test on segment means of z-scores ({scale})", scale=means.scale)
    return tr("rank-sum test on segment means ({scale})", scale=means.scale)


def _ranking(measure: SegmentMeans, means: SystemMeans, method: str, options: RatingOptions) -> SystemRanking:
    order = np.array([index for index in means.order() if np.isfinite(means.mean[index])], np.int64)
    p = rank_sum_tests(measure.system, measure.mean, len(measure.systems))[np.ix_(order, order)]
    np.fill_diagonal(p, np.nan)
    better, corrected = significantly_better(p, alpha=options.alpha, correction=options.correction)
    return SystemRanking.of(method, tuple(measure.systems[index] for index in order), p, corrected, better)


def _notes(scales: tuple[RatedScale, ...]) -> tuple[str, ...]:
    notes = []
    for scale in scales:
        dropped, constant = scale.standardised.dropped, scale.standardised.constant
        reasons, more = (
            join_localized("; ", list(dropped.values())[:_MAX_LISTED_RATERS]),
            len(dropped) - _MAX_LISTED_RATERS,
        )
        if dropped:
            notes.append(
                tr("raters excluded from the z-scores of {scale}: {reasons}", scale=scale.name, reasons=reasons)
                if more <= 0
                else tr(
                    "raters excluded from the z-scores of {scale}: {reasons}; {n} more {n:rater|raters}",
                    "",
                    more,
                    scale=scale.name,
                    reasons=reasons,
                )
            )
        reasons, more = (
            join_localized("; ", list(constant.values())[:_MAX_LISTED_RATERS]),
            len(constant) - _MAX_LISTED_RATERS,
        )
        if constant:
            notes.append(
                tr("raters whose z-scores of {scale} are set to 0: {reasons}", scale=scale.name, reasons=reasons)
                if more <= 0
                else tr(
                    "raters whose z-scores of {scale} are set to 0: {reasons}; {n} more {n:rater|raters}",
                    "",
                    more,
                    scale=scale.name,
                    reasons=reasons,
                )
            )
        if scale.z is None:
            notes.append(
                tr("{scale}: z is undefined, because no known rater used more than one value", scale=scale.name)
            )
    return tuple(notes)
