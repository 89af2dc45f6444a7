"""How systems correlate with each other (Graham 2015, figure 4), on which the power of the Williams test hangs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from qe_desktop.levels.drawings import Heat, Numbers, Panel, Panels
from qe_desktop.levels.level import Asked
from qe_desktop.levels.sentences.kept import kept_scores
from qe_desktop.levels.sentences.pictures.pair import missing
from qe_desktop.metrics.correlation import correlations
from qe_desktop.metrics.family import Floats
from qe_desktop.wording import tr

ONE = tr("With a second system, this shows how the two correlate.")


def between_systems(asked: Asked) -> Panels | str:
    """A matrix of r between all pairs, the system first that goes best with the gold."""
    why = missing(asked) or (ONE if len(asked.subjects) < 2 else "")
    if why:
        return why
    number = asked.number
    found = correlations([kept_scores(asked, key) for key in (*asked.subjects, asked.reference)])
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

    def numbers() -> Numbers:
        return Numbers(("system", *names), (names, *values.T))

    heat = Heat(tuple(names), tuple(map(int, order)), values, say)
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
