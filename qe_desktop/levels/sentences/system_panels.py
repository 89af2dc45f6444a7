"""Panels of all systems: gain from rescaling alone, and correlations between systems (Graham 2015)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import AxisChart, ChangeChart, ChartTable, HeatMap, LegendKey, Panel, Panels
from qe_desktop.levels.level import ChartRequest, scores_in_scored_segments
from qe_desktop.levels.sentences.gold_panels import ScorePair, density_panel, missing_data_message, shorten_name
from qe_desktop.metrics.correlation import pearson_matrix, standardize

DEVIATION_SHARE = 0.5
"""Standard deviation of rescaled scores, as a fraction of the standard deviation of the gold."""


def rescale_scores(scores: Floats, gold: Floats) -> Floats:
    """Rescale scores to the mean and `DEVIATION_SHARE` times the standard deviation of the gold; shape (segments,).

    (x − mean x) / sd x · `DEVIATION_SHARE` · sd gold + mean gold, where x are the scores; NaN for constant scores.
    """
    if len(scores) == 0 or scores.min() == scores.max():
        return np.full(len(scores), np.nan)
    return np.asarray(standardize(scores) * (DEVIATION_SHARE * gold.std()) + gold.mean())


@dataclass(frozen=True, slots=True, eq=False)
class RescalingErrors:
    """MAE and RMSE of the original and the rescaled scores of systems, shape (systems,) each.

    `rescaled_mae` and `rescaled_rmse` are NaN for systems with constant scores. All values are NaN if there are no
    segments.
    """

    mae: Floats
    rmse: Floats
    rescaled_mae: Floats
    rescaled_rmse: Floats


def rescaling_errors(systems: Sequence[Floats], gold: Floats) -> RescalingErrors:
    """Return the errors of systems before and after rescaling (Graham 2015, tables 2 and 3, figure 2).

    The gold and the scores of each system have shape (segments,).
    """
    original = [_errors(scores, gold) for scores in systems]
    rescaled = [_errors(rescale_scores(scores, gold), gold) for scores in systems]
    columns = np.asarray([(*before, *after) for before, after in zip(original, rescaled, strict=True)], float).reshape(
        -1, 4
    )
    return RescalingErrors(*columns.T)


def _errors(scores: Floats, gold: Floats) -> tuple[float, float]:
    if len(gold) == 0:
        return np.nan, np.nan
    differences = scores - gold
    return float(np.abs(differences).mean()), float(np.sqrt(np.mean(differences**2)))


RESCALING_KEYS = (LegendKey(tr("original"), "accent", "dot"), LegendKey(tr("rescaled"), "bad", "ring"))


def rescaling_panels(request: ChartRequest) -> Panels | str:
    """Return charts of the errors of all systems, and of the selected system's scores, before and after rescaling.

    If there is nothing to plot, return a message that says why.
    """
    reason = missing_data_message(request)
    if reason:
        return reason
    gold = scores_in_scored_segments(request, request.reference)
    errors = rescaling_errors([scores_in_scored_segments(request, key) for key in request.subjects], gold)

    def numbers() -> ChartTable:
        names = [key.display_name for key in request.subjects]
        return ChartTable.of_columns(
            system=names, MAE=errors.mae, MAE_rescaled=errors.rescaled_mae,
            RMSE=errors.rmse, RMSE_rescaled=errors.rescaled_rmse,
        )  # fmt: skip

    panels = (
        replace(_error_change_panel(request, "MAE", errors.mae, errors.rescaled_mae), make_table=numbers),
        replace(_error_change_panel(request, "RMSE", errors.rmse, errors.rescaled_rmse), make_table=numbers),
    )
    return *panels, *_distribution_panels(request, errors)


def _error_change_panel(request: ChartRequest, metric: str, original: Floats, rescaled: Floats) -> Panel:
    order = np.argsort(original, kind="stable")
    names, number = [shorten_name(request.subjects[index]) for index in order], request.number
    descriptions = tuple(
        _point_text(name, metric, number(float(original[index])), float(rescaled[index]), number)
        for name, index in zip(names, order, strict=True)
    )
    chart = ChangeChart(metric, tuple(names), original[order], rescaled[order], RESCALING_KEYS, descriptions)
    lower, defined_count = int(np.sum(rescaled < original)), int(np.isfinite(rescaled).sum())
    if defined_count:
        caption = tr(
            "With scores rescaled to the mean of the gold and half its standard deviation, {lower} of {n} "
            "{n:system|systems} would have a lower {metric}. r does not change.",
            "", defined_count, lower=lower, metric=metric,
        )  # fmt: skip
    else:
        caption = tr("The scores of every system are constant and cannot be rescaled.")
    legend = tr("Dots: {n:,} {n:system|systems}", "", len(names))
    return Panel(tr("{metric}: lower is better", metric=metric), chart, caption, legend=legend)


def _point_text(name: str, metric: str, original: str, rescaled: float, number: Callable[[float], str]) -> str:
    if np.isnan(rescaled):
        return tr(
            "{name}: {metric} {given}; constant scores cannot be rescaled",
            name=name, metric=metric, given=original,
        )  # fmt: skip
    return tr(
        "{name}: {metric} {given}, {would} after rescaling",
        name=name, metric=metric, given=original, would=number(rescaled),
    )  # fmt: skip


def _distribution_panels(request: ChartRequest, errors: RescalingErrors) -> Panels:
    pair, number = ScorePair.of(request), request.number
    original_panel = density_panel(pair, tr("Original: MAE {mae}", mae=number(float(errors.mae[request.chosen]))))
    rescaled_scores = rescale_scores(pair.scores, pair.gold)
    title = tr("Rescaled: MAE {mae}", mae=number(float(errors.rescaled_mae[request.chosen])))
    if np.isnan(rescaled_scores).any():
        words = tr("{system} is constant and cannot be rescaled.", system=pair.system_name)
        return original_panel, Panel(title, words)
    return _with_shared_axes(original_panel, density_panel(replace(pair, scores=rescaled_scores), title))


def _with_shared_axes(before: Panel, after: Panel) -> Panels:
    if not isinstance(before.content, AxisChart) or not isinstance(after.content, AxisChart):
        return before, after
    first, second = before.content.bounds, after.content.bounds
    low, high = min(first[0], second[0]), max(first[1], second[1])
    bounds = (low, high, min(first[2], second[2]), max(first[3], second[3]))
    left, right = (
        replace(panel.content, bounds=bounds) for panel in (before, after) if isinstance(panel.content, AxisChart)
    )
    return replace(before, content=left), replace(after, content=right)


SINGLE_SYSTEM_HINT = tr("Correlations between systems need at least two systems.")


def between_systems_panels(request: ChartRequest) -> Panels | str:
    """Plot a matrix of Pearson's r for all pairs of systems (Graham 2015, figure 4).

    Systems are in descending order of their correlation with the gold. If there is nothing to plot, a message that says
    why is returned.
    """
    reason = missing_data_message(request) or (SINGLE_SYSTEM_HINT if len(request.subjects) < 2 else "")
    if reason:
        return reason
    number = request.number
    matrix = pearson_matrix([scores_in_scored_segments(request, key) for key in (*request.subjects, request.reference)])
    order = np.argsort(-np.nan_to_num(matrix[-1, :-1], nan=-2.0), kind="stable")
    values = matrix[np.ix_(order, order)]
    names = [request.subjects[index].display_name for index in order]

    def describe_cell(row: int, column: int) -> str:
        row_name, column_name, r = names[row], names[column], float(values[row, column])
        if row == column:
            gold = float(matrix[-1, order[row]])
            if np.isnan(gold):
                return tr("r between {system} and the gold is undefined: at least one is constant", system=row_name)
            return tr("r between {system} and the gold: {r}", system=row_name, r=number(gold))
        if np.isnan(r):
            return tr(
                "r between {one} and {other} is undefined: at least one is constant", one=row_name, other=column_name
            )
        return tr("r between {one} and {other}: {r}", one=row_name, other=column_name, r=number(r))

    def numbers() -> ChartTable:
        return ChartTable(("system", *names), (names, *values.T))

    heat = HeatMap(tuple(names), tuple(map(int, order)), values, describe_cell)
    return (Panel(tr("r between systems"), heat, _range_sentence(values, number), numbers),)


def _range_sentence(values: Floats, number: Callable[[float], str]) -> str:
    pairs = np.asarray([values[row, column] for row, column in combinations(range(len(values)), 2)])
    if np.isnan(pairs).all():
        return ""
    low, high = number(float(np.nanmin(pairs))), number(float(np.nanmax(pairs)))
    return tr(
        "Lowest r: {low}; highest r: {high}. The higher the correlation between two systems, the smaller the "
        "differences in correlation with the gold that the Williams test can detect.",
        low=low, high=high,
    )  # fmt: skip
