"""Chart of systems by human score and by a metric, with confidence intervals of both (Lavie et al. 2004, figure 1)."""

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
    Panel,
    SystemGoal,
)
from qe_desktop.studies.charts.metric_side import MetricVsHuman, known_range
from qe_desktop.studies.meta_eval.agreement_statistics import FEW_SYSTEMS

MAX_LISTED_PAIRS = 6
"""Maximum number of pairs named in a caption."""


def systems_panel(side: MetricVsHuman) -> Panel:
    """Return a chart with a point and two confidence intervals for each system, and the least-squares line.

    If no system has both scores, the panel has a message instead of a chart.
    """
    study, agreement = side.study, side.agreement
    title = _title(side)
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
        tr("human score"), tr("{metric} score", metric=side.metric), (low, high, lowest, highest),
        lines=_regression_line(x, y, (low, high, lowest, highest)), error_bars=(cross,) if has_intervals else (),
        points=_points(side, indices), dots=(LegendKey(tr("system"), "accent", "dot"),), description=title,
    )  # fmt: skip
    legend = tr("Dots: {n:,} {n:system|systems}", "", len(indices))
    caution = tr("too few systems") if len(study.systems) < FEW_SYSTEMS else ""
    return Panel(title, chart, join_localized(" ", _caption(side)), lambda: _numbers(side), caution, legend)


def _title(side: MetricVsHuman) -> str:
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


def _points(side: MetricVsHuman, indices: np.ndarray) -> ChartPoints:
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


def _caption(side: MetricVsHuman) -> list[str]:
    """Return notes on the sign of r, if reversed, and on pairs that are significant in opposite directions."""
    lines = []
    if side.agreement.metric.better < 0:
        lines.append(tr("Lower is better for {metric}, so the sign of r is reversed.", metric=side.metric))
    contradictory_pairs = side.contradictory_pairs
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
            "{metric} (p ≤ .05 each, two-sided, unadjusted). By human scores: {pairs}.",
            "", len(indices), metric=side.metric, pairs=join_names(pairs),
        )
    )  # fmt: skip
    return lines


def _pair_order_text(side: MetricVsHuman, pair: int) -> str:
    first, second = (int(of[pair]) for of in side.pairs)
    if side.study.human_scores[first] < side.study.human_scores[second]:
        first, second = second, first
    return tr("{better} above {worse}", better=side.systems[first], worse=side.systems[second])


def _numbers(side: MetricVsHuman) -> ChartTable:
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
