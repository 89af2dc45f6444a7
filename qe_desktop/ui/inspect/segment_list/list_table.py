"""The segment list as a table for scripts, with the columns on screen in full precision."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from qe_desktop.corpus import TextRole
from qe_desktop.corpus.layers import score_label
from qe_desktop.report.render.tables import Cell, Table
from qe_desktop.ui.inspect.clipboard_text import current_target, segment_text
from qe_desktop.ui.inspect.segment_list.row_tags import RowTagCache
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn, SegmentListState

REPORT_INTERVAL = 256
"""Number of rows after which `check_cancelled` is called."""
_HEADERS = {
    SegmentColumn.NUMBER: "segment",
    SegmentColumn.STATUS: "status",
    SegmentColumn.DISPUTED: "disputed",
    SegmentColumn.ERROR: "error",
}
"""Headers of columns whose titles on screen are symbols or need no other name."""


def list_table(
    listing: SegmentListState, titles: dict[SegmentColumn, str], check_cancelled: Callable[[], object]
) -> Table:
    """Return a row for each listed segment, in the order of the list, with the columns of `titles`.

    `titles` are the titles of the columns on screen. `check_cancelled` raises JobCancelled to stop.
    """
    marks = RowTagCache(listing.view, listing.agreement)
    header: list[str] = []
    for column, title in titles.items():
        header += _difference_headers(listing) if column is SegmentColumn.DIFFERENCE else [_HEADERS.get(column, title)]
    rows: list[tuple[Cell, ...]] = []
    for index, segment in enumerate(listing.segments.tolist()):
        if not index % REPORT_INTERVAL:
            check_cancelled()
        rows.append(tuple(cell for column in titles for cell in _cells(listing, marks, segment, column)))
    return Table("", tuple(header), tuple(rows))


def _difference_headers(listing: SegmentListState) -> Sequence[str]:
    return () if listing.difference is None else listing.difference.exported_headers


def _cells(listing: SegmentListState, marks: RowTagCache, segment: int, column: SegmentColumn) -> Sequence[Cell]:
    view, scores = listing.view, listing.scores
    match column:
        case SegmentColumn.NUMBER:
            return (segment + 1,)
        case SegmentColumn.DOCUMENT:
            return ("" if view.corpus.documents is None else view.corpus.documents.name(segment),)
        case SegmentColumn.SOURCE:
            return (segment_text(view.corpus, TextRole.SOURCE, segment),)
        case SegmentColumn.MT:
            return (current_target(view, segment),)
        case SegmentColumn.STATUS:
            return (view.status(segment).name.lower(),)
        case SegmentColumn.BAD:
            return (marks.bad_count(listing.kind, segment),)
        case SegmentColumn.DISPUTED:
            return (marks.disputed_count(listing.kind, segment),)
        case SegmentColumn.DIFFERENCE:
            return () if listing.difference is None else listing.difference.exported_cells(segment)
    if scores is None:
        return (None,)
    if column is SegmentColumn.SCORE and scores.system_layer is not None:
        label = score_label(scores.system_layer, segment)
        if label:
            return (label,)
    columns = {SegmentColumn.GOLD: scores.gold_scores, SegmentColumn.SCORE: scores.system_scores}
    values = columns.get(column, scores.errors)
    return (math.nan if values is None else float(values[segment]),)
