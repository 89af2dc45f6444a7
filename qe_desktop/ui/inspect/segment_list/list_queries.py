"""Queries of the segment list: columns, filters, sort orders, and comparisons of systems."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, ReviewStatus, TextRole, View
from qe_desktop.corpus.file_scores import file_score_title
from qe_desktop.escaping import escape_label, isolate_bidi
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Level
from qe_desktop.local_qe.qa_checks.runner import checks_from_notes
from qe_desktop.project.segment_filter import SegmentQuery, SortOrder, system_difference, take_snapshot
from qe_desktop.significance import SegmentInfluence
from qe_desktop.studies.meta_eval.segment_rank_gap import RankGap
from qe_desktop.ui.inspect.inspect_view import EVALUATION_VIEW, InspectView
from qe_desktop.ui.inspect.segment_list.score_columns import DifferenceColumn, ListScores, score_layers
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn, SegmentModel
from qe_desktop.ui.inspect.translations.comparison_service import scores_translations
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.workspace import Workspace


def visible_columns(
    view: View, kind: Kind, with_scores: bool, with_status: bool = False, view_mode: InspectView = EVALUATION_VIEW
) -> Iterator[SegmentColumn]:
    """Yield the columns that have content and that the view `view_mode` allows.

    The columns of gold scores and errors require `with_scores`, and so does the column of system scores unless
    `view_mode.flag_wording` is set. The status column requires `with_status`.
    """
    corpus = view.corpus
    tags = len(view.tag_layers(kind))
    golds, systems = score_layers(corpus, gold=True), score_layers(corpus, gold=False)
    has_content = {
        SegmentColumn.STATUS: with_status,
        SegmentColumn.DOCUMENT: corpus.documents is not None and view_mode.all_layers,
        SegmentColumn.SOURCE: corpus.text(TextRole.SOURCE) is not None,
        SegmentColumn.MT: corpus.text(TextRole.MT) is not None or not (corpus.layers or corpus.translations),
        SegmentColumn.BAD: has_mt_tags(view, kind),
        SegmentColumn.DISPUTED: tags > 1 and view_mode.disagreement,
        SegmentColumn.GOLD: with_scores and bool(golds),
        # the user can select the scores of the file in addition to the flags
        SegmentColumn.SCORE: (with_scores or view_mode.flag_wording) and bool(systems),
        SegmentColumn.ERROR: with_scores and bool(golds and systems),
    }
    return (column for column, filled in has_content.items() if filled)


def has_mt_tags(view: View, kind: Kind) -> bool:
    """Return whether there are tags of `kind` other than those derived from edited targets."""
    return any(not view.is_derived(key) for key in view.tag_layers(kind))


def has_qe_tags(view: View, kind: Kind) -> bool:
    """Return whether there are tags of `kind` other than results of QA checks and tags derived from edited targets."""
    layers = [view.corpus.layers.get(key) for key in view.tag_layers(kind) if not view.is_derived(key)]
    return any(layer is None or not checks_from_notes(layer.notes) for layer in layers)


def corpus_facets(corpus: Corpus) -> tuple[object, ...]:
    """Return the contents of a corpus, except tag layers, that determine the columns, filters and sort orders."""
    scores = tuple(layer for key, layer in corpus.layers.items() if key.kind is Kind.SCORES)
    return corpus.size, dict(corpus.texts), dict(corpus.references), corpus.documents, corpus.eos, scores


def is_query_valid(query: SegmentQuery, view: View) -> bool:
    """Return whether the systems and the reference that a query compares exist; True if nothing is compared."""
    if query.compared_layers is None:
        return True
    if query.level is not None and scores_translations(query.level, view):
        level = query.level.of_view(view)
        reference = level.reference(view, query.reference)
        return reference is not None and set(query.compared_layers) <= set(level.subjects(view, reference))
    against = () if query.reference is None else (query.reference,)
    return all(key in view.corpus.layers for key in (*query.compared_layers, *against))


def active_filters(query: SegmentQuery) -> list[str]:
    """Return the names of the active filters of a query, except the search text and `listed_segments`."""
    names: list[str] = []
    for is_active, name in (
        (query.only_bad, "BAD"), (query.only_disagreement, tr("Disagreement")), (query.only_edited, tr("Tags edited")),
        (query.only_flagged, tr("flagged, unfinished")), (query.only_with_notes, tr("notes")),
        (query.only_with_findings, tr("checks")),
    ):  # fmt: skip
        if is_active:
            names.append(name)
    names += [status.display_name for status in ReviewStatus if status in query.statuses]
    if query.document:
        names.append(escape_label(query.document))
    return names


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


def sorted_column(query: SegmentQuery, scores: ListScores) -> tuple[SegmentColumn, Qt.SortOrder] | None:
    """Return the column and direction of the sort indicator for a query; None if there is no indicator.

    Corpus order has an indicator only if it is reversed. Orders without a column have none, and neither has the order
    by the size of an effect, regardless of its sign.
    """
    if query.has_external_order:
        has_sign = bool(query.metric) or query.rank_gap is not None
        is_by_size = has_sign and not query.favoured_side
        return None if is_by_size else (SegmentColumn.DIFFERENCE, ASCENDING if query.favoured_side < 0 else DESCENDING)
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


def difference_query(
    left: LayerKey, right: LayerKey, metric: str, level: Level, reference: LayerKey | None
) -> tuple[SegmentQuery, str]:
    """Return a query that sorts segments by their effect on the difference between two systems, and a title."""
    query = SegmentQuery(
        order=SortOrder.DIFFERENCE, compared_layers=(left, right), metric=metric, level=level, reference=reference
    )
    return query, tr(
        "{left} vs. {right}, {metric}", metric=metric, left=isolate_bidi(left.name), right=isolate_bidi(right.name)
    )


def rank_query(gap: RankGap) -> tuple[SegmentQuery, str]:
    """Return a query that sorts a system's segments by the difference between metric and human ranks, and a title."""
    title = tr("{system}: {metric} vs. human scores", system=isolate_bidi(gap.system), metric=isolate_bidi(gap.metric))
    return SegmentQuery(order=SortOrder.RANKS, rank_gap=gap), title


class DifferenceUpdater(QObject):
    """Controller that recomputes the difference column after edits; rows keep their order until the next sort."""

    query_invalidated = Signal()
    """Emitted when a compared system or the reference no longer exists."""

    def __init__(self, workspace: Workspace, model: SegmentModel) -> None:
        super().__init__(model)
        self._workspace, self._model = workspace, model

    def start_update(self, view: View, query: SegmentQuery) -> None:
        """Start recomputing the difference column, or emit `query_invalidated` if `query` is no longer valid.

        Do nothing if `query` does not compare two systems.
        """
        listing = self._model.list_state
        if query.compared_layers is None or listing is None or listing.difference is None:
            return
        if not is_query_valid(query, view):
            self.query_invalidated.emit()
            return
        kind = self._workspace.kind

        def work(progress: Progress) -> SegmentInfluence:
            return system_difference(take_snapshot(view, kind, query), query, progress.report)

        self._workspace.jobs.submit(
            tr("Difference between systems"), work, self._show, latest="ahead", owner=self, computing=True
        )

    def _show(self, influence: SegmentInfluence) -> None:
        column = None if self._model.list_state is None else self._model.list_state.difference
        if isinstance(column, DifferenceColumn) and (column.influence.systems, column.influence.metric) == (
            influence.systems,
            influence.metric,
        ):
            self._model.show_difference(DifferenceColumn.of(influence))
