"""Charts of systems, system pairs and translations by human score and by a metric (Lavie et al. 2004)."""

from __future__ import annotations

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import join_localized, join_names, tr
from qe_desktop.levels.chart_model import (
    AxisChart,
    ChartLine,
    ChartPoints,
    ChartTable,
    ErrorBars,
    LegendKey,
    PairGoal,
    Panel,
    SegmentGoal,
    SystemGoal,
)
from qe_desktop.levels.sentences.gold_panels import sample_points
from qe_desktop.significance import format_level
from qe_desktop.studies.charts.metric_side import MetricVsHuman, known_range
from qe_desktop.studies.meta_eval.agreement_statistics import (
    FIXED_HUMAN_SCORES,
    SEGMENTS_OMITTED,
    AgreementStatistic,
    are_few_systems,
)
from qe_desktop.studies.meta_eval.system_level import pairwise_differences

MAX_LISTED_PAIRS = 6
"""Maximum number of pairs named in a caption."""


def systems_panel(side: MetricVsHuman) -> Panel:
    """Return a chart with a point and two confidence intervals for each system, and the least-squares line.

    If no system has both a human and a metric score, the panel has a message instead of a chart.
    """
    study, agreement = side.study, side.agreement
    title = _systems_title(side)
    indices = np.flatnonzero(np.isfinite(study.human_scores) & np.isfinite(agreement.scores))
    if not len(indices):
        return Panel(title, tr("No system has both a human score and a {metric} score.", metric=side.metric))
    x, y = study.human_scores[indices], agreement.scores[indices]
    across, along = (_ends(ends, indices) for ends in (study.human_intervals, agreement.score_intervals))
    has_intervals = study.human_intervals is not None or agreement.score_intervals is not None
    cross = ErrorBars(x, y, across, along, LegendKey(tr("95 % bootstrap interval"), "muted", "cross"))
    low, high = known_range(x, across.ravel())
    lowest, highest = known_range(y, along.ravel())
    chart = AxisChart(
        side.human_axis, tr("{metric} score", metric=side.metric), (low, high, lowest, highest),
        lines=_regression_line(x, y, (low, high, lowest, highest)), error_bars=(cross,) if has_intervals else (),
        points=_system_points(side, indices), dots=(LegendKey(tr("system"), "accent", "dot"),), description=title,
    )  # fmt: skip
    legend = tr("Dots: {n:,} {n:system|systems}", "", len(indices))
    caution = _few_systems(side)
    return Panel(
        title, chart, join_localized(" ", _systems_caption(side)), lambda: _system_numbers(side), caution, legend
    )


def _few_systems(side: MetricVsHuman) -> str:
    return tr("too few systems") if are_few_systems(len(side.study.systems)) else ""


def _systems_title(side: MetricVsHuman) -> str:
    r, ends = side.agreement.correlations["pearson"], side.agreement.intervals.get("pearson")
    if np.isnan(r):
        return tr("{metric} vs. human scores: r is undefined", metric=side.metric)
    if ends is None or np.isnan(ends[0]):
        return tr("{metric} vs. human scores: r {r}", metric=side.metric, r=side.number(r))
    low, high = map(side.number, ends)
    return tr(
        "{metric} vs. human scores: r {r} [{low}, {high}]", metric=side.metric, r=side.number(r), low=low, high=high
    )


def _ends(ends: Floats | None, indices: np.ndarray) -> Floats:
    return np.full((len(indices), 2), np.nan) if ends is None else ends[indices]


def _regression_line(x: Floats, y: Floats, bounds: tuple[float, float, float, float]) -> tuple[ChartLine, ...]:
    """Return the least-squares line, clipped to the visible range; the tuple is empty if r is undefined."""
    spread = float(((x - x.mean()) ** 2).sum())
    if len(x) < 2 or spread <= 0 or np.ptp(y) <= 0:
        return ()
    slope = float(((x - x.mean()) * (y - y.mean())).sum()) / spread
    low, high, lowest, highest = bounds
    reach = [low, high]
    if slope:
        crossings = sorted(float(x.mean()) + (end - float(y.mean())) / slope for end in (lowest, highest))
        reach = [max(low, crossings[0]), min(high, crossings[1])]
    ends = np.asarray(reach)
    line = ChartLine(ends, y.mean() + slope * (ends - x.mean()), LegendKey(tr("least squares"), "text", "dashed"))
    return (line,) if ends[0] < ends[1] else ()


def _system_points(side: MetricVsHuman, indices: np.ndarray) -> ChartPoints:
    study, agreement = side.study, side.agreement

    def describe_point(index: int) -> str:
        system = int(indices[index])
        human_interval = None if study.human_intervals is None else study.human_intervals[system]
        metric_interval = None if agreement.score_intervals is None else agreement.score_intervals[system]
        return tr(
            "{system}: human {people}, {metric} {score}",
            system=side.systems[system], people=side.format_score(float(study.human_scores[system]), human_interval),
            score=side.format_score(float(agreement.scores[system]), metric_interval), metric=side.metric,
        )  # fmt: skip

    return ChartPoints(
        study.human_scores[indices], agreement.scores[indices], describe_point,
        lambda place: SystemGoal(int(indices[place])),
        labels=tuple(side.systems[place] for place in indices),
    )  # fmt: skip


def _systems_caption(side: MetricVsHuman) -> list[str]:
    """Return notes on a reversed sign of r, narrow intervals, and pairs with opposite significant differences."""
    lines = []
    if side.agreement.metric.better < 0:
        lines.append(tr("Lower is better for {metric}, so the sign of r is reversed.", metric=side.metric))
    contradictory_pairs = side.contradictory_pairs
    if side.study.has_fixed_human_scores and side.agreement.intervals:
        lines.append(FIXED_HUMAN_SCORES)
    if contradictory_pairs is None and side.study.human.omits_segments:
        lines.append(join_localized(" ", (tr("No pair is tested."), SEGMENTS_OMITTED)))
        return lines
    if contradictory_pairs is None:
        lines.append(tr("No pair is tested: tests need segments with human and metric scores for every system."))
        return lines
    indices = np.flatnonzero(contradictory_pairs)
    if not len(indices):
        lines.append(
            tr(
                "No pair has significant differences in opposite directions by human scores and by {metric}.",
                metric=side.metric,
            )
        )
        return lines
    pairs = [_pair_order_text(side, int(index)) for index in indices[:MAX_LISTED_PAIRS]]
    if len(indices) > MAX_LISTED_PAIRS:
        pairs.append(tr("{n} more", "", len(indices) - MAX_LISTED_PAIRS))
    lines.append(
        tr(
            "{n} {n:pair has|pairs have} significant differences in opposite directions by human scores and by "
            "{metric} (p ≤ {alpha} each, two-sided, unadjusted). By human scores: {pairs}.",
            "", len(indices), metric=side.metric, alpha=format_level(side.alpha), pairs=join_names(pairs),
        )
    )  # fmt: skip
    return lines


def _pair_order_text(side: MetricVsHuman, pair: int) -> str:
    first, second = (int(of[pair]) for of in side.pairs)
    if side.study.human_scores[first] < side.study.human_scores[second]:
        first, second = second, first
    return tr("{better} above {worse}", better=side.systems[first], worse=side.systems[second])


def _system_numbers(side: MetricVsHuman) -> ChartTable:
    study, agreement = side.study, side.agreement
    all_indices = np.arange(len(study.systems))
    across, along = (_ends(ends, all_indices) for ends in (study.human_intervals, agreement.score_intervals))
    return ChartTable.of_columns(
        system=study.systems,
        human_score=study.human_scores,
        human_score_low=across[:, 0],
        human_score_high=across[:, 1],
        metric=[agreement.metric.name] * len(all_indices),
        score=agreement.scores,
        score_low=along[:, 0],
        score_high=along[:, 1],
    )


MAX_NAMED_PAIRS = 15
"""Maximum number of plotted pairs whose points have labels; if there are more pairs, no point has a label."""
CONCORDANT, TIED, DISCORDANT, SIGNIFICANT = range(4)


def pairs_panel(side: MetricVsHuman) -> Panel:
    """Return a chart with a point for each system pair.

    Human scores and the metric agree on a pair if the differences in both scores have the same sign. If there are many
    pairs, a sample is plotted. If no pair has both differences, the panel has a message instead of a chart.
    """
    study, agreement = side.study, side.agreement
    metric_differences, human_differences = pairwise_differences(
        side.oriented_scores, study.human_scores, study.options.orientation
    )
    defined = np.flatnonzero(np.isfinite(metric_differences) & np.isfinite(human_differences))
    is_concordant = np.sign(metric_differences) == np.sign(human_differences)
    title = _pairs_title(side, int(np.count_nonzero(is_concordant[defined])), len(defined))
    if not len(defined):
        return Panel(title, tr("No pair of systems has both human scores and {metric} scores.", metric=side.metric))
    kinds = np.select(
        [is_concordant, np.sign(metric_differences) * np.sign(human_differences) == 0], [CONCORDANT, TIED], DISCORDANT
    )
    if side.contradictory_pairs is not None:
        kinds[side.contradictory_pairs] = SIGNIFICANT
    sampled = defined[sample_points(len(defined))]
    x, y = human_differences[sampled], metric_differences[sampled]
    zero = np.zeros(1)
    bounds = (*known_range(x, zero), *known_range(y, zero))
    keys = (
        LegendKey(tr("concordant"), "accent", "dot"),
        LegendKey(tr("tied in metric or human scores"), "muted", "ring"),
        LegendKey(tr("discordant"), "bad", "ring"),
        LegendKey(tr("discordant, both p ≤ {alpha}", alpha=format_level(side.alpha)), "bad", "dot"),
    )
    used_keys = tuple(key for kind, key in enumerate(keys) if (kinds[sampled] == kind).any())
    key_indices = np.searchsorted([kind for kind in range(len(keys)) if keys[kind] in used_keys], kinds[sampled])
    is_lower_better = agreement.metric.better < 0
    left = tr("difference in {metric}, sign reversed", metric=side.metric)
    chart = AxisChart(
        tr("difference in human score"),
        left if is_lower_better else tr("difference in {metric}", metric=side.metric),
        bounds,
        lines=_zero_lines(bounds),
        points=_pair_points(side, x, y, sampled, key_indices),
        dots=used_keys,
        description=title,
    )
    legend = tr("Dots: {n:,} {n:pair|pairs} of systems", "", len(sampled))
    caption = join_localized(" ", _pairs_caption(side, len(sampled), len(defined)))
    return Panel(title, chart, caption, lambda: _pair_numbers(side), _few_systems(side), legend)


def _pairs_title(side: MetricVsHuman, concordant_count: int, pairs: int) -> str:
    r = side.agreement.differentials
    if np.isnan(r):
        return tr("{alike:,} of {n:,} {n:pair|pairs} concordant", "", pairs, alike=concordant_count)
    return tr(
        "{alike:,} of {n:,} {n:pair|pairs} concordant; r of differences {r}",
        "", pairs, alike=concordant_count, r=side.number(r),
    )  # fmt: skip


def _zero_lines(bounds: tuple[float, float, float, float]) -> tuple[ChartLine, ...]:
    """Return the horizontal and vertical lines at zero, which separate the quadrants."""
    low, high, lowest, highest = bounds
    key, none = LegendKey("", "border", "line"), np.zeros(2)
    return ChartLine(np.asarray([low, high]), none, key), ChartLine(none, np.asarray([lowest, highest]), key)


def _pair_points(
    side: MetricVsHuman, x: np.ndarray, y: np.ndarray, sampled: np.ndarray, kinds: np.ndarray
) -> ChartPoints:
    first, second = (of[sampled] for of in side.pairs)
    if side.study.options.orientation == "ahead":
        is_reversed = side.study.human_scores[first] < side.study.human_scores[second]
        first, second = np.where(is_reversed, second, first), np.where(is_reversed, first, second)

    def describe_point(index: int) -> str:
        return tr(
            "{one} − {other}: human {people}, {metric} {score}",
            one=side.systems[first[index]], other=side.systems[second[index]], metric=side.metric,
            people=side.number(float(x[index])), score=side.number(float(y[index])),
        )  # fmt: skip

    names = []
    if len(x) <= MAX_NAMED_PAIRS:
        names = [f"{side.systems[a]} − {side.systems[b]}" for a, b in zip(first, second, strict=True)]
    return ChartPoints(
        x,
        y,
        describe_point,
        lambda place: PairGoal(int(first[place]), int(second[place])),
        key_indices=kinds,
        labels=tuple(names),
    )


def _pairs_caption(side: MetricVsHuman, sampled: int, pairs: int) -> list[str]:
    is_best_first = side.study.options.orientation == "ahead"
    lines = [
        tr(
            "Differences: score of the system with the higher human score, minus score of the other system. If both "
            "differences have the same sign, metric and human scores agree."
        )
        if is_best_first
        else tr(
            "Differences: score of the system listed first, minus score of the other system. If both differences have "
            "the same sign, metric and human scores agree."
        )
    ]
    if sampled < pairs:
        lines.append(tr("A random sample of {drawn:,} of the {n:,} pairs is plotted.", "", pairs, drawn=sampled))
    return lines


def _pair_numbers(side: MetricVsHuman) -> ChartTable:
    """Return a table of all pairs, including pairs that are not plotted; the systems of a pair are in input order."""
    study, agreement = side.study, side.agreement
    metric_differences, human_differences = pairwise_differences(side.oriented_scores, study.human_scores, "listed")
    untested = np.full(len(metric_differences), np.nan)
    return ChartTable.of_columns(
        first=[study.systems[index] for index in side.pairs[0]],
        second=[study.systems[index] for index in side.pairs[1]],
        human_difference=human_differences,
        human_p=untested if study.human_p_values is None else study.human_p_values,
        metric=[agreement.metric.name] * len(metric_differences),
        difference=metric_differences,
        p=untested if agreement.pair_p_values is None else agreement.pair_p_values,
    )


def segments_panel(side: MetricVsHuman, figure: AgreementStatistic, scores: Floats) -> Panel:
    """Return a chart with a point for each translation, and with the segment-level statistic `figure` in the title.

    `scores` are the segment scores in the metric's units, shape (systems, segments). If there are many translations, a
    sample is plotted. If no translation has both a human and a metric score, the panel has a message instead.
    """
    title = tr(
        "{metric} vs. human scores of translations: {figure} {value}",
        metric=side.metric, figure=figure.title, value=side.number(figure.value(side.agreement)),
    )  # fmt: skip
    human_scores = side.study.human.scores
    if human_scores is None:
        missing = tr("Human scores of segments are missing.")
        return Panel(title, SEGMENTS_OMITTED if side.study.human.omits_segments else missing)
    system, segment = np.nonzero(np.isfinite(human_scores) & np.isfinite(scores))
    if not len(system):
        return Panel(title, tr("No segment has both a human score and a {metric} score.", metric=side.metric))
    sampled = sample_points(len(system))
    some_systems, some_segments = system[sampled], segment[sampled]
    x, y = human_scores[some_systems, some_segments], scores[some_systems, some_segments]

    def describe_point(index: int) -> str:
        return tr(
            "segment {number:,}, {system}: human {people}, {metric} {score}",
            number=int(some_segments[index]) + 1, system=side.systems[some_systems[index]], metric=side.metric,
            people=side.number(float(x[index])), score=side.number(float(y[index])),
        )  # fmt: skip

    chart = AxisChart(
        side.human_axis, tr("{metric} score", metric=side.metric), (*known_range(x), *known_range(y)),
        points=ChartPoints(x, y, describe_point, lambda index: SegmentGoal(int(some_segments[index]))),
        dots=(LegendKey(tr("translation"), "accent", "dot"),), description=title,
    )  # fmt: skip
    numbers = (
        ChartTable.of_columns(
            segment=segment + 1, system=[side.study.systems[index] for index in system],
            human_score=human_scores[system, segment], metric=[side.agreement.metric.name] * len(system),
            score=scores[system, segment],
        )
    )  # fmt: skip
    legend = tr("Dots: {n:,} {n:translation|translations}", "", len(sampled))
    caption = join_localized(" ", _segments_caption(side, len(sampled), len(system)))
    return Panel(title, chart, caption, lambda: numbers, legend=legend)


def _segments_caption(side: MetricVsHuman, sampled: int, translations: int) -> list[str]:
    lines = [
        tr(
            "{n:,} {n:translation has|translations have} both human and {metric} scores.",
            "", translations, metric=side.metric,
        )
    ]  # fmt: skip
    if sampled < translations:
        lines.append(
            tr("A random sample of {drawn:,} of the {n:,} translations is plotted.", "", translations, drawn=sampled)
        )
    if side.agreement.metric.better < 0:
        lines.append(tr("Lower is better for {metric}.", metric=side.metric))
    return lines
