"""Which orders of the list a column stands for, and which column an order."""

from __future__ import annotations

from PySide6.QtCore import Qt

from qe_desktop.corpus import LayerKey
from qe_desktop.project.segments import Order, Query
from qe_desktop.ui.inspect.score_columns import ScoreColumns
from qe_desktop.ui.inspect.segment_model import SegmentColumn

FALLING, RISING = Qt.SortOrder.DescendingOrder, Qt.SortOrder.AscendingOrder
_OTHERS = {
    SegmentColumn.NUMBER: Order.CORPUS,
    SegmentColumn.MT: Order.LONGEST,
    SegmentColumn.BAD: Order.BAD,
    SegmentColumn.DISPUTED: Order.DISAGREEMENT,
}


def orders_of(
    column: SegmentColumn, gold: LayerKey | None, system: LayerKey | None
) -> list[tuple[Order, LayerKey | None]]:
    """The orders that clicks on a column's head go through, with the scores that they sort by: what matters first.

    Of errors the largest come first, then scores that are too high, then those that are too low.
    """
    if column is SegmentColumn.ERROR:
        return [(order, system) for order in (Order.ERROR, Order.TOO_HIGH, Order.TOO_LOW)]
    if column in (SegmentColumn.GOLD, SegmentColumn.SCORE):
        key = gold if column is SegmentColumn.GOLD else system
        return [(Order.SCORE_HIGH, key), (Order.SCORE_LOW, key)]
    return [(_OTHERS[column], None)] if column in _OTHERS else []


def sorted_column(query: Query, scores: ScoreColumns) -> tuple[SegmentColumn, Qt.SortOrder] | None:
    """The column that the order of a query is by, where it has one, and which way it runs."""
    if query.order in (Order.ERROR, Order.TOO_HIGH, Order.TOO_LOW):
        return SegmentColumn.ERROR, RISING if query.order is Order.TOO_LOW else FALLING
    if query.order in (Order.SCORE_HIGH, Order.SCORE_LOW):
        column = {scores.gold: SegmentColumn.GOLD, scores.system: SegmentColumn.SCORE}.get(query.score)
        return None if column is None else (column, FALLING if query.order is Order.SCORE_HIGH else RISING)
    named = [column for column, order in _OTHERS.items() if order is query.order and order is not Order.CORPUS]
    return (named[0], FALLING) if named else None
