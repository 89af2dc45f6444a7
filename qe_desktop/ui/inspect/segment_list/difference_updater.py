"""Queries that compare two systems or two rankings, and updates of the difference column after edits."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import LayerKey, View
from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Level
from qe_desktop.project.segment_filter import SegmentQuery, SortOrder, system_difference, take_snapshot
from qe_desktop.significance import SegmentInfluence
from qe_desktop.studies.meta_eval.segment_rank_gap import RankGap
from qe_desktop.ui.inspect.corpus_facets import is_query_valid
from qe_desktop.ui.inspect.segment_list.difference_column import DifferenceColumn
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentModel
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.workspace import Workspace


def difference_query(
    left: LayerKey, right: LayerKey, metric: str, level: Level, reference: LayerKey | None
) -> tuple[SegmentQuery, str]:
    """Return the query and the title for segments, sorted by their effect on the difference between two systems."""
    query = SegmentQuery(
        order=SortOrder.DIFFERENCE, compared_layers=(left, right), metric=metric, level=level, reference=reference
    )
    return query, f"{isolate_bidi(left.name)} ↔ {isolate_bidi(right.name)}, {metric}"


def rank_query(gap: RankGap) -> tuple[SegmentQuery, str]:
    """Return the query and the title for segments of a system, sorted by the difference of metric and human ranks."""
    title = tr("{system}: {metric} ↔ human scores", system=isolate_bidi(gap.system), metric=isolate_bidi(gap.metric))
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
