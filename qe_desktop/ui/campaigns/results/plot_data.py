"""Chart data as plain values, without the plotting library, and the data and captions of charts of systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.escaping import shorten_names
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.protocols import find_scale
from qe_desktop.ratings.results.distributions import SystemDistribution
from qe_desktop.ratings.results.result_types import RatingResults, SystemRanking
from qe_desktop.report import Table
from qe_desktop.ui.campaigns.results.statistic_columns import StatisticColumn
from qe_desktop.ui.campaigns.results.systems_table import cluster_ends, ranks_text
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData, IntervalRow, interval_table


@dataclass(frozen=True, slots=True, eq=False)
class ValueCounts:
    """Frequency of each value per row; `counts` has shape (rows, values).

    `labels` are the texts for `values`: each value and, for the lowest and highest, its name on the scale, if any.
    """

    title: str
    names: tuple[str, ...]
    values: tuple[str, ...]
    labels: tuple[str, ...]
    counts: Ints


@dataclass(frozen=True, slots=True, eq=False)
class BoxPlotData:
    """Distribution per row; `quantiles` has shape (rows, 5): p10, p25, median, p75, p90."""

    title: str
    names: tuple[str, ...]
    quantiles: Floats
    bounds: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Counts of values in bins between consecutive `edges`; `ticks` are positions and labels on the axis."""

    title: str
    edges: Floats
    counts: Ints
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class PaceSeries:
    """Seconds per item in rating order, and their median."""

    title: str
    seconds: Floats
    median: float


@dataclass(frozen=True, slots=True, eq=False)
class RepeatedPairs:
    """Pairs of ratings of items rated twice, or of original and degraded outputs; both axes range over `bounds`."""

    title: str
    first: Floats
    second: Floats
    bounds: tuple[float, float]
    axis_titles: tuple[str, str] = (tr("first rating"), tr("second rating"))


def content_table(content: PlotContent) -> Table:
    """Return the numbers of a chart as a table."""
    if isinstance(content, IntervalPlotData):
        return interval_table(content)
    rows: list[tuple[Any, ...]]
    if isinstance(content, ValueCounts):
        rows = [(name, *row) for name, row in zip(content.names, content.counts.tolist(), strict=True)]
        return Table("", ("name", *content.values), tuple(rows))
    if isinstance(content, BoxPlotData):
        rows = [(name, *row) for name, row in zip(content.names, content.quantiles.tolist(), strict=True)]
        return Table("", ("name", "p10", "p25", "median", "p75", "p90"), tuple(rows))
    if isinstance(content, Histogram):
        rows = list(
            zip(*(column.tolist() for column in (content.edges[:-1], content.edges[1:], content.counts)), strict=True)
        )
        return Table("", ("from", "to", "count"), tuple(rows))
    if isinstance(content, PaceSeries):
        return Table("", ("item", "seconds"), tuple(enumerate(content.seconds.tolist(), start=1)))
    return Table("", ("first", "second"), tuple(zip(content.first.tolist(), content.second.tolist(), strict=True)))


PlotContent = IntervalPlotData | ValueCounts | BoxPlotData | Histogram | PaceSeries | RepeatedPairs


LONG_SCALE = 100
MIN_TESTED_SEGMENTS = 3
"""Minimum number of segments per system; with fewer, no rank-sum test can have a p-value below 0.05."""
MAX_BAR_VALUES = 7
"""Maximum number of values on a scale drawn with stacked bars; box plots are drawn for longer scales."""


def describe_clusters(results: RatingResults) -> str:
    """Return an explanation of the cluster lines; empty if there are no clusters."""
    if not results.clusters:
        return ""
    if len(results.systems) == 1:
        return tr("Only one system has ratings, so there is nothing to compare.")
    count, by = len(results.clusters), results.cluster_method
    if all(system.scores is not None and system.scores.segments < MIN_TESTED_SEGMENTS for system in results.systems):
        return tr("There are too few ratings for a significance test: fewer than 3 segments per system.")
    if count == 1:
        ranking = results.scale_ranking or results.wins_ranking
        if ranking is not None and not results.has_trueskill_clusters and not ranking.beats.any():
            return tr("No significant difference was found between the systems ({method}).", method=by)
        if ranking is None or results.has_trueskill_clusters or not ranking.beats.any():
            return tr("The systems form one cluster by {method}, because their rank ranges overlap.", method=by)
        return _describe_chain(results, ranking)
    if results.has_trueskill_clusters:
        return tr(
            "{n} {n:cluster|clusters} by {method}: rank ranges do not overlap across a line.", "", count, method=by
        )
    return tr(
        "{n} {n:cluster|clusters} by {method}: systems above a line are significantly better than all systems below "
        "it.",
        "", count, method=by,
    )  # fmt: skip


def _describe_chain(results: RatingResults, ranking: SystemRanking) -> str:
    """Return a text that explains why systems form one cluster although some pairs differ significantly."""
    better, worse = (int(index) for index in np.argwhere(ranking.beats)[0])
    shown = shorten_names(ranking.systems)
    linked = [
        name for index, name in enumerate(shown)
        if index not in (better, worse) and not ranking.beats[better, index] and not ranking.beats[index, worse]
    ]  # fmt: skip
    if int(ranking.beats.sum()) > 1 or not linked:
        return tr(
            "Some pairs of systems differ significantly by {method}. All systems form one cluster, because no group "
            "of systems is significantly better than all the others.",
            method=results.cluster_method,
        )
    return tr(
        "{better} is significantly better than {worse} by {method}. All systems form one cluster, because {linked} "
        "does not differ significantly from either.",
        better=shown[better],
        worse=shown[worse],
        linked=linked[0],
        method=results.cluster_method,
    )


def means_plot_data(results: RatingResults, column: StatisticColumn, decimals: int) -> IntervalPlotData | str:
    """Return an interval chart of a statistic, with cluster lines, or a message if no system has a value.

    The systems are in the order of `results`, which may differ from the order of the values.
    """
    rows, ends = [], []
    breaks = cluster_ends(results)
    names = shorten_names([system.name for system in results.systems])
    for index, system in enumerate(results.systems):
        value = column.value(system)
        if value is not None:
            low, high = column.interval(system) or (None, None)
            description, label = column.describe(system, decimals), column.text(system, decimals)
            rows.append(IntervalRow(names[index], value, low, high, description, label))
        if index in breaks and rows:
            ends.append(len(rows) - 1)
    if not rows:
        return tr("No system has a value for {figure}.", figure=column.name)
    return IntervalPlotData(column.description, tuple(rows), tuple(dict.fromkeys(ends)), has_zero_line=True)


def means_caption(results: RatingResults, column: StatisticColumn) -> str:
    """Return the caption of a statistic's chart, with the sample size."""
    on_scales = not column.is_from_judgements
    segments = [system.scores.segments if on_scales and system.scores else 0 for system in results.systems]
    # each judgement involves two systems
    judged = sum(system.wins.judgements for system in results.systems if system.wins is not None) // 2
    sentences = []
    if any(column.interval(system) is not None for system in results.systems):
        covered = 100 * (1 - results.options.alpha)
        sentences.append(tr("Bars: {covered:.0f} % bootstrap intervals over segments.", covered=covered))
    if on_scales:
        sentences.append(tr("{n:,} rated {n:output|outputs} across all systems.", "", sum(segments)))
    else:
        sentences.append(tr("{n:,} {n:comparison|comparisons} of two systems.", "", judged))
        if judged > sum(page.rankings.judgements for page in results.raters if page.rankings is not None):
            shared = tr("A translation shared by several systems counts for each of them, and as a tie between them.")
            sentences.append(shared)
    if len(results.clusters) > 1:
        sentences.append(tr("Dashed lines separate clusters."))
    return " ".join(sentences)


def ranks_plot_data(results: RatingResults) -> IntervalPlotData | str:
    """Return a chart of the rank range of each system, or a message if there are no rank ranges."""
    names = shorten_names([system.name for system in results.systems])
    rows = []
    for index, system in enumerate(results.systems):
        low, high = system.rank_low, system.rank_high
        if low is not None and high is not None:
            ranks = ranks_text(low, high)
            tip = tr("{system}: rank {ranks}", system=system.name, ranks=ranks)
            rows.append(IntervalRow(f"{names[index]}  {ranks}", index + 1.0, float(low), float(high), tip))
    if not rows:
        is_single = len(results.systems) == 1
        return tr("At least two systems are needed for ranks.") if is_single else tr("Too few ratings for rank ranges.")
    bounds = (0.6, len(results.systems) + 0.4)
    return IntervalPlotData(
        tr("rank"), tuple(rows), tuple(sorted(cluster_ends(results))), bounds=bounds, has_integer_ticks=True
    )


def ranks_caption(results: RatingResults) -> str:
    """Return a caption that describes how the rank ranges in the chart are determined."""
    if results.trueskill is not None and results.has_rankings and not results.scales:
        skills = results.trueskill
        return tr(
            "TrueSkill ranks in 95 % of {n:,} bootstrap {n:resample|resamples} of {comparisons:,} "
            "{comparisons:comparison|comparisons} of two systems. The order of systems with overlapping ranges is "
            "uncertain.",
            "", skills.runs, comparisons=skills.comparisons,
        )  # fmt: skip
    ranking: SystemRanking | None = results.scale_ranking or results.wins_ranking
    if ranking is None:
        return tr("A system can rank above any other that is not significantly better than it.")
    return tr(
        "A system can rank above any other that is not significantly better than it ({method}).", method=ranking.method
    )


def spread_plot_data(spread: SystemDistribution, names: list[str], scale: str) -> ValueCounts | BoxPlotData | str:
    """Return the distribution of each system's ratings in the order of `names`, or a message if there are no ratings.

    If the scale has at most `MAX_BAR_VALUES` values, a distribution is the count of each value; otherwise, it consists
    of quantiles.
    """
    indices = [spread.systems.index(name) for name in names if name in spread.systems]
    indices = [index for index in indices if spread.counts[index].sum()]
    if not indices:
        return tr("No ratings on {scale}.", scale=scale)
    systems = tuple(spread.systems[index] for index in indices)
    if spread.bins.by_value and len(spread.bins) <= MAX_BAR_VALUES:
        values = tuple(f"{value:g}" for value in spread.bins.centres)
        counts = spread.counts[indices]
        title = tr(
            "percentage of each value of {scale}, {n:,} {n:rating|ratings}", "", int(np.sum(counts)), scale=scale
        )
        return ValueCounts(title, shorten_names(systems), values, value_labels(values, scale), counts)
    quantiles, edges = spread.quantiles[indices], spread.bins.edges
    # draw a 0–100 scale in full, other scales from the lowest p10 to the highest p90
    ends = edges if edges[0] == 0 and edges[-1] == LONG_SCALE else quantiles[:, [0, -1]].ravel()
    return BoxPlotData(scale, shorten_names(systems), quantiles, (float(ends.min()), float(ends.max())))


def value_labels(values: Sequence[str], scale: str) -> tuple[str, ...]:
    """Return one label per value.

    If the lowest and the highest value are the ends of a protocol's scale, their labels also contain the names of the
    ends.
    """
    answer = find_scale(scale)
    ends = () if answer is None else (f"{answer.min_value}", f"{answer.max_value}")
    if answer is None or (values[0], values[-1]) != ends:
        return tuple(values)
    return tuple(f"{value} {answer.label(float(value))}" if value in ends else value for value in values)


def spread_caption(spread: SystemDistribution) -> str:
    """Return the caption of a distribution chart."""
    if spread.bins.by_value and len(spread.bins) <= MAX_BAR_VALUES:
        low, high = spread.bins.centres[0], spread.bins.centres[-1]
        return tr("Values from {low:g} on the left (orange) to {high:g} on the right (blue).", low=low, high=high)
    n = int(np.sum(spread.counts))
    return tr("{n:,} {n:rating|ratings}. Box: middle 50 %; tick: median; line: 10th to 90th percentile.", "", n)
