"""What is seen of a study below its table: pictures, matrices, systems, curves and remarks, a tab each."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QTabWidget, QWidget

from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, column_of, holding, scrolling
from qe_desktop.ui.parts.plot_place import PlotPlace
from qe_desktop.ui.scores.people.commands import VIEWS
from qe_desktop.ui.scores.people.keeper import PeopleKeeper
from qe_desktop.ui.scores.people.matrices import BetterPage, BetweenPage
from qe_desktop.ui.scores.people.panes import AgainstPane, CurvePane, StudyPane
from qe_desktop.ui.scores.people.rows import systems_sheet
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.ui.scores.sheet_view import SheetView
from qe_desktop.wording import tr

HINT = tr("Choose a score to read it in words; Enter shows the segments that metric and people rank most otherwise.")


class SystemsPage(QWidget):
    """Systems by people and by each metric."""

    wanted = Signal(object)
    """A `Target`: whose segments are to be shown, by which metric."""

    def __init__(self, keeper: PeopleKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keeper = keeper
        self.view = SheetView(
            keeper.workspace.settings, tr("Systems by people and by metrics"), tr("&Show its segments"), self
        )
        self.words = Label(HINT, token="muted", narrow=True, selectable=True, ours=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        column_of(Placed(self.view, 1), self.words, on=self, gap=6, margins=(8, 8, 8, 0))
        self.view.said.connect(lambda sentence: self.words.setText(sentence or HINT))
        self.view.entered_cell.connect(self._go)
        self.setFocusProxy(self.view)
        keeper.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the study there is now."""
        self.words.setFixedHeight(self.fontMetrics().lineSpacing() * 2 + 2)
        found, decimals = self._keeper.found, self._keeper.workspace.settings.decimals
        if found is None:
            self.view.show_sheet(Sheet())
        elif self.isVisible():
            self.view.show_sheet(systems_sheet(found.study, self._keeper.metric, decimals))

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up."""
        super().showEvent(event)
        self.refresh()

    def _go(self, index: QModelIndex) -> None:
        target = self.view.target(index)
        if target is not None:
            self.wanted.emit(target)


class PeopleViews(QTabWidget):
    """A tab for each of `VIEWS`."""

    goal_wanted = Signal(object)
    """The `Goal` of what was clicked in the picture."""
    system_wanted = Signal(object)
    """A `Target`: whose segments are to be shown."""
    drawn = Signal()
    """A picture is drawn, or drawn no more."""

    def __init__(self, keeper: PeopleKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keeper = keeper
        self.setDocumentMode(True)
        self.picture = AgainstPane(keeper, self)
        self.systems = SystemsPage(keeper, self)
        self.better, self.between = BetterPage(keeper, self), BetweenPage(keeper, self)
        self._remarks = Label(token="muted", wraps=True, selectable=True, ours=True)
        self._remarks.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.curves = {name: CurvePane(keeper, name, VIEWS[name], self) for name in ("recall", "references")}
        self._views: dict[str, QWidget] = {
            "picture": self.picture, "better": self.better, "between": self.between, "systems": self.systems,
            **self.curves, "remarks": self._said(),
        }  # fmt: skip
        for name, view in self._views.items():
            self.addTab(view, VIEWS[name])
        self.picture.wanted.connect(self.goal_wanted)
        self.systems.wanted.connect(self.system_wanted)
        for matrix in (self.better, self.between):
            matrix.metric_wanted.connect(self._show_metric)
        for pane in (self.picture, *self.curves.values()):
            pane.place.drawn.connect(self.drawn)

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

    def place(self) -> PlotPlace | None:
        """The plot in front, if one is."""
        front = self.currentWidget()
        return front.place if isinstance(front, StudyPane) else None

    def show_view(self, name: str, *, focus: bool = True) -> None:
        """Put a view in front, and the focus into it."""
        self.setCurrentWidget(self._views[name])
        if focus:
            self._views[name].setFocus()

    def show_remarks(self, remarks: str) -> None:
        """Say what a reader of the numbers must know."""
        self._remarks.setText(remarks)

    def showEvent(self, event: QShowEvent) -> None:
        """By keys what stands behind the tabs comes after them."""
        super().showEvent(event)
        for before, after in pairwise([self.tabBar(), *self._views.values()]):
            QWidget.setTabOrder(before, after)

    def _show_metric(self, name: str) -> None:
        self._keeper.set_metric(name)
        self.show_view("picture")
