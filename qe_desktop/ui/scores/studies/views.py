"""What is seen of a study below its first table: the picture, the other tables, and remarks, a tab each."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import QeError
from qe_desktop.levels.drawings import Panels
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.figures import score_text
from qe_desktop.ui.scores.pictures.panel_pane import PanelPane
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.ui.scores.studies.commands import FIRST, PICTURE, SECOND, VIEWS
from qe_desktop.ui.scores.studies.keeper import StudyKeeper
from qe_desktop.ui.scores.studies.values import Found, Target, Titled
from qe_desktop.ui.scores.tabbed_views import TabbedViews, WordedTable
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import tr

POINT = tr("Point at something to read it in words; arrows walk from one to the next.")
NONE = tr("There is nothing to draw yet.")
MAKING = tr("Drawing…")
STOPPED = tr("The drawing was stopped. It is done when the picture is next seen.")


class StudyPicture(PanelPane):
    """The picture of what is looked at; made beside the window when somebody looks."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, tr("The picture of the study"), NONE, parent, hint=POINT)
        self._workspace = workspace
        self._wanted: tuple[StudyKeeper, Found, Target, int] | None = None
        self._drawn: tuple[object, ...] | None = None

    def show_study(self, keeper: StudyKeeper) -> None:
        """Draw what a keeper has, if somebody looks and it is another one."""
        decimals = self._workspace.settings.decimals
        self._wanted = None if keeper.found is None else (keeper, keeper.found, keeper.target, decimals)
        self._draw()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up."""
        super().showEvent(event)
        self._draw()

    def _draw(self) -> None:
        wanted = self._wanted
        if not self.isVisible():
            return
        if wanted is None:
            self._drawn = None
            self.show_content(NONE)
            return
        keeper, found, target, decimals = wanted
        if self._drawn is not None and self._drawn[0] is found.report and self._drawn[1:] == (target, decimals):
            return
        self._drawn = (found.report, target, decimals)
        study = keeper.study

        def work(progress: Progress) -> Panels:
            return study.panels(found, target, lambda value: score_text(value, decimals))

        if isinstance(self.content, str):
            self.show_content(MAKING)
        self._workspace.jobs.submit(
            tr("The picture of the study"), work, self._take, self._on_failed, on_cancelled=self._on_cancelled,
            latest="study-picture", owner=self,
        )  # fmt: skip

    def _take(self, panels: Panels) -> None:
        self.show_content(panels or NONE)

    def _on_cancelled(self) -> None:
        self._drawn = None
        self.show_content(STOPPED)

    def _on_failed(self, error: QeError) -> None:
        self.show_content(tr("There is no picture: {message}. {hint}", message=error.message, hint=error.hint))


class TablePage(WordedTable):
    """One of the other tables of a study."""

    entered = Signal(object)
    """The `Target` of the cell on which Enter was pressed."""
    looked = Signal(object)
    """The `Target` of the cell that is looked at."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        hint = tr("Choose a number to read it in words.")
        super().__init__(workspace.settings, tr("Table of the study"), tr("&Show more of it"), hint, parent)
        self._make: Callable[[], Sheet[Target]] | None = None
        self.view.entered_cell.connect(lambda index: self._tell(self.entered, index))
        self.view.selectionModel().currentChanged.connect(lambda index, _: self._tell(self.looked, index))

    def show_table(self, make: Callable[[], Sheet[Target]]) -> None:
        """Show another table; while nobody sees it, when it is next seen."""
        self._make = make
        if self.isVisible():
            self._fill()

    def _fill(self) -> None:
        make, self._make = self._make, None
        if make is not None:
            self.show_sheet(make())

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up."""
        super().showEvent(event)
        self._fill()

    def _tell(self, signal: object, index: QModelIndex) -> None:
        target = self.view.target(index)
        if target is not None:
            signal.emit(target)  # type: ignore[attr-defined]  # one of the signals above


class StudyViews(TabbedViews):
    """A tab for each of `VIEWS`; tables that a study has not are hidden."""

    entered = Signal(object)
    looked = Signal(object)
    """The `Target` of a cell of one of the tables."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture = StudyPicture(workspace, self)
        self.tables = [TablePage(workspace, self) for _ in (FIRST, SECOND)]
        self.add_views({PICTURE: self.picture, FIRST: self.tables[0], SECOND: self.tables[1]}, VIEWS)
        for table in self.tables:
            table.entered.connect(self.entered)
            table.looked.connect(self.looked)
        self.picture.place.drawn.connect(self.drawn)

    def show_tables(self, others: list[Titled]) -> None:
        """Show the other tables of a study."""
        for place, page in enumerate(self.tables):
            tab = self.indexOf(page)
            there = place < len(others)
            self.setTabVisible(tab, there)
            page.show_table(others[place].make if there else Sheet)
            if there:
                self.setTabText(tab, others[place].title)
                page.view.setAccessibleName(others[place].title)
