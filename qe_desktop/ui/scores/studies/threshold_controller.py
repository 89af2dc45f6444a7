"""Controller of the Threshold view, a tab of the Systems page whose content is built when the tab is first shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.scores.area import SYSTEMS_PAGE
from qe_desktop.ui.scores.page_controller import ExportSpec, PageContext, PageController
from qe_desktop.ui.scores.studies import commands as names
from qe_desktop.ui.scores.studies.study import StudyResult
from qe_desktop.ui.scores.studies.study_service import StudyService
from qe_desktop.ui.scores.studies.threshold_study import ThresholdSearch
from qe_desktop.ui.widgets.layouts import vbox
from qe_desktop.ui.widgets.placeholder_page import ReasonPopup
from qe_desktop.ui.widgets.plots.lazy_plot import LazyPlotWidget

if TYPE_CHECKING:
    from qe_desktop.ui.scores.studies.threshold_page import ThresholdPage
    from qe_desktop.ui.scores.systems_page import SystemsPage


def export_study(result: StudyResult | None) -> ExportSpec | None:
    """Return the export of a result; None if `result` is None."""
    if result is None:
        return None
    report, of = result.report, result.request.scoring.view.corpus.name
    return ExportSpec(report, of, tr("Save the study of {name}", name=isolate_bidi(of)))


class ThresholdTab(QWidget):
    """Tab whose page is built when the tab is first shown."""

    def __init__(self, build: Callable[[], ThresholdPage], parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()
        self._build = build
        self._built: ThresholdPage | None = None
        vbox(on=self)

    @property
    def page(self) -> ThresholdPage:
        """Page of the tab, built on first access."""
        if self._built is None:
            self._built = self._build()
            layout = self.layout()
            assert layout is not None
            layout.addWidget(self._built)
            self._built.show()
            self.setFocusProxy(self._built)
        return self._built

    @property
    def plot_widget(self) -> LazyPlotWidget | None:
        """Chart of the page; None before the page is built."""
        return None if self._built is None else self._built.picture.plot_widget

    def showEvent(self, event: QShowEvent) -> None:
        """Build the page if it has not been built yet."""
        super().showEvent(event)
        _ = self.page


class ThresholdController(PageController):
    """Controller that adds a Threshold tab to the Systems page, for the system and metric selected on the page."""

    copies, saves = names.COPIES, names.SAVES

    def __init__(self, context: PageContext) -> None:
        super().__init__(SYSTEMS_PAGE, context, tr("Writing the study"), "study")
        self.service: StudyService = StudyService(context.comparison, ThresholdSearch())
        self.service.setParent(self)
        self.tab = ThresholdTab(self._page, context.pages)
        self._systems: SystemsPage | None = None
        self._synced_result: StudyResult | None = None
        """Result to which the system and metric selected on the Systems page were last applied."""
        context.pages.call_when_built(SYSTEMS_PAGE, self._connect_systems_page)

    def _connect_systems_page(self) -> None:
        systems: Any = self.page
        self._systems = systems
        systems.gallery.add_view(self.tab, tr("Threshold"))
        self.service.changed.connect(self._update_tab)
        self.workspace.level_changed.connect(self._update_tab)
        self.context.comparison.changed.connect(self._sync_selection)
        systems.table.selectionModel().currentRowChanged.connect(self._sync_selection)
        systems.gallery.bar.explained.connect(self._explain)
        self._update_tab()

    def _explain(self, index: int) -> None:
        """If `index` is that of the Threshold tab, show why the tab is not available."""
        systems = self._systems
        if systems is not None and systems.gallery.indexOf(self.tab) == index:
            from qe_desktop.ui.scores.studies.studies_page import study_empty_state

            popup = ReasonPopup(
                study_empty_state(self.service), lambda name: self.tab.page.run_button_action(name), systems
            )
            popup.open_below(systems.gallery.bar)

    def _page(self) -> ThresholdPage:
        from qe_desktop.ui.scores.studies.threshold_page import ThresholdPage

        page = ThresholdPage(self.service, self.tab)
        page.folder_requested.connect(self.context.folder_requested)
        page.files_requested.connect(self.context.files_requested)
        for view in (page.view, page.ranking.view):
            view.menu_requested.connect(lambda menu, view=view: self.fill_export_menu(menu, view))
        self.fill_export_menu(page.copying, page.view)
        if self._systems is not None:
            page.described.connect(self._systems.gallery.described)
        self.service.changed.connect(self._on_result)
        self._on_result()
        return page

    def _update_tab(self) -> None:
        """Make the tab available if the threshold study can run on the open data; otherwise, make it grey."""
        if self._systems is None:
            return
        missing = self.service.unavailable_state()
        reason = "" if missing is None else join_localized(". ", (missing.title, missing.text))
        if missing is None and self.workspace.view is not None and self.workspace.level.tags is None:
            reason = tr("Thresholds turn P(BAD) of words into tags. Switch to words, or open files with word tags.")
        self._systems.gallery.set_reason(self.tab, reason, self.service.study.about)

    def _on_result(self) -> None:
        if self.service.result is not self._synced_result:
            self._synced_result = self.service.result
            self._sync_selection()

    def _sync_selection(self, *changed: object) -> None:
        """Show the chart of the system and metric that are selected on the Systems page."""
        systems = self._systems
        chosen = None if systems is None else systems.gallery.current_layer
        if chosen is not None:
            self.service.select_if_known(self.context.comparison.metric, chosen.name)

    def show(self) -> None:
        """Show the Threshold view, or the reason why it is not available."""
        self._pages.show_page(SYSTEMS_PAGE, self._show_tab)

    def _show_tab(self) -> None:
        if self._systems is None:
            return
        gallery = self._systems.gallery
        if not gallery.isTabEnabled(gallery.indexOf(self.tab)):
            self._explain(gallery.indexOf(self.tab))
            return
        gallery.setCurrentWidget(self.tab)
        self.tab.setFocus()

    def export_spec(self) -> ExportSpec | None:
        """Return the export of the result; None if there is no result."""
        return export_study(self.service.result)
