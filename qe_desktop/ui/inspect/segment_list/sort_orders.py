"""The orders of the list: what they are called, which ones change anything, and which columns they belong to."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from qe_desktop.corpus import Kind, LayerKey, Provenance, View
from qe_desktop.outgoing import label
from qe_desktop.project.segments import Order, Query
from qe_desktop.ui.inspect.score_columns import ScoreColumns
from qe_desktop.ui.inspect.segment_model import SegmentColumn
from qe_desktop.wording import tr

Sorting = tuple[Order, LayerKey | None, bool]
"""An order, the scores that it sorts by if any, and whether it runs backwards."""

FALLING, RISING = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
_TITLES = {
    (Order.CORPUS, False): tr("corpus order"),
    (Order.DISAGREEMENT, False): tr("most disagreement first"),
    (Order.LOWEST, False): tr("lowest score first"),
    (Order.BAD, False): tr("most BAD first"),
    (Order.LONGEST, False): tr("longest first"),
    (Order.ERROR, False): tr("largest error first"),
    (Order.TOO_HIGH, False): tr("most too high first"),
    (Order.TOO_LOW, False): tr("most too low first"),
    (Order.CORPUS, True): tr("last segment first"),
    (Order.DISAGREEMENT, True): tr("least disagreement first"),
    (Order.BAD, True): tr("fewest BAD first"),
    (Order.LONGEST, True): tr("shortest first"),
}
_ERRORS = (Order.ERROR, Order.TOO_HIGH, Order.TOO_LOW)
"""Those of the system whose scores are looked at, where there are gold scores as well."""
_OTHERS = {
    SegmentColumn.NUMBER: Order.CORPUS,
    SegmentColumn.MT: Order.LONGEST,
    SegmentColumn.BAD: Order.BAD,
    SegmentColumn.DISPUTED: Order.DISAGREEMENT,
}


def title_of(sorting: Sorting) -> str:
    """What an order is called."""
    order, score, backwards = sorting
    if order is Order.SCORE_HIGH and score is not None:
        return tr("highest {score} first", score=label(score.name))
    if order is Order.SCORE_LOW and score is not None:
        return tr("lowest {score} first", score=label(score.name))
    return _TITLES[order, backwards]


def is_of_errors(order: Order) -> bool:
    """Whether an order is by how far scores are off the gold."""
    return order in _ERRORS


def sortings(view: View | None, kind: Kind, gold: LayerKey | None, system: LayerKey | None) -> list[Sorting]:
    """The orders to choose from, forwards: that of the corpus, and those that could bring another one.

    `gold` and `system` are the scores of segments that are looked at. Tags of one alone leave nothing to disagree on,
    and without a reference nobody is right or wrong.
    """
    found: list[Sorting] = [(Order.CORPUS, None, False)]
    if view is None:
        return found
    tracks, corpus = view.tracks(kind), view.corpus
    if len(tracks) > 1:
        found.append((Order.DISAGREEMENT, None, False))
    if view.scored(kind):
        found.append((Order.LOWEST, None, False))
    if tracks:
        found.append((Order.BAD, None, False))
    if corpus.word_counts() is not None or tracks:
        found.append((Order.LONGEST, None, False))
    if system is not None and gold is not None:
        found += [(order, system, False) for order in _ERRORS]
    for key, layer in corpus.layers.items():
        shown = key.kind is Kind.SCORES and (key.provenance is Provenance.GOLD or key == system)
        if shown and _varies(layer.scores):
            found += [(Order.SCORE_HIGH, key, False), (Order.SCORE_LOW, key, False)]
    return found


def disputable(view: View | None, kind: Kind) -> bool:
    """Whether there are tags that could differ."""
    return view is not None and len(view.tracks(kind)) > 1


def _varies(scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> bool:
    known = scores[~np.isnan(scores)]
    # what nobody scored comes last, so that it is another order too
    return len(known) > 0 and (len(known) < len(scores) or bool(known.min() != known.max()))


def sortings_of(column: SegmentColumn, gold: LayerKey | None, system: LayerKey | None) -> list[Sorting]:
    """The orders that clicks on a column's head go through: what matters first, then the other way round.

    Of errors the largest come first, then scores that are too high, then those that are too low.
    """
    if column is SegmentColumn.ERROR:
        return [(order, system, False) for order in _ERRORS]
    if column in (SegmentColumn.GOLD, SegmentColumn.SCORE):
        key = gold if column is SegmentColumn.GOLD else system
        return [(Order.SCORE_HIGH, key, False), (Order.SCORE_LOW, key, False)]
    return [(_OTHERS[column], None, False), (_OTHERS[column], None, True)] if column in _OTHERS else []


def sorted_column(query: Query, scores: ScoreColumns) -> tuple[SegmentColumn, Qt.SortOrder] | None:
    """The column that the order of a query is by, where it has one, and which way it runs."""
    if query.order in _ERRORS:
        return SegmentColumn.ERROR, RISING if query.order is Order.TOO_LOW else FALLING
    if query.order in (Order.SCORE_HIGH, Order.SCORE_LOW):
        column = {scores.gold: SegmentColumn.GOLD, scores.system: SegmentColumn.SCORE}.get(query.score)
        return None if column is None else (column, FALLING if query.order is Order.SCORE_HIGH else RISING)
    if query.order is Order.CORPUS:
        # numbers rise as the corpus has them, which needs no sign
        return (SegmentColumn.NUMBER, FALLING) if query.backwards else None
    named = [column for column, order in _OTHERS.items() if order is query.order]
    return (named[0], RISING if query.backwards else FALLING) if named else None
