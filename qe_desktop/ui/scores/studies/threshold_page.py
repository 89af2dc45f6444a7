"""Threshold view of the Systems page: chart and tables of the best thresholds on P(BAD)."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.scores.result_page import HEAD_GAP_PX, PageTexts, ResultTabs
from qe_desktop.ui.scores.studies.commands import PICTURE, REMARKS, VIEWS
from qe_desktop.ui.scores.studies.studies_page import StudyPlotPane, StudyResultPage, StudyTablePage
from qe_desktop.ui.scores.studies.study_service import StudyService
from qe_desktop.ui.scores.studies.threshold_study import OPTIMISTIC_TEXT, OPTIMISTIC_TOOLTIP
from qe_desktop.ui.widgets.buttons import MultiSelectButton
from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, vbox, wrap_layout
from qe_desktop.ui.widgets.tables.table_model import TableData

BEST, RANKING = "best", "ranking"
_TITLES = {
    PICTURE: VIEWS[PICTURE],
    BEST: tr("Best thresholds"),
    RANKING: tr("Ranking of words"),
    REMARKS: VIEWS[REMARKS],
}


class ThresholdPage(StudyResultPage):
    """View of a threshold study; the Systems page, which contains this view, shows the descriptions of values."""

    described = Signal(str)
    """Description of the current table cell or chart item; empty if there is none."""

    def __init__(self, service: StudyService, parent: QWidget | None = None) -> None:
        named = PageTexts(tr("Best thresholds"), tr("&Show the chart"), tr("Progress of the study"), "")
        super().__init__(service.workspace, named, parent)
        self.service: StudyService = service
        self.picture = StudyPlotPane(self.workspace, self)
        self.ranking = StudyTablePage(self.workspace, self)
        self.views = ResultTabs(self)
        self.views.add_views({PICTURE: self.picture, BEST: self.view, RANKING: self.ranking}, _TITLES)
        self.metrics = MultiSelectButton(self._available_metrics)
        self.metrics.setAccessibleName(tr("Metrics to check"))
        self.metrics.selection_changed.connect(self._set_metrics)
        # one line for the warning and the actions: the page is half as wide as the window, and short
        self._copy.setAccessibleName(self._texts.copying)
        head = self.head(title=self.error, after=(self.metrics,))
        layout = vbox(head, Stretched(self.views, 1), gap=4)
        vbox(self.create_stack(wrap_layout(layout)), on=self, margins=(8, 4, 0, 0))
        # the Systems page shows the descriptions
        self.sentence.hide()
        self._connect(self._progress_panel, self.run_again_button, self.metrics, self._copy, self.views.tabBar())
        service.changed.connect(self.refresh)
        service.progressed.connect(self._update_progress)
        self.picture.described.connect(self.described)
        self.view.described.connect(self.described)
        self.ranking.view.described.connect(self.described)
        self.view.selectionModel().currentChanged.connect(lambda index, _: self._select_target(index))
        self.view.cell_activated.connect(self._show_chart)
        self.refresh()

    # --- sizes

    def _size(self) -> None:
        """Hide the text of the copy button if the warning would otherwise wrap and leave less height for the chart."""
        self._copy.setText(self._texts.copying)
        actions = (self._progress_panel, self.run_again_button, self.metrics, self._copy)
        widths = [action.sizeHint().width() + HEAD_GAP_PX for action in actions if not action.isHidden()]
        is_narrow = self.error.one_line_width() + sum(widths) > self.views.width()
        self._copy.setText("" if is_narrow else self._texts.copying)
        self._copy.setToolTip(plain_tooltip(self._texts.copying) if is_narrow else "")

    # --- content

    def warning(self) -> str:
        """Return a warning if the values are outdated; otherwise, return the warning of the study."""
        return tr("Outdated: the data or the options have changed.") if self.service.is_outdated else super().warning()

    def refresh(self) -> None:
        """Update the page."""
        super().refresh()
        _, chosen = self._available_metrics()
        self.metrics.setText(tr("{n} {n:metric|metrics}", "", len(chosen)))
        self.picture.show_study(self.service)
        self._size()
        self.error.setToolTip(plain_tooltip(OPTIMISTIC_TOOLTIP) if self.error.text() == OPTIMISTIC_TEXT else "")

    def _draw(self) -> None:
        """Rebuild the tables if their content changed; while the page is hidden, the update is deferred."""
        service, result, decimals = self.service, self.service.result, self._settings.decimals
        now = (None if result is None else result.report, service.is_outdated, decimals)
        if now == self._painted_key or (result is not None and not self.isVisible()):
            return
        self._painted_key = now
        if result is None:
            self.view.show_data(TableData())
            self.ranking.show_table(TableData)
        else:
            best, ranking = service.study.tables(result, decimals, service.is_outdated)
            self.view.show_data(best.make())
            self.ranking.show_table(ranking.make)
            self.views.show_remarks("\n".join([*result.report.notes(), getattr(result.report, "signature", "")]))
        self.drawn.emit()

    # --- actions

    def _available_metrics(self) -> tuple[list[str], list[str]]:
        level = self.workspace.level
        return list(level.metrics), self.service.study_options.metrics_of(level)

    def _set_metrics(self, names: tuple[str, ...]) -> None:
        self.service.set_study_options(replace(self.service.study_options, metrics=names))

    def _show_chart(self, index: QModelIndex) -> None:
        self._select_target(index)
        self.views.show_view(PICTURE)
