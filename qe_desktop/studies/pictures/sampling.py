"""Repeated sampling as a picture: p against the number of data sets, for every difference in errors, by each metric."""

from __future__ import annotations

import numpy as np

from qe_desktop.levels.drawings import Chart, Key, Line, Numbers, Panel, Panels, Points
from qe_desktop.studies.pictures.side import Write
from qe_desktop.studies.pictures.ways import key_of
from qe_desktop.studies.sampling.options import said
from qe_desktop.studies.sampling.study import SamplingStudy
from qe_desktop.wording import tr


def sampling_panels(study: SamplingStudy, metric: int, number: Write) -> Panels:
    """Every metric, the one that is looked at first."""
    order = [metric, *(place for place in range(len(study.metrics)) if place != metric)]
    return tuple(_panel(study, place, number) for place in order if place < len(study.metrics))


def _panel(study: SamplingStudy, metric: int, number: Write) -> Panel:
    """A line for each pair of shares, after correction; significant is what lies below alpha."""
    options, name = study.options, study.metrics[metric].name
    p = study.adjusted()[metric]
    # tenfold steps are as far apart as they are in the paper's choice of sizes
    sizes = np.log10(np.asarray(options.sizes, np.float64))
    keys = [key_of(place, _named(study, place)) for place in range(len(options.pairs))]
    lines = [Line(sizes, p[place], key) for place, key in enumerate(keys)]
    ends = np.asarray([sizes[0], sizes[-1]])
    alpha = Line(ends, np.full(2, options.alpha), Key(tr("alpha, {alpha:g}", alpha=options.alpha), "muted", "dots"))
    series = np.repeat(np.arange(len(options.pairs)), len(sizes))

    def say(place: int) -> str:
        pair, size = divmod(place, len(sizes))
        named, p_here = _named(study, pair), number(float(p[pair, size]))
        if p[pair, size] <= options.alpha:
            return tr(
                "{metric} tells {pair} apart with {n:,} data sets: p {p}",
                "", options.sizes[size], metric=name, pair=named, p=p_here,
            )  # fmt: skip
        return tr(
            "{metric} does not tell {pair} apart with {n:,} data sets: p {p}",
            "", options.sizes[size], metric=name, pair=named, p=p_here,
        )  # fmt: skip

    points = Points(np.tile(sizes, len(options.pairs)), p.ravel(), say, series=series, kinds=series)
    title = tr("{metric}: p by the number of data sets", metric=name)
    chart = Chart(
        tr("data sets, as powers of ten"), tr("p after correction"),
        (float(sizes[0]), float(sizes[-1]) if len(sizes) > 1 else float(sizes[0]) + 1.0, 0.0, 1.0),
        lines=(*lines, alpha), points=points, dots=tuple(Key("", key.token, "dot") for key in keys), said=title,
    )  # fmt: skip
    return Panel(title, chart, numbers=lambda: _numbers(study))


def _named(study: SamplingStudy, pair: int) -> str:
    """Two shares of errors as people compare them."""
    one, other = (said(study.options.errors[place]) for place in study.options.pairs[pair])
    return tr("{one} and {other} %", one=one, other=other)


def _numbers(study: SamplingStudy) -> Numbers:
    """Every p, of all metrics, before and after correction."""
    options, adjusted = study.options, study.adjusted()
    metrics, pairs, sizes = study.p.shape
    names = [one.name for one in study.metrics for _ in range(pairs * sizes)]
    ends = [
        [said(options.errors[pair[end]]) for _ in range(metrics) for pair in options.pairs for _ in range(sizes)]
        for end in (0, 1)
    ]
    return Numbers.of_columns(
        metric=names, errors_1=ends[0], errors_2=ends[1], data_sets=list(options.sizes) * (metrics * pairs),
        p=study.p.ravel(), p_error=study.error.ravel(), adjusted_p=adjusted.ravel(),
    )  # fmt: skip
