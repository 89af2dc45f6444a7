"""Correlations between systems (Graham 2015, figure 4), on which the power of the Williams test depends."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import ChartTable, HeatMap, Panel, Panels
from qe_desktop.levels.level import ChartRequest
from qe_desktop.levels.sentences.charts.score_pair import missing_data_message
from qe_desktop.levels.sentences.scored_segments import scores_in_scored_segments
from qe_desktop.metrics.scores.correlation import pearson_matrix

SINGLE_SYSTEM_HINT = tr("Correlations between systems need at least two systems.")


def between_systems_panels(request: ChartRequest) -> Panels | str:
    """Plot a matrix of Pearson's r for all pairs of systems.

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
