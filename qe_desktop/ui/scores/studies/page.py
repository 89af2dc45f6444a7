"""The page of studies: which one, how it is made, its table with each number in words, and what is seen of it below."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QLayout, QMenu, QPushButton, QSizePolicy, QStackedWidget, QWidget

from qe_desktop.ui import icons
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, Stretch, column_of, holding, row_of, split_of
from qe_desktop.ui.parts.progress_bar import WorkingLine
from qe_desktop.ui.parts.state_page import StatePage
from qe_desktop.ui.post_edit_gold import make_gold
from qe_desktop.ui.scores import situations as of_scores
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.ui.scores.sheet_view import SheetView
from qe_desktop.ui.scores.studies.bar import StudiesBar
from qe_desktop.ui.scores.studies.commands import PICTURE
from qe_desktop.ui.scores.studies.keeper import StudyKeeper
from qe_desktop.ui.scores.studies.situations import AGAIN, RUN, WORDS, situation
from qe_desktop.ui.scores.studies.values import Target
from qe_desktop.ui.scores.studies.views import StudyViews
from qe_desktop.wording import side_by_side, tr

HINT = tr("Choose a number to read it in words; Enter shows more of it.")
LEAST_LINES = 6
"""The least height of what stands below the table, in lines of text."""
SHARE = 0.42
"""The share of the height that the table takes at most by itself."""


class StudiesPage(QWidget):
    """Shows one keeper's study; the last one stays until another one is there.

    What it cannot do itself it asks for: opening a folder, adding files, adding a labelling to what is open.
    """

    folder_wanted = Signal()
    files_wanted = Signal()
    labelling_wanted = Signal(str)
    """The name of the labelling that is to be added to what is open, or taken away; empty for all."""
    drawn = Signal()
    """Another study is shown, or none."""

    def __init__(self, keepers: Mapping[str, StudyKeeper], views: StudyViews, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.keepers, self.views = keepers, views
        self.shown = next(iter(keepers.values()))
        self.workspace = self.shown.workspace
        self._settings = self.workspace.settings
        self._drawn: tuple[object, ...] = ()
        self._own_sizes = False
        self.bar = StudiesBar(keepers, self.shown, self)
        self.view = SheetView(self._settings, tr("Studies"), tr("&Show more of it"), self)
        self.copying = QMenu(self)
        self._lay_out()
        self._connect()
        self.refresh()

    # --- building

    def _lay_out(self) -> None:
        self.error = Label(token="warning", wraps=True, selectable=True)
        self.words = Label(HINT, token="muted", narrow=True, selectable=True, ours=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        # what is said about a number stands close to it: room that is left comes last
        upper = holding(column_of(Placed(self.view, 1_000), self.words, Stretch(), gap=4))
        self.split = split_of(Qt.Orientation.Vertical, upper, self.views, shares=(0, 1))
        self._full = holding(column_of(self._head(), self.error, Placed(self.split, 1), gap=8))
        self._full.setFocusProxy(self.view)
        self.quiet = StatePage(icon="scores", centred=True)
        self._counting = WorkingLine(tr("Progress of the study"), tr("Cancel"))
        self.quiet.insert(self._counting)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.quiet)
        self._stack.addWidget(self._full)
        column_of(self.bar, Placed(self._stack, 1), on=self, gap=8, margins=(16, 8, 16, 8))
        self.setFocusProxy(self._stack)

    def _head(self) -> QLayout:
        """What the study is of, what is being done, and what can be done with it."""
        self._title = Label(token="muted")
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._working = WorkingLine(tr("Progress of the study"), tr("Cancel"))
        self.again = QPushButton()
        self.add = QPushButton()
        self.add.hide()
        self._copy = QPushButton(icons.icon("export"), tr("Copy"))
        self._copy.setFlat(True)
        self._copy.setMenu(self.copying)
        return row_of(Placed(self._title, 1), self._working, self.again, self.add, self._copy, gap=8)

    def _connect(self) -> None:
        for keeper in self.keepers.values():
            keeper.changed.connect(self.refresh)
        self.bar.study_chosen.connect(self.show_study)
        self.view.said.connect(lambda sentence: self.words.setText(sentence or HINT))
        self.view.selectionModel().currentChanged.connect(lambda index, _: self._look(index))
        self.view.entered_cell.connect(lambda index: self.enter(self.view.target(index)))
        self.views.entered.connect(self.enter)
        self.views.looked.connect(lambda target: self.shown.look_at(target))
        self.again.clicked.connect(lambda: self.shown.run())
        self.add.clicked.connect(lambda: self.labelling_wanted.emit(self.shown.target.labelling))
        for line in (self._working, self._counting):
            line.stopped.connect(lambda: self.shown.cancel())
        self.quiet.asked.connect(self._on_asked)
        self._settings.changed.connect(self._on_setting)
        self.split.splitterMoved.connect(self._keep_sizes)
        state = self._settings.state("studies-rows")
        self._own_sizes = bool(state) and self.split.restoreState(state)
        in_order = (*self.bar.stops, self._working, self.again, self.add, self._copy, self.view, self.views)
        for before, after in pairwise(in_order):
            QWidget.setTabOrder(before, after)

    # --- which study

    def show_study(self, name: str) -> None:
        """Show another study; one that is being made goes on."""
        if self.shown is not self.keepers[name]:
            self.shown.set_watched(False)
            self.shown = self.keepers[name]
            self.bar.show_keeper(self.shown)
            self.refresh()
            self._watch()

    # --- what is shown

    def refresh(self) -> None:
        """Show things as they are."""
        keeper = self.shown
        if keeper.found is None:
            self.quiet.show_situation(situation(keeper))
        shown, focus = (0 if keeper.found is None else 1), QApplication.focusWidget()
        another = shown != self._stack.currentIndex()
        self._stack.setCurrentIndex(shown)
        self._stack.setFocusProxy(self.quiet if keeper.found is None else self._full)
        if another and focus is not None and self._stack.isAncestorOf(focus):
            # who waited for it stands where it is
            self.setFocus()
        self._tell_working()
        self._draw()
        self.views.picture.show_study(keeper)

    def _draw(self) -> None:
        """Make the tables anew where anything in them is another; while nobody sees them, when they are next seen."""
        keeper, found, decimals = self.shown, self.shown.found, self._settings.decimals
        now = (None if found is None else found.report, keeper.late, decimals)
        if now == self._drawn or (found is not None and not self.isVisible()):
            if found is None:
                self.drawn.emit()
            return
        another = not self._drawn or now[0] is not self._drawn[0]
        self._drawn = now
        if found is None:
            self.view.show_sheet(Sheet())
            self.drawn.emit()
            return
        first, *others = keeper.study.sheets(found, decimals, keeper.late)
        self.view.show_sheet(first.make())
        self.view.setAccessibleName(first.title)
        self.views.show_tables(others)
        self._title.setText(self._described())
        if another:
            signature = getattr(found.report, "signature", "")
            self.views.show_remarks("\n".join([*found.report.notes(), signature]))
            self._size_table()
        self.drawn.emit()

    def _described(self) -> str:
        keeper = self.shown
        if keeper.found is None:
            return ""
        scoring = keeper.found.asked.scoring
        parts = [keeper.study.title, scoring.level.reported(scoring)]
        if keeper.stale:
            parts.append(tr("before the last edits"))
        elif keeper.late:
            parts.append(tr("not what was chosen since"))
        return side_by_side(" · ", parts)

    def _tell_working(self) -> None:
        keeper = self.shown
        for line in (self._working, self._counting):
            if keeper.state == "working":
                line.show_progress(keeper.about(), keeper.progress)
            else:
                line.hide()
        failed = keeper.state == "failed" and keeper.error is not None
        self.again.setText(AGAIN.text if failed else tr("Make it again"))
        self.again.setVisible(keeper.found is not None and keeper.state != "working" and (failed or keeper.late))
        warning = "" if keeper.found is None else keeper.study.warning(keeper.found)
        said = keeper.error.line() if failed and keeper.error is not None else warning
        self.error.setText(said)
        self.error.setVisible(bool(said))

    # --- what happens

    def enter(self, target: Target | None) -> None:
        """Enter on a cell: a labelling is added to what is open, of all else the picture is shown."""
        if target is None:
            return
        self.shown.look_at(target)
        if target.labelling:
            self.labelling_wanted.emit(target.labelling)
        else:
            self.views.show_view(PICTURE)

    def _look(self, index: QModelIndex) -> None:
        target = self.view.target(index)
        if target is not None:
            self.shown.look_at(target)

    def _on_asked(self, what: str) -> None:
        workspace = self.workspace
        if what in (RUN.name, AGAIN.name):
            self.shown.run()
        elif what == WORDS.name:
            workspace.set_kind(workspace.kinds()[0])
        elif what == of_scores.FOLDER.name:
            self.folder_wanted.emit()
        elif what == of_scores.FILES.name:
            self.files_wanted.emit()
        elif what == of_scores.OWN.name:
            workspace.own_layer(workspace.copied)
        elif what == of_scores.POST_EDIT.name:
            make_gold(workspace)
        elif what == of_scores.AGAIN.name:
            self.shown.comparison.scores.run()

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self.refresh()

    # --- sizes, and who looks

    def _size_table(self) -> None:
        """Give the table the height of its rows, until a person moves the handle."""
        below = self.fontMetrics().lineSpacing() * 2 + 4
        self.words.setFixedHeight(below)
        self.view.setMaximumHeight(self.view.whole_height())
        # in little room a row or two can be read, and what is below gives way
        rows = self.view.whole_height() - self.view.natural_height() + self.view.header.sizeHint().height()
        self.view.setMinimumHeight(rows + self.view.verticalHeader().defaultSectionSize() + 2)
        self.views.setMinimumHeight(self.fontMetrics().lineSpacing() * LEAST_LINES)
        if self._own_sizes or not self.split.height():
            return
        wanted = min(self.view.whole_height() + below + 8, round(self.split.height() * SHARE))
        self.split.setSizes([wanted, self.split.height() - wanted])

    def _keep_sizes(self) -> None:
        self._own_sizes = True
        self._settings.keep_state("studies-rows", bytes(self.split.saveState().data()))

    def _watch(self) -> None:
        self.shown.set_watched(self.isVisible())

    def showEvent(self, event: QShowEvent) -> None:
        """What is due is made when somebody looks."""
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
