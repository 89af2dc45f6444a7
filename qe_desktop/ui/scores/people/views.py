"""What is seen of a study below its table: pictures, matrices, systems, curves and remarks, a tab each."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.scores.people.commands import VIEWS
from qe_desktop.ui.scores.people.keeper import PeopleKeeper
from qe_desktop.ui.scores.people.matrices import BetterPage, BetweenPage
from qe_desktop.ui.scores.people.panes import AgainstPane, CurvePane
from qe_desktop.ui.scores.people.rows import systems_sheet
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.ui.scores.tabbed_views import TabbedViews, WordedTable
from qe_desktop.wording import tr

HINT = tr("Choose a score to read it in words; Enter shows the segments that metric and people rank most otherwise.")


class SystemsPage(WordedTable):
    """Systems by people and by each metric."""

    wanted = Signal(object)
    """A `Target`: whose segments are to be shown, by which metric."""

    def __init__(self, keeper: PeopleKeeper, parent: QWidget | None = None) -> None:
        name = tr("Systems by people and by metrics")
        super().__init__(keeper.workspace.settings, name, tr("&Show its segments"), HINT, parent)
        self._keeper = keeper
        self.view.entered_cell.connect(self._go)
        keeper.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the study there is now."""
        found, decimals = self._keeper.found, self._keeper.workspace.settings.decimals
        if found is None:
            self.show_sheet(Sheet())
        elif self.isVisible():
            self.show_sheet(systems_sheet(found.study, self._keeper.metric, decimals))

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up."""
        super().showEvent(event)
        self.refresh()

    def _go(self, index: QModelIndex) -> None:
        target = self.view.target(index)
        if target is not None:
            self.wanted.emit(target)


class PeopleViews(TabbedViews):
    """A tab for each of `VIEWS`."""

    goal_wanted = Signal(object)
    """The `Goal` of what was clicked in the picture."""
    system_wanted = Signal(object)
    """A `Target`: whose segments are to be shown."""

    def __init__(self, keeper: PeopleKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keeper = keeper
        self.picture = AgainstPane(keeper, self)
        self.systems = SystemsPage(keeper, self)
        self.better, self.between = BetterPage(keeper, self), BetweenPage(keeper, self)
        self.curves = {name: CurvePane(keeper, name, VIEWS[name], self) for name in ("recall", "references")}
        views = {"picture": self.picture, "better": self.better, "between": self.between, "systems": self.systems}
        self.add_views({**views, **self.curves}, VIEWS)
        self.picture.wanted.connect(self.goal_wanted)
        self.systems.wanted.connect(self.system_wanted)
        for matrix in (self.better, self.between):
            matrix.metric_wanted.connect(self._show_metric)
        for pane in (self.picture, *self.curves.values()):
            pane.place.drawn.connect(self.drawn)

    def _show_metric(self, name: str) -> None:
        self._keeper.set_metric(name)
        self.show_view("picture")
