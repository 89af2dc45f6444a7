"""What is seen of a study below its first table: the picture, the other tables, and remarks, a tab each."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QTabWidget, QWidget

from qe_desktop.corpus import QeError
from qe_desktop.levels.drawings import Panels
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, column_of, holding, scrolling
from qe_desktop.ui.parts.plot_place import PlotPlace
from qe_desktop.ui.scores.figures import score_text
from qe_desktop.ui.scores.pictures.panel_pane import PanelPane
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.ui.scores.sheet_view import SheetView
from qe_desktop.ui.scores.studies.commands import FIRST, PICTURE, REMARKS, SECOND, VIEWS
from qe_desktop.ui.scores.studies.keeper import StudyKeeper
from qe_desktop.ui.scores.studies.values import Found, Target, Titled
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


class TablePage(QWidget):
    """A table with what its current cell means in words."""

    entered = Signal(object)
    """The `Target` of the cell on which Enter was pressed."""
    looked = Signal(object)
    """The `Target` of the cell that is looked at."""

    def __init__(self, workspace: Workspace, name: str, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hint = hint
        self._make: Callable[[], Sheet[Target]] | None = None
        self.view = SheetView(workspace.settings, name, tr("&Show more of it"), self)
        self.words = Label(hint, token="muted", narrow=True, selectable=True, ours=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        column_of(Placed(self.view, 1), self.words, on=self, gap=6, margins=(8, 8, 8, 0))
        self.view.said.connect(lambda sentence: self.words.setText(sentence or self._hint))
        self.view.entered_cell.connect(lambda index: self._tell(self.entered, index))
        self.view.selectionModel().currentChanged.connect(lambda index, _: self._tell(self.looked, index))
        self.setFocusProxy(self.view)

    def show_table(self, make: Callable[[], Sheet[Target]]) -> None:
        """Show another table; while nobody sees it, when it is next seen."""
        self._make = make
        if self.isVisible():
            self._fill()

    def _fill(self) -> None:
        make, self._make = self._make, None
        if make is not None:
            self.words.setFixedHeight(self.fontMetrics().lineSpacing() * 2 + 2)
            self.view.show_sheet(make())

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up."""
        super().showEvent(event)
        self._fill()

    def _tell(self, signal: object, index: QModelIndex) -> None:
        target = self.view.target(index)
        if target is not None:
            signal.emit(target)  # type: ignore[attr-defined]  # one of the signals above


class StudyViews(QTabWidget):
    """A tab for each of `VIEWS`; tables that a study has not are hidden."""

    entered = Signal(object)
    looked = Signal(object)
    """The `Target` of a cell of one of the tables."""
    drawn = Signal()
    """A picture is drawn, or drawn no more."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDocumentMode(True)
        self.picture = StudyPicture(workspace, self)
        hint = tr("Choose a number to read it in words.")
        self.tables = [TablePage(workspace, tr("Table of the study"), hint, self) for _ in (FIRST, SECOND)]
        self._remarks = Label(token="muted", wraps=True, selectable=True, ours=True)
        self._remarks.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._views: dict[str, QWidget] = {
            PICTURE: self.picture, FIRST: self.tables[0], SECOND: self.tables[1], REMARKS: self._said(),
        }  # fmt: skip
        for name, view in self._views.items():
            self.addTab(view, VIEWS[name])
        for table in self.tables:
            table.entered.connect(self.entered)
            table.looked.connect(self.looked)
        self.picture.place.drawn.connect(self.drawn)

    def _said(self) -> QWidget:
        scroll = scrolling(self._remarks, focus=True)
        scroll.setAccessibleName(tr("Remarks"))
        page = holding(column_of(scroll, margins=(8, 8, 8, 0)))
        page.setFocusProxy(scroll)
        return page

    @property
    def shown(self) -> str:
        """The name of the view in front."""
        return list(self._views)[self.currentIndex()]

    def has(self, name: str) -> bool:
        """Whether the study that is shown has this view."""
        return self.isTabVisible(list(self._views).index(name))

    def place(self) -> PlotPlace | None:
        """The plot in front, if it is."""
        return self.picture.place if self.currentWidget() is self.picture else None

    def show_view(self, name: str, *, focus: bool = True) -> None:
        """Put a view in front, and the focus into it."""
        self.setCurrentWidget(self._views[name])
        if focus:
            self._views[name].setFocus()

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

    def show_remarks(self, remarks: str) -> None:
        """Say what a reader of the numbers must know."""
        self._remarks.setText(remarks)

    def showEvent(self, event: QShowEvent) -> None:
        """By keys what stands behind the tabs comes after them."""
        super().showEvent(event)
        for before, after in pairwise([self.tabBar(), *self._views.values()]):
            QWidget.setTabOrder(before, after)
