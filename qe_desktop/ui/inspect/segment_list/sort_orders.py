"""The orders of the list: what they are called, which ones change anything, and which columns they belong to."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from qe_desktop.corpus import Kind, LayerKey, Provenance, View
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.project.segment_filter import SegmentQuery, SortOrder
from qe_desktop.ui.inspect.segment_list.score_columns import SegmentScoreColumns
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn

SegmentSort = tuple[SortOrder, LayerKey | None, bool]
"""An order, the scores that it sorts by if any, and whether it runs backwards."""

DESCENDING, ASCENDING = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
_TITLES = {
    (SortOrder.CORPUS, False): tr("corpus order"),
    (SortOrder.DISAGREEMENT, False): tr("most disagreement first"),
    (SortOrder.LOWEST, False): tr("lowest score first"),
    (SortOrder.BAD, False): tr("most BAD first"),
    (SortOrder.LONGEST, False): tr("longest first"),
    (SortOrder.ERROR, False): tr("largest error first"),
    (SortOrder.TOO_HIGH, False): tr("most too high first"),
    (SortOrder.TOO_LOW, False): tr("most too low first"),
    (SortOrder.CORPUS, True): tr("last segment first"),
    (SortOrder.DISAGREEMENT, True): tr("least disagreement first"),
    (SortOrder.BAD, True): tr("fewest BAD first"),
    (SortOrder.LONGEST, True): tr("shortest first"),
}
_ERROR_ORDERS = (SortOrder.ERROR, SortOrder.TOO_HIGH, SortOrder.TOO_LOW)
"""Those of the system whose scores are looked at, where there are gold scores as well."""
_COLUMN_ORDERS = {
    SegmentColumn.NUMBER: SortOrder.CORPUS,
    SegmentColumn.MT: SortOrder.LONGEST,
    SegmentColumn.BAD: SortOrder.BAD,
    SegmentColumn.DISPUTED: SortOrder.DISAGREEMENT,
}


def sort_title(sorting: SegmentSort) -> str:
    """What an order is called."""
    order, score, backwards = sorting
    if order is SortOrder.SCORE_HIGH and score is not None:
        return tr("highest {score} first", score=escape_label(score.name))
    if order is SortOrder.SCORE_LOW and score is not None:
        return tr("lowest {score} first", score=escape_label(score.name))
    return _TITLES[order, backwards]


def is_error_order(order: SortOrder) -> bool:
    """Whether an order is by how far scores are off the gold."""
    return order in _ERROR_ORDERS


def available_sorts(view: View | None, kind: Kind, gold: LayerKey | None, system: LayerKey | None) -> list[SegmentSort]:
    """The orders to choose from, forwards: that of the corpus, and those that could bring another one.

    `gold` and `system` are the scores of segments that are looked at. Tags of one alone leave nothing to disagree on,
    and without a reference nobody is right or wrong.
    """
    found: list[SegmentSort] = [(SortOrder.CORPUS, None, False)]
    if view is None:
        return found
    tracks, corpus = view.tracks(kind), view.corpus
    if len(tracks) > 1:
        found.append((SortOrder.DISAGREEMENT, None, False))
    if view.scored(kind):
        found.append((SortOrder.LOWEST, None, False))
    if tracks:
        found.append((SortOrder.BAD, None, False))
    if corpus.word_counts() is not None or tracks:
        found.append((SortOrder.LONGEST, None, False))
    if system is not None and gold is not None:
        found += [(order, system, False) for order in _ERROR_ORDERS]
    for key, layer in corpus.layers.items():
        shown = key.kind is Kind.SCORES and (key.provenance is Provenance.GOLD or key == system)
        if shown and _varies(layer.scores):
            found += [(SortOrder.SCORE_HIGH, key, False), (SortOrder.SCORE_LOW, key, False)]
    return found


def has_disputable_tags(view: View | None, kind: Kind) -> bool:
    """Whether there are tags that could differ."""
    return view is not None and len(view.tracks(kind)) > 1


def _varies(scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> bool:
    known = scores[~np.isnan(scores)]
    # what nobody scored comes last, so that it is another order too
    return len(known) > 0 and (len(known) < len(scores) or bool(known.min() != known.max()))


def column_sorts(column: SegmentColumn, gold: LayerKey | None, system: LayerKey | None) -> list[SegmentSort]:
    """The orders that clicks on a column's head go through: what matters first, then the other way round.

    Of errors the largest come first, then scores that are too high, then those that are too low.
    """
    if column is SegmentColumn.ERROR:
        return [(order, system, False) for order in _ERROR_ORDERS]
    if column in (SegmentColumn.GOLD, SegmentColumn.SCORE):
        key = gold if column is SegmentColumn.GOLD else system
        return [(SortOrder.SCORE_HIGH, key, False), (SortOrder.SCORE_LOW, key, False)]
    return (
        [(_COLUMN_ORDERS[column], None, False), (_COLUMN_ORDERS[column], None, True)]
        if column in _COLUMN_ORDERS
        else []
    )


def sorted_column(query: SegmentQuery, scores: SegmentScoreColumns) -> tuple[SegmentColumn, Qt.SortOrder] | None:
    """The column that the order of a query is by, where it has one, and which way it runs."""
    if query.order in _ERROR_ORDERS:
        return SegmentColumn.ERROR, ASCENDING if query.order is SortOrder.TOO_LOW else DESCENDING
    if query.order in (SortOrder.SCORE_HIGH, SortOrder.SCORE_LOW):
        column = {scores.gold: SegmentColumn.GOLD, scores.system: SegmentColumn.SCORE}.get(query.score)
        return None if column is None else (column, DESCENDING if query.order is SortOrder.SCORE_HIGH else ASCENDING)
    if query.order is SortOrder.CORPUS:
        # numbers rise as the corpus has them, which needs no sign
        return (SegmentColumn.NUMBER, DESCENDING) if query.backwards else None
    named = [column for column, order in _COLUMN_ORDERS.items() if order is query.order]
    return (named[0], ASCENDING if query.backwards else DESCENDING) if named else None
