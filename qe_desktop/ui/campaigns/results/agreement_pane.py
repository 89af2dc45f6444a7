"""Inter- and intra-annotator agreement: table, interpretation, chart, and pairwise matrix."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
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
from qe_desktop.ui.campaigns.results.results_service import ComputedResults
from qe_desktop.ui.campaigns.results.statistic_columns import format_or_dash
from qe_desktop.ui.widgets.form_controls import DataComboBox
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, hbox, make_splitter, vbox, wrap_layout
from qe_desktop.ui.widgets.matrix.matrix_view import MatrixTableView
from qe_desktop.ui.widgets.tables.sentence_line import SentenceLine
from qe_desktop.ui.widgets.tables.table_model import TableCell, number_column, text_column
from qe_desktop.ui.widgets.tables.table_view import AutoWidthTable
from qe_desktop.ui.widgets.tabs import TabWidget
from qe_desktop.ui.workspace import Workspace

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
        lambda row: TableCell(value := format_or_dash(row.value), f"{row.name}: {value}"),
        "value",
    ),
    number_column(tr("95 % interval"), tr("Bootstrap interval over segments"), interval_cell, "95 %"),
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
        self.sentence = SentenceLine(parent=self)
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
