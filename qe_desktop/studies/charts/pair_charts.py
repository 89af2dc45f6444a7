"""Chart of the score differences of all system pairs, by human score and by a metric (Lavie et al. 2004, §3.2)."""

from __future__ import annotations

import numpy as np

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.chart_model import AxisChart, ChartLine, ChartPoints, ChartTable, LegendKey, PairGoal, Panel
from qe_desktop.levels.sentences.charts.gold_panels import sample_points
from qe_desktop.studies.charts.metric_side import MetricVsHuman, known_range
from qe_desktop.studies.meta_eval.system_level import pairwise_differences

MAX_NAMED_PAIRS = 15
"""Maximum number of pairs whose points have names."""
CONCORDANT, TIED, DISCORDANT, SIGNIFICANT = range(4)


def pairs_panel(side: MetricVsHuman) -> Panel:
    """Return a chart with a point for each system pair.

    Human scores and the metric agree on a pair if both differences have the same sign. If there are many pairs, a
    sample is plotted. If no pair has both scores, the panel has a message and no chart.
    """
    study, one = side.study, side.agreement
    ours, theirs = pairwise_differences(side.worth, study.people, study.options.orientation)
    known = np.flatnonzero(np.isfinite(ours) & np.isfinite(theirs))
    alike = np.sign(ours) == np.sign(theirs)
    title = _title(side, int(np.count_nonzero(alike[known])), len(known))
    if not len(known):
        return Panel(title, tr("No pair of systems has both human scores and {metric} scores.", metric=side.metric))
    kinds = np.select([alike, np.sign(ours) * np.sign(theirs) == 0], [CONCORDANT, TIED], DISCORDANT)
    if side.at_odds is not None:
        kinds[side.at_odds] = SIGNIFICANT
    drawn = known[sample_points(len(known))]
    x, y = theirs[drawn], ours[drawn]
    zero = np.zeros(1)
    bounds = (*known_range(x, zero), *known_range(y, zero))
    keys = (
        LegendKey(tr("concordant"), "accent", "dot"),
        LegendKey(tr("tied in metric or human scores"), "muted", "ring"),
        LegendKey(tr("discordant"), "bad", "ring"),
        LegendKey(tr("discordant, both significantly"), "bad", "dot"),
    )
    there = tuple(key for kind, key in enumerate(keys) if (kinds[drawn] == kind).any())
    places = np.searchsorted([kind for kind in range(len(keys)) if keys[kind] in there], kinds[drawn])
    less = one.metric.better < 0
    left = tr("difference in {metric}, sign reversed", metric=side.metric)
    chart = AxisChart(
        tr("difference in human score"), left if less else tr("difference in {metric}", metric=side.metric), bounds,
        lines=_zeros(bounds), points=_points(side, x, y, drawn, places), dots=there, description=title,
    )  # fmt: skip
    legend = tr("Dots: {n:,} {n:pair|pairs} of systems", "", len(drawn))
    caption = join_localized(" ", _caption(side, len(drawn), len(known)))
    return Panel(title, chart, caption, lambda: _numbers(side), legend=legend)


def _title(side: MetricVsHuman, alike: int, pairs: int) -> str:
    r = side.agreement.differentials
    if np.isnan(r):
        return tr("{alike:,} of {n:,} {n:pair|pairs} concordant", "", pairs, alike=alike)
    return tr(
        "{alike:,} of {n:,} {n:pair|pairs} concordant; r of differences {r}",
        "", pairs, alike=alike, r=side.number(r),
    )  # fmt: skip


def _zeros(bounds: tuple[float, float, float, float]) -> tuple[ChartLine, ...]:
    """Return the lines at zero, which separate the quadrants."""
    low, high, lowest, highest = bounds
    key, none = LegendKey("", "border", "line"), np.zeros(2)
    return ChartLine(np.asarray([low, high]), none, key), ChartLine(none, np.asarray([lowest, highest]), key)


def _points(side: MetricVsHuman, x: np.ndarray, y: np.ndarray, drawn: np.ndarray, kinds: np.ndarray) -> ChartPoints:
    first, second = (of[drawn] for of in side.pairs)
    if side.study.options.orientation == "ahead":
        turned = side.study.people[first] < side.study.people[second]
        first, second = np.where(turned, second, first), np.where(turned, first, second)

    def say(place: int) -> str:
        return tr(
            "{one} − {other}: human {people}, {metric} {score}",
            one=side.systems[first[place]], other=side.systems[second[place]], metric=side.metric,
            people=side.number(float(x[place])), score=side.number(float(y[place])),
        )  # fmt: skip

    names = []
    if len(x) <= MAX_NAMED_PAIRS:
        names = [f"{side.systems[a]} − {side.systems[b]}" for a, b in zip(first, second, strict=True)]
    return ChartPoints(
        x, y, say, lambda place: PairGoal(int(first[place]), int(second[place])), kinds=kinds, names=tuple(names)
    )


def _caption(side: MetricVsHuman, drawn: int, pairs: int) -> list[str]:
    ahead = side.study.options.orientation == "ahead"
    lines = [
        tr(
            "Differences: the system with the higher human score minus the other; if the signs are equal, the metric "
            "agrees."
        )
        if ahead
        else tr("Differences: the system listed first minus the other; if the signs are equal, the metric agrees.")
    ]
    if drawn < pairs:
        lines.append(tr("A random sample of {drawn:,} of the {n:,} pairs is plotted.", "", pairs, drawn=drawn))
    return lines


def _numbers(side: MetricVsHuman) -> ChartTable:
    """Return a table of all pairs, including those not plotted; both systems of a pair are in input order."""
    study, one = side.study, side.agreement
    ours, theirs = pairwise_differences(side.worth, study.people, "listed")
    untested = np.full(len(ours), np.nan)
    return ChartTable.of_columns(
        first=[study.systems[place] for place in side.pairs[0]],
        second=[study.systems[place] for place in side.pairs[1]],
        human_difference=theirs, human_p=untested if study.people_ahead is None else study.people_ahead,
        metric=[one.metric.name] * len(ours), difference=ours, p=untested if one.ahead is None else one.ahead,
    )  # fmt: skip
