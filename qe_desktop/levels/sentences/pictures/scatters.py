"""A dot for each segment: its score beside the gold, as given and standardised (Graham 2015, figure 3)."""

from __future__ import annotations

import numpy as np

from qe_desktop.levels.drawings import Chart, Ints, Key, Line, Panel, Points
from qe_desktop.levels.sentences.pictures.pair import Pair
from qe_desktop.metrics.correlation import standard
from qe_desktop.metrics.family import Floats
from qe_desktop.wording import side_by_side, tr

MOST_POINTS = 2_000
"""Dots that are drawn at the most: more could not be told apart, and would keep the window waiting."""
FAR_APART = 5.0
"""How many times as long as the shorter range an axis for both may be."""


def thinned(segments: int) -> Ints:
    """The segments that are drawn as dots: all, or as many as can be told apart, drawn by lot from a fixed seed."""
    if segments <= MOST_POINTS:
        return np.arange(segments)
    chosen = np.random.default_rng(1).choice(segments, MOST_POINTS, replace=False, shuffle=False)
    return np.sort(chosen)


def _thinned_sentence(drawn: Ints, segments: int) -> str:
    if len(drawn) == segments:
        return ""
    return tr("{drawn:,} of {n:,} segments are drawn, chosen by lot.", "", segments, drawn=len(drawn))


def _points(pair: Pair, drawn: Ints, x: Floats, y: Floats) -> Points:
    return Points(
        x[drawn], y[drawn], lambda place: pair.say(int(drawn[place])), lambda place: pair.goal(int(drawn[place]))
    )


def as_given(pair: Pair, drawn: Ints) -> Panel:
    """The scores on the scale that they were given on, beside a line where they would be the gold."""
    low, high, lowest, highest = bounds = _bounds(pair)
    ends = np.asarray([max(low, lowest), min(high, highest)])
    same = Line(ends, ends, Key(tr("the same as the gold"), "muted", "dashed"))
    mae = pair.asked.number(pair.mae)
    said = tr(
        "{system} beside {gold_name}, {n:,} {n:segment|segments}: MAE {mae}", "", len(pair.gold),
        system=pair.system_name, gold_name=pair.gold_name, mae=mae,
    )  # fmt: skip
    chart = Chart(
        pair.system_name, pair.gold_name, bounds, lines=(same,) if ends[0] < ends[1] else (),
        points=_points(pair, drawn, pair.scores, pair.gold), dots=(Key("", "accent", "dot"),), said=said,
    )  # fmt: skip
    title = tr("As given: MAE {mae}", mae=mae)
    return Panel(title, chart, _thinned_sentence(drawn, len(pair.gold)), pair.numbers)


def _bounds(pair: Pair) -> tuple[float, float, float, float]:
    """One range for both axes; a range of its own for each where one of them would be a line on the other's."""
    low, high = pair.range
    spreads = [float(np.ptp(values)) for values in (pair.scores, pair.gold)]
    if min(spreads) == 0 or (high - low) <= FAR_APART * min(spreads):
        return low, high, low, high
    return float(pair.scores.min()), float(pair.scores.max()), float(pair.gold.min()), float(pair.gold.max())


def standardised(pair: Pair, drawn: Ints) -> Panel:
    """Both in standard deviations from their means: what r is made of."""
    title = tr("Standardised: r {r}", r=pair.asked.number(pair.r))
    if np.isnan(pair.r):
        return Panel(title, _undefined_sentence(pair), "", pair.numbers)
    x, y = standard(pair.scores), standard(pair.gold)
    low, high, lowest, highest = float(x.min()), float(x.max()), float(y.min()), float(y.max())
    # no further than can be seen: a file would show it all
    reach = sorted((lowest / pair.r, highest / pair.r)) if pair.r else (low, high)
    ends = np.asarray([max(low, reach[0]), min(high, reach[1])])
    rises = Line(ends, pair.r * ends, Key(tr("rises by r"), "muted", "dashed"))
    said = tr(
        "{system} beside {gold_name}, in standard deviations from the mean of each: r {r}",
        system=pair.system_name, gold_name=pair.gold_name, r=pair.asked.number(pair.r),
    )  # fmt: skip
    chart = Chart(
        pair.system_name,
        pair.gold_name,
        (low, high, lowest, highest), lines=(rises,), points=_points(pair, drawn, x, y),
        dots=(Key("", "accent", "dot"),), said=said,
    )  # fmt: skip
    words = (tr("In standard deviations from the mean of each."), _thinned_sentence(drawn, len(pair.gold)))
    return Panel(title, chart, side_by_side(" ", [one for one in words if one]), pair.numbers)


def _undefined_sentence(pair: Pair) -> str:
    """Whose numbers are all alike, so that no r is defined."""
    constant, name = (pair.scores, pair.system_name)
    if pair.gold.min() == pair.gold.max():
        constant, name = pair.gold, pair.gold_name
    value = pair.asked.number(float(constant[0]))
    return tr("r is undefined: {name} gives every segment the same, {value}.", name=name, value=value)
