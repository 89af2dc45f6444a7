"""What systems would gain in MAE and RMSE by rescaling alone (Graham 2015, tables 2 and 3, figure 2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from qe_desktop.levels.drawings import Chart, Key, Moves, Numbers, Panel, Panels
from qe_desktop.levels.level import Asked
from qe_desktop.levels.sentences.kept import kept_scores
from qe_desktop.levels.sentences.pictures.pair import Pair, missing, short
from qe_desktop.levels.sentences.pictures.spread_panels import densities
from qe_desktop.levels.sentences.rescaling import Errors, errors_if_rescaled, rescaled
from qe_desktop.metrics.family import Floats
from qe_desktop.wording import tr

KEYS = (Key(tr("as given"), "accent", "dot"), Key(tr("rescaled"), "bad", "ring"))


def if_rescaled(asked: Asked) -> Panels | str:
    """The errors of all systems, and the densities of the one that is looked at, as given and rescaled."""
    why = missing(asked)
    if why:
        return why
    gold = kept_scores(asked, asked.reference)
    errors = errors_if_rescaled([kept_scores(asked, key) for key in asked.subjects], gold)

    def numbers() -> Numbers:
        names = [key.shown for key in asked.subjects]
        return Numbers.of_columns(
            system=names, MAE=errors.mae, MAE_rescaled=errors.rescaled_mae,
            RMSE=errors.rmse, RMSE_rescaled=errors.rescaled_rmse,
        )  # fmt: skip

    panels = (
        replace(_moves(asked, "MAE", errors.mae, errors.rescaled_mae), numbers=numbers),
        replace(_moves(asked, "RMSE", errors.rmse, errors.rescaled_rmse), numbers=numbers),
    )
    return *panels, *_spreads(asked, errors)


def _moves(asked: Asked, metric: str, given: Floats, would: Floats) -> Panel:
    order = np.argsort(given, kind="stable")
    names, number = [short(asked.subjects[place]) for place in order], asked.number
    said = tuple(
        _said(name, metric, number(float(given[place])), float(would[place]), number)
        for name, place in zip(names, order, strict=True)
    )
    moves = Moves(metric, tuple(names), given[order], would[order], KEYS, said)
    lower, known = int(np.sum(would < given)), int(np.isfinite(would).sum())
    caption = tr(
        "With the mean of the gold and half its deviation, {lower} of {n} {n:system|systems} would have a lower "
        "{metric}. r stays the same.",
        "", known, lower=lower, metric=metric,
    )  # fmt: skip
    return Panel(tr("{metric}: less is better", metric=metric), moves, caption)


def _said(name: str, metric: str, given: str, would: float, number: Callable[[float], str]) -> str:
    if np.isnan(would):
        return tr(
            "{name}: {metric} {given}; every segment has the same score, so there is nothing to rescale",
            name=name, metric=metric, given=given,
        )  # fmt: skip
    return tr(
        "{name}: {metric} {given}, rescaled it would be {would}",
        name=name, metric=metric, given=given, would=number(would),
    )  # fmt: skip


def _spreads(asked: Asked, errors: Errors) -> Panels:
    pair, number = Pair.of(asked), asked.number
    as_given = densities(pair, tr("As given: MAE {mae}", mae=number(float(errors.mae[asked.chosen]))))
    changed = rescaled(pair.scores, pair.gold)
    title = tr("Rescaled: MAE {mae}", mae=number(float(errors.rescaled_mae[asked.chosen])))
    if np.isnan(changed).any():
        words = tr("{system} gives every segment the same score: there is nothing to rescale.", system=pair.system_name)
        return as_given, Panel(title, words)
    return _on_one_scale(as_given, densities(replace(pair, scores=changed), title))


def _on_one_scale(one: Panel, other: Panel) -> Panels:
    """Both with the same axes, so that what changed can be seen."""
    if not isinstance(one.drawing, Chart) or not isinstance(other.drawing, Chart):
        return one, other
    first, second = one.drawing.bounds, other.drawing.bounds
    low, high = min(first[0], second[0]), max(first[1], second[1])
    bounds = (low, high, min(first[2], second[2]), max(first[3], second[3]))
    left, right = (replace(panel.drawing, bounds=bounds) for panel in (one, other) if isinstance(panel.drawing, Chart))
    return replace(one, drawing=left), replace(other, drawing=right)
