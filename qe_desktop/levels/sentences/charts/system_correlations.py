"""How systems correlate with each other (Graham 2015, figure 4), on which the power of the Williams test hangs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import ChartTable, HeatMap, Panel, Panels
from qe_desktop.levels.level import ChartRequest
from qe_desktop.levels.sentences.charts.score_pair import missing_data_message
from qe_desktop.levels.sentences.scored_segments import scores_in_scored_segments
from qe_desktop.metrics.family import Floats
from qe_desktop.metrics.scores.correlation import pearson_matrix

SINGLE_SYSTEM_HINT = tr("With a second system, this shows how the two correlate.")


def between_systems_panels(asked: ChartRequest) -> Panels | str:
    """A matrix of r between all pairs, the system first that goes best with the gold."""
    why = missing_data_message(asked) or (SINGLE_SYSTEM_HINT if len(asked.subjects) < 2 else "")
    if why:
        return why
    number = asked.number
    found = pearson_matrix([scores_in_scored_segments(asked, key) for key in (*asked.subjects, asked.reference)])
    order = np.argsort(-np.nan_to_num(found[-1, :-1], nan=-2.0), kind="stable")
    values = found[np.ix_(order, order)]
    names = [asked.subjects[place].shown for place in order]

    def say(row: int, column: int) -> str:
        one, other, r = names[row], names[column], float(values[row, column])
        if row == column:
            gold = float(found[-1, order[row]])
            if np.isnan(gold):
                return tr("{system} has no r with the gold: one of them is the same for all segments", system=one)
            return tr("{system} correlates with the gold with r {r}", system=one, r=number(gold))
        if np.isnan(r):
            return tr("{one} and {other} have no r: one of them is the same for all segments", one=one, other=other)
        return tr("{one} and {other} correlate with r {r}", one=one, other=other, r=number(r))

    def numbers() -> ChartTable:
        return ChartTable(("system", *names), (names, *values.T))

    heat = HeatMap(tuple(names), tuple(map(int, order)), values, say)
    return (Panel(tr("r between systems"), heat, _range_sentence(values, number), numbers),)


def _range_sentence(values: Floats, number: Callable[[float], str]) -> str:
    pairs = np.asarray([values[one, other] for one, other in combinations(range(len(values)), 2)])
    if np.isnan(pairs).all():
        return ""
    low, high = number(float(np.nanmin(pairs))), number(float(np.nanmax(pairs)))
    return tr(
        "From {low} to {high}. The closer two systems go together, the smaller a difference in r the Williams test "
        "finds significant.",
        low=low, high=high,
    )  # fmt: skip
