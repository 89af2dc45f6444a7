"""The page of post-editing: people above; highlights, skipping, its picture, segments and remarks as tabs below."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QStackedWidget, QTabWidget, QWidget

from qe_desktop.outgoing import within
from qe_desktop.report.post_editing import PostEditingReport
from qe_desktop.studies.pictures.post_editing import skipping_panels
from qe_desktop.ui import icons
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, Stretch, column_of, holding, row_of, scrolling, split_of
from qe_desktop.ui.parts.progress_bar import WorkingLine
from qe_desktop.ui.parts.state_page import Button, Situation, StatePage
from qe_desktop.ui.scores import situations as of_scores
from qe_desktop.ui.scores.figures import score_text
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
AGAIN = Button("again-post-editing", tr("Try again"))


class PostEditingPage(QWidget):
    """Shows what the keeper holds; the last study stays until another one is there."""

    folder_wanted = Signal()
    files_wanted = Signal()
    segment_wanted = Signal(int)
    """A segment is to be shown, numbered from 0."""
    drawn = Signal()
    """Another study is shown, or none."""

    def __init__(self, keeper: PostEditingKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.keeper = keeper
        self._settings = keeper.workspace.settings
        self._drawn: tuple[object, ...] = ()
        self.copying = QMenu(self)
        more = tr("&Show the segment")
        self.view = SheetView(self._settings, tr("People"), more, self)
        self.highlights, self.skipping, self.segments = (
            SheetView(self._settings, name, more, self) for name in (tr("Highlights"), tr("Skipping"), tr("Segments"))
        )
        self.picture = PanelPane(keeper.workspace, tr("What slips through"), NONE, self)
        self._lay_out()
        self._connect()
        self.refresh()

    # --- building

    def _lay_out(self) -> None:
        self.words = Label(HINT, token="muted", narrow=True, selectable=True, ours=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._remarks = Label(token="muted", wraps=True, selectable=True, ours=True)
        self._remarks.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._title = Label(token="muted")
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._working = WorkingLine(tr("Progress of post-editing"), tr("Cancel"))
        self._copy = QPushButton(icons.icon("export"), tr("Copy and export"))
        self._copy.setFlat(True)
        self._copy.setMenu(self.copying)
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
        head = row_of(Placed(self._title, 1), self._working, self._copy, gap=8)
        whole = column_of(head, Placed(self.split, 1), self.words, gap=8, margins=(16, 8, 16, 8))
        self._full = holding(whole)
        self._full.setFocusProxy(self.view)
        self.quiet = StatePage(icon="scores", centred=True)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.quiet)
        self._stack.addWidget(self._full)
        column_of(self._stack, on=self)
        self.setFocusProxy(self._stack)
        for before, after in pairwise((self._working, self._copy, self.view, self.tabs)):
            QWidget.setTabOrder(before, after)

    def _connect(self) -> None:
        self.keeper.changed.connect(self.refresh)
        for view in self.sheets():
            view.said.connect(lambda sentence: self.words.setText(sentence or HINT))
            view.entered_cell.connect(self._enter)
            view.selectionModel().currentRowChanged.connect(self._look)
        self.tabs.currentChanged.connect(self._on_tab)
        self._working.stopped.connect(self.keeper.cancel)
        self.quiet.asked.connect(self._on_asked)
        self._settings.changed.connect(lambda key: self.refresh() if key == "view/decimals" else None)

    def sheets(self) -> tuple[SheetView, ...]:
        """The tables, that of people first."""
        return self.view, self.highlights, self.skipping, self.segments

    # --- what is shown

    def refresh(self) -> None:
        """Show things as they are."""
        keeper = self.keeper
        if keeper.found is None:
            self.quiet.show_situation(situation(keeper))
        self._stack.setCurrentIndex(0 if keeper.found is None else 1)
        self._stack.setFocusProxy(self.quiet if keeper.found is None else self._full)
        if keeper.working and keeper.found is not None:
            self._working.show_progress(tr("Comparing MT and post-edits"), keeper.progress)
        else:
            self._working.hide()
        self._draw()

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
            self._title.setText(described(found))
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

    def _on_asked(self, name: str) -> None:
        asked: dict[str, Callable[[], object]] = {
            of_scores.FOLDER[0]: self.folder_wanted.emit,
            of_scores.FILES[0]: self.files_wanted.emit,
            AGAIN.name: self.keeper.run,
        }
        asked[name]()

    def showEvent(self, event: QShowEvent) -> None:
        """Somebody looks."""
        super().showEvent(event)
        self.keeper.set_watched(True)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks any more."""
        super().hideEvent(event)
        self.keeper.set_watched(False)


def described(found: PostEditingReport) -> str:
    """What the figures are of, in one line."""
    reviewed = found.study.reviewed
    parts = [within(reviewed.name)] if reviewed.name else []
    parts.append(tr("{n:,} of {size:,} segments reviewed", "", len(reviewed), size=reviewed.size))
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
