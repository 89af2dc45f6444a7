"""Agreement between raters: every measure with what it rests on, in words, drawn, and for each two raters."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabWidget, QWidget

from qe_desktop.ui.campaigns.choice import Choice
from qe_desktop.ui.campaigns.results.agreement_rows import (
    RANKINGS,
    dots_of,
    in_words,
    interval_cell,
    measures,
    topic_name,
    topics,
)
from qe_desktop.ui.campaigns.results.figure_columns import known
from qe_desktop.ui.campaigns.results.pictures.figure import Figure
from qe_desktop.ui.campaigns.results.rater_pair_model import RaterPairModel
from qe_desktop.ui.campaigns.results.results_keeper import Computed
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.parts.grid_view import GridView
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, column_of, holding, row_of, split_of
from qe_desktop.ui.parts.rows_view import RowsView
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import tr

COLUMNS = (
    Column(tr("measure"), tr("What is computed")),
    Column(tr("value"), tr("1 is perfect, 0 what chance gives"), right=True),
    Column(tr("95 %"), tr("Bootstrap interval over segments"), right=True),
    Column(tr("over"), tr("Items with ratings of two raters at least; for rankings, pairs of judgements"), right=True),
    Column(tr("in words"), tr("Landis and Koch’s words (1977), a convention"), wide=True),
)


class AgreementPane(QWidget):
    """A scale, or the rankings, at a time."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._computed: Computed | None = None
        self.topic = Choice(tr("Agreement on"))
        self._words = Label(narrow=True, selectable=True)
        self.table = RowsView(workspace.settings, tr("Measures of agreement"), COLUMNS)
        self.rater_pairs = RaterPairModel()
        self.raters = GridView(self.rater_pairs, tr("Agreement of each two raters"))
        self.figure = Figure(workspace, tr("Agreement"), titled=False)
        about = tr("Quadratic kappa above (blue is 1, orange −1), shared items below")
        self._about_pairs = Label(about, token="muted")
        self._lay_out()
        self.topic.activated.connect(self._refresh)
        self.setFocusProxy(self.table)

    def _lay_out(self) -> None:
        head = row_of(self.topic, Placed(self._words, 1), gap=12)
        pairs = holding(column_of(Placed(self.raters, 1), self._about_pairs, margins=(8, 8, 0, 0)))
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.addTab(self.figure, tr("Measures"))
        self.tabs.addTab(pairs, tr("Pairs of raters"))
        split = split_of(Qt.Orientation.Horizontal, self.table, self.tabs, shares=(5, 4))
        split.setSizes([620, 500])
        column_of(head, Placed(split, 1), on=self, gap=8, margins=(0, 8, 0, 0))

    def show_computed(self, computed: Computed | None) -> None:
        """Show other results."""
        self._computed = computed
        found = [] if computed is None else topics(computed.results)
        self.topic.offer((topic_name(topic), topic) for topic in found)
        self._refresh()

    def _refresh(self) -> None:
        computed, topic = self._computed, self.topic.currentData() or ""
        if computed is None:
            self.table.show_rows([])
            return
        results = computed.results
        rows = measures(results, topic)
        self.table.show_rows(
            [
                (
                    Cell(row.name, f"{row.name}: {row.about}"),
                    Cell(known(row.value), f"{row.name}: {known(row.value)}"),
                    Cell(interval_cell(row)),
                    Cell(f"{row.n:,}"),
                    Cell(row.reading, f"{row.reading}. {row.about}".strip(". "), "muted" if row.problem else ""),
                )
                for row in rows
            ]
        )
        self._words.setText(in_words(results, topic))
        pairs = results.agreement.get(topic) if topic != RANKINGS else None
        self.rater_pairs.show_agreement(pairs)
        self.tabs.setTabVisible(1, self.rater_pairs.rowCount() > 1)
        n = rows[0].n if rows else 0
        over = (
            tr("{n:,} {n:pair|pairs} of judgements.", "", n)
            if topic == RANKINGS
            else tr("{n:,} {n:item|items} with ratings of several raters.", "", n)
        )
        meaning = tr("Further right is better; at 0 raters agree no more than chance would have it.")
        self.figure.show_content(dots_of(rows, topic), f"{over} {meaning}")
