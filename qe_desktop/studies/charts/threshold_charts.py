"""Charts by threshold: metrics of word scores, and missed edits in segments skipped up to a threshold."""

from __future__ import annotations

import numpy as np

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.escaping import elide
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import (
    AxisChart,
    ChartLine,
    ChartPoints,
    ChartTable,
    ErrorBars,
    LegendKey,
    Panel,
    Panels,
)
from qe_desktop.studies.charts.curve_charts import curve_key, thin_points
from qe_desktop.studies.charts.metric_side import MAX_DOT_NAME_CHARS, NumberFormatter, known_range
from qe_desktop.studies.post_editing.post_editing_study import PostEditingStudy
from qe_desktop.studies.post_editing.skipping import SkippingCurve
from qe_desktop.studies.threshold_study import BestThreshold, SystemThresholds, ThresholdStudy

MAX_GRID_POINTS = 400
"""Number of evenly spaced thresholds in a chart of metrics; maximum number of points of a precision–recall curve."""
MAX_PRECISION_CURVES = 8
"""Maximum number of precision–recall curves, including that of the selected system.

The other curves are those with the highest average precision.
"""


def threshold_panels(study: ThresholdStudy, system: int, metric: int, number: NumberFormatter) -> Panels:
    """Return a chart of metrics by threshold for one system, and a chart of precision–recall curves of several systems.

    `system` and `metric` are the indices of the selected system and metric. The tuple is empty if the study has no
    systems.
    """
    if not study.systems:
        return ()
    return _threshold_panel(study, system, metric, number), _ranking(study, system, metric, number)


# --- metrics by threshold


def _threshold_panel(study: ThresholdStudy, system: int, metric: int, number: NumberFormatter) -> Panel:
    chosen = study.systems[system]
    name, metric_name = elide(chosen.name, MAX_DOT_NAME_CHARS), study.metrics[metric].name
    best = chosen.best[metric]
    title = tr("{system}: no best threshold for {metric}", system=name, metric=metric_name)
    if not np.isnan(best.threshold):
        title = tr(
            "{system}: {metric} is highest at {threshold}",
            system=name,
            metric=metric_name,
            threshold=number(best.threshold),
        )
    grid = _grid(chosen)
    grid_indices = _grid_indices(chosen, grid)
    keys = [curve_key(index, defined.name) for index, defined in enumerate(study.metrics)]
    lines = [_line(grid, chosen.sweep.scores[row, grid_indices], key) for row, key in enumerate(keys)]
    heights = np.concatenate([line.y for line in lines])
    if not len(heights):
        return Panel(title, tr("No metric is defined at any threshold."), make_table=lambda: _numbers(study, system))
    bounds = (float(grid[0]), float(grid[-1]), *known_range(heights))
    defined = [row for row, threshold in enumerate(chosen.best) if not np.isnan(threshold.threshold)]
    chart = AxisChart(
        tr("threshold (BAD above)"), tr("score"), bounds, lines=tuple(lines),
        error_bars=_intervals(chosen.best, defined, metric, grid), points=_best_points(study, chosen, defined, number),
        dots=tuple(LegendKey("", key.token, "dot") for key in keys),
        description=title,
    )  # fmt: skip
    return Panel(title, chart, make_table=lambda: _numbers(study, system), legend=tr("Lines: metrics"))


def _grid(system: SystemThresholds) -> Floats:
    low, high = float(system.sweep.positions.thresholds[-1]), float(system.sweep.positions.thresholds[0])
    if system.sweep.probabilities:
        low, high = min(low, 0.0), max(high, 1.0)
    return np.linspace(low, high if high > low else low + 1.0, MAX_GRID_POINTS)


def _grid_indices(system: SystemThresholds, grid: Floats) -> Ints:
    """Return, for each threshold of `grid`, the index of the system's threshold that labels the same words BAD."""
    return np.searchsorted(-system.sweep.positions.thresholds[:-1], -grid, side="left")


def _line(x: Floats, y: Floats, key: LegendKey) -> ChartLine:
    is_defined = np.isfinite(y)
    return ChartLine(x[is_defined], y[is_defined], key)


def _intervals(best: tuple[BestThreshold, ...], rows: list[int], metric: int, grid: Floats) -> tuple[ErrorBars, ...]:
    """Return the interval of the selected metric's best threshold, if defined; the others would overlap."""
    if metric not in rows or np.isnan(best[metric].interval[0]):
        return ()
    intervals = best[metric]
    ends = np.clip(np.asarray([intervals.interval]), grid[0], grid[-1])
    key = LegendKey(tr("95 % interval"), "muted", "cross")
    return (
        ErrorBars(np.asarray([intervals.threshold]), np.asarray([intervals.score]), ends, np.full((1, 2), np.nan), key),
    )


def _best_points(
    study: ThresholdStudy, system: SystemThresholds, rows: list[int], number: NumberFormatter
) -> ChartPoints:
    best = [system.best[row] for row in rows]

    def describe_point(index: int) -> str:
        result, metric = best[index], study.metrics[rows[index]].name
        at, score, share = number(result.threshold), number(result.score), 100 * result.bad_share
        if np.isnan(result.interval[0]):
            return tr(
                "{metric} is highest at {threshold}: {score}, with {share:.1f} % of words BAD",
                metric=metric, threshold=at, score=score, share=share,
            )  # fmt: skip
        low, high = map(number, result.interval)
        return tr(
            "{metric} is highest at {threshold} (95 % interval {low} to {high}): "
            "{score}, with {share:.1f} % of words BAD",
            metric=metric, threshold=at, low=low, high=high, score=score, share=share,
        )  # fmt: skip

    x, y = np.asarray([threshold.threshold for threshold in best]), np.asarray([threshold.score for threshold in best])
    return ChartPoints(x, y, describe_point, key_indices=np.asarray(rows, np.int64))


# --- precision–recall


def _ranking(study: ThresholdStudy, system: int, metric: int, number: NumberFormatter) -> Panel:
    title = tr("Precision vs. recall of BAD")
    plotted = _plotted_systems(study, system)
    lines = []
    for index in plotted:
        sweep = study.systems[index].sweep
        indices = thin_points(sweep.recall, sweep.precision, MAX_GRID_POINTS)
        lines.append(
            ChartLine(sweep.recall[indices], sweep.precision[indices], curve_key(index, study.systems[index].name))
        )
    if not any(len(line.x) for line in lines):
        return Panel(title, tr("Recall of BAD is undefined, because the gold has no BAD word."))
    chosen = study.systems[system]
    points = _best_point(study, chosen, metric, number)
    maximum = tr("maximum of {metric}", metric=study.metrics[metric].name)
    chart = AxisChart(
        tr("recall"), tr("precision"), (0.0, 1.0, 0.0, 1.0), lines=tuple(lines), points=points,
        dots=(LegendKey(maximum, curve_key(system, "").token, "dot"),) if points is not None else (), description=title,
    )  # fmt: skip
    caption = ""
    if len(plotted) < len(study.systems):
        caption = tr(
            "{drawn} of {n} systems are plotted: the selected system and those with the highest average precision.",
            "", len(study.systems), drawn=len(plotted),
        )  # fmt: skip
    return Panel(title, chart, caption, lambda: _numbers(study, system), legend=tr("Lines: systems"))


def _plotted_systems(study: ThresholdStudy, system: int) -> list[int]:
    average_precisions = np.asarray([item.sweep.together.average_precision for item in study.systems])
    best = np.argsort(-average_precisions, kind="stable").tolist()
    return sorted([system, *[index for index in best if index != system][: MAX_PRECISION_CURVES - 1]])


def _best_point(
    study: ThresholdStudy, system: SystemThresholds, metric: int, number: NumberFormatter
) -> ChartPoints | None:
    """Return the point of the selected metric's maximum on the curve of `system`; None if that point is undefined."""
    best = system.best[metric]
    if np.isnan(best.threshold):
        return None
    index = system.sweep.positions.position_of(best.threshold)
    x, y = float(system.sweep.recall[index]), float(system.sweep.precision[index])
    if np.isnan(x) or np.isnan(y):
        return None
    label = tr(
        "{system} at threshold {threshold}, where {metric} is highest: precision {precision}, recall {recall}",
        system=elide(system.name, MAX_DOT_NAME_CHARS), threshold=number(best.threshold),
        metric=study.metrics[metric].name, precision=number(y), recall=number(x),
    )  # fmt: skip
    return ChartPoints(np.asarray([x]), np.asarray([y]), lambda index: label)


def _numbers(study: ThresholdStudy, system: int) -> ChartTable:
    """Return a table of all thresholds of a system, including thresholds that are not plotted."""
    chosen = study.systems[system]
    sweep = chosen.sweep
    header = ("system", "threshold", "bad", "precision", "recall", *(metric.name for metric in study.metrics))
    columns = (sweep.positions.thresholds, sweep.bad_shares, sweep.precision, sweep.recall, *sweep.scores)
    return ChartTable(header, ([chosen.name] * len(sweep.bad_shares), *columns))


MAX_SKIPPING_CURVES = 8
"""Maximum number of curves in a chart, so that they remain distinguishable."""
MAX_SKIPPING_POINTS = 400
"""Maximum number of points per curve."""


def skipping_panels(study: PostEditingStudy, system: str, number: NumberFormatter) -> Panels:
    """Return a chart of missed edits for up to `MAX_SKIPPING_CURVES` systems, with the 95% interval of `system`.

    If `system` has no curve, the interval is that of the first curve. The tuple is empty if there are no curves, for
    example because nothing was edited.
    """
    defined = [curve for curve in study.skipping if curve.edits and len(curve.skipped)]
    if not defined:
        return ()
    selected = next((curve for curve in defined if curve.name == system), defined[0])
    plotted = defined[:MAX_SKIPPING_CURVES]
    if selected not in plotted:
        plotted = [selected, *plotted[: MAX_SKIPPING_CURVES - 1]]
    lines = [_skipping_curve(item, item.missed, curve_key(defined.index(item), item.display_name)) for item in plotted]
    lines.append(ChartLine(np.array([0.0, 1.0]), np.array([0.0, 1.0]), LegendKey(tr("random order"), "muted", "dots")))
    ends = LegendKey(
        tr("95 % interval of {system}", system=elide(selected.display_name, MAX_DOT_NAME_CHARS)), "muted", "dashed"
    )
    lines += [
        _skipping_curve(selected, selected.low, ends),
        _skipping_curve(selected, selected.high, LegendKey("", "muted", "dashed")),
    ]
    title = tr("Missed edits against skipped segments")
    chart = AxisChart(
        tr("share of segments skipped, lowest predicted error first"), tr("share of missed edits"),
        (0.0, 1.0, 0.0, 1.0), lines=tuple(lines), description=title,
    )  # fmt: skip
    return (
        Panel(
            title,
            chart,
            _skipping_caption(selected, number),
            lambda: _skipping_numbers(study),
            legend=tr("Lines: systems"),
        ),
    )


def _skipping_curve(curve: SkippingCurve, heights: np.ndarray, key: LegendKey) -> ChartLine:
    x, y = np.append(0.0, curve.skipped), np.append(0.0, heights)
    indices = thin_points(x, y, MAX_SKIPPING_POINTS)
    return ChartLine(x[indices], y[indices], key)


def _skipping_caption(curve: SkippingCurve, number: NumberFormatter) -> str:
    system = elide(curve.display_name, MAX_DOT_NAME_CHARS)
    half_index = int(np.searchsorted(curve.skipped, 0.5, side="right")) - 1
    if half_index < 0:
        return tr("{system} predicts the same lowest error for more than half of the segments.", system=system)
    if np.isnan(curve.low[half_index]):
        return tr(
            "Skipping the {share:.0f} % of segments with the lowest error predicted by {system} misses a share of "
            "{through} of the edits. There are too few edited segments for an interval.",
            system=system, share=100 * curve.skipped[half_index], through=number(float(curve.missed[half_index])),
        )  # fmt: skip
    return tr(
        "Skipping the {share:.0f} % of segments with the lowest error predicted by {system} misses a share of "
        "{through} of the edits. The 95 % interval is {low} to {high}.",
        system=system, share=100 * curve.skipped[half_index], through=number(float(curve.missed[half_index])),
        low=number(float(curve.low[half_index])), high=number(float(curve.high[half_index])),
    )  # fmt: skip


def _skipping_numbers(study: PostEditingStudy) -> ChartTable:
    names = [curve.name for curve in study.skipping for _ in curve.thresholds]
    columns = [
        np.concatenate([getattr(curve, name) for curve in study.skipping])
        for name in ("skipped", "missed", "low", "high")
    ]
    thresholds = np.concatenate([curve.uncertainty.sign * curve.thresholds for curve in study.skipping])
    return ChartTable(("system", "threshold", "skipped", "through", "low", "high"), (names, thresholds, *columns))
