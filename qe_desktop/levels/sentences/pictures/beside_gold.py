"""One system beside the gold, in four panels (Graham 2015, figures 1 and 3)."""

from __future__ import annotations

from qe_desktop.levels.drawings import Panels
from qe_desktop.levels.level import Asked
from qe_desktop.levels.sentences.pictures.pair import Pair, missing
from qe_desktop.levels.sentences.pictures.scatters import as_given, standardised, thinned
from qe_desktop.levels.sentences.pictures.spread_panels import densities, values
from qe_desktop.wording import tr


def beside_gold(asked: Asked) -> Panels | str:
    """The panels of the system that is looked at; in words why there are none."""
    why = missing(asked)
    if why:
        return why
    pair = Pair.of(asked)
    drawn = thinned(len(pair.gold))
    return as_given(pair, drawn), densities(pair, tr("Densities")), standardised(pair, drawn), values(pair)
