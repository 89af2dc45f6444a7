"""Says anew, after edits, which of two systems is ahead in the segments that are listed."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import View
from qe_desktop.project.segments import Query, difference, snapshot
from qe_desktop.significance import Apart
from qe_desktop.ui.inspect.ahead import Ahead
from qe_desktop.ui.inspect.offered import possible
from qe_desktop.ui.inspect.segment_model import SegmentModel
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import tr


class Weighing(QObject):
    """The list keeps its order meanwhile, so that no row moves under the hand."""

    lost = Signal()
    """What was set side by side is no longer there."""

    def __init__(self, workspace: Workspace, model: SegmentModel) -> None:
        super().__init__(model)
        self._workspace, self._model = workspace, model

    def weigh(self, view: View, query: Query) -> None:
        """Begin; nothing where a query sets nothing side by side."""
        listing = self._model.listing
        if query.between is None or listing is None or listing.ahead is None:
            return
        if not possible(query, view):
            self.lost.emit()
            return
        kind = self._workspace.kind

        def work(progress: Progress) -> Apart:
            return difference(snapshot(view, kind, query), query, progress.report)

        self._workspace.jobs.submit(tr("Ahead"), work, self._show, latest="ahead", owner=self, computing=True)

    def _show(self, apart: Apart) -> None:
        ahead = None if self._model.listing is None else self._model.listing.ahead
        if isinstance(ahead, Ahead) and (ahead.apart.between, ahead.apart.metric) == (apart.between, apart.metric):
            self._model.show_ahead(Ahead.of(apart))
