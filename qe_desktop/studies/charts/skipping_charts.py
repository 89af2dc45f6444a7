"""Chart of the share of missed edits by share of skipped segments, with a curve for each system."""

from __future__ import annotations

import numpy as np

from qe_desktop.escaping import elide
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import AxisChart, ChartLine, ChartTable, LegendKey, Panel, Panels
from qe_desktop.studies.charts.curve_charts import curve_key, thin_points
from qe_desktop.studies.charts.metric_side import MAX_DOT_NAME_CHARS, NumberFormatter
from qe_desktop.studies.post_editing.post_editing_study import PostEditingStudy
from qe_desktop.studies.post_editing.skipping import SkippingCurve

MAX_SKIPPING_CURVES = 8
"""Maximum number of curves in a chart, so that they remain distinguishable."""
MAX_SKIPPING_POINTS = 400
"""Maximum number of points per curve."""


def skipping_panels(study: PostEditingStudy, system: str, number: NumberFormatter) -> Panels:
    """Return a chart of up to `MAX_SKIPPING_CURVES` systems, with the confidence interval of `system`.

    If `system` has no curve, the interval is that of the first curve. The tuple is empty if nothing was edited.
    """
    defined = [curve for curve in study.skipping if curve.edits and len(curve.skipped)]
    if not defined:
        return ()
    selected = next((curve for curve in defined if curve.name == system), defined[0])
    plotted = defined[:MAX_SKIPPING_CURVES]
    if selected not in plotted:
        plotted = [selected, *plotted[: MAX_SKIPPING_CURVES - 1]]
    lines = [_curve(item, item.missed, curve_key(defined.index(item), item.name)) for item in plotted]
    lines.append(ChartLine(np.array([0.0, 1.0]), np.array([0.0, 1.0]), LegendKey(tr("random order"), "muted", "dots")))
    ends = LegendKey(
        tr("95 % interval of {system}", system=elide(selected.name, MAX_DOT_NAME_CHARS)), "muted", "dashed"
    )
    lines += [_curve(selected, selected.low, ends), _curve(selected, selected.high, LegendKey("", "muted", "dashed"))]
    title = tr("Missed edits against skipped segments")
    chart = AxisChart(
        tr("share of segments skipped, lowest predicted error first"), tr("share of missed edits"),
        (0.0, 1.0, 0.0, 1.0), lines=tuple(lines), description=title,
    )  # fmt: skip
    return (Panel(title, chart, _caption(selected, number), lambda: _numbers(study), legend=tr("Lines: systems")),)


def _curve(curve: SkippingCurve, heights: np.ndarray, key: LegendKey) -> ChartLine:
    x, y = np.append(0.0, curve.skipped), np.append(0.0, heights)
    indices = thin_points(x, y, MAX_SKIPPING_POINTS)
    return ChartLine(x[indices], y[indices], key)


def _caption(curve: SkippingCurve, number: NumberFormatter) -> str:
    system = elide(curve.name, MAX_DOT_NAME_CHARS)
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


def _numbers(study: PostEditingStudy) -> ChartTable:
    names = [curve.name for curve in study.skipping for _ in curve.thresholds]
    columns = [
        np.concatenate([getattr(curve, name) for curve in study.skipping])
        for name in ("skipped", "missed", "low", "high")
    ]
    thresholds = np.concatenate([curve.uncertainty.sign * curve.thresholds for curve in study.skipping])
    return ChartTable(("system", "threshold", "skipped", "through", "low", "high"), (names, thresholds, *columns))
