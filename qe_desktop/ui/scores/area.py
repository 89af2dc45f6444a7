"""Tab widget of the Scores area with the Systems page; callers add the other pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.scores.page_switch import PageSwitch
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.startup.incremental_task import TaskSteps
from qe_desktop.ui.startup.preload import import_area
from qe_desktop.ui.widgets.layouts import vbox
from qe_desktop.ui.widgets.lazy_stack import BuildSteps, LazyTabWidget, PageGroup

if TYPE_CHECKING:
    from qe_desktop.ui.scores.systems_page import SystemsPage

SYSTEMS_PAGE = "systems"
"""Id of the first page, which compares systems by one metric."""
SYSTEMS = PageGroup("systems-group", tr("Systems"))
METRICS = PageGroup("metrics-group", tr("Metrics"))
"""Groups of pages: scores of systems, and properties of metrics."""


class ScoresArea(QWidget):
    """Tab widget of the Scores area. It emits a signal to request that a folder be opened or that files be added."""

    folder_requested = Signal()
    files_requested = Signal()

    def __init__(self, comparison: SignificanceService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparison = comparison
        self.pages = LazyTabWidget(self, PageSwitch())
        self.pages.add(SYSTEMS_PAGE, tr("One metric"), self._systems, SYSTEMS)
        vbox(self.pages, on=self, gap=0)
        self.setFocusProxy(self.pages)

    @property
    def systems(self) -> SystemsPage:
        """Systems page, built on first access."""
        page: Any = self.pages.page(SYSTEMS_PAGE)
        return page  # type: ignore[no-any-return]

    def parts(self) -> TaskSteps:
        """Return the steps that build the first page."""
        return self.pages.parts(SYSTEMS_PAGE)

    def _systems(self) -> BuildSteps:
        yield from import_area()
        from qe_desktop.ui.scores.systems_page import build_systems_page

        page = yield from build_systems_page(self._comparison, self)
        page.folder_requested.connect(self.folder_requested)
        page.files_requested.connect(self.files_requested)
        return page
