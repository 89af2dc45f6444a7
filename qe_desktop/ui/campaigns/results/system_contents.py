"""Systems as contents of pictures, and the sentences that stand below these."""

from __future__ import annotations

import numpy as np

from qe_desktop.formats.reading import counted
from qe_desktop.outgoing import short_names
from qe_desktop.ratings.findings import Ranking, Results
from qe_desktop.ratings.shapes import Spread
from qe_desktop.ui.campaigns.results.figure_columns import FigureColumn, figure_text, interval_of
from qe_desktop.ui.campaigns.results.pictures.contents import Boxes, Shares
from qe_desktop.ui.campaigns.results.systems_model import cluster_ends, ranks_text
from qe_desktop.ui.parts.dots import Dot, Dots

LONG = 100
FEW_VALUES = 7
"""Scales of so many values are drawn as shares of each value, longer ones as boxes."""


def clusters_in_words(results: Results) -> str:
    """What the lines between systems say."""
    if not results.clusters:
        return ""
    count = len(results.clusters)
    if count == 1:
        return f"One cluster by {results.clusters_by}: no line can be drawn between the systems."
    if results.trueskill is not None and results.scale_ranking is None:
        return f"{count} clusters by {results.clusters_by}: no range reaches across a line."
    return (
        f"{count} clusters by {results.clusters_by}: every system above a line is significantly better than all below."
    )


def means_content(results: Results, column: FigureColumn, decimals: int) -> Dots | str:
    """The figure looked at, best system first, with intervals and the lines between clusters."""
    rows, ends = [], []
    breaks = cluster_ends(results)
    names = short_names([system.name for system in results.systems])
    for place, system in enumerate(results.systems):
        value = column.value(system)
        if value is not None:
            low, high = column.interval(system) or (None, None)
            said = f"{system.name}: {column.header} {figure_text(value, decimals)}"
            if low is not None and high is not None:
                said += f", 95 % interval {interval_of(low, high, decimals)}"
            rows.append(Dot(names[place], value, low, high, said))
        if place in breaks and rows:
            ends.append(len(rows) - 1)
    if not rows:
        return f"No system has a value of {column.header}."
    return Dots(column.about, tuple(rows), tuple(dict.fromkeys(ends)), zero=True)


def means_caption(results: Results, column: FigureColumn) -> str:
    """What the picture of a figure shows, and over how much."""
    on_scales = column.key not in _WINS
    parts = [system.scores.segments if on_scales and system.scores else 0 for system in results.systems]
    # a judgement is one of each of its two systems
    judged = sum(system.wins.judgements for system in results.systems if system.wins is not None) // 2
    n, what = (sum(parts), "segments rated, system by system") if on_scales else (judged, "judgements")
    bars = any(column.interval(system) is not None for system in results.systems)
    covered = f"{100 * (1 - results.options.alpha):.0f} %"
    said = f"Bars are {covered} bootstrap intervals over segments. " if bars else ""
    lines = " Dashed lines stand between clusters." if len(results.clusters) > 1 else ""
    return f"{said}{n:,} {what}.{lines}"


_WINS = ("at-least", "strictly", "ignoring", "half", "expected-wins", "bradley-terry", "trueskill")


def ranks_content(results: Results) -> Dots | str:
    """The range of ranks that the data leaves open for each system."""
    names = short_names([system.name for system in results.systems])
    rows = [
        Dot(
            f"{names[place]}  {ranks_text(system.rank_low, system.rank_high)}",
            place + 1.0,
            float(system.rank_low),
            float(system.rank_high),
            f"{system.name}: ranks {ranks_text(system.rank_low, system.rank_high)}",
        )
        for place, system in enumerate(results.systems)
        if system.rank_low is not None and system.rank_high is not None
    ]
    if not rows:
        return "There are too few ratings to say which ranks are possible."
    bounds = (0.6, len(results.systems) + 0.4)
    return Dots("rank", tuple(rows), tuple(sorted(cluster_ends(results))), bounds=bounds, whole=True)


def ranks_caption(results: Results) -> str:
    """Where the ranges come from."""
    if results.trueskill is not None and results.ranked and not results.scales:
        found = results.trueskill
        return (
            f"95 % of {counted(found.runs, 'bootstrap run')} of TrueSkill over {found.comparisons:,} judgements; "
            "systems whose ranges overlap may stand in either order."
        )
    ranking: Ranking | None = results.scale_ranking or results.wins_ranking
    method = "" if ranking is None else f" ({ranking.method})"
    return f"A system can stand above those that do not beat it significantly{method}."


def spread_content(spread: Spread, names: list[str], scale: str) -> Shares | Boxes | str:
    """How the ratings of each system spread, the best system at the top."""
    places = [spread.systems.index(name) for name in names if name in spread.systems]
    places = [place for place in places if spread.counts[place].sum()]
    if not places:
        return f"Nothing was rated on {scale}."
    shown = tuple(spread.systems[place] for place in places)
    if spread.bins.by_value and len(spread.bins) <= FEW_VALUES:
        values = tuple(f"{value:g}" for value in spread.bins.centres)
        return Shares(f"share of each value of {scale}", short_names(shown), values, spread.counts[places])
    quantiles, edges = spread.quantiles[places], spread.bins.edges
    # a scale of 0 to 100 is drawn whole; one without ends as far as most values go
    ends = edges if edges[0] == 0 and edges[-1] == LONG else quantiles[:, [0, -1]].ravel()
    return Boxes(scale, short_names(shown), quantiles, (float(ends.min()), float(ends.max())))


def spread_caption(spread: Spread, scale: str) -> str:
    """What the picture of a spread shows, and over how many ratings."""
    n = int(np.sum(spread.counts))
    if spread.bins.by_value and len(spread.bins) <= FEW_VALUES:
        low, high = spread.bins.centres[0], spread.bins.centres[-1]
        return f"{counted(n, 'rating')}; from {low:g} at the left (orange) to {high:g} at the right (blue), in percent."
    return (
        f"{counted(n, 'rating')}; the box holds the middle half, the tick is the median, the line goes from p10 to p90."
    )
