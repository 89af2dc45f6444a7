"""Chart of real systems and trivial baselines, ranked by a metric."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qe_desktop.escaping import elide
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.chart_model import AxisChart, ChartPoints, ChartTable, LegendKey, Panel, Panels
from qe_desktop.studies.charts.metric_side import MAX_DOT_NAME_CHARS, NumberFormatter, known_range
from qe_desktop.studies.labellings.labelling_study import LabellingStudy

SYSTEM, LABELLING = range(2)


def labelling_panels(study: LabellingStudy, metric: int, number: NumberFormatter) -> Panels:
    """Return a chart with a point for each system and baseline, sorted by the metric at index `metric`, best first.

    Undefined scores are not plotted. If all scores are undefined, the panel has a message instead of a chart.
    """
    chosen_metric = study.metrics[metric]
    names = [*study.systems, *(tried.name for tried in study.labellings)]
    scores = np.concatenate([study.scores[metric], [float(tried.scores[metric].mean()) for tried in study.labellings]])
    kinds = np.repeat([SYSTEM, LABELLING], [len(study.systems), len(study.labellings)])
    title = tr("Systems and trivial baselines by {metric}", metric=chosen_metric.name)

    def numbers() -> ChartTable:
        labels = ["labelling" if kind else "system" for kind in kinds]
        return ChartTable.of_columns(name=names, kind=labels, metric=[chosen_metric.name] * len(names), score=scores)

    order = np.argsort(-chosen_metric.sort_keys(scores), kind="stable")
    order = order[np.isfinite(scores[order])]
    if not len(order):
        return (
            Panel(
                title,
                tr("{metric} is undefined for all systems and baselines.", metric=chosen_metric.name),
                make_table=numbers,
            ),
        )
    ranks = np.arange(1, len(order) + 1)

    def describe_point(index: int) -> str:
        item = int(order[index])
        name, score = elide(names[item], MAX_DOT_NAME_CHARS), number(float(scores[item]))
        if kinds[item] == LABELLING:
            labelling = study.labellings[item - len(study.systems)]
            lower = float(labelling.lower_counts[metric].mean())
            if labelling.draws > 1:
                return tr(
                    "{name} (baseline): {score} by {metric} on average, rank {place} of {all}; ranked above "
                    "{lower:.2f} of {n} {n:system|systems} on average",
                    "", len(study.systems), name=name, score=score, metric=chosen_metric.name, place=index + 1,
                    all=len(order), lower=lower,
                )  # fmt: skip
            return tr(
                "{name} (baseline): {score} by {metric}, rank {place} of {all}; ranked above "
                "{lower:g} of {n} {n:system|systems}",
                "",
                len(study.systems),
                name=name,
                score=score,
                metric=chosen_metric.name,
                place=index + 1,
                all=len(order),
                lower=lower,
            )
        return tr(
            "{name}: {score} by {metric}, rank {place} of {all}",
            name=name, score=score, metric=chosen_metric.name, place=index + 1, all=len(order),
        )  # fmt: skip

    bounds = (1.0, max(2.0, float(len(order))), *known_range(scores[order]))
    points = ChartPoints(
        ranks.astype(np.float64), scores[order], describe_point, key_indices=kinds[order],
        labels=tuple(elide(names[which], MAX_DOT_NAME_CHARS) for which in order),
    )  # fmt: skip
    dots = (LegendKey(tr("system"), "accent", "dot"), LegendKey(tr("trivial baseline"), "bad", "ring"))
    chart = AxisChart(
        tr("rank"), chosen_metric.name, bounds, points=points, dots=dots, has_integer_x=True, description=title
    )
    undefined = [names[place] for place in np.flatnonzero(~np.isfinite(scores))]
    legend, caption = tr("Dots: systems and baselines"), join_localized(" ", _caption(study, metric, undefined))
    return (Panel(title, chart, caption, numbers, legend=legend),)


def _caption(study: LabellingStudy, metric: int, undefined: Sequence[str]) -> list[str]:
    """Return sentences on how often a metric ranks systems below baselines, and on undefined scores."""
    name, total = study.metrics[metric].name, float(study.totals[metric])
    lines = [tr("{metric} ranks no system below a trivial baseline.", metric=name)]
    if total:
        lines = [
            tr(
                "Trivial baselines should rank below every system, but {metric} ranks a system below a "
                "baseline {times:.2f} times on average.",
                metric=name, times=total,
            )
            if study.has_several_draws
            else tr(
                "Trivial baselines should rank below every system, but {metric} ranks a system below a "
                "baseline {times:g} {times:time|times}.",
                metric=name, times=total,
            )
        ]  # fmt: skip
    if undefined:
        lines.append(tr("Undefined scores count as 0 and are not plotted: {names}.", names=", ".join(undefined)))
    return lines
