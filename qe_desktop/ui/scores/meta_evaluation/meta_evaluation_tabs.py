"""Tabs below the meta-evaluation table: charts, matrices, systems, curves and notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QWidget

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.chart_model import Panels
from qe_desktop.report.meta_evaluation_notes import documents_notes
from qe_desktop.significance import SignificanceLevel
from qe_desktop.studies.charts import curve_panels, metric_vs_human_panels, segment_level_panels
from qe_desktop.studies.meta_eval.agreement_curves import CorrelationCurve, recall_curve, reference_curves
from qe_desktop.studies.meta_eval.agreement_statistics import AGREEMENT_STATISTICS, few_systems_caution, untested_reason
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores.meta_evaluation.commands import PICTURE, VIEW_TOOLTIPS, VIEWS
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_service import MetaEvaluationService
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_table import MetaEvaluationResult, systems_table
from qe_desktop.ui.scores.meta_evaluation.metric_columns import is_segment_level
from qe_desktop.ui.scores.meta_evaluation.metric_matrix_models import (
    MetricCorrelationModel,
    MetricMatrixModel,
    MetricSignificanceModel,
)
from qe_desktop.ui.scores.plots.plot_pane import DRAWING_TEXT, ComputedPlotPane
from qe_desktop.ui.scores.result_page import DescribedTable, ResultTabs
from qe_desktop.ui.widgets.labels import ElidedLabel, Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox, wrap_layout
from qe_desktop.ui.widgets.legends import CorrelationLegend, MatrixLegend
from qe_desktop.ui.widgets.matrix_view import MatrixTableView
from qe_desktop.ui.widgets.tables.table_model import TableData

MIN_LINES = 5
"""Minimum height of a matrix, in lines of text."""


class MetricMatrixView(MatrixTableView):
    """View of a matrix of metrics; Enter or a double click requests the metric of the row."""

    metric_requested = Signal(str)

    def __init__(self, model: MetricMatrixModel, name: str, parent: QWidget | None = None) -> None:
        self._metrics = model
        super().__init__(model, name, parent)
        for signal in (self.doubleClicked, self.cell_activated):
            signal.connect(self._request_metric)

    def _request_metric(self, index: QModelIndex) -> None:
        if 0 <= index.row() < self._metrics.rowCount():
            self.metric_requested.emit(self._metrics.metric(index.row()))


class MetricMatrixPage(QWidget):
    """Base class of tabs with a matrix of metrics × metrics; subclasses fill the matrix in `_show`."""

    metric_requested = Signal(str)
    described = Signal(str, str)
    """Emitted with the description of the current cell and the symbol of its test; both may be empty."""

    def __init__(
        self, service: MetaEvaluationService, model: MetricMatrixModel, name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._service, self._model = service, model
        self.view = MetricMatrixView(model, name, self)
        self.view.metric_requested.connect(self.metric_requested)
        self.basis = Label(token="muted")
        """Label with the number of systems over which the values are computed; shown for correlations only."""
        self.basis.hide()
        self._missing = Label(token="muted", wraps=True)
        self._missing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.legend = MatrixLegend({SignificanceLevel.UNTESTED: tr("not tested")})
        parts = (self.basis, Stretched(self.view, 1), Stretched(self._missing, 1), self.legend)
        vbox(*self._head(), *parts, *self._foot(), on=self, gap=8, margins=(8, 8, 8, 0))
        self.view.described.connect(self._emit_description)
        self.setFocusProxy(self.view)
        service.changed.connect(self.refresh)
        self.refresh()

    def _head(self) -> Sequence[QWidget]:
        """Return the widgets above the matrix."""
        return ()

    def _foot(self) -> Sequence[QWidget]:
        """Return the widgets below the legend of significance symbols."""
        return ()

    def _emit_description(self, sentence: str) -> None:
        self.described.emit(sentence, self._model.sign(self.view.currentIndex()))

    def refresh(self) -> None:
        """Show the matrix of the current study, or the reason why there is nothing to show."""
        line = self.fontMetrics().lineSpacing()
        self.view.setMinimumHeight(line * MIN_LINES)
        missing = self._show()
        self._missing.setText(missing)
        self._missing.setVisible(bool(missing))
        self.view.setVisible(not missing)

    def _show(self) -> str:
        """Fill the view; return the reason if there is nothing to show, else an empty string."""
        raise NotImplementedError


def _documents_button() -> QPushButton:
    button = QPushButton(tr("Use documents"))
    button.setToolTip(plain_tooltip(tr("Permute and resample whole documents")))
    return button


def _use_documents(service: MetaEvaluationService) -> None:
    service.set_study_options(replace(service.study_options, unit="document"))


def _split_documents(service: MetaEvaluationService) -> int:
    """Return the number of documents whose segments are treated as independent; 0 if no study is ready."""
    result = service.result
    is_treated = result is not None and service.state == "ready" and bool(documents_notes(result.study))
    return result.study.human.split_documents if result is not None and is_treated else 0


class MetricSignificancePage(MetricMatrixPage):
    """Tab with the significance of differences between metrics in the current statistic."""

    def __init__(self, service: MetaEvaluationService, parent: QWidget | None = None) -> None:
        self._grid = MetricSignificanceModel()
        self._caution = ElidedLabel(token="warning")
        self.use_documents_button = _documents_button()
        self.use_documents_button.clicked.connect(lambda: _use_documents(service))
        self._documents = wrap_layout(hbox(Stretched(self._caution, 1), self.use_documents_button, gap=8))
        super().__init__(service, self._grid, tr("Significance of differences between metrics"), parent)

    def _head(self) -> Sequence[QWidget]:
        return (self._documents,)

    def _show(self) -> str:
        service, options = self._service, self._service.options
        study = None if service.result is None else service.result.study
        figure = service.statistic
        decimals = service.workspace.settings.decimals
        self._grid.show_study(study, figure, options.correction, options.alpha, decimals)
        missing = "" if study is None or self._grid.rowCount() else untested_reason(study, figure)
        if missing and study is not None:
            tested = [statistic.title for statistic in AGREEMENT_STATISTICS if statistic.key in study.metric_p_values]
            if tested:
                tested_text = tr("Tested measures: {figures}.", figures=", ".join(tested))
                missing = join_localized(" ", (missing, tested_text))
        documents = _split_documents(service)
        caution = tr(
            "Segments of {n:,} {n:document|documents} are treated as independent; p-values may be too small.",
            "",
            documents,
        )
        self._caution.setText(f"⚠ {caution}")
        self._caution.setToolTip("" if study is None else plain_tooltip("\n".join(documents_notes(study))))
        self._documents.setVisible(bool(documents) and not missing)
        self.legend.setVisible(not missing)
        self.legend.explain(options.correction, options.alpha, self._grid.levels())
        return missing


class MetricCorrelationPage(MetricMatrixPage):
    """Tab with the correlations between the system scores of metrics."""

    def __init__(self, service: MetaEvaluationService, parent: QWidget | None = None) -> None:
        self._grid = MetricCorrelationModel()
        self._scale = CorrelationLegend()
        super().__init__(service, self._grid, tr("Inter-metric correlation"), parent)

    def _foot(self) -> Sequence[QWidget]:
        return (self._scale,)

    def _show(self) -> str:
        service = self._service
        study = None if service.result is None else service.result.study
        self._grid.show_study(study, service.statistic, service.workspace.settings.decimals)
        self.legend.hide()
        self._scale.setVisible(study is not None)
        systems = 0 if study is None else len(study.systems)
        caution = few_systems_caution(systems)
        explanation = tr("Pearson's r of the scores of {n} {n:system|systems}", "", systems)
        self.basis.setText(f"⚠ {caution}" if caution else explanation)
        self.basis.set_token("warning" if caution else "muted")
        self.basis.setToolTip(plain_tooltip(explanation))
        self.basis.setVisible(study is not None)
        return ""


class MetricVsHumanPane(ComputedPlotPane):
    """Scatter plots of the current metric vs. human scores.

    They show systems and pairs of systems; for a segment-level statistic, they show translations and systems.
    """

    def __init__(self, service: MetaEvaluationService, parent: QWidget | None = None) -> None:
        super().__init__(service.workspace, tr("Metric vs. human scores"), "people-picture", parent)
        self._service = service
        service.changed.connect(self.refresh)

    def _subject(self) -> tuple[object, ...] | None:
        result = self._service.result
        decimals = self._workspace.settings.decimals
        figure = self._service.statistic
        by_segment = figure if result is not None and is_segment_level(figure) else None
        alpha = self._service.options.alpha
        return None if result is None else (result.study, self._service.metric, by_segment, decimals, alpha)

    def _begin(self) -> None:
        result = self._service.result
        assert result is not None
        index = result.metrics.index(self._service.metric)
        number, figure, alpha = self._number(), self._service.statistic, self._service.options.alpha

        def work(progress: Progress) -> Panels:
            scores = result.data.metrics.segment_scores() if is_segment_level(figure) else []
            if index >= len(scores):
                return metric_vs_human_panels(result.study, index, number, alpha)
            metric = result.study.agreements[index].metric
            segment_scores = metric.better * scores[index]
            return segment_level_panels(result.study, index, figure, segment_scores, number, alpha)

        self._submit(work, self.show_content)


class CurvePane(ComputedPlotPane):
    """Chart of the curves of one kind; `name` is one of `CURVES`.

    The curves are computed when the chart is first shown, and stored in the result.
    """

    def __init__(self, service: MetaEvaluationService, name: str, title: str, parent: QWidget | None = None) -> None:
        super().__init__(service.workspace, title, f"people-{name}", parent)
        self._service, self._name = service, name
        service.changed.connect(self.refresh)

    def _subject(self) -> tuple[object, ...] | None:
        result = self._service.result
        return None if result is None else (result.study, self._workspace.settings.decimals)

    def _begin(self) -> None:
        result = self._service.result
        assert result is not None
        name, number = self._name, self._number()
        if result.data.texts is None:
            self.show_content(tr("Curves need text metrics. Add translations and a reference."))
            return

        def work(progress: Progress) -> tuple[MetaEvaluationResult, Panels]:
            curves = result.curves.get(name) or compute_curves(result, name, progress)
            return result.with_curves(name, curves), curve_panels(curves, len(result.study.systems), number)

        self.content = DRAWING_TEXT
        self._submit(work, self._on_done)

    def _on_progress(self, fraction: float, text: str) -> None:
        if isinstance(self.content, str):
            self.show_content(tr("Computing the curve: {percent:.0f} %", percent=100 * fraction))

    def _on_done(self, result: tuple[MetaEvaluationResult, Panels]) -> None:
        with_curves, panels = result
        self.show_content(panels or tr("Curves need text metrics. Select one or more under “Metrics”."))
        now = self._service.result
        if now is not None and now.study is with_curves.study:
            # another curve may have been computed in the meantime
            self._service.update_result(now.with_curves(self._name, with_curves.curves[self._name]))


def compute_curves(result: MetaEvaluationResult, name: str, progress: Progress) -> tuple[CorrelationCurve, ...]:
    """Return the curves by recall weight (`name` is "recall") or by number of references (`name` is "references").

    `result.data.texts` must not be None. Raises QeError if the resampling unit is the document but documents are
    unknown or, for "references", if there is only one reference.
    """
    data, human_scores, options = result.data, result.study.human, result.options.options
    assert data.texts is not None

    def on_progress(count: int, total: int) -> None:
        progress.report(count / max(1, total))

    if name == "recall":
        return (recall_curve(data.texts, human_scores, options, on_progress),)
    return reference_curves(data.texts, data.text_metrics, human_scores, options, on_progress)


class SystemRanksPage(DescribedTable):
    """Table of systems, ranked by human scores and by each metric."""

    def __init__(self, service: MetaEvaluationService, parent: QWidget | None = None) -> None:
        name = tr("Systems by human scores and by metrics")
        super().__init__(service.workspace.settings, name, tr("&Show the segments of the system"), parent)
        self._service = service
        service.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current study; without one, clear the table. While the page is hidden, the update is deferred."""
        result, decimals = self._service.result, self._service.workspace.settings.decimals
        if result is None:
            self.show_data(TableData())
        elif self.isVisible():
            self.show_data(systems_table(result.study, self._service.metric, decimals))

    def showEvent(self, event: QShowEvent) -> None:
        """Apply pending updates."""
        super().showEvent(event)
        self.refresh()


class MetaEvaluationTabs(ResultTabs):
    """Tab widget with a tab for each of `VIEWS`; the page can show the chart next to the table instead of in a tab."""

    goal_requested = Signal(object)
    """Emitted with the `ChartGoal` of the chart item that was clicked."""
    system_requested = Signal(object)
    """Emitted to request the segments of a system, with a `MetricTarget` that contains the system and a metric."""

    def __init__(self, service: MetaEvaluationService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self.use_documents_button = _documents_button()
        self.use_documents_button.clicked.connect(lambda: _use_documents(service))
        self.chart_pane = MetricVsHumanPane(service, self)
        self.systems = SystemRanksPage(service, self)
        self.significance_page, self.correlation = (
            MetricSignificancePage(service, self),
            MetricCorrelationPage(service, self),
        )
        self.curves = {name: CurvePane(service, name, VIEWS[name], self) for name in ("recall", "references")}
        views = {"better": self.significance_page, "between": self.correlation, "systems": self.systems}
        self.add_views({**views, **self.curves}, VIEWS)
        for name, tooltip in VIEW_TOOLTIPS.items():
            self.setTabToolTip(self.indexOf(self._views[name]), plain_tooltip(tooltip))
        self.forward_descriptions(
            self.chart_pane.described, self.systems.described, *(curve.described for curve in self.curves.values())
        )
        self.chart_pane.goal_requested.connect(self.goal_requested)
        self.systems.target_activated.connect(self.system_requested)
        for matrix in (self.significance_page, self.correlation):
            matrix.metric_requested.connect(self._show_metric)
            matrix.described.connect(self.described)
        for pane in (self.chart_pane, *self.curves.values()):
            pane.plot_widget.drawn.connect(self.drawn)
        service.changed.connect(self._offer_documents)
        self._offer_documents()

    def _notes_view(self) -> QWidget:
        """Return the notes, below a button that selects documents as the resampling unit."""
        notes = super()._notes_view()
        page = wrap_layout(vbox(hbox(self.use_documents_button, StretchSpace(), margins=(8, 8, 8, 0)), notes))
        page.setFocusProxy(notes)
        return page

    def _offer_documents(self) -> None:
        self.use_documents_button.setVisible(_split_documents(self._service) > 0)

    @property
    def has_chart(self) -> bool:
        """Whether the chart is in a tab."""
        return PICTURE in self._views

    def add_chart(self) -> None:
        """Insert the chart as the first tab, and show it."""
        self._views = {PICTURE: self.chart_pane, **self._views}
        self.insertTab(0, self.chart_pane, VIEWS[PICTURE])
        self.setCurrentIndex(0)

    def release_chart(self) -> QWidget:
        """Remove the tab of the chart, and return the chart."""
        del self._views[PICTURE]
        self.removeTab(0)
        return self.chart_pane

    def show_view(self, name: str, *, focus: bool = True) -> None:
        """Show a view, and focus it unless `focus` is false; a chart next to the tabs is already visible."""
        if name in self._views:
            super().show_view(name, focus=focus)
        elif focus:
            self.chart_pane.setFocus()

    def _show_metric(self, name: str) -> None:
        self._service.set_metric(name)
        self.show_view(PICTURE)
