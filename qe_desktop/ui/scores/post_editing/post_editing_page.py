"""The page of post-editing: people above; highlights, skipping, its picture, segments and remarks as tabs below."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QTabWidget, QWidget

from qe_desktop.outgoing import within
from qe_desktop.report.post_editing import PostEditingReport
from qe_desktop.studies.pictures.post_editing import skipping_panels
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, Stretch, column_of, holding, scrolling, split_of
from qe_desktop.ui.parts.state_page import Button, Situation
from qe_desktop.ui.scores import situations as of_scores
from qe_desktop.ui.scores.figures import score_text
from qe_desktop.ui.scores.found_page import FoundPage, Named
from qe_desktop.ui.scores.pictures.panel_pane import PanelPane
from qe_desktop.ui.scores.post_editing.keeper import PostEditingKeeper
from qe_desktop.ui.scores.post_editing.rows import (
    Target,
    highlights_sheet,
    people_sheet,
    segments_sheet,
    skipping_sheet,
)
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.ui.scores.sheet_view import SheetView
from qe_desktop.wording import side_by_side, tr

HINT = tr("Choose a number to read it in words.")
NONE = tr("There is nothing to draw: no system scores segments, or nothing was edited.")
MOST_ROWS = 1_000
"""Segments that are listed; a copy of the study has all."""
AGAIN = Button("again-post-editing", tr("Run again"))


class PostEditingPage(FoundPage):
    """Shows what the keeper holds."""

    segment_wanted = Signal(int)
    """A segment is to be shown, numbered from 0."""

    def __init__(self, keeper: PostEditingKeeper, parent: QWidget | None = None) -> None:
        more = tr("&Show the segment")
        named = Named(tr("People"), more, tr("Progress of post-editing"), HINT, tr("Copy and export"), tr("Run again"))
        super().__init__(keeper.workspace, named, parent)
        self.keeper = keeper
        self.highlights, self.skipping, self.segments = (
            SheetView(self._settings, name, more, self) for name in (tr("Highlights"), tr("Skipping"), tr("Segments"))
        )
        self.picture = PanelPane(keeper.workspace, tr("What slips through"), NONE, self)
        self._lay_out()
        self._connect(self._working, self._copy, self.view, self.tabs)
        keeper.changed.connect(self.refresh)
        for view in self.sheets():
            view.entered_cell.connect(self._enter)
            view.selectionModel().currentRowChanged.connect(self._look)
        for view in self.sheets()[1:]:
            view.said.connect(self._say)
        self.tabs.currentChanged.connect(self._on_tab)
        self.refresh()

    # --- building

    def _lay_out(self) -> None:
        self._remarks = Label(token="muted", wraps=True, selectable=True, ours=True)
        self._remarks.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        remarks = scrolling(holding(column_of(self._remarks, margins=(8, 8, 8, 0))), focus=True)
        remarks.setAccessibleName(tr("Remarks"))
        for title, widget in (
            (tr("Highlights"), self.highlights), (tr("Skipping"), self.skipping), (tr("Picture"), self.picture),
            (tr("Segments"), self.segments), (tr("Remarks"), remarks),
        ):  # fmt: skip
            self.tabs.addTab(widget, title)
        upper = holding(column_of(Placed(self.view, 1_000), Stretch(), gap=4))
        self.split = split_of(Qt.Orientation.Vertical, upper, self.tabs, shares=(0, 1))
        whole = column_of(self.head(), self.error, Placed(self.split, 1), self.words, gap=8, margins=(16, 8, 16, 8))
        column_of(self.stand(holding(whole)), on=self)

    def sheets(self) -> tuple[SheetView, ...]:
        """The tables, that of people first."""
        return self.view, self.highlights, self.skipping, self.segments

    # --- what is shown

    @property
    def shown(self) -> PostEditingKeeper:
        """Who keeps the study."""
        return self.keeper

    def situation(self) -> Situation:
        """Why there are no figures."""
        return situation(self.keeper)

    def warning(self) -> str:
        """That the figures are not of what is there now, and will not be before someone runs them again."""
        if not self.keeper.stale or self.keeper.state != "waiting":
            return ""
        return tr("Post-edits were changed since these figures were computed.")

    def refresh(self) -> None:
        """Mark figures that edits came after."""
        super().refresh()
        found = self.keeper.found
        if found is not None:
            late = [tr("before the last edits")] if self.keeper.stale else []
            self._title.setText(side_by_side(" · ", [described(found), *late]))

    def _draw(self) -> None:
        """Make the tables anew where anything in them is another; while nobody sees them, when they are next seen."""
        found, decimals = self.keeper.found, self._settings.decimals
        now = (found, self.keeper.system, decimals)
        if now == self._drawn or not (self.isVisible() or found is None):
            return
        another = not self._drawn or found is not self._drawn[0]
        self._drawn = now
        if another:
            self._fill(found, decimals)
        system = self.keeper.system
        panels = () if found is None else skipping_panels(found.study, system, lambda one: score_text(one, decimals))
        self.picture.show_content(panels or NONE, worded=False)
        self.drawn.emit()

    def _fill(self, found: PostEditingReport | None, decimals: int) -> None:
        made: dict[SheetView, Callable[[], Sheet[Target]]] = {}
        if found is not None:
            study = found.study
            made = {
                self.view: lambda: people_sheet(study, decimals),
                self.highlights: lambda: highlights_sheet(study, decimals),
                self.skipping: lambda: skipping_sheet(study, decimals),
                self.segments: lambda: segments_sheet(study, decimals, MOST_ROWS),
            }
            self._remarks.setText("\n".join([*found.notes(), found.signature]))
        for view in self.sheets():
            view.show_sheet(made.get(view, Sheet)())
        if found is not None:
            height = self.view.whole_height()
            self.split.setSizes([height, max(height, self.split.height() - height)])

    def _on_tab(self) -> None:
        """What is said is of the table in front."""
        front = self.tabs.currentWidget()
        self.words.setText(HINT)
        if isinstance(front, SheetView):
            front.say()

    def _look(self, current: QModelIndex, previous: QModelIndex) -> None:
        for view in (self.highlights, self.skipping):
            if view.selectionModel() is self.sender():
                target = view.target(current)
                self.keeper.look_at("" if target is None else target.system)

    def _enter(self, index: QModelIndex) -> None:
        for view in self.sheets():
            target = view.target(index) if index.model() is view.cells else None
            if target is not None and target.segment is not None:
                self.segment_wanted.emit(target.segment)
            elif target is not None and target.system:
                self.keeper.look_at(target.system)
                self.tabs.setCurrentWidget(self.picture)

    def asked(self) -> Mapping[str, Callable[[], object]]:
        """What the buttons do."""
        return {AGAIN.name: self.keeper.run}


def described(found: PostEditingReport) -> str:
    """What the figures are of, in one line."""
    reviewed = found.study.reviewed
    parts = [within(reviewed.name)] if reviewed.name else []
    parts.append(tr("{n:,} of {size:,} {size:segment|segments} reviewed", "", len(reviewed), size=reviewed.size))
    if reviewed.from_files:
        parts.append(tr("post-edits of the files"))
    return side_by_side(" · ", parts)


def situation(keeper: PostEditingKeeper) -> Situation:
    """Where there are no figures: what is missing, what went wrong, or what is going on."""
    if keeper.workspace.view is None:
        about = tr("Open MT with its post-edits, or a translator's file to correct: then times, edits and the systems' "
                   "highlights are set beside each other.")  # fmt: skip
        return Situation(tr("What does post-editing tell?"), about, (of_scores.FOLDER,))
    if keeper.error is not None:
        return Situation(tr("No post-edits yet"), keeper.error.line(), (AGAIN, of_scores.FILES))
    if keeper.working:
        return Situation(tr("Comparing MT and post-edits…"), "")
    return Situation(tr("Post-edits were not compared"), tr("It was stopped."), (AGAIN,))
