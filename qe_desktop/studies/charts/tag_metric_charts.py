"""Charts of the studies of tag metrics (Logacheva et al. 2016): trivial baselines and repeated sampling."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.escaping import elide
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.chart_model import AxisChart, ChartLine, ChartPoints, ChartTable, LegendKey, Panel, Panels
from qe_desktop.significance import format_level
from qe_desktop.studies.charts.curve_charts import curve_key
from qe_desktop.studies.charts.metric_side import MAX_DOT_NAME_CHARS, NumberFormatter, known_range
from qe_desktop.studies.labelling_study import LabellingStudy
from qe_desktop.studies.sampling.sampling_options import format_share
from qe_desktop.studies.sampling.sampling_study import SamplingStudy

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


def sampling_panels(study: SamplingStudy, metric: int, number: NumberFormatter) -> Panels:
    """Return charts of p-values: one metric on all pairs of error rates, and all metrics on one pair.

    `metric` is the index of the metric in the first chart. The second chart is for the pair on which metrics differ
    most. p-values are adjusted; a p-value up to alpha is significant. The tuple is empty if the study has no metrics.
    """
    if not study.metrics:
        return ()
    adjusted, options = study.adjusted_p(), study.options
    pairs, name = len(options.pairs), study.metrics[metric].name
    of_metric = [(metric, pair, _pair_label(study, pair)) for pair in range(pairs)]
    widest_pair = int(np.argmax(np.ptp(adjusted.mean(axis=-1), axis=0)))
    of_pair = [(index, widest_pair, item.name) for index, item in enumerate(study.metrics)]
    titles = (
        tr("{metric}: p by number of data sets", metric=name),
        tr("{pair}, where metrics differ most: p by number of data sets", pair=_pair_label(study, widest_pair)),
    )
    legends = tr("Lines: pairs of error rates"), tr("Lines: metrics")
    return tuple(
        Panel(
            title,
            _sampling_chart(study, adjusted, series, number, title),
            make_table=lambda: _sampling_numbers(study),
            legend=legend,
        )
        for title, series, legend in zip(titles, (of_metric, of_pair), legends, strict=True)
    )


def _sampling_chart(
    study: SamplingStudy,
    adjusted: Floats,
    series_list: Sequence[tuple[int, int, str]],
    number: NumberFormatter,
    title: str,
) -> AxisChart:
    """Return a chart with a line for each item of `series_list`.

    An item has the index of a metric, the index of a pair, and the name of the line.
    """
    options = study.options
    # logarithmic axis, like the sizes in the paper
    sizes = np.log10(np.asarray(options.sizes, np.float64))
    p = np.stack([adjusted[metric, pair] for metric, pair, _ in series_list])
    keys = [curve_key(index, name) for index, (_, _, name) in enumerate(series_list)]
    lines = [ChartLine(sizes, p[index], key) for index, key in enumerate(keys)]
    ends = np.asarray([sizes[0], sizes[-1]])
    key = LegendKey(tr("alpha = {alpha}", alpha=format_level(options.alpha)), "muted", "dots")
    alpha = ChartLine(ends, np.full(2, options.alpha), key)
    series = np.repeat(np.arange(len(series_list)), len(sizes))

    def describe_point(index: int) -> str:
        line, size = divmod(index, len(sizes))
        metric, pair, _ = series_list[line]
        name, pair_label, p_text = study.metrics[metric].name, _pair_label(study, pair), number(float(p[line, size]))
        if p[line, size] <= options.alpha:
            return tr(
                "{metric} separates error rates of {pair} with {n:,} data sets: adjusted p = {p}",
                "", options.sizes[size], metric=name, pair=pair_label, p=p_text,
            )  # fmt: skip
        return tr(
            "{metric} does not separate error rates of {pair} with {n:,} data sets: adjusted p = {p}",
            "", options.sizes[size], metric=name, pair=pair_label, p=p_text,
        )  # fmt: skip

    points = ChartPoints(np.tile(sizes, len(series_list)), p.ravel(), describe_point, series=series, key_indices=series)
    last = float(sizes[-1]) if len(sizes) > 1 else float(sizes[0]) + 1.0
    # space for the label of the last size
    last += END_MARGIN * (last - float(sizes[0]))
    return AxisChart(
        tr("data sets (log scale)"), tr("adjusted p"), (float(sizes[0]), last, 0.0, 1.0), lines=(*lines, alpha),
        points=points, dots=tuple(LegendKey("", key.token, "dot") for key in keys), description=title,
        x_ticks=_size_ticks(options.sizes),
    )  # fmt: skip


END_MARGIN = 0.05
"""Margin to the right of the last size, as a portion of the axis between the first and the last."""
MIN_TICK_DISTANCE = 0.1
"""Minimum distance between two ticks, as a portion of the axis; labels of closer ticks would overlap."""


def _size_ticks(sizes: Sequence[int]) -> tuple[tuple[float, str], ...]:
    """Return the positions and labels of sizes on a logarithmic axis, without sizes too close to the previous tick."""
    ticks: list[tuple[float, str]] = []
    distance = MIN_TICK_DISTANCE * (math.log10(sizes[-1]) - math.log10(sizes[0]))
    for size in sizes:
        position = math.log10(size)
        if not ticks or position - ticks[-1][0] >= distance:
            ticks.append((position, f"{size:,}"))
    return tuple(ticks)


def _pair_label(study: SamplingStudy, pair: int) -> str:
    first, second = (format_share(study.options.errors[index]) for index in study.options.pairs[pair])
    return tr("{one} and {other} %", one=first, other=second)


def _sampling_numbers(study: SamplingStudy) -> ChartTable:
    """Return a table of the p-values of all metrics, before and after correction."""
    options, adjusted = study.options, study.adjusted_p()
    metrics, pairs, sizes = study.p.shape
    names = [metric.name for metric in study.metrics for _ in range(pairs * sizes)]
    ends = [
        [
            format_share(options.errors[pair[end]])
            for _ in range(metrics)
            for pair in options.pairs
            for _ in range(sizes)
        ]
        for end in (0, 1)
    ]
    return ChartTable.of_columns(
        metric=names, errors_1=ends[0], errors_2=ends[1], data_sets=list(options.sizes) * (metrics * pairs),
        p=study.p.ravel(), p_error=study.error.ravel(), adjusted_p=adjusted.ravel(),
    )  # fmt: skip
