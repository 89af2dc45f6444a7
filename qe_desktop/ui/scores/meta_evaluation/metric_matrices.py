"""Matrices of metrics × metrics, each with a description of its current cell."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.significance import SignificanceLevel
from qe_desktop.studies.meta_eval.agreement_statistics import AGREEMENT_STATISTICS, few_systems_caution, untested_reason
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_service import MetaEvaluationService
from qe_desktop.ui.scores.meta_evaluation.metric_matrix_models import (
    MetricCorrelationModel,
    MetricMatrixModel,
    MetricSignificanceModel,
)
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, vbox
from qe_desktop.ui.widgets.matrix.matrix_legend import MatrixLegend
from qe_desktop.ui.widgets.matrix.matrix_view import MatrixTableView

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
        vbox(*parts, on=self, gap=8, margins=(8, 8, 8, 0))
        self.view.described.connect(self._emit_description)
        self.setFocusProxy(self.view)
        service.changed.connect(self.refresh)
        self.refresh()

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


class MetricSignificancePage(MetricMatrixPage):
    """Tab with the significance of differences between metrics in the current statistic."""

    def __init__(self, service: MetaEvaluationService, parent: QWidget | None = None) -> None:
        self._grid = MetricSignificanceModel()
        super().__init__(service, self._grid, tr("Significance of differences between metrics"), parent)

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
        self.legend.setVisible(not missing)
        self.legend.explain(options.correction, options.alpha, self._grid.levels())
        return missing


class MetricCorrelationPage(MetricMatrixPage):
    """Tab with the correlations between the system scores of metrics."""

    def __init__(self, service: MetaEvaluationService, parent: QWidget | None = None) -> None:
        self._grid = MetricCorrelationModel()
        super().__init__(service, self._grid, tr("Inter-metric correlation"), parent)

    def _show(self) -> str:
        service = self._service
        study = None if service.result is None else service.result.study
        self._grid.show_study(study, service.statistic, service.workspace.settings.decimals)
        self.legend.hide()
        systems = 0 if study is None else len(study.systems)
        caution = few_systems_caution(systems)
        explanation = tr("Pearson's r of the scores of {n} {n:system|systems}", "", systems)
        self.basis.setText(f"⚠ {caution}" if caution else explanation)
        self.basis.set_token("warning" if caution else "muted")
        self.basis.setToolTip(plain_tooltip(explanation))
        self.basis.setVisible(study is not None)
        return ""
