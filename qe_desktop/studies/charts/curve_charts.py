"""Line charts of agreement with human scores, by recall weight and by number of references."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
    MarkStyleName,
    Panel,
    Panels,
)
from qe_desktop.studies.charts.metric_side import MAX_DOT_NAME_CHARS, NumberFormatter, format_three_digits, known_range
from qe_desktop.studies.meta_eval.agreement_curves import CorrelationCurve, CurvePoint
from qe_desktop.studies.meta_eval.agreement_statistics import few_systems_caution
from qe_desktop.studies.meta_eval.score_data import CORRELATIONS, HEADINGS

COLOR_TOKENS = ("accent", "bad", "miss", "false_alarm", "text", "muted")
LINE_STYLES: tuple[MarkStyleName, ...] = ("line", "dashed", "dashdot", "dots")


def curve_panels(
    curves: Sequence[CorrelationCurve], systems: int, number: NumberFormatter = format_three_digits
) -> Panels:
    """Return a chart of correlations for each recall curve, and one chart of all reference curves, if there are any.

    `systems` is the number of systems over which the correlations are computed.
    """
    recall = [curve for curve in curves if curve.kind == "recall"]
    reference_curves = [curve for curve in curves if curve.kind == "references"]
    panels = [_recall(curve, number) for curve in recall] + (
        [_references(reference_curves, number)] if reference_curves else []
    )
    size = tr("Correlations are over {n} {n:system|systems}.", "", systems)
    caution = few_systems_caution(systems)
    return tuple(replace(panel, caption=f"{panel.caption} {size}", caution=caution) for panel in panels)


def _recall(curve: CorrelationCurve, number: NumberFormatter) -> Panel:
    best = curve.best
    title = tr("Agreement by recall weight in Fmean")
    if best is not None:
        title = tr("Agreement by recall weight in Fmean: r is highest at {weight:.2f}", weight=best.x)
    series = [(curve, name, HEADINGS[name]) for name in CORRELATIONS]
    chart = _chart(tr("recall weight (0: precision, 1: recall)"), tr("correlation"), series, number, title)
    caption = tr("Error bars: 95 % bootstrap intervals of Pearson's r.")
    return Panel(title, chart, caption, lambda: _numbers([curve]), legend=tr("Lines: correlations"))


def _references(curves: Sequence[CorrelationCurve], number: NumberFormatter) -> Panel:
    title = tr("Agreement by number of references")
    series = [(curve, "pearson", elide(curve.metric, MAX_DOT_NAME_CHARS)) for curve in curves]
    chart = _chart(tr("references"), tr("Pearson's r"), series, number, title)
    caption = tr("Each point is a mean over reference sets of the same size.")
    return Panel(title, chart, caption, lambda: _numbers(curves), legend=tr("Lines: metrics"))


def _chart(
    bottom: str,
    left: str,
    series_list: Sequence[tuple[CorrelationCurve, str, str]],
    number: NumberFormatter,
    title: str,
) -> AxisChart | str:
    """Return a chart with a line for each item of `series_list`, or a message if no correlation is defined.

    An item has a curve, the name of a correlation, and the label of the line. If all items have the same curve, the
    first line has error bars.
    """
    keys = [LegendKey(name, *curve_style(index)) for index, (_, _, name) in enumerate(series_list)]
    lines = [ChartLine(*_defined_points(curve, of), key) for (curve, of, _), key in zip(series_list, keys, strict=True)]
    plotted_points = [
        (series, point) for series, (curve, of, _) in enumerate(series_list) for point in _filter_defined(curve, of)
    ]
    if not plotted_points:
        return tr("No correlation is defined.")
    x, y = np.concatenate([line.x for line in lines]), np.concatenate([line.y for line in lines])
    is_single_curve = len({id(curve) for curve, _, _ in series_list}) == 1
    error_bars = (_error_bars(*series_list[0][:2], keys[0].token),) if is_single_curve else ()
    interval_ends = [whisker.y_ends.ravel() for whisker in error_bars]
    series = np.asarray([item for item, _ in plotted_points])

    def describe_point(index: int) -> str:
        series_index, point = plotted_points[index]
        return _point_text(*series_list[series_index], point, number)

    points = ChartPoints(x, y, describe_point, series=series, key_indices=series)
    return AxisChart(
        bottom, left, (*known_range(x), *known_range(y, *interval_ends)), lines=tuple(lines), error_bars=error_bars,
        points=points,
        dots=tuple(LegendKey("", key.token, "dot") for key in keys),
        has_integer_x=series_list[0][0].kind == "references",
        description=title,
    )  # fmt: skip


def _filter_defined(curve: CorrelationCurve, of: str) -> list[CurvePoint]:
    return [point for point in curve.points if not np.isnan(point.correlations[of])]


def _defined_points(curve: CorrelationCurve, of: str) -> tuple[Floats, Floats]:
    defined_points = _filter_defined(curve, of)
    return np.asarray([point.x for point in defined_points], float), np.asarray(
        [point.correlations[of] for point in defined_points]
    )


def _error_bars(curve: CorrelationCurve, of: str, token: str) -> ErrorBars:
    x, y = _defined_points(curve, of)
    ends = np.asarray([point.intervals[of] for point in _filter_defined(curve, of)]).reshape(-1, 2)
    return ErrorBars(x, y, np.stack([x, x], axis=1), ends, LegendKey("", token, "line"))


def _point_text(curve: CorrelationCurve, of: str, name: str, point: CurvePoint, number: NumberFormatter) -> str:
    low, high = map(number, point.intervals[of])
    value = number(point.correlations[of])
    if curve.kind == "recall":
        return tr(
            "{name} at recall weight {weight:.2f}: {value} [{low}, {high}]",
            name=name, weight=point.x, value=value, low=low, high=high,
        )  # fmt: skip
    return tr(
        "{name} with {n} {n:reference|references}: r {value} [{low}, {high}]",
        "", int(point.x), name=name, value=value, low=low, high=high,
    )  # fmt: skip


def _numbers(curves: Sequence[CorrelationCurve]) -> ChartTable:
    rows = [(curve, point) for curve in curves for point in curve.points]
    columns = {}
    for name in CORRELATIONS:
        columns[name] = [point.correlations[name] for _, point in rows]
        columns[f"{name}_low"] = [point.intervals[name][0] for _, point in rows]
        columns[f"{name}_high"] = [point.intervals[name][1] for _, point in rows]
    return ChartTable.of_columns(
        curve=[curve.kind for curve, _ in rows], metric=[curve.metric for curve, _ in rows],
        at=[point.x for _, point in rows], sets=[point.set_count for _, point in rows], **columns,
    )  # fmt: skip


def curve_key(index: int, name: str) -> LegendKey:
    """Return the legend entry, labelled `name`, of the curve at `index`."""
    return LegendKey(elide(name, MAX_DOT_NAME_CHARS), *curve_style(index))


def curve_style(index: int) -> tuple[str, MarkStyleName]:
    """Return the colour and line style of the curve at `index`; the first 24 combinations are distinct."""
    return COLOR_TOKENS[index % len(COLOR_TOKENS)], LINE_STYLES[(index + index // 12) % len(LINE_STYLES)]


def thin_points(x: Floats, y: Floats, max_points: int) -> Ints:
    """Return indices of about `max_points` defined points, evenly spaced along the length of the curve.

    `x` and `y` have shape (points,); a point is defined if both are finite. If at most `max_points` points are defined,
    the indices of all defined points are returned.
    """
    defined = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if len(defined) <= max_points:
        return defined
    arc_lengths = np.cumsum(
        np.hypot(np.diff(x[defined], prepend=x[defined[0]]), np.diff(y[defined], prepend=y[defined[0]]))
    )
    indices = np.searchsorted(arc_lengths, np.linspace(0, arc_lengths[-1], max_points)).clip(0, len(defined) - 1)
    # keep both ends, even if the curve is flat there
    return np.asarray(defined[np.unique(np.append(indices, [0, len(defined) - 1]))])
