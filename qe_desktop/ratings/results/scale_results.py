"""What ratings on scales say of systems: means, z, intervals, the rank-sum comparison, and agreement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ScoreRatings
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.ratings import MEAN_RATER
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ratings.aggregation.hypothesis_tests import rank_sum_tests
from qe_desktop.ratings.aggregation.means import (
    SegmentMeans,
    SystemMeans,
    resampled_means,
    segment_means,
    segment_totals,
    system_means,
)
from qe_desktop.ratings.aggregation.rating_groups import COUNTED_ROLES, RATED_ROLES, scale_rows, value_or_none
from qe_desktop.ratings.aggregation.z_scores import Standardised, Z, standardise
from qe_desktop.ratings.results.result_types import TOTAL, Estimate, RatingOptions, SystemRanking, SystemScaleScores
from qe_desktop.ratings.results.scale_range import MIN_COVERED_SHARE, ScaleRange, out_of_range_note
from qe_desktop.significance import percentile_intervals_ignoring_nan
from qe_desktop.significance.clusters import significantly_better

Floats = NDArray[np.float64]
SCORE = "score"
ADEQUACY, FLUENCY = "adequacy", "fluency"
MAX_SHORT_SCALE_SPAN = 10.0
"""Whole values up to this are those of a short scale, such as 1..5, on which raters mean the same by a value."""
_FIRST = (ADEQUACY, FLUENCY, SCORE)
_NAMED = 5
"""How many raters without a z of their own are named."""
ONE_SEGMENT_NOTE = tr("no interval, for one segment alone was rated, and a bootstrap over segments needs two")
"""Why a mean has no interval."""


@dataclass(frozen=True, slots=True, eq=False)
class RatedScale:
    """One scale: the names in the ratings of its raw and its standardised values (one may be missing), and its means.

    `by_z` says that systems are compared by z, as on long scales; `z` is None where no rater can be standardised.
    """

    name: str
    source: str
    raw: SegmentMeans | None
    z: SegmentMeans | None
    by_z: bool
    standardised: Standardised


def individual_ratings(scores: ScoreRatings) -> tuple[ScoreRatings, ScoreRatings]:
    """The ratings to average, and those whose raters are known.

    Means of raters that a source gives stand in only for scales on which it does not give the ratings themselves.
    """
    if MEAN_RATER not in scores.raters:
        return scores, scores
    named = scores.rater != scores.raters.index(MEAN_RATER)
    given = np.unique(scores.scale[named])
    return scores.take(named | ~np.isin(scores.scale, given)), scores.take(named)


def rated_scales(scores: ScoreRatings) -> tuple[str, ...]:
    """The scales that were rated, in the order to show them; values standardised by their source are of "score"."""
    rated = [name for name in scores.scales if len(scale_rows(scores, name, COUNTED_ROLES))]
    names = dict.fromkeys(SCORE if name == Z else name for name in rated)
    return tuple(sorted(names, key=lambda name: _FIRST.index(name) if name in _FIRST else len(_FIRST)))


def scale_means(scores: ScoreRatings, name: str, options: RatingOptions) -> RatedScale:
    """The means of one scale."""
    given_z = name == SCORE and bool(len(scale_rows(scores, Z, COUNTED_ROLES)))
    has_raw = bool(len(scale_rows(scores, name, COUNTED_ROLES)))
    source = Z if given_z and not has_raw else name
    standardised = standardise(scores, Z if given_z else name, options.standardise)
    by_rater = options.repeats == "rater"
    z: SegmentMeans | None = segment_means(scores, Z if given_z else name, standardised.values, by_rater=by_rater)
    if z is not None and (not len(z) or not (given_z or _of_raters(scores, name))):
        z = None
    by_z = z is not None and (given_z or not is_short_scale(scores, name))
    raw = None
    if has_raw:
        # beside z, WMT's raw means are of the ratings that have a z
        kept = np.where(standardised.kept, scores.value, np.nan) if by_z and not given_z else None
        raw = segment_means(scores, name, kept, by_rater=by_rater)
    return RatedScale(name, source, raw, z, by_z, standardised)


def _of_raters(scores: ScoreRatings, name: str) -> bool:
    """Whether raters that are known gave something on a scale: means of several are on no one's scale."""
    rows = scale_rows(scores, name, RATED_ROLES)
    return MEAN_RATER not in scores.raters or bool((scores.rater[rows] != scores.raters.index(MEAN_RATER)).any())


def is_short_scale(scores: ScoreRatings, name: str) -> bool:
    """Whether a scale has few whole values, such as 1..5."""
    values = scores.value[scale_rows(scores, name, RATED_ROLES)]
    # a slip of one rater's must not change by what all systems are compared
    return bool(len(values)) and bool(
        np.mean((values >= 0) & (values <= MAX_SHORT_SCALE_SPAN) & (values % 1 == 0)) >= MIN_COVERED_SHARE
    )


@dataclass(frozen=True, slots=True, eq=False)
class ScaleFindings:
    """Scales, each system's figures (None for systems without ratings), and how the systems compare.

    `rated_again` says whether a rater rated an output more than once on a scale.
    """

    scales: tuple[RatedScale, ...]
    systems: Mapping[str, SystemScaleScores]
    n: Mapping[str, int]
    ranking: SystemRanking
    notes: tuple[str, ...]
    rated_again: bool


def scale_findings(
    scores: ScoreRatings, options: RatingOptions, ranges: Mapping[str, ScaleRange] | None = None
) -> ScaleFindings:
    """All that the ratings say of systems. There must be ratings that count. `ranges` are told of some scales."""
    ranges = ranges or {}
    scales = tuple(scale_means(scores, name, options) for name in rated_scales(scores))
    raw = {one.name: one.raw for one in scales if one.raw is not None}
    z = {one.name: one.z for one in scales if one.z is not None}
    estimates = {kind: _estimates(means, options) for kind, means in (("raw", raw), ("z", z))}
    rated = _counts(scores)
    names = [name for place, name in enumerate(scores.systems) if rated[place]]
    means, notes = _measure(scales)
    measure, method = means.compared, _method(means)
    found = system_means(measure)
    segments = np.maximum.reduce([_segments(one) for one in (*raw.values(), *z.values())])
    systems = {
        name: SystemScaleScores(
            {scale: held[name] for scale, held in estimates["raw"].items() if name in held},
            {scale: held[name] for scale, held in estimates["z"].items() if name in held},
            int(rated[scores.systems.index(name)]),
            int(segments[scores.systems.index(name)]),
        )
        for name in names
    }
    # a system that was not rated on the scale of the comparison has the segments of other scales
    n = {name: int(found.segments[scores.systems.index(name)]) or systems[name].segments for name in names}
    strange = {one.name: out_of_range_note(scores, one.name, ranges.get(one.name)) for one in scales}
    notes = (*notes, *(join_localized(": ", held) for held in strange.items() if held[1]))
    again = repeats_note(scores, options)
    notes = (*notes, *_notes(scales), *again, *_without_intervals(systems))
    return ScaleFindings(scales, systems, n, _ranking(measure, found, method, options), notes, bool(again))


def repeats_note(scores: ScoreRatings, options: RatingOptions) -> tuple[str, ...]:
    """Which rule holds where a rater rated an output several times; nothing where nobody did."""
    rows = np.flatnonzero(np.isin(scores.role, COUNTED_ROLES))
    keys = np.stack([scores.rater[rows], scores.system[rows], scores.segment[rows], scores.scale[rows]])
    more = len(rows) - np.unique(keys, axis=1).shape[1]
    if not more:
        return ()
    return (_rule_each(more) if options.repeats == "each" else _rule_rater(more),)


def _rule_each(times: int) -> str:
    if times == 1:
        return tr("repeats: once an output was rated again by its rater; each rating counts, as at WMT")
    return tr("repeats: {n:,} times an output was rated again by its rater; each rating counts, as at WMT", "", times)


def _rule_rater(times: int) -> str:
    if times == 1:
        return tr(
            "repeats: once an output was rated again by its rater; the mean of a rater's ratings counts, so that all "
            "raters of an output weigh the same"
        )
    return tr(
        "repeats: {n:,} times an output was rated again by its rater; the mean of a rater's ratings counts, so that "
        "all raters of an output weigh the same",
        "",
        times,
    )


def _counts(scores: ScoreRatings) -> NDArray[np.int64]:
    rows = np.flatnonzero(np.isin(scores.role, COUNTED_ROLES))
    return np.bincount(scores.system[rows], minlength=len(scores.systems))


def _segments(means: SegmentMeans) -> NDArray[np.int64]:
    return np.bincount(means.system, minlength=len(means.systems))


def _estimates(scales: Mapping[str, SegmentMeans], options: RatingOptions) -> dict[str, dict[str, Estimate]]:
    """Each system's mean and interval by scale, and of the total; systems without one are left out."""
    if not scales:
        return {}
    resampled = resampled_means(list(scales.values()), rounds=options.rounds, seed=options.seed)
    means = {name: system_means(one).mean for name, one in scales.items()}
    drawn = dict(zip(scales, resampled, strict=True))
    if ADEQUACY in scales and FLUENCY in scales:
        means[TOTAL] = np.round(means[ADEQUACY] + means[FLUENCY], 12)
        drawn[TOTAL] = drawn[ADEQUACY] + drawn[FLUENCY]
    systems = next(iter(scales.values())).systems
    found: dict[str, dict[str, Estimate]] = {}
    for name, values in means.items():
        ends = percentile_intervals_ignoring_nan(drawn[name], 1 - options.alpha)
        # a segment drawn again and again is always the same: that it does not vary is no certainty
        alone = np.min([_segments(scales[one]) for one in ((name,) if name in scales else (ADEQUACY, FLUENCY))], 0) < 2
        found[name] = {
            system: Estimate(float(values[place]), None, None, ONE_SEGMENT_NOTE)
            if alone[place]
            else Estimate(float(values[place]), value_or_none(ends[place, 0]), value_or_none(ends[place, 1]))
            for place, system in enumerate(systems)
            if np.isfinite(values[place])
        }
    return found


def _without_intervals(systems: Mapping[str, SystemScaleScores]) -> tuple[str, ...]:
    """A note on the systems whose means have no interval."""
    alone = [
        name for name, held in systems.items() if any(one.problem for one in (*held.raw.values(), *held.z.values()))
    ]
    if not alone:
        return ()
    return (tr("{systems}: {problem}", systems=list_names(alone, joined=True), problem=ONE_SEGMENT_NOTE),)


@dataclass(frozen=True, slots=True, eq=False)
class OutputMeans:
    """The mean of each output that was rated, `raw` and of `z`; one may be missing. `by_z` says which systems are
    compared by; `scale` is empty for adequacy + fluency.
    """

    scale: str
    raw: SegmentMeans | None
    z: SegmentMeans | None
    by_z: bool

    @property
    def compared(self) -> SegmentMeans:
        """Those by which systems are compared: of z on long scales, as WMT has it."""
        found = self.z if (self.by_z and self.z is not None) or self.raw is None else self.raw
        assert found is not None, "there are raw or standardised values"
        return found


def output_means(scores: ScoreRatings, options: RatingOptions | None = None) -> OutputMeans:
    """The means of outputs by which systems are compared, of ratings that count; there must be some.

    As in results, means of raters that a source gives stand in only where it gives no ratings. The total of adequacy
    and fluency is of outputs that were rated for both.
    """
    options, scores = options or RatingOptions(), individual_ratings(scores)[0]
    return _measure(tuple(scale_means(scores, name, options) for name in rated_scales(scores)))[0]


def _measure(scales: tuple[RatedScale, ...]) -> tuple[OutputMeans, tuple[str, ...]]:
    """The means by which systems are compared, and notes."""
    by_name = {one.name: one for one in scales}
    adequacy, fluency = by_name.get(ADEQUACY), by_name.get(FLUENCY)
    if adequacy is not None and fluency is not None:
        raw, z = _totals(adequacy.raw, fluency.raw), _totals(adequacy.z, fluency.z)
        by_z = adequacy.by_z and fluency.by_z
        # where neither is there for both scales, systems are compared by one of them
        if by_z or (adequacy.raw is not None and fluency.raw is not None):
            totals = OutputMeans("", raw, z, by_z)
            if (raw is not None or z is not None) and len(totals.compared):
                return totals, ()
            note = tr("no output was rated for both adequacy and fluency, so systems are compared by adequacy")
            return _means_of(adequacy), (note,)
    return _means_of(scales[0]), ()


def _totals(one: SegmentMeans | None, other: SegmentMeans | None) -> SegmentMeans | None:
    return None if one is None or other is None else segment_totals(one, other)


def _means_of(scale: RatedScale) -> OutputMeans:
    return OutputMeans(scale.name, scale.raw, scale.z, scale.by_z)


def _method(means: OutputMeans) -> str:
    by_z = means.compared is means.z
    if not means.scale:
        by_totals = tr("rank-sum test on segments' adequacy + fluency")
        return tr("rank-sum test on segments' z of adequacy + z of fluency") if by_z else by_totals
    if by_z:
        return tr("rank-sum test on segments' z of {scale}", scale=means.scale)
    return tr("rank-sum test on segments' {scale}", scale=means.scale)


def _ranking(measure: SegmentMeans, means: SystemMeans, method: str, options: RatingOptions) -> SystemRanking:
    order = np.array([place for place in means.order() if np.isfinite(means.mean[place])], np.int64)
    p = rank_sum_tests(measure.system, measure.mean, len(measure.systems))[np.ix_(order, order)]
    np.fill_diagonal(p, np.nan)
    better, corrected = significantly_better(p, alpha=options.alpha, correction=options.correction)
    return SystemRanking.of(method, tuple(measure.systems[place] for place in order), p, corrected, better)


def _notes(scales: tuple[RatedScale, ...]) -> tuple[str, ...]:
    notes = []
    for scale in scales:
        dropped, constant = scale.standardised.dropped, scale.standardised.constant
        said, more = join_localized("; ", list(dropped.values())[:_NAMED]), len(dropped) - _NAMED
        if dropped:
            notes.append(
                tr("{scale}, left out of z: {reasons}", scale=scale.name, reasons=said)
                if more <= 0
                else tr("{scale}, left out of z: {reasons} and {n} more", "", more, scale=scale.name, reasons=said)
            )
        said, more = join_localized("; ", list(constant.values())[:_NAMED]), len(constant) - _NAMED
        if constant:
            notes.append(
                tr("{scale}, z is 0 throughout: {reasons}", scale=scale.name, reasons=said)
                if more <= 0
                else tr("{scale}, z is 0 throughout: {reasons} and {n} more", "", more, scale=scale.name, reasons=said)
            )
        if scale.z is None:
            notes.append(tr("{scale}: z is undefined, for no rater gave two different values", scale=scale.name))
    return tuple(notes)
