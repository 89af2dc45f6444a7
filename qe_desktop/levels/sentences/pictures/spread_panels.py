"""How the gold and a system's scores spread: their densities (Graham 2015, figure 3), and their values (figure 1)."""

from __future__ import annotations

import numpy as np

from qe_desktop.levels.drawings import Bars, Chart, Key, Line, Numbers, Panel, Points
from qe_desktop.levels.sentences.pictures.pair import Pair
from qe_desktop.levels.sentences.spreads import Shares, bins_of, density, farthest, rounded, scale_of, shares
from qe_desktop.wording import side_by_side, tr


def densities(pair: Pair, title: str) -> Panel:
    """How the gold and the scores spread."""
    number = pair.asked.number
    found = [(values, key, density(values)) for values, key in zip((pair.gold, pair.scores), pair.keys, strict=True)]
    lines = tuple(Line(one.places, one.heights, key) for _, key, one in found if one is not None)
    said = [
        tr("{name}: mean {mean}, deviation {spread}",
           name=key.name, mean=number(float(values.mean())), spread=number(float(values.std())))
        for values, key, _ in found
    ]  # fmt: skip
    flat = [
        tr("{name} gives every segment the same, so it has no density", name=key.name)
        for _, key, one in found
        if one is None
    ]
    caption = side_by_side(" · ", (*said, *flat))
    if not lines:
        return Panel(title, caption)
    low = min(float(line.x[0]) for line in lines)
    high = max(float(line.x[-1]) for line in lines)
    top = max(float(line.y.max()) for line in lines)
    chart = Chart(tr("score"), tr("density"), (low, high, 0.0, top), lines=lines, said=caption)
    curves = tuple((("gold", "system")[line.key == pair.keys[1]], line) for line in lines)

    def numbers() -> Numbers:
        return Numbers.of_columns(
            of=[name for name, line in curves for _ in line.x],
            score=np.concatenate([line.x for line in lines]),
            density=np.concatenate([line.y for line in lines]),
        )

    return Panel(title, chart, caption, numbers)


def values(pair: Pair) -> Panel:
    """The shares of values, the gold's above the line and the system's below it."""
    low, high = pair.range
    # bins of one width, so that bars of both sides can be set beside each other
    bins = max(bins_of(pair.gold, low, high), bins_of(pair.scores, low, high))
    gold, system = shares(pair.gold, low, high, bins), shares(pair.scores, low, high, bins)
    sides = (
        (gold, 1.0, Key(pair.gold_name, "muted", "hatched")),
        (system, -1.0, Key(pair.system_name, "accent", "solid")),
    )
    bars = tuple(Bars(one.middles, one.half, sign * one.shares, key) for one, sign, key in sides)
    left = min(low, *(float(one.middles[0] - one.half) for one in (gold, system)))
    right = max(high, *(float(one.middles[-1] + one.half) for one in (gold, system)))
    bounds = (left, right, -float(system.shares.max()), float(gold.shares.max()))
    caption = _scale_sentence(pair, gold, system)
    points = _bar_points(pair, gold, system)
    chart = Chart(
        tr("score"), tr("segments"), bounds, bars=bars, points=points, percent=True, said=caption
    )  # fmt: skip

    def numbers() -> Numbers:
        return Numbers.of_columns(
            of=["gold"] * len(gold.shares) + ["system"] * len(system.shares),
            middle=np.concatenate([gold.middles, system.middles]),
            share=np.concatenate([gold.shares, system.shares]),
        )

    return Panel(tr("Values"), chart, caption, numbers)


def _bar_points(pair: Pair, gold: Shares, system: Shares) -> Points:
    """A bar leads to its segment that is farthest off."""
    off = np.abs(pair.scores - pair.gold)
    worst_of = np.concatenate([farthest(one.bar_of, off) for one in (gold, system)])
    heights = np.concatenate([gold.shares, -system.shares])
    series = np.repeat([0, 1], [len(gold.shares), len(system.shares)])

    def say(place: int) -> str:
        one, name = (system, pair.system_name) if series[place] else (gold, pair.gold_name)
        bar = place - len(gold.shares) if series[place] else place
        share, shown = 100 * float(one.shares[bar]), pair.asked.number
        worst = pair.say(int(worst_of[place]))
        if one.discrete:
            return tr(
                "{name} has {value} in {share:.1f} % of the segments; the one farthest off is {segment}",
                name=name, share=share, value=shown(float(one.middles[bar])), segment=worst,
            )  # fmt: skip
        return tr(
            "{name} has {low} to {high} in {share:.1f} % of the segments; the one farthest off is {segment}",
            name=name, share=share, low=shown(float(one.low[bar])), high=shown(float(one.high[bar])), segment=worst,
        )  # fmt: skip

    return Points(
        np.concatenate([gold.middles, system.middles]), heights, say,
        lambda place: pair.goal(int(worst_of[place])),
        reach=np.concatenate([np.full(len(one.shares), one.half) for one in (gold, system)]), series=series,
    )  # fmt: skip


def _scale_sentence(pair: Pair, gold: Shares, system: Shares) -> str:
    """Whether gold and system are discrete, and what scores between the gold's values gain in MAE."""
    scale = scale_of(pair.gold)
    if system.discrete and len(system.shares) == 1:
        return tr("{system} gives every segment the same score.", system=pair.system_name)
    if scale is None:
        few = tr("{system} gives only {n} different {n:score|scores}.", "", len(system.shares), system=pair.system_name)
        return few if system.discrete else ""
    if len(scale) == 1:
        return tr("The gold is the same for all segments.")
    if np.isin(pair.scores, scale).all():
        return tr("{system} gives the gold's own {n} {n:value|values} only.", "", len(scale), system=pair.system_name)
    mae = float(np.abs(rounded(pair.scores, scale) - pair.gold).mean())
    return tr(
        "The gold has {n} {n:value|values}, {system} gives scores between them. Rounded to these its MAE would be "
        "{rounded}, not {mae}.",
        "", len(scale), system=pair.system_name, rounded=pair.asked.number(mae), mae=pair.asked.number(pair.mae),
    )  # fmt: skip
