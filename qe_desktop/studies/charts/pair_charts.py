"""Chart of the score differences of all system pairs, by human score and by a metric (Lavie et al. 2004, §3.2)."""

from __future__ import annotations

import numpy as np

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.chart_model import AxisChart, ChartLine, ChartPoints, ChartTable, LegendKey, PairGoal, Panel
from qe_desktop.levels.sentences.charts.gold_panels import sample_points
from qe_desktop.studies.charts.metric_side import MetricVsHuman, known_range
from qe_desktop.studies.meta_eval.system_level import pairwise_differences

MAX_NAMED_PAIRS = 15
"""Maximum number of plotted pairs whose points have labels; if there are more pairs, no point has a label."""
CONCORDANT, TIED, DISCORDANT, SIGNIFICANT = range(4)


def pairs_panel(side: MetricVsHuman) -> Panel:
    """Return a chart with a point for each system pair.

    Human scores and the metric agree on a pair if the differences in both scores have the same sign. If there are many
    pairs, a sample is plotted. If no pair has both scores, the panel has a message instead of a chart.
    """
    study, agreement = side.study, side.agreement
    metric_differences, human_differences = pairwise_differences(
        side.oriented_scores, study.human_scores, study.options.orientation
    )
    defined = np.flatnonzero(np.isfinite(metric_differences) & np.isfinite(human_differences))
    is_concordant = np.sign(metric_differences) == np.sign(human_differences)
    title = _title(side, int(np.count_nonzero(is_concordant[defined])), len(defined))
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
        LegendKey(tr("discordant, both p ≤ .05"), "bad", "dot"),
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
        points=_points(side, x, y, sampled, key_indices),
        dots=used_keys,
        description=title,
    )
    legend = tr("Dots: {n:,} {n:pair|pairs} of systems", "", len(sampled))
    caption = join_localized(" ", _caption(side, len(sampled), len(defined)))
    return Panel(title, chart, caption, lambda: _numbers(side), legend=legend)


def _title(side: MetricVsHuman, concordant_count: int, pairs: int) -> str:
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


def _points(side: MetricVsHuman, x: np.ndarray, y: np.ndarray, sampled: np.ndarray, kinds: np.ndarray) -> ChartPoints:
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


def _caption(side: MetricVsHuman, sampled: int, pairs: int) -> list[str]:
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


def _numbers(side: MetricVsHuman) -> ChartTable:
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
