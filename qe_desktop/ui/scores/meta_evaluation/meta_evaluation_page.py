"""The page of metrics and people: which metric agrees with people, in every figure, and what each number rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from qe_desktop.ui.parts.layouts import Placed, column_of, holding, row_of
from qe_desktop.ui.parts.state_page import Situation
from qe_desktop.ui.scores.found_page import Named
from qe_desktop.ui.scores.people.bar import PeopleBar
from qe_desktop.ui.scores.people.keeper import PeopleKeeper
from qe_desktop.ui.scores.people.rows import sheet_of
from qe_desktop.ui.scores.people.said import described
from qe_desktop.ui.scores.people.situations import AGAIN, ALONE, MATCH, RUN, names_differ, situation
from qe_desktop.ui.scores.people.views import PeopleViews
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.ui.scores.split_page import SplitPage
from qe_desktop.wording import tr

HINT = tr("Choose a number to read it in words; Enter shows the picture of its metric against people.")


class PeoplePage(SplitPage):
    """What it cannot do itself it asks for: matching names, too."""

    kept, share = "people-rows", 0.5
    match_wanted = Signal()
    """The names that people and metrics have are to be matched."""

    def __init__(self, keeper: PeopleKeeper, views: PeopleViews, parent: QWidget | None = None) -> None:
        progress = tr("Progress of metrics and people")
        named = Named(tr("Metrics and people"), tr("Show the &picture"), progress, HINT)
        super().__init__(keeper.workspace, named, parent)
        self.keeper, self.views = keeper, views
        self._following = False
        self.bar = PeopleBar(keeper, self)
        self.alone, self.match = QPushButton(ALONE.text), QPushButton(MATCH.text)
        warning = row_of(Placed(self.error, 1), self.alone, self.match, gap=8)
        parted = Placed(self._parted(views), 1)
        whole = column_of(self.bar, self.head(), warning, parted, gap=8, margins=(16, 8, 16, 8))
        column_of(self.stand(holding(whole)), on=self)
        self._connect(self._working, self.again, self._copy, self.alone, self.match, self.view, views)
        keeper.changed.connect(self.refresh)
        self.view.sorted_by.connect(keeper.set_figure)
        self.view.selectionModel().currentRowChanged.connect(self._on_row)
        self.view.clicked.connect(lambda index: self.show_picture(index, focus=False))
        self.view.entered_cell.connect(self.show_picture)
        self.alone.clicked.connect(keeper.compare_alone)
        self.match.clicked.connect(self.match_wanted)
        self.refresh()

    # --- what is shown

    @property
    def shown(self) -> PeopleKeeper:
        """Who keeps the study."""
        return self.keeper

    def situation(self) -> Situation:
        """Why there is no study."""
        return situation(self.keeper)

    def warning(self) -> str:
        """What a reader must know before any number."""
        return next(iter(self._warnings()), "")

    def _warnings(self) -> list[str]:
        found = self.keeper.found
        return [] if found is None else found.report().warnings()

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
            self._size()

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
        super()._tell_working()
        self.alone.setVisible(bool(self._warnings()) and not self._failure())
        self.match.setVisible(self.keeper.found is not None and names_differ(self.keeper) is not None)

    # --- what happens

    def show_picture(self, index: QModelIndex, *, focus: bool = True) -> None:
        """Show the picture of a row's metric against people."""
        if index.isValid():
            self.keeper.set_metric(self.view.cells.rows[index.row()][0].text)
            self.views.show_view("picture", focus=focus)

    def _on_row(self, current: QModelIndex) -> None:
        if current.isValid() and not self._following:
            self.keeper.set_metric(self.view.cells.rows[current.row()][0].text)

    def asked(self) -> Mapping[str, Callable[[], object]]:
        """What the buttons do."""
        return {RUN.name: self.keeper.run, AGAIN.name: self.keeper.run, MATCH.name: self.match_wanted.emit}

    def _on_setting(self, key: str) -> None:
        super()._on_setting(key)
        if key == "view/decimals":
            for view in (self.views.systems, self.views.better, self.views.between, self.views.picture):
                view.refresh()
