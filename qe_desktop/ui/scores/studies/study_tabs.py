"""Tabs below the first table of a study: chart, other tables and notes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import Panels
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.plots.plot_pane import NOTHING_TO_DRAW, ComputedPlotPane
from qe_desktop.ui.scores.results.result_page import DescribedTable, ResultTabs
from qe_desktop.ui.scores.studies.commands import PICTURE, SECOND_TABLE, THIRD_TABLE, VIEWS
from qe_desktop.ui.scores.studies.study import StudyTarget, TitledTable, activation_text
from qe_desktop.ui.scores.studies.study_service import StudyService
from qe_desktop.ui.widgets.tables.table_model import TableData
from qe_desktop.ui.workspace import Workspace


class StudyPlotPane(ComputedPlotPane):
    """Pane with the charts of a study for the current table cell."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace, tr("Chart of the study"), "study-picture", parent)
        self._service: StudyService | None = None

    def show_study(self, service: StudyService) -> None:
        """Set the service whose study is shown; redraw the chart if it is visible and its inputs changed."""
        self._service = service
        self.refresh()

    def _subject(self) -> tuple[object, ...] | None:
        service = self._service
        if service is None or service.result is None:
            return None
        return service.result.report, service.target, self._workspace.settings.decimals

    def _begin(self) -> None:
        service, number = self._service, self._number()
        assert service is not None
        study, result, target = service.study, service.result, service.target
        assert result is not None

        def work(progress: Progress) -> Panels:
            return study.panels(result, target, number)

        self._submit(work, lambda panels: self.show_content(panels or NOTHING_TO_DRAW))


class StudyTablePage(DescribedTable):
    """Tab with one of the tables that follow the first table of a study."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(workspace.settings, tr("Table of the study"), activation_text(None), parent)
        self.view.activation_text = activation_text
        self._make: Callable[[], TableData[StudyTarget]] | None = None

    def show_table(self, make: Callable[[], TableData[StudyTarget]]) -> None:
        """Show the table that `make` builds. While the tab is hidden, this is deferred."""
        self._make = make
        if self.isVisible():
            self._fill()

    def _fill(self) -> None:
        make, self._make = self._make, None
        if make is not None:
            self.show_data(make())

    def showEvent(self, event: QShowEvent) -> None:
        """Build the table if that was deferred."""
        super().showEvent(event)
        self._fill()


class StudyTabs(ResultTabs):
    """Tab widget with a tab for each of `VIEWS`; the tabs of unused tables are hidden."""

    target_activated = Signal(object)
    target_selected = Signal(object)
    """`StudyTarget` of the current cell of a table."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture = StudyPlotPane(workspace, self)
        self.tables = [StudyTablePage(workspace, self) for _ in (SECOND_TABLE, THIRD_TABLE)]
        self.add_views({PICTURE: self.picture, SECOND_TABLE: self.tables[0], THIRD_TABLE: self.tables[1]}, VIEWS)
        self.forward_descriptions(self.picture.described, *(table.described for table in self.tables))
        for table in self.tables:
            table.target_activated.connect(self.target_activated)
            table.target_selected.connect(self.target_selected)
        self.picture.plot_widget.drawn.connect(self.drawn)

    def show_tables(self, tables: list[TitledTable]) -> None:
        """Show the tables that follow the first table of a study, and hide unused tabs."""
        for index, page in enumerate(self.tables):
            tab = self.indexOf(page)
            is_used = index < len(tables)
            self.setTabVisible(tab, is_used)
            page.show_table(tables[index].make if is_used else TableData)
            if is_used:
                self.setTabText(tab, tables[index].title)
                page.view.setAccessibleName(tables[index].title)
