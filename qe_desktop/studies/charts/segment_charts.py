"""Chart of translations by human score and by a metric, with a segment-level statistic of agreement in the title."""

from __future__ import annotations

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.chart_model import AxisChart, ChartPoints, ChartTable, LegendKey, Panel, SegmentGoal
from qe_desktop.levels.sentences.charts.gold_panels import sample_points
from qe_desktop.studies.charts.metric_side import MetricVsHuman, known_range
from qe_desktop.studies.meta_eval.agreement_statistics import AgreementStatistic


def segments_panel(side: MetricVsHuman, figure: AgreementStatistic, scores: Floats) -> Panel:
    """Return a chart with a point for each translation, and with the segment-level statistic `figure` in the title.

    `scores` are the segment scores in the metric's units, shape (systems, segments). If there are many translations, a
    sample is plotted. If no translation has both scores, the panel has a message instead of a chart.
    """
    title = tr(
        "{metric} vs. human scores of translations: {figure} {value}",
        metric=side.metric, figure=figure.title, value=side.number(figure.value(side.agreement)),
    )  # fmt: skip
    human_scores = side.study.human.scores
    if human_scores is None:
        return Panel(title, tr("Human scores of segments are missing."))
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
        tr("human score"), tr("{metric} score", metric=side.metric), (*known_range(x), *known_range(y)),
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
    caption = join_localized(" ", _caption(side, len(sampled), len(system)))
    return Panel(title, chart, caption, lambda: numbers, legend=legend)


def _caption(side: MetricVsHuman, sampled: int, translations: int) -> list[str]:
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
