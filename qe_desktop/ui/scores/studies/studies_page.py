"""The page of studies: which one, how it is made, its table with each number in words, and what is seen of it below."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from qe_desktop.ui.parts.layouts import Placed, column_of, holding
from qe_desktop.ui.parts.state_page import Situation
from qe_desktop.ui.scores.found_page import Named
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.ui.scores.split_page import SplitPage
from qe_desktop.ui.scores.studies.bar import StudiesBar
from qe_desktop.ui.scores.studies.commands import PICTURE
from qe_desktop.ui.scores.studies.keeper import StudyKeeper
from qe_desktop.ui.scores.studies.situations import AGAIN, RUN, WORDS, situation
from qe_desktop.ui.scores.studies.values import Target
from qe_desktop.ui.scores.studies.views import StudyViews
from qe_desktop.wording import side_by_side, tr

HINT = tr("Choose a number to read it in words; Enter shows more of it.")


class StudiesPage(SplitPage):
    """Shows one keeper's study. What it cannot do itself it asks for: adding a labelling to what is open, too."""

    kept, share = "studies-rows", 0.42
    labelling_wanted = Signal(str)
    """The name of the labelling that is to be added to what is open, or taken away; empty for all."""

    def __init__(self, keepers: Mapping[str, StudyKeeper], views: StudyViews, parent: QWidget | None = None) -> None:
        self.keepers, self.keeper = keepers, next(iter(keepers.values()))
        more, again = tr("&Show more of it"), tr("Make it again")
        named = Named(tr("Studies"), more, tr("Progress of the study"), HINT, again=again)
        super().__init__(self.keeper.workspace, named, parent)
        self.views = views
        self.bar = StudiesBar(keepers, self.keeper, self)
        self.add = QPushButton()
        self.add.hide()
        parted = Placed(self._parted(views), 1)
        stack = self.stand(holding(column_of(self.head(after=(self.add,)), self.error, parted, gap=8)))
        column_of(self.bar, Placed(stack, 1), on=self, gap=8, margins=(16, 8, 16, 8))
        self._connect(*self.bar.stops, self._working, self.again, self.add, self._copy, self.view, views)
        for keeper in keepers.values():
            keeper.changed.connect(self.refresh)
        self.bar.study_chosen.connect(self.show_study)
        self.view.selectionModel().currentChanged.connect(lambda index, _: self._look(index))
        self.view.entered_cell.connect(lambda index: self.enter(self.view.target(index)))
        views.entered.connect(self.enter)
        views.looked.connect(lambda target: self.shown.look_at(target))
        self.add.clicked.connect(lambda: self.labelling_wanted.emit(self.shown.target.labelling))
        self.refresh()

    @property
    def shown(self) -> StudyKeeper:
        """Whose study is shown."""
        return self.keeper

    # --- which study

    def show_study(self, name: str) -> None:
        """Show another study; one that is being made goes on."""
        if self.shown is not self.keepers[name]:
            self.shown.set_watched(False)
            self.keeper = self.keepers[name]
            self.bar.show_keeper(self.shown)
            self.refresh()
            self._watch()

    # --- what is shown

    def situation(self) -> Situation:
        """Why there is no study."""
        return situation(self.shown)

    def warning(self) -> str:
        """What a reader must know before any number."""
        found = self.shown.found
        return "" if found is None else self.shown.study.warning(found)

    def refresh(self) -> None:
        """Show things as they are."""
        super().refresh()
        self.views.picture.show_study(self.shown)

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
            self._size()
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

    def _offers_again(self) -> bool:
        keeper = self.shown
        return keeper.found is not None and keeper.state != "working" and (keeper.state == "failed" or keeper.late)

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

    def asked(self) -> Mapping[str, Callable[[], object]]:
        """What the buttons do."""
        return {RUN.name: self.shown.run, AGAIN.name: self.shown.run, WORDS.name: self._look_at_words}

    def _look_at_words(self) -> None:
        self.workspace.set_kind(self.workspace.kinds()[0])
