"""Everything of correcting that stands in the Inspect area, joined to its list, its filters and its reader."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Signal

from qe_desktop.project import Change
from qe_desktop.project.segments import Query
from qe_desktop.ui.inspect.correcting.checking import Checking
from qe_desktop.ui.inspect.correcting.desk import Correcting
from qe_desktop.ui.inspect.correcting.history import History
from qe_desktop.ui.inspect.correcting.replacing_desk import ReplacingDesk
from qe_desktop.ui.inspect.correcting.status_bar import StatusBar, Tally
from qe_desktop.ui.inspect.correcting.steps import steps_of
from qe_desktop.ui.inspect.filter_bar import FilterBar
from qe_desktop.ui.inspect.reader import Reader
from qe_desktop.ui.inspect.segment_model import SegmentModel
from qe_desktop.ui.workspace import Workspace


class CorrectingRoom(QObject):
    """The target's panel, the bar of statuses, and the bar that replaces."""

    reviewing_changed = Signal()
    """There is something to review now, or no longer."""

    def __init__(self, workspace: Workspace, reader: Reader, model: SegmentModel, filters: FilterBar) -> None:
        super().__init__(reader)
        self.workspace, self._filters = workspace, filters
        self.desk = Correcting(workspace, reader, lambda: model.segments)
        self.checking = Checking(workspace, self.desk)
        self.replacing = ReplacingDesk(self.desk)
        self.status = StatusBar()
        self._was_reviewing = False
        workspace.opened.connect(self._on_opened)
        workspace.changed.connect(self._on_change)
        filters.changed.connect(self._on_query)
        self.desk.began.connect(self._tell)
        self.checking.changed.connect(self._tell)
        self.status.changed.connect(self._narrow)
        reader.correction_wanted.connect(self.desk.open)
        self.desk.panel.wanted.connect(self._on_wanted)
        self._tell()
        if workspace.segment == 0 and workspace.project is None:
            # a file that was opened before any of this was there
            self._go_to_first()

    @property
    def reviewing(self) -> bool:
        """Whether there is something to review."""
        return self.desk.reviewing

    def refresh(self) -> None:
        """Show what there is to review; for whoever has given the parts of this their places."""
        self.desk.refresh()
        self._tell()

    def _on_opened(self) -> None:
        self._tell()
        self._go_to_first()

    def _go_to_first(self) -> None:
        """Begin a file with what is to be done, and not with a title that is locked."""
        view = self.desk.view
        if view is not None and view.corpus.job is not None:
            first = self.desk.to_do.next(view, np.arange(view.corpus.size), segment=-1)
            self.workspace.go_to(first or 0)

    def _on_change(self, change: Change) -> None:
        if change.review or change.layers or not change.segments:
            self._tell()

    def _tell(self) -> None:
        view, reviewing = self.desk.view, self.reviewing
        if self.status.parentWidget() is not None:
            # before it has its place it would be a window
            self.status.setVisible(reviewing)
        if view is not None and reviewing:
            self.status.show_tally(Tally.of(view, self.desk.to_do, int(self.checking.segments().sum())))
        if reviewing is not self._was_reviewing:
            self._was_reviewing = reviewing
            self.reviewing_changed.emit()

    def _on_query(self, query: Query) -> None:
        self.status.show_query(query)

    def _narrow(self) -> None:
        self._filters.narrow(self.status.narrowed(self._filters.query))

    def _on_wanted(self, name: str) -> None:
        desk = self.desk
        {
            "correct": desk.correct,
            "confirm": desk.confirm,
            "reject": desk.reject,
            "note": desk.note,
            "history": self.show_history,
        }[name]()

    def toggle_highlights(self) -> None:
        """Show or hide the marks of doubtful words, and remember it."""
        settings = self.workspace.settings
        settings.highlights = not settings.highlights

    def show_replacing(self) -> None:
        """Find and replace."""
        self.replacing.enter()

    def show_history(self) -> None:
        """Say what was done to the segment, and restore what is chosen of it."""
        self.desk.flush()
        view, session, segment = self.desk.view, self.workspace.session, self.workspace.segment
        if view is None or session is None:
            return
        loaded = view.corpus.target_line(segment)
        steps = steps_of(session.reviewing.history(segment))
        dialog = History(segment, steps, loaded, self.desk.panel)
        dialog.restored.connect(lambda line: self.desk.restore(segment, line))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
