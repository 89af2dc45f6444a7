"""Tabs next to the significance matrix: intervals, charts of the scored level, discriminative power and added views."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import LayerKey
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.level import ScoreChart
from qe_desktop.project import Session
from qe_desktop.significance import CORRECTION_LABELS, MetricComparison, format_level, tested_pair_count, top_and_bottom
from qe_desktop.ui.scores.commands import COEFFICIENTS, INTERVALS
from qe_desktop.ui.scores.live_score_service import LiveScoreService
from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.scores.plots.plot_pane import LevelPlotPane
from qe_desktop.ui.scores.result_table import distinction_columns, distinction_groups, metric_cell, name_column
from qe_desktop.ui.scores.score_table_view import ScoreTableView
from qe_desktop.ui.scores.score_values import MatrixState
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.glossary.terms import term_meaning
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, vbox
from qe_desktop.ui.widgets.plots.lazy_plot import LazyPlotWidget
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn, TableModel
from qe_desktop.ui.widgets.tables.table_view import DescribedTableView
from qe_desktop.ui.widgets.tabs import ExplainedTabWidget, set_tab_order


class CoefficientView(DescribedTableView):
    """Table with a row per tested metric: its name and its discriminative power (d, d_top, d_bottom)."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        self.coefficients = TableModel(_columns(0, (0, 0)), says_headers=False)
        super().__init__(self.coefficients, settings, tr("Discriminative power (d)"), parent)
        self._settings = settings
        self.fit()

    def show_state(self, state: MatrixState) -> None:
        """Show the result in `state`, with the name of the current metric in the accent colour."""
        result, decimals = state.result, self._settings.decimals
        tested = () if result is None else result.comparison.metrics
        split = (0, 0) if result is None else top_and_bottom(len(result.layers), result.comparison.options.top)
        systems = 0 if result is None else len(result.layers)
        columns, groups = _columns(systems, split), distinction_groups(systems, split)
        rows = []
        for tested_metric in tested:
            # bold would mean that no metric is significantly better
            token = "accent" if tested_metric.metric.name == state.metric else ""
            cells = [replace(metric_cell(tested_metric.metric), token=token)]
            order, values = tested_metric.order, _values(tested_metric)
            parts = order, order[: split[0]], order[split[0] :]
            for group, column in zip(groups, columns[1:], strict=True):
                pairs = tested_pair_count(tested_metric.p[np.ix_(parts[group], parts[group])])
                sentence = _sentence(tested_metric.metric.name, values[group], pairs, column)
                cells.append(TableCell(format_score(values[group], decimals), sentence, exact_values=(values[group],)))
            rows.append(cells)
        self.coefficients.show_rows(rows, columns)

    def fit_columns(self) -> None:
        """Fit the columns; names may take up to 24 characters, and values take at least 12."""
        character, columns = self.fontMetrics().horizontalAdvance("0"), range(len(self.coefficients.columns))
        widths = [self.header.required_width(column) for column in columns]
        values = self.header.widen_groups([max(width, character * 12) for width in widths[1:]])
        names = max(widths[0], min(character * 24, self.viewport().width() - sum(values)))
        for column, width in enumerate([names, *values]):
            self.setColumnWidth(column, width)


class CoefficientPane(QWidget):
    """Pane with the table of discriminative power, below an explanation."""

    described = Signal(str)
    """Emitted with the description of the current cell, or with an empty text if no cell is current."""

    def __init__(self, comparison: SignificanceService, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._service = comparison
        self.table = CoefficientView(comparison.workspace.settings, self)
        self._explanation = Label(token="muted", wraps=True)
        self._explanation.setToolTip(plain_tooltip(term_meaning("discriminative-power")))
        vbox(self._explanation, Stretched(self.table, 1), on=self, gap=8, margins=(8, 8, 8, 0))
        self.setFocusProxy(self.table)
        self.table.described.connect(self.described)
        comparison.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the current result, or how to obtain one."""
        self.table.show_state(self._service.snapshot())
        result = self._service.result
        if result is None:
            self._explanation.setText(
                tr("Run the significance test to see how many pairs each metric separates significantly.")
            )
            return
        options, systems = result.comparison.options, len(result.layers)
        explanation = tr(
            "Share of system pairs that a metric separates significantly (p ≤ {alpha}, {correction}).",
            alpha=format_level(options.alpha), correction=CORRECTION_LABELS[options.correction],
        )  # fmt: skip
        caution = tr("Top and bottom columns appear only for groups of at least two systems.")
        is_few = min(top_and_bottom(systems, options.top)) < 2
        self._explanation.setText(join_localized(" ", (explanation, caution)) if is_few else explanation)


def _columns(systems: int, split: tuple[int, int]) -> tuple[TableColumn, ...]:
    name = name_column(tr("Metric"), "metric", tr("Metric whose scores are compared."))
    return name, *distinction_columns(systems, split)


def _sentence(metric: str, value: float, pairs: int, column: TableColumn) -> str:
    """Return the description of a coefficient; `pairs` is the number of tested pairs that it covers."""
    if math.isnan(value):
        return tr(
            "{header} of {metric} is undefined: there are fewer than two tested systems to compare.",
            header=column.exported_headers[0], metric=metric,
        )  # fmt: skip
    separated = round(value * pairs)
    text = tr(
        "{metric} separates {apart:,} of {n:,} tested {n:pair|pairs} significantly.",
        "",
        pairs,
        metric=metric,
        apart=separated,
    )
    return f"{text} {column.tooltip}"


def _values(tested_metric: MetricComparison) -> tuple[float, float, float]:
    return tested_metric.d, tested_metric.d_top, tested_metric.d_bottom


FIRST_PLOT_TAB = 1
"""Index of the first tab with a chart of the scored level."""


class PlotTabs(ExplainedTabWidget):
    """Tab widget with a tab for each chart of the scored level.

    A chart of a single system shows the system selected in `table`. The tabs of `intervals` and `coefficients` are
    hidden if there is only one system.
    """

    drawn = Signal()
    """Emitted when a chart was drawn or cleared."""
    tabs_added = Signal()
    """Emitted after a tab is added."""
    described = Signal(str)
    """Description of the chart item under the pointer, the current table cell or a disabled tab; may be empty."""

    def __init__(
        self,
        scores: LiveScoreService,
        comparison: SignificanceService,
        table: ScoreTableView,
        intervals: LazyPlotWidget,
        coefficients: CoefficientPane,
    ) -> None:
        super().__init__()
        self._scores, self._comparison, self._table = scores, comparison, table
        self._panes: dict[ScoreChart, LevelPlotPane] = {}
        self._selected_layer: LayerKey | None = None
        self._session: Session | None = None
        self.bar.reason_changed.connect(self.described)
        scores.reset.connect(self._on_reset)
        # charts of sums are redrawn immediately; others are computed in the background for the latest edit
        scores.scores_changed.connect(self._refresh)
        scores.workspace.settings.changed.connect(self._on_setting)
        table.selectionModel().currentRowChanged.connect(self._on_row)
        # charts list the systems in the order of the rows
        table.scores_model.layoutChanged.connect(self._refresh)
        self._comparison_panes = (intervals, coefficients)
        coefficients.described.connect(self.described)
        intervals.drawn.connect(self.drawn)
        self.addTab(intervals, tr("Intervals"))
        self.addTab(coefficients, tr("Discriminative power"))
        self.setTabToolTip(self.indexOf(coefficients), plain_tooltip(term_meaning("discriminative-power")))
        self._on_reset()

    def pane(self, name: str) -> LevelPlotPane:
        """Return the pane of the chart `name`. Raises StopIteration if no level scored so far has this chart."""
        return next(pane for picture, pane in self._panes.items() if picture.name == name)

    def current_plot(self) -> LazyPlotWidget | None:
        """Return the plot of the current tab; None if the tab has no plot."""
        page = self.currentWidget()
        plot = page if isinstance(page, LazyPlotWidget) else getattr(page, "plot_widget", None)
        return plot if isinstance(plot, LazyPlotWidget) else None

    def add_view(self, view: QWidget, title: str) -> None:
        """Add a tab with a view of the scored systems after the existing tabs."""
        self.addTab(view, title)
        if self.isVisible():
            self._put_in_order()

    def chart_titles(self) -> dict[str, str]:
        """Return the titles of the visible chart tabs, keyed by chart name."""
        return {name: self.tabText(index) for name, index in self._tab_indices().items() if self.isTabVisible(index)}

    def current_chart(self) -> str:
        """Return the name of the current chart; empty if the current tab is an added view."""
        return next((name for name, index in self._tab_indices().items() if index == self.currentIndex()), "")

    def show_chart(self, name: str) -> None:
        """Show and focus the chart `name`. Raises KeyError if no level scored so far has this chart."""
        self.setCurrentIndex(self._tab_indices()[name])
        self.setFocus()

    def _tab_indices(self) -> dict[str, int]:
        charts = {picture.name: self.indexOf(pane) for picture, pane in self._panes.items()}
        first, last = (self.indexOf(pane) for pane in self._comparison_panes)
        return {INTERVALS: first, **charts, COEFFICIENTS: last}

    @property
    def current_layer(self) -> LayerKey | None:
        """Current system: the one selected last in the table, or else the first one; None if there are no systems."""
        layers = self._scores.layers
        if self._selected_layer in layers:
            return self._selected_layer
        model = self._table.scores_model
        return model.layer(0) if model.rowCount() else next(iter(layers), None)

    def tabInserted(self, index: int) -> None:
        """Emit `tabs_added`."""
        super().tabInserted(index)
        self.tabs_added.emit()

    def showEvent(self, event: QShowEvent) -> None:
        """Set the tab order, which requires that all widgets are in the same window."""
        super().showEvent(event)
        self._put_in_order()

    def _put_in_order(self) -> None:
        pages = [widget for index in range(self.count()) if (widget := self.widget(index)) is not None]
        set_tab_order([self.tabBar(), *pages])

    # --- updates

    def _on_reset(self) -> None:
        if self._scores.workspace.session is not self._session:
            # a system of the same name in other data is a different one
            self._session, self._selected_layer = self._scores.workspace.session, None
        pictures = self._scores.workspace.level.charts
        for index, picture in enumerate(pictures):
            if picture not in self._panes:
                pane = self._panes[picture] = LevelPlotPane(picture, self._scores, self._comparison, self)
                pane.plot_widget.drawn.connect(self.drawn)
                pane.described.connect(self.described)
                self.insertTab(FIRST_PLOT_TAB + index, pane, picture.title)
                self.setTabToolTip(FIRST_PLOT_TAB + index, plain_tooltip(picture.description))
        current = self.currentWidget()
        for compared in self._comparison_panes:
            self.setTabVisible(self.indexOf(compared), len(self._scores.layers) != 1)
        for picture, pane in self._panes.items():
            self.setTabVisible(self.indexOf(pane), picture in pictures)
        if current is not None and not self.isTabVisible(self.indexOf(current)):
            # Qt would show the tab next to the hidden one
            self.setCurrentIndex(next((index for index in range(self.count()) if self.isTabVisible(index)), 0))
        if self.isVisible():
            self._put_in_order()
        self.lay_out_tabs()
        self._refresh()

    def _on_row(self) -> None:
        layer = self._table.current_layer()
        if layer is not None and layer != self._selected_layer:
            self._selected_layer = layer
            self._refresh()

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self._refresh()
            for compared in self._comparison_panes:
                compared.refresh()

    def _refresh(self) -> None:
        pictures, chosen, model = self._scores.workspace.level.charts, self.current_layer, self._table.scores_model
        listed = [model.layer(row) for row in range(model.rowCount())]
        # the table may change its rows before panes for another level exist
        for pane in [pane for picture, pane in self._panes.items() if picture in pictures]:
            pane.refresh(chosen, listed)
