"""The page of metrics and people: which metric agrees with people, in every figure, and what each number rests on."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLayout, QMenu, QPushButton, QSizePolicy, QStackedWidget, QWidget

from qe_desktop.ui import icons
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, Stretch, column_of, holding, row_of, split_of
from qe_desktop.ui.parts.progress_bar import WorkingLine
from qe_desktop.ui.parts.state_page import StatePage
from qe_desktop.ui.scores import situations as of_scores
from qe_desktop.ui.scores.people.bar import PeopleBar
from qe_desktop.ui.scores.people.keeper import PeopleKeeper
from qe_desktop.ui.scores.people.rows import sheet_of
from qe_desktop.ui.scores.people.said import described
from qe_desktop.ui.scores.people.situations import AGAIN, ALONE, MATCH, RUN, names_differ, situation
from qe_desktop.ui.scores.people.views import PeopleViews
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.ui.scores.sheet_view import SheetView
from qe_desktop.wording import tr

HINT = tr("Choose a number to read it in words; Enter shows the picture of its metric against people.")
LEAST_LINES = 6
"""The least height of what stands below the table, in lines of text."""
SHARE = 0.5
"""The share of the height that the table takes at most by itself."""


class PeoplePage(QWidget):
    """Shows what the keeper holds; the last study stays until another one is there.

    What it cannot do itself it asks for: opening a folder, adding files, matching names.
    """

    folder_wanted = Signal()
    files_wanted = Signal()
    match_wanted = Signal()
    """The names that people and metrics have are to be matched."""
    drawn = Signal()
    """Another study is shown, or none."""

    def __init__(self, keeper: PeopleKeeper, views: PeopleViews, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.keeper, self.views = keeper, views
        self._settings = keeper.workspace.settings
        self._drawn: tuple[object, ...] = ()
        self._own_sizes = self._following = False
        self.bar = PeopleBar(keeper, self)
        self.view = SheetView(self._settings, tr("Metrics and people"), tr("Show the &picture"), self)
        self.copying = QMenu(self)
        self._lay_out()
        self._connect()
        self.refresh()

    # --- building

    def _lay_out(self) -> None:
        self.error = Label(token="warning", wraps=True, selectable=True)
        self.alone = QPushButton(ALONE.text)
        self.match = QPushButton(MATCH.text)
        self.words = Label(HINT, token="muted", narrow=True, selectable=True, ours=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        warning = row_of(Placed(self.error, 1), self.alone, self.match, gap=8)
        # what is said about a number stands close to it: room that is left comes last
        upper = holding(column_of(Placed(self.view, 1_000), self.words, Stretch(), gap=4))
        self.split = split_of(Qt.Orientation.Vertical, upper, self.views, shares=(0, 1))
        whole = column_of(self.bar, self._head(), warning, Placed(self.split, 1), gap=8, margins=(16, 8, 16, 8))
        self._full = holding(whole)
        self._full.setFocusProxy(self.view)
        self.quiet = StatePage(icon="scores", centred=True)
        self._counting = WorkingLine(tr("Progress of metrics and people"), tr("Cancel"))
        self.quiet.insert(self._counting)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.quiet)
        self._stack.addWidget(self._full)
        column_of(self._stack, on=self)
        self.setFocusProxy(self._stack)

    def _head(self) -> QLayout:
        """What the study is of, what is being computed, and what can be done with it."""
        self._title = Label(token="muted")
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._working = WorkingLine(tr("Progress of metrics and people"), tr("Cancel"))
        self.again = QPushButton()
        self._copy = QPushButton(icons.icon("export"), tr("Copy"))
        self._copy.setFlat(True)
        self._copy.setMenu(self.copying)
        return row_of(Placed(self._title, 1), self._working, self.again, self._copy, gap=8)

    def _connect(self) -> None:
        keeper = self.keeper
        keeper.changed.connect(self.refresh)
        self.view.sorted_by.connect(keeper.set_figure)
        self.view.said.connect(lambda sentence: self.words.setText(sentence or HINT))
        self.view.selectionModel().currentRowChanged.connect(self._on_row)
        self.view.clicked.connect(lambda index: self.show_picture(index, focus=False))
        self.view.entered_cell.connect(self.show_picture)
        self.again.clicked.connect(keeper.run)
        self.alone.clicked.connect(keeper.compare_alone)
        self.match.clicked.connect(self.match_wanted)
        for line in (self._working, self._counting):
            line.stopped.connect(keeper.cancel)
        self.quiet.asked.connect(self._on_asked)
        self._settings.changed.connect(self._on_setting)
        self.split.splitterMoved.connect(self._keep_sizes)
        state = self._settings.state("people-rows")
        self._own_sizes = bool(state) and self.split.restoreState(state)
        in_order = (self._working, self.again, self._copy, self.alone, self.match, self.view, self.views)
        for before, after in pairwise(in_order):
            QWidget.setTabOrder(before, after)

    # --- what is shown

    def refresh(self) -> None:
        """Show things as they are."""
        keeper = self.keeper
        if keeper.found is None:
            self.quiet.show_situation(situation(keeper))
        shown, focus = (0 if keeper.found is None else 1), self.window().focusWidget()
        another = shown != self._stack.currentIndex()
        self._stack.setCurrentIndex(shown)
        self._stack.setFocusProxy(self.quiet if keeper.found is None else self._full)
        if another and focus is not None and self.isAncestorOf(focus):
            # who waited for it stands where it is
            self.setFocus()
        self._tell_working()
        self._draw()

    def _draw(self) -> None:
        """Make the table anew where anything in it is another; while nobody sees it, when it is next seen."""
        keeper, found, decimals = self.keeper, self.keeper.found, self._settings.decimals
        study = None if found is None else found.study
        late = found is not None and found.wish != keeper.wish
        now = (study, keeper.figure, keeper.metric, decimals, late)
        if now == self._drawn:
            return
        self.drawn.emit()
        if found is not None and not self.isVisible():
            return
        another = not self._drawn or study is not self._drawn[0]
        self._drawn = now
        if found is None or study is None:
            self.view.show_sheet(Sheet())
            return
        self.view.show_sheet(sheet_of(study, keeper.figure, keeper.metric, decimals, late=late))
        self._follow_metric()
        if another:
            report = found.report()
            self._title.setText(described(found))
            self.views.show_remarks("\n".join([*report.notes(), report.signature]))
            self._size_table()

    def _follow_metric(self) -> None:
        """Stand on the metric that is looked at, wherever its row is by now."""
        index = self.view.currentIndex()
        rows = [row[0].text for row in self.view.cells.rows]
        row = rows.index(self.keeper.metric)
        if index.isValid() and index.row() != row:
            self._following = True
            self.view.setCurrentIndex(self.view.cells.index(row, index.column()))
            self._following = False

    def _tell_working(self) -> None:
        keeper = self.keeper
        for line in (self._working, self._counting):
            if keeper.state == "working":
                line.show_progress(keeper.progress_text or tr("starting"), keeper.progress)
            else:
                line.hide()
        failed = keeper.state == "failed" and keeper.error is not None
        self.again.setText(AGAIN.text if failed else tr("Compute again"))
        self.again.setVisible(keeper.state in ("waiting", "failed") and keeper.found is not None)
        warnings = [] if keeper.found is None else keeper.found.report().warnings()
        said = keeper.error.line() if failed and keeper.error is not None else next(iter(warnings), "")
        self.error.setText(said)
        self.error.setVisible(bool(said))
        self.alone.setVisible(bool(warnings) and not failed)
        self.match.setVisible(keeper.found is not None and names_differ(keeper) is not None)

    # --- what happens

    def show_picture(self, index: QModelIndex, *, focus: bool = True) -> None:
        """Show the picture of a row's metric against people."""
        if index.isValid():
            self.keeper.set_metric(self.view.cells.rows[index.row()][0].text)
            self.views.show_view("picture", focus=focus)

    def _on_row(self, current: QModelIndex) -> None:
        if current.isValid() and not self._following:
            self.keeper.set_metric(self.view.cells.rows[current.row()][0].text)

    def _on_asked(self, what: str) -> None:
        if what in (RUN.name, AGAIN.name):
            self.keeper.run()
        elif what == MATCH.name:
            self.match_wanted.emit()
        elif what == of_scores.FOLDER.name:
            self.folder_wanted.emit()
        elif what == of_scores.FILES.name:
            self.files_wanted.emit()

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self.refresh()
            for view in (self.views.systems, self.views.better, self.views.between, self.views.picture):
                view.refresh()

    # --- sizes, and who looks

    def _size_table(self) -> None:
        """Give the table the height of its rows, until a person moves the handle."""
        below = self.fontMetrics().lineSpacing() * 2 + 4
        self.words.setFixedHeight(below)
        self.view.setMaximumHeight(self.view.whole_height())
        # in little room a row or two can be read, and the views below give way
        rows = self.view.whole_height() - self.view.natural_height() + self.view.header.sizeHint().height()
        self.view.setMinimumHeight(rows + self.view.verticalHeader().defaultSectionSize() + 2)
        self.views.setMinimumHeight(self.fontMetrics().lineSpacing() * LEAST_LINES)
        if self._own_sizes or not self.split.height():
            return
        wanted = min(self.view.whole_height() + below + 8, round(self.split.height() * SHARE))
        self.split.setSizes([wanted, self.split.height() - wanted])

    def _keep_sizes(self) -> None:
        self._own_sizes = True
        self._settings.keep_state("people-rows", bytes(self.split.saveState().data()))

    def _watch(self) -> None:
        self.keeper.set_watched(self.isVisible())

    def showEvent(self, event: QShowEvent) -> None:
        """What is due is computed when somebody looks."""
        super().showEvent(event)
        self._draw()
        self._watch()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks any longer."""
        super().hideEvent(event)
        self._watch()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        self._size_table()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._drawn:
            self._size_table()
