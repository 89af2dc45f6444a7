"""Charts of the sampling study: p-value by number of data sets, for each pair of error rates and each metric."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import AxisChart, ChartLine, ChartPoints, ChartTable, LegendKey, Panel, Panels
from qe_desktop.significance import format_level
from qe_desktop.studies.charts.curve_charts import curve_key
from qe_desktop.studies.charts.metric_side import NumberFormatter
from qe_desktop.studies.sampling.sampling_options import format_share
from qe_desktop.studies.sampling.sampling_study import SamplingStudy


def sampling_panels(study: SamplingStudy, metric: int, number: NumberFormatter) -> Panels:
    """Return charts of p-values: one metric on all pairs of error rates, and all metrics on one pair.

    `metric` is the index of the metric in the first chart. The second chart is on the pair where metrics differ most.
    p-values are adjusted; a p-value up to alpha is significant. The tuple is empty if the study has no metrics.
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
        Panel(title, _chart(study, adjusted, series, number, title), make_table=lambda: _numbers(study), legend=legend)
        for title, series, legend in zip(titles, (of_metric, of_pair), legends, strict=True)
    )


def _chart(
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
    return AxisChart(
        tr("data sets (log10)"), tr("adjusted p"), (float(sizes[0]), last, 0.0, 1.0), lines=(*lines, alpha),
        points=points, dots=tuple(LegendKey("", key.token, "dot") for key in keys), description=title,
    )  # fmt: skip


def _pair_label(study: SamplingStudy, pair: int) -> str:
    first, second = (format_share(study.options.errors[index]) for index in study.options.pairs[pair])
    return tr("{one} and {other} %", one=first, other=second)


def _numbers(study: SamplingStudy) -> ChartTable:
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
