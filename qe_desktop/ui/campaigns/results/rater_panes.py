"""Panes of raters: results of each rater, and inter- and intra-annotator agreement."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.results.result_types import RaterPage
from qe_desktop.report.format_values import format_duration
from qe_desktop.ui.campaigns.results.agreement_table import (
    RANKINGS,
    agreement_intervals,
    agreement_measures,
    agreement_topics,
    describe_agreement,
    interval_cell,
    topic_name,
)
from qe_desktop.ui.campaigns.results.captioned_plot import CaptionedPlot
from qe_desktop.ui.campaigns.results.pair_matrix_models import RaterPairModel
from qe_desktop.ui.campaigns.results.rater_summaries import (
    RANK_COLUMNS,
    SCALE_COLUMNS,
    agreement_with_others,
    control_caption,
    control_pairs,
    describe_rater,
    pace_series,
    rater_cells,
    repeated_pairs,
    value_histogram,
)
from qe_desktop.ui.campaigns.results.results_service import ComputedResults
from qe_desktop.ui.campaigns.results.statistic_columns import format_or_dash
from qe_desktop.ui.widgets.form_controls import DataComboBox
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import (
    FittedSplitter,
    Stretched,
    hbox,
    make_scroll_area,
    make_splitter,
    vbox,
    wrap_layout,
)
from qe_desktop.ui.widgets.matrix_view import MatrixTableView
from qe_desktop.ui.widgets.tables.description_line import DescriptionLine
from qe_desktop.ui.widgets.tables.table_model import TableCell, number_column, text_column
from qe_desktop.ui.widgets.tables.table_view import AutoWidthTable
from qe_desktop.ui.widgets.tabs import TabWidget
from qe_desktop.ui.workspace import Workspace

ROWS = 7
"""Maximum number of table rows shown without scrolling."""

CHART_TITLES = (tr("Values"), tr("Pace"), tr("Repeats"), tr("Quality control"), tr("Agreement with others"))


class RaterPane(QWidget):
    """Table of raters, and charts of the selected rater; arrow keys in the table select a rater."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._computed: ComputedResults | None = None
        self._arranged = (0, 0)
        self.topic = DataComboBox(tr("Ratings on"))
        self.view = AutoWidthTable(workspace.settings, tr("Raters"), SCALE_COLUMNS)
        self._name = Label(scale=1.15, bold=True)
        self._summary = Label(narrow=True, selectable=True)
        self._selected = ""
        """Name of the selected rater."""
        self.values, self.pace, self.repeats, self.controls, self.agreement = (
            CaptionedPlot(workspace, title, self) for title in CHART_TITLES
        )
        self.sentence = DescriptionLine(parent=self)
        self._lay_out()
        self.view.described.connect(self._show_description)
        self.topic.activated.connect(self._refresh)
        self.view.selectionModel().currentRowChanged.connect(self._show_rater)
        self.setFocusProxy(self.view)

    def _lay_out(self) -> None:
        head = hbox(self.topic, self._name, Stretched(self._summary, 1), gap=8)
        self._grid = QGridLayout()
        self._grid.setSpacing(16)
        self._grid.setContentsMargins(0, 0, 0, 0)
        scroll = make_scroll_area(wrap_layout(self._grid), focus=True)
        scroll.setAccessibleName(tr("Charts of the rater"))
        lower = wrap_layout(vbox(self.sentence, head, Stretched(scroll, 1), gap=8))
        self._split = FittedSplitter(self.view, lower, self._table_height)
        vbox(self._split, on=self, margins=(0, 8, 0, 0))

    def show_computed(self, computed: ComputedResults | None) -> None:
        """Show the raters in `computed`; the selected rater stays selected if still present."""
        self._computed = computed
        topics = (
            []
            if computed is None
            else [*computed.results.scales, *([RANKINGS] if computed.results.has_rankings else [])]
        )
        self.topic.set_items((escape_label(topic_name(topic)), topic) for topic in topics)
        self._refresh()

    def page(self) -> RaterPage | None:
        """Return the results of the selected rater; None if no rater is selected."""
        row = self.view.currentIndex().row()
        pages = () if self._computed is None else self._computed.results.raters
        return pages[row] if 0 <= row < len(pages) else None

    def _refresh(self) -> None:
        ranked = self.topic.currentData() == RANKINGS
        selected, row = self._selected, max(0, self.view.currentIndex().row())
        if self._computed is not None:
            pages, scale = self._computed.results.raters, self.topic.currentData()
            columns = RANK_COLUMNS if ranked else SCALE_COLUMNS
            rows = [rater_cells(columns, page, page.rankings if ranked else page.scales.get(scale)) for page in pages]
            self.view.show_rows(rows, columns)
            # new raters change the row of the selected rater
            row = next((number for number, page in enumerate(pages) if page.name == selected), min(row, len(pages) - 1))
            self.view.setCurrentIndex(self.view.table.index(row, 0))
        self._split.fit()
        self._show_rater()

    def _show_description(self, sentence: str) -> None:
        """Describe the current cell; in the name column, show a hint instead, because the name is above the charts."""
        self.sentence.show_sentence(sentence if self.view.currentIndex().column() else "")

    def _table_height(self, height: int) -> int:
        """Return the height of the table in pixels: up to `ROWS` rows, but at most half of `height`."""
        head = self.view.header.sizeHint().height()
        row = self.view.verticalHeader().defaultSectionSize()
        return min(head + row * min(ROWS, max(1, self.view.table.rowCount())) + 12, max(1, height) // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the charts for the new width."""
        super().resizeEvent(event)
        self._arrange()

    def _show_rater(self) -> None:
        page, computed = self.page(), self._computed
        if page is None or computed is None:
            return
        topic, shapes, results = self.topic.currentData(), computed.distributions, computed.results
        self._selected = page.name
        self._name.setText(page.name)
        self._summary.setText(describe_rater(page, topic))
        figures = self._charts()
        for figure in (self.values, self.pace, self.repeats, self.controls, self.agreement):
            figure.setVisible(figure in figures)
        self._arrange()
        pace = shapes.seconds_by_rater.get(page.name)
        timed = 0 if pace is None else len(pace)
        middle = format_duration(float(np.median(pace))) if pace is not None and timed else ""
        caption = tr("{n:,} {n:item|items} with a known time, median {median} (dashed line).", "", timed, median=middle)
        self.pace.show_content(pace_series(shapes, page.name), caption)
        if topic == RANKINGS:
            agreement = agreement_with_others(results.raters)
            n = 0 if isinstance(agreement, str) else len(agreement.rows)
            caption = tr("{n:,} {n:rater|raters}, each compared with all others who judged the same outputs.", "", n)
            self.agreement.show_content(agreement, caption)
            return
        reliability, repeats = page.scales.get(topic), shapes.repeats.get((page.name, topic))
        n, pairs = 0 if reliability is None else reliability.n, 0 if repeats is None else len(repeats.first)
        caption = tr("{n:,} {n:rating|ratings}. A narrow peak means that the rater used few values.", "", n)
        self.values.show_content(value_histogram(reliability, topic), caption)
        plot_arguments = (shapes, page.name, topic, results.spans.get(topic))
        caption = tr("{n:,} {n:item|items} rated twice; on the line, both ratings are equal.", "", pairs)
        self.repeats.show_content(repeated_pairs(*plot_arguments), caption)
        self.controls.show_content(control_pairs(*plot_arguments), control_caption(reliability))

    def _charts(self) -> tuple[CaptionedPlot, ...]:
        """Return the charts of the selected topic."""
        if self.topic.currentData() == RANKINGS:
            return self.pace, self.agreement
        return self.values, self.pace, self.repeats, self.controls

    def _arrange(self) -> None:
        """Arrange the charts of the topic in one row if they fit, otherwise two per row."""
        figures = self._charts()
        across = (
            len(figures) if self.width() > self.fontMetrics().horizontalAdvance("0") * 150 else min(2, len(figures))
        )
        if self._arranged == (across, len(figures)):
            return
        self._arranged = (across, len(figures))
        for figure in (self.values, self.pace, self.repeats, self.controls, self.agreement):
            self._grid.removeWidget(figure)
        for index, figure in enumerate(figures):
            self._grid.addWidget(figure, index // across, index % across)
        for index in range(4):
            self._grid.setColumnStretch(index, 1 if index < across else 0)


COLUMNS = (
    text_column(
        tr("Measure"),
        tr("Agreement measure"),
        lambda row: TableCell(row.name, f"{row.name}: {row.description}"),
        "measure",
    ),
    number_column(
        tr("Value"),
        tr("1: perfect agreement; 0: chance agreement or, without correction for chance, no agreement"),
        lambda row: TableCell(value := format_or_dash(row.value), f"{row.name}: {value}. {row.description}"),
        "value",
    ),
    number_column(
        tr("95 % interval"),
        tr("Range of the value when segments are resampled; narrower is more certain"),
        interval_cell,
        "95 %",
    ),
    number_column(
        tr("n"),
        tr("Items rated by several raters, or twice by the same rater; for rankings, pairs of judgements"),
        lambda row: f"{row.n:,}",
    ),
    text_column(
        tr("Interpretation"),
        tr("Conventional labels of Landis and Koch (1977)"),
        lambda row: TableCell(
            row.interpretation, f"{row.interpretation}. {row.description}".strip(". "), "muted" if row.problem else ""
        ),
        "interpretation",
        is_wide=True,
    ),
)


class AgreementPane(QWidget):
    """Pane that shows the agreement of raters on one scale or on the rankings."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._computed: ComputedResults | None = None
        self.topic = DataComboBox(tr("Agreement on"))
        self._description = Label(narrow=True, selectable=True)
        self.table = AutoWidthTable(workspace.settings, tr("Agreement measures"), COLUMNS)
        self.rater_pairs = RaterPairModel()
        self.raters = MatrixTableView(self.rater_pairs, tr("Agreement of each pair of raters"))
        self.figure = CaptionedPlot(workspace, tr("Agreement"), titled=False)
        explanation = tr("Above the diagonal: quadratic kappa (blue: 1, orange: −1). Below: number of shared items.")
        self._about_pairs = Label(explanation, token="muted")
        self.sentence = DescriptionLine(parent=self)
        self._lay_out()
        for view in (self.table, self.raters):
            view.described.connect(self.sentence.show_sentence)
        self.topic.activated.connect(self._refresh)
        self.setFocusProxy(self.table)

    def _lay_out(self) -> None:
        head = hbox(self.topic, Stretched(self._description, 1), gap=8)
        pairs = wrap_layout(vbox(Stretched(self.raters, 1), self._about_pairs, margins=(8, 8, 0, 0)))
        self.tabs = TabWidget()
        self.tabs.addTab(self.figure, tr("Measures"))
        self.tabs.addTab(pairs, tr("Rater pairs"))
        split = make_splitter(Qt.Orientation.Horizontal, self.table, self.tabs, shares=(5, 4))
        split.setSizes([620, 500])
        vbox(head, Stretched(split, 1), self.sentence, on=self, gap=8, margins=(0, 8, 0, 0))

    def show_computed(self, computed: ComputedResults | None) -> None:
        """Show the agreement of raters in `computed`; None clears the table."""
        self._computed = computed
        topics = [] if computed is None else agreement_topics(computed.results)
        self.topic.set_items((topic_name(topic), topic) for topic in topics)
        self._refresh()

    def _refresh(self) -> None:
        computed, topic = self._computed, self.topic.currentData() or ""
        if computed is None:
            self.table.show_rows([])
            return
        results = computed.results
        rows = agreement_measures(results, topic)
        self.table.show_items(rows)
        self._description.setText(describe_agreement(results, topic))
        pairs = results.agreement.get(topic) if topic != RANKINGS else None
        self.rater_pairs.show_agreement(pairs)
        self.tabs.setTabVisible(1, self.rater_pairs.rowCount() > 1)
        n = rows[0].n if rows else 0
        over = (
            tr("{n:,} {n:pair|pairs} of judgements.", "", n)
            if topic == RANKINGS
            else tr("{n:,} {n:item|items} rated by several raters.", "", n)
        )
        meaning = tr("Higher is better; 0 is chance agreement.")
        intervals = agreement_intervals(rows, topic)
        self.figure.show_content(intervals, f"{over} {meaning}")
        # without a chart, the reasons for undefined measures have the full width
        self.tabs.setVisible(not isinstance(intervals, str) or self.tabs.isTabVisible(1))
