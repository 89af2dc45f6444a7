"""Systems as contents of pictures, and the sentences that stand below these."""

from __future__ import annotations

import numpy as np

from qe_desktop.escaping import shorten_names
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.results.distributions import SystemDistribution
from qe_desktop.ratings.results.result_types import RatingResults, SystemRanking
from qe_desktop.ui.campaigns.results.plot_data import BoxPlotData, ValueCounts
from qe_desktop.ui.campaigns.results.statistic_columns import StatisticColumn
from qe_desktop.ui.campaigns.results.systems_table import cluster_ends, ranks_text
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData, IntervalRow

LONG_SCALE = 100
MAX_BAR_VALUES = 7
"""Scales of so many values are drawn as shares of each value, longer ones as boxes."""


def describe_clusters(results: RatingResults) -> str:
    """What the lines between systems say."""
    if not results.clusters:
        return ""
    count, by = len(results.clusters), results.clusters_by
    if count == 1:
        return tr("One cluster by {method}: no line can be drawn between the systems.", method=by)
    if results.trueskill is not None and results.scale_ranking is None:
        return tr("{n} {n:cluster|clusters} by {method}: no range reaches across a line.", "", count, method=by)
    return tr(
        "{n} {n:cluster|clusters} by {method}: every system above a line is significantly better than all below.",
        "", count, method=by,
    )  # fmt: skip


def means_plot_data(results: RatingResults, column: StatisticColumn, decimals: int) -> IntervalPlotData | str:
    """The figure looked at, best system first, with intervals and the lines between clusters."""
    rows, ends = [], []
    breaks = cluster_ends(results)
    names = shorten_names([system.name for system in results.systems])
    for place, system in enumerate(results.systems):
        value = column.value(system)
        if value is not None:
            low, high = column.interval(system) or (None, None)
            rows.append(IntervalRow(names[place], value, low, high, column.said(system, decimals)))
        if place in breaks and rows:
            ends.append(len(rows) - 1)
    if not rows:
        return tr("No system has a value of {figure}.", figure=column.header)
    return IntervalPlotData(column.about, tuple(rows), tuple(dict.fromkeys(ends)), zero=True)


def means_caption(results: RatingResults, column: StatisticColumn) -> str:
    """What the picture of a figure shows, and over how much."""
    on_scales = not column.judged
    parts = [system.scores.segments if on_scales and system.scores else 0 for system in results.systems]
    # a judgement is one of each of its two systems
    judged = sum(system.wins.judgements for system in results.systems if system.wins is not None) // 2
    said = []
    if any(column.interval(system) is not None for system in results.systems):
        covered = 100 * (1 - results.options.alpha)
        said.append(tr("Bars are {covered:.0f} % bootstrap intervals over segments.", covered=covered))
    if on_scales:
        said.append(tr("{n:,} {n:segment|segments} rated, system by system.", "", sum(parts)))
    else:
        said.append(tr("{n:,} {n:judgement|judgements}.", "", judged))
    if len(results.clusters) > 1:
        said.append(tr("Dashed lines stand between clusters."))
    return " ".join(said)


def ranks_plot_data(results: RatingResults) -> IntervalPlotData | str:
    """The range of ranks that the data leaves open for each system."""
    names = shorten_names([system.name for system in results.systems])
    rows = []
    for place, system in enumerate(results.systems):
        low, high = system.rank_low, system.rank_high
        if low is not None and high is not None:
            ranks = ranks_text(low, high)
            said = tr("{system}: ranks {ranks}", system=system.name, ranks=ranks)
            rows.append(IntervalRow(f"{names[place]}  {ranks}", place + 1.0, float(low), float(high), said))
    if not rows:
        return tr("There are too few ratings to say which ranks are possible.")
    bounds = (0.6, len(results.systems) + 0.4)
    return IntervalPlotData(tr("rank"), tuple(rows), tuple(sorted(cluster_ends(results))), bounds=bounds, whole=True)


def ranks_caption(results: RatingResults) -> str:
    """Where the ranges come from."""
    if results.trueskill is not None and results.ranked and not results.scales:
        found = results.trueskill
        return tr(
            "95 % of {n:,} {n:bootstrap run|bootstrap runs} of TrueSkill over {judgements:,} "
            "{judgements:judgement|judgements}; "
            "systems whose ranges overlap may stand in either order.",
            "", found.runs, judgements=found.comparisons,
        )  # fmt: skip
    ranking: SystemRanking | None = results.scale_ranking or results.wins_ranking
    if ranking is None:
        return tr("A system can stand above those that do not beat it significantly.")
    return tr("A system can stand above those that do not beat it significantly ({method}).", method=ranking.method)


def spread_plot_data(spread: SystemDistribution, names: list[str], scale: str) -> ValueCounts | BoxPlotData | str:
    """How the ratings of each system spread, the best system at the top."""
    places = [spread.systems.index(name) for name in names if name in spread.systems]
    places = [place for place in places if spread.counts[place].sum()]
    if not places:
        return tr("Nothing was rated on {scale}.", scale=scale)
    shown = tuple(spread.systems[place] for place in places)
    if spread.bins.by_value and len(spread.bins) <= MAX_BAR_VALUES:
        values = tuple(f"{value:g}" for value in spread.bins.centres)
        title = tr("share of each value of {scale}", scale=scale)
        return ValueCounts(title, shorten_names(shown), values, spread.counts[places])
    quantiles, edges = spread.quantiles[places], spread.bins.edges
    # a scale of 0 to 100 is drawn whole; one without ends as far as most values go
    ends = edges if edges[0] == 0 and edges[-1] == LONG_SCALE else quantiles[:, [0, -1]].ravel()
    return BoxPlotData(scale, shorten_names(shown), quantiles, (float(ends.min()), float(ends.max())))


def spread_caption(spread: SystemDistribution, scale: str) -> str:
    """What the picture of a spread shows, and over how many ratings."""
    n = int(np.sum(spread.counts))
    if spread.bins.by_value and len(spread.bins) <= MAX_BAR_VALUES:
        low, high = spread.bins.centres[0], spread.bins.centres[-1]
        return tr(
            "{n:,} {n:rating|ratings}; from {low:g} at the left (orange) to {high:g} at the right (blue), in percent.",
            "", n, low=low, high=high,
        )  # fmt: skip
    return tr(
        "{n:,} {n:rating|ratings}; the box holds the middle half, the tick is the median, "
        "the line goes from p10 to p90.",
        "", n,
    )  # fmt: skip
