"""Four panels that compare the scores of one system with the gold (Graham 2015, figures 1 and 3)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qe_desktop.corpus import LayerKey
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.escaping import elide
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.chart_model import (
    AxisChart,
    ChartBars,
    ChartLine,
    ChartPoints,
    ChartTable,
    LegendKey,
    Panel,
    Panels,
    SegmentGoal,
)
from qe_desktop.levels.level import ChartRequest, scored_segments, scores_in_scored_segments
from qe_desktop.levels.sentences.distributions import (
    HistogramBars,
    choose_bin_count,
    detect_scale,
    farthest_in_bars,
    histogram_bars,
    kernel_density,
    round_to_scale,
)
from qe_desktop.metrics.correlation import pearson_matrix, standardize

MAX_SHORT_NAME_CHARS = 32
"""Maximum number of characters of a name in a chart."""
NO_SYSTEMS_HINT = tr("No systems to show. Add the scores of one or more systems.")
ONE_SEGMENT_HINT = tr("This chart needs at least two segments with a gold score.")


@dataclass(frozen=True, eq=False)
class ScorePair:
    """Scores of a system and of the gold, shape (scored segments,) each, with their names in a chart.

    `segments` are the 0-based indices of the scored segments.
    """

    scores: Floats
    gold: Floats
    system_name: str
    gold_name: str
    request: ChartRequest
    segments: Ints

    @classmethod
    def of(cls, request: ChartRequest) -> ScorePair:
        """Build the pair for the selected system."""
        key, is_scored = request.subjects[request.chosen], scored_segments(request)
        segments = np.arange(request.view.corpus.size) if is_scored is None else np.flatnonzero(is_scored)
        scores, gold = (
            scores_in_scored_segments(request, key),
            scores_in_scored_segments(request, request.reference),
        )
        return cls(scores, gold, shorten_name(key), gold_name(request), request, segments)

    @cached_property
    def r(self) -> float:
        """Return Pearson's correlation of the system and gold scores; NaN if undefined."""
        return float(pearson_matrix([self.scores, self.gold])[0, 1])

    @property
    def mae(self) -> float:
        """Return the mean absolute error."""
        return float(np.abs(self.scores - self.gold).mean())

    def describe_segment(self, index: int) -> str:
        """Describe the segment at index `index` of `scores`, with its gold and system scores."""
        number = self.request.number
        return tr(
            "segment {segment:,}: gold {gold}, {system} {score}",
            segment=int(self.segments[index]) + 1, gold=number(float(self.gold[index])),
            score=number(float(self.scores[index])), system=self.system_name,
        )  # fmt: skip

    def goal(self, index: int) -> SegmentGoal:
        """Return the link to the segment at index `index` of `scores`."""
        return SegmentGoal(int(self.segments[index]))

    def numbers(self) -> ChartTable:
        """Return a table of the gold and system scores of all scored segments, even if they are not plotted."""
        return ChartTable.of_columns(
            segment=self.segments + 1, gold=self.gold, score=self.scores,
            gold_standardised=standardize(self.gold), score_standardised=standardize(self.scores),
        )  # fmt: skip

    @property
    def keys(self) -> tuple[LegendKey, LegendKey]:
        """Return the legend entries of the gold's and the system's curves."""
        return LegendKey(self.gold_name, "text", "dashed"), LegendKey(self.system_name, "accent", "line")

    @property
    def range(self) -> tuple[float, float]:
        """Return the joint range of the gold and system scores, widened if all scores are equal."""
        low = float(min(self.gold.min(), self.scores.min()))
        high = float(max(self.gold.max(), self.scores.max()))
        return (low, high) if high > low else (low - 0.5, high + 0.5)


def shorten_name(key: LayerKey) -> str:
    """Return a layer's name, shortened in the middle to fit a chart."""
    return elide(key.display_name, MAX_SHORT_NAME_CHARS)


def gold_name(request: ChartRequest) -> str:
    """Return the name of the gold in a chart: “gold”, followed by the layer's name unless that is empty or “gold”."""
    name = request.reference.display_name
    return tr("gold") if name in ("", "gold") else tr("gold {name}", name=shorten_name(request.reference))


def missing_data_message(request: ChartRequest) -> str:
    """Return a message that says why there is nothing to plot; empty if there is data to plot."""
    if not request.subjects:
        return NO_SYSTEMS_HINT
    return ONE_SEGMENT_HINT if len(scores_in_scored_segments(request, request.reference)) < 2 else ""


MAX_POINTS = 2_000
"""Maximum number of dots in a scatter plot; more would be slow and indistinguishable."""
MAX_RANGE_RATIO = 5.0
"""Maximum ratio of the axes' joint range to the smaller of their own ranges; above it, each axis has its own range."""


def sample_points(segments: int) -> Ints:
    """Return the indices of the segments to plot as dots: all, or a random sample with a fixed seed.

    `segments` is the number of segments.
    """
    if segments <= MAX_POINTS:
        return np.arange(segments)
    chosen = np.random.default_rng(1).choice(segments, MAX_POINTS, replace=False, shuffle=False)
    return np.sort(chosen)


def _thinned_sentence(sampled: Ints, segments: int) -> str:
    if len(sampled) == segments:
        return ""
    return tr("A random sample of {drawn:,} of the {n:,} segments is plotted.", "", segments, drawn=len(sampled))


def _points(pair: ScorePair, sampled: Ints, x: Floats, y: Floats) -> ChartPoints:
    return ChartPoints(
        x[sampled],
        y[sampled],
        lambda index: pair.describe_segment(int(sampled[index])),
        lambda index: pair.goal(int(sampled[index])),
    )


def raw_scatter(pair: ScorePair, sampled: Ints) -> Panel:
    """Plot the scores on their original scale, with the line of perfect agreement."""
    low, high, lowest, highest = bounds = _bounds(pair)
    ends = np.asarray([max(low, lowest), min(high, highest)])
    diagonal = ChartLine(ends, ends, LegendKey(tr("equal to the gold"), "muted", "dashed"))
    mae = pair.request.number(pair.mae)
    summary = tr(
        "{system} vs. {gold_name}, {n:,} {n:segment|segments}: MAE {mae}", "", len(pair.gold),
        system=pair.system_name, gold_name=pair.gold_name, mae=mae,
    )  # fmt: skip
    chart = AxisChart(
        pair.system_name, pair.gold_name, bounds, lines=(diagonal,) if ends[0] < ends[1] else (),
        points=_points(pair, sampled, pair.scores, pair.gold), dots=(LegendKey("", "accent", "dot"),),
        description=summary,
    )  # fmt: skip
    title = tr("Original scores: MAE {mae}", mae=mae)
    return Panel(title, chart, _thinned_sentence(sampled, len(pair.gold)), pair.numbers, legend=_dots_legend(sampled))


def _dots_legend(sampled: Ints) -> str:
    return tr("Dots: {n:,} {n:segment|segments}", "", len(sampled))


def _bounds(pair: ScorePair) -> tuple[float, float, float, float]:
    """Return the bounds of the plot: minimum and maximum of the x axis, then of the y axis.

    Both axes have the joint range of the scores. If the points would then appear as a line, each axis has its own range
    instead.
    """
    low, high = pair.range
    spreads = [float(np.ptp(values)) for values in (pair.scores, pair.gold)]
    if min(spreads) == 0 or (high - low) <= MAX_RANGE_RATIO * min(spreads):
        return low, high, low, high
    return float(pair.scores.min()), float(pair.scores.max()), float(pair.gold.min()), float(pair.gold.max())


def standardised_scatter(pair: ScorePair, sampled: Ints) -> Panel:
    """Plot the z-scores of the gold and the system; if Pearson's r is undefined, the panel has only a message."""
    title = tr("Standardized: r {r}", r=pair.request.number(pair.r))
    if np.isnan(pair.r):
        return Panel(title, _undefined_sentence(pair), "", pair.numbers)
    x, y = standardize(pair.scores), standardize(pair.gold)
    low, high, lowest, highest = float(x.min()), float(x.max()), float(y.min()), float(y.max())
    # the line is clipped to the range of the points, because exported files would contain its hidden parts
    reach = sorted((lowest / pair.r, highest / pair.r)) if pair.r else (low, high)
    ends = np.asarray([max(low, reach[0]), min(high, reach[1])])
    slope_line = ChartLine(ends, pair.r * ends, LegendKey(tr("slope r"), "muted", "dashed"))
    summary = tr(
        "{system} vs. {gold_name}, in standard deviations from the mean of each: r {r}",
        system=pair.system_name, gold_name=pair.gold_name, r=pair.request.number(pair.r),
    )  # fmt: skip
    chart = AxisChart(
        pair.system_name,
        pair.gold_name,
        (low, high, lowest, highest), lines=(slope_line,), points=_points(pair, sampled, x, y),
        dots=(LegendKey("", "accent", "dot"),), description=summary,
    )  # fmt: skip
    words = (tr("Both axes are in standard deviations from the mean."), _thinned_sentence(sampled, len(pair.gold)))
    caption = join_localized(" ", [sentence for sentence in words if sentence])
    return Panel(title, chart, caption, pair.numbers, legend=_dots_legend(sampled))


def _undefined_sentence(pair: ScorePair) -> str:
    """Return a sentence that says whose scores are constant, so that r is undefined."""
    constant, name = (pair.scores, pair.system_name)
    if pair.gold.min() == pair.gold.max():
        constant, name = pair.gold, pair.gold_name
    value = pair.request.number(float(constant[0]))
    return tr("r is undefined: {name} is constant ({value}).", name=name, value=value)


def density_panel(pair: ScorePair, title: str) -> Panel:
    """Plot the distributions of the gold and system scores.

    Constant scores are not plotted; the caption names them.
    """
    number = pair.request.number
    densities = [
        (values, key, kernel_density(values)) for values, key in zip((pair.gold, pair.scores), pair.keys, strict=True)
    ]
    lines = tuple(ChartLine(curve.x, curve.heights, key) for _, key, curve in densities if curve is not None)
    sentences = [
        tr("{name}: mean {mean}, SD {spread}",
           name=key.name, mean=number(float(values.mean())), spread=number(float(values.std())))
        for values, key, _ in densities
    ]  # fmt: skip
    constant_notes = [
        tr("{name} is constant, so it has no density", name=key.name) for _, key, curve in densities if curve is None
    ]
    caption = join_localized(" · ", (*sentences, *constant_notes))
    if not lines:
        return Panel(title, caption)
    low = min(float(line.x[0]) for line in lines)
    high = max(float(line.x[-1]) for line in lines)
    top = max(float(line.y.max()) for line in lines)
    chart = AxisChart(tr("score"), tr("density"), (low, high, 0.0, top), lines=lines, description=caption)
    curves = tuple((("gold", "system")[line.key == pair.keys[1]], line) for line in lines)

    def numbers() -> ChartTable:
        return ChartTable.of_columns(
            of=[name for name, line in curves for _ in line.x],
            score=np.concatenate([line.x for line in lines]),
            density=np.concatenate([line.y for line in lines]),
        )

    return Panel(title, chart, caption, numbers, legend=tr("Lines: distributions of segment scores"))


def histogram_panel(pair: ScorePair) -> Panel:
    """Plot the share of segments in each bar: the gold above the zero line and the system below it."""
    low, high = pair.range
    # bins of equal width make both sides comparable
    bins = max(choose_bin_count(pair.gold, low, high), choose_bin_count(pair.scores, low, high))
    gold, system = histogram_bars(pair.gold, low, high, bins), histogram_bars(pair.scores, low, high, bins)
    sides = (
        (gold, 1.0, LegendKey(pair.gold_name, "muted", "hatched")),
        (system, -1.0, LegendKey(pair.system_name, "accent", "solid")),
    )
    bars = tuple(
        ChartBars(histogram.middles, histogram.half_width, sign * histogram.shares, key)
        for histogram, sign, key in sides
    )
    left = min(low, *(float(histogram.middles[0] - histogram.half_width) for histogram in (gold, system)))
    right = max(high, *(float(histogram.middles[-1] + histogram.half_width) for histogram in (gold, system)))
    bounds = (left, right, -float(system.shares.max()), float(gold.shares.max()))
    caption = _scale_sentence(pair, gold, system)
    points = _bar_points(pair, gold, system)
    chart = AxisChart(
        tr("score"), tr("segments"), bounds, bars=bars, points=points, is_percent=True, description=caption
    )  # fmt: skip

    def numbers() -> ChartTable:
        return ChartTable.of_columns(
            of=["gold"] * len(gold.shares) + ["system"] * len(system.shares),
            middle=np.concatenate([gold.middles, system.middles]),
            share=np.concatenate([gold.shares, system.shares]),
        )

    legend = tr("Bars: shares of {n:,} {n:segment|segments}", "", len(pair.gold))
    return Panel(tr("Values"), chart, caption, numbers, legend=legend)


def _bar_points(pair: ScorePair, gold: HistogramBars, system: HistogramBars) -> ChartPoints:
    """Return a point at the end of each bar, with a link to the segment with the largest error in the bar."""
    errors = np.abs(pair.scores - pair.gold)
    worst_segments = np.concatenate([farthest_in_bars(histogram.bar_indices, errors) for histogram in (gold, system)])
    heights = np.concatenate([gold.shares, -system.shares])
    series = np.repeat([0, 1], [len(gold.shares), len(system.shares)])

    def describe_bar(index: int) -> str:
        histogram, name = (system, pair.system_name) if series[index] else (gold, pair.gold_name)
        bar = index - len(gold.shares) if series[index] else index
        share, number = 100 * float(histogram.shares[bar]), pair.request.number
        worst = pair.describe_segment(int(worst_segments[index]))
        if histogram.discrete:
            return tr(
                "{share:.1f} % of the segments have the value {value} in {name}; their largest error is in {segment}",
                name=name, share=share, value=number(float(histogram.middles[bar])), segment=worst,
            )  # fmt: skip
        return tr(
            "{share:.1f} % of the segments have values from {low} to {high} in {name}; "
                "their largest error is in {segment}",
            name=name, share=share, low=number(float(histogram.low[bar])),
            high=number(float(histogram.high[bar])), segment=worst,
        )  # fmt: skip

    return ChartPoints(
        np.concatenate([gold.middles, system.middles]), heights, describe_bar,
        lambda index: pair.goal(int(worst_segments[index])),
        half_width=np.concatenate([np.full(len(histogram.shares), histogram.half_width) for histogram in (gold,
        system)]),
        series=series,
    )  # fmt: skip


def _scale_sentence(pair: ScorePair, gold: HistogramBars, system: HistogramBars) -> str:
    """Return a sentence on constant or discrete scores, or on the MAE of scores rounded to the gold's values.

    The sentence is empty if none of these applies.
    """
    scale = detect_scale(pair.gold)
    if system.discrete and len(system.shares) == 1:
        return tr("{system} is constant.", system=pair.system_name)
    if scale is None:
        few_values_note = tr(
            "{system} has only {n} different {n:score|scores}.", "", len(system.shares), system=pair.system_name
        )
        return few_values_note if system.discrete else ""
    if len(scale) == 1:
        return tr("The gold is constant.")
    if np.isin(pair.scores, scale).all():
        return tr("{system} uses only the {n} {n:value|values} of the gold.", "", len(scale), system=pair.system_name)
    mae = float(np.abs(round_to_scale(pair.scores, scale) - pair.gold).mean())
    return tr(
        "The gold has {n} {n:value|values}; {system} also has other scores. With scores rounded to the gold's "
        "values, the MAE would be {rounded} instead of {mae}.",
        "", len(scale), system=pair.system_name, rounded=pair.request.number(mae), mae=pair.request.number(pair.mae),
    )  # fmt: skip


def system_vs_gold_panels(request: ChartRequest) -> Panels | str:
    """Return the panels of the selected system, or a message that says why there are none."""
    reason = missing_data_message(request)
    if reason:
        return reason
    pair = ScorePair.of(request)
    sampled = sample_points(len(pair.gold))
    return (
        raw_scatter(pair, sampled),
        density_panel(pair, tr("Distributions")),
        standardised_scatter(pair, sampled),
        histogram_panel(pair),
    )
