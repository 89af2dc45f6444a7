"""Sort orders of the segment list: titles, availability and columns."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from qe_desktop.corpus import Kind, LayerKey, Provenance, View
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.project.segment_filter import SegmentQuery, SortOrder
from qe_desktop.ui.inspect.inspect_view import EVALUATION_VIEW, InspectView
from qe_desktop.ui.inspect.reader.file_scores import file_score_title
from qe_desktop.ui.inspect.segment_list.score_columns import SegmentScoreColumns
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn

SegmentSort = tuple[SortOrder, LayerKey | None, bool]
"""Sort order, layer of the scores to sort by (None if there is none), and whether the order is reversed."""

DESCENDING, ASCENDING = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
_TITLES = {
    (SortOrder.CORPUS, False): tr("file order"),
    (SortOrder.DISAGREEMENT, False): tr("most disagreement first"),
    (SortOrder.LOWEST, False): tr("lowest accuracy first"),
    (SortOrder.BAD, False): tr("most BAD tags first"),
    (SortOrder.LONGEST, False): tr("longest first"),
    (SortOrder.ERROR, False): tr("largest error first"),
    (SortOrder.TOO_HIGH, False): tr("overestimated first"),
    (SortOrder.TOO_LOW, False): tr("underestimated first"),
    (SortOrder.CORPUS, True): tr("last segment first"),
    (SortOrder.DISAGREEMENT, True): tr("least disagreement first"),
    (SortOrder.BAD, True): tr("fewest BAD tags first"),
    (SortOrder.LONGEST, True): tr("shortest first"),
}
_FLAG_TITLES = {
    (SortOrder.BAD, False): tr("most flagged words first"),
    (SortOrder.BAD, True): tr("fewest flagged words first"),
}
"""Titles of sort orders in views that call BAD words “flagged”."""
_ERROR_ORDERS = (SortOrder.ERROR, SortOrder.TOO_HIGH, SortOrder.TOO_LOW)
"""Sort orders by the error of the selected system; available if gold scores are selected."""
_COLUMN_ORDERS = {
    SegmentColumn.NUMBER: SortOrder.CORPUS,
    SegmentColumn.MT: SortOrder.LONGEST,
    SegmentColumn.BAD: SortOrder.BAD,
    SegmentColumn.DISPUTED: SortOrder.DISAGREEMENT,
}


def sort_title(sorting: SegmentSort, view_mode: InspectView = EVALUATION_VIEW) -> str:
    """Return the title of a sort order."""
    order, score, backwards = sorting
    flagged = view_mode.flag_wording
    name = "" if score is None else file_score_title(score.name) if flagged else escape_label(score.name)
    if order is SortOrder.SCORE_HIGH and name:
        return tr("highest {score} first", score=name)
    if order is SortOrder.SCORE_LOW and name:
        return tr("lowest {score} first", score=name)
    titles = _TITLES | _FLAG_TITLES if flagged else _TITLES
    return titles[order, backwards]


def is_error_order(order: SortOrder) -> bool:
    """Return whether a sort order depends on the prediction error (score − gold)."""
    return order in _ERROR_ORDERS


def available_sorts(
    view: View | None,
    kind: Kind,
    gold: LayerKey | None,
    system: LayerKey | None,
    view_mode: InspectView = EVALUATION_VIEW,
) -> list[SegmentSort]:
    """Return the available sort orders, none of them reversed; corpus order is the first.

    `gold` and `system` are the layers of the selected segment scores. Sorting by disagreement requires several tag
    layers and a view mode that shows differences. Sorting by the lowest score requires a reference and at least one
    other tag layer.
    """
    sorts: list[SegmentSort] = [(SortOrder.CORPUS, None, False)]
    if view is None:
        return sorts
    tag_rows, corpus = view.tag_layers(kind), view.corpus
    if has_disputable_tags(view, kind, view_mode):
        sorts.append((SortOrder.DISAGREEMENT, None, False))
    if view.scored_layers(kind):
        sorts.append((SortOrder.LOWEST, None, False))
    if tag_rows:
        sorts.append((SortOrder.BAD, None, False))
    if corpus.word_counts() is not None or tag_rows:
        sorts.append((SortOrder.LONGEST, None, False))
    if system is not None and gold is not None:
        sorts += [(order, system, False) for order in _ERROR_ORDERS]
    for key, layer in corpus.layers.items():
        is_offered = key.kind is Kind.SCORES and (key.provenance is Provenance.GOLD or key == system)
        if is_offered and _varies(layer.scores):
            sorts += [(SortOrder.SCORE_HIGH, key, False), (SortOrder.SCORE_LOW, key, False)]
    return sorts


def has_disputable_tags(view: View | None, kind: Kind, view_mode: InspectView = EVALUATION_VIEW) -> bool:
    """Return whether `view` has several tag layers of a kind and `view_mode` shows their differences."""
    return view is not None and view_mode.disagreement and len(view.tag_layers(kind)) > 1


def _varies(scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> bool:
    defined = scores[~np.isnan(scores)]
    # segments without a score come last, which changes the order as well
    return len(defined) > 0 and (len(defined) < len(scores) or bool(defined.min() != defined.max()))


def column_sorts(column: SegmentColumn, gold: LayerKey | None, system: LayerKey | None) -> list[SegmentSort]:
    """Return the sort orders that clicks on a column's title cycle through; empty if the column cannot be sorted.

    The most useful order comes first. The error column has three orders: largest errors first, overestimates first, and
    underestimates first.
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
    """Return the column and direction of the sort indicator for a query; None if there is no indicator.

    Corpus order has an indicator only if it is reversed. Orders without a column have none.
    """
    if query.has_external_order:
        return (
            (SegmentColumn.DIFFERENCE, DESCENDING if query.favoured_side > 0 else ASCENDING)
            if query.favoured_side
            else None
        )
    if query.order in _ERROR_ORDERS:
        return SegmentColumn.ERROR, ASCENDING if query.order is SortOrder.TOO_LOW else DESCENDING
    if query.order in (SortOrder.SCORE_HIGH, SortOrder.SCORE_LOW):
        column = {scores.gold: SegmentColumn.GOLD, scores.system: SegmentColumn.SCORE}.get(query.score)
        return None if column is None else (column, DESCENDING if query.order is SortOrder.SCORE_HIGH else ASCENDING)
    if query.order is SortOrder.CORPUS:
        # ascending numbers need no sort indicator
        return (SegmentColumn.NUMBER, DESCENDING) if query.is_reversed else None
    columns = [column for column, order in _COLUMN_ORDERS.items() if order is query.order]
    return (columns[0], ASCENDING if query.is_reversed else DESCENDING) if columns else None
