"""The score table on screen: sorting, choosing columns and the metric looked at, copying."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QMenu, QTableView, QWidget

from qe_desktop.metrics import WORD_METRICS
from qe_desktop.ui import theme
from qe_desktop.ui.comparing import ComparisonKeeper
from qe_desktop.ui.scores.copying import copy_text, selected_text
from qe_desktop.ui.scores.figures import interval_text, score_text, tabular
from qe_desktop.ui.scores.flash import Flash
from qe_desktop.ui.scores.flat_header import FlatHeader
from qe_desktop.ui.scores.score_columns import show_metric, show_usual, shown_metrics
from qe_desktop.ui.scores.score_delegate import PADDING, ScoreDelegate
from qe_desktop.ui.scores.score_model import NAME, ScoreModel
from qe_desktop.ui.scores.score_report import score_report
from qe_desktop.ui.scoring import ScoreKeeper

ROW_HEIGHT = 1.85
"""Height of a row, in heights of its text."""
WIDEST = 1.7
"""How much wider than needed a column becomes where there is room."""


class ScoreView(QTableView):
    """A `ScoreModel` as a flat table; Enter on a value looks at its metric."""

    def __init__(self, scores: ScoreKeeper, comparison: ComparisonKeeper, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scores = scores
        self._comparison = comparison
        self._settings = scores.workspace.settings
        self._own_widths = self._fitting = False
        self.scores_model = ScoreModel(scores, comparison, shown_metrics(self._settings, comparison.metric), self)
        self.scores_model.decimals = self._settings.decimals
        self._flash = Flash(self._settings, self)
        self._set_up()
        self.setModel(self.scores_model)
        self._show_sorting()
        self.setSortingEnabled(True)
        self._connect()
        self._fit()

    def _set_up(self) -> None:
        header = FlatHeader(self)
        header.setSortIndicatorClearable(True)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._header_menu)
        header.sectionResized.connect(self._resized_by_hand)
        self.setHorizontalHeader(header)
        self.verticalHeader().hide()
        self.setItemDelegate(ScoreDelegate(self._flash, self))
        self.setShowGrid(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName("Scores of the systems")

    def _connect(self) -> None:
        self.scores_model.moved.connect(self._flash.start)
        self.scores_model.modelReset.connect(self._fit)
        self._flash.faded.connect(self.viewport().update)
        self.doubleClicked.connect(self._look_at)
        self._comparison.changed.connect(self._on_compared)
        self._settings.changed.connect(self._on_setting)
        theme.themes.theme_changed.connect(self.viewport().update)

    # --- choices

    def _look_at(self, index: QModelIndex) -> None:
        metric = self.scores_model.metric(index.column())
        if metric is not None and metric.name != self._comparison.metric:
            self._comparison.set_metric(metric.name)

    def _on_compared(self) -> None:
        self.scores_model.set_metrics(shown_metrics(self._settings, self._comparison.metric))
        self._show_sorting()

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self.scores_model.set_decimals(self._settings.decimals)
            self._fit()
        elif key == "view/columns":
            self._on_compared()

    def _show_sorting(self) -> None:
        header = self.horizontalHeader()
        column, order = self.scores_model.sorted_by()
        if (column, order) != (header.sortIndicatorSection(), header.sortIndicatorOrder()):
            # the model is sorted already: only the arrow moves
            blocked = header.blockSignals(True)
            header.setSortIndicator(column, order)
            header.blockSignals(blocked)
            header.viewport().update()

    # --- widths

    def _fit(self) -> None:
        """Every column as wide as it needs, and wider where there is room."""
        line = self.fontMetrics().height()
        self.verticalHeader().setDefaultSectionSize(round(line * ROW_HEIGHT))
        self.verticalHeader().setMinimumSectionSize(line)
        if self._own_widths:
            return
        wanted = [self._wanted(column) for column in range(self.scores_model.columnCount())]
        spare = max(0, self.viewport().width() - sum(wanted))
        share = spare // max(1, len(wanted))
        self._fitting = True
        for column, width in enumerate(wanted):
            self.setColumnWidth(column, min(width + share, round(width * WIDEST)))
        self._fitting = False

    def _wanted(self, column: int) -> int:
        header, model, decimals = self.horizontalHeader(), self.scores_model, self.scores_model.decimals
        assert isinstance(header, FlatHeader)
        metrics = self.fontMetrics()
        if column == NAME:
            names = [str(model.index(row, NAME).data() or "") for row in range(model.rowCount())]
            widest = max([0, *map(metrics.horizontalAdvance, names)])
            return min(max(widest + 3 * PADDING, header.wanted_width(NAME)), metrics.averageCharWidth() * 40)
        if model.is_interval(column):
            text = interval_text(-0.1, -0.1, decimals)
        else:
            # room for a change beside the value
            text = f"{score_text(-0.1, decimals + 1)} {score_text(1.0, decimals)}*"
        return max(metrics.horizontalAdvance(text) + 3 * PADDING, header.wanted_width(column))

    def _resized_by_hand(self) -> None:
        self._own_widths = self._own_widths or (not self._fitting and self.horizontalHeader().underMouse())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the room there is."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.model() is not None:
            self.setFont(tabular(self.font()))
            self._fit()

    def natural_height(self) -> int:
        """The height that shows all rows."""
        rows = self.scores_model.rowCount() * self.verticalHeader().defaultSectionSize()
        return self.horizontalHeader().sizeHint().height() + rows + 2

    # --- copying

    def copy_selection(self) -> None:
        """Copy the selected cells as shown."""
        text = selected_text(self.selectionModel())
        if text:
            copy_text(text)

    def copy_tsv(self) -> None:
        """Copy the whole table with full precision."""
        self._copy_table(latex=False)

    def copy_latex(self) -> None:
        """Copy the whole table for a paper."""
        self._copy_table(latex=True)

    def _copy_table(self, *, latex: bool) -> None:
        model = self.scores_model
        layers = [model.layer(row) for row in range(model.rowCount())]
        report = score_report(self._scores, layers, model.metrics()) if layers else None
        if report is not None:
            table = report.table(model.decimals)
            copy_text(table.latex() if latex else table.tsv())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy on the usual keys, look at the metric on Enter."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._look_at(self.currentIndex())
        else:
            super().keyPressEvent(event)

    # --- menus

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the table."""
        menu = QMenu(self)
        metric = self.scores_model.metric(self.currentIndex().column())
        if metric is not None:
            look = menu.addAction(f"Look at {metric.name}")
            look.setEnabled(metric.name != self._comparison.metric)
            look.triggered.connect(lambda: self._comparison.set_metric(metric.name))
            menu.addSeparator()
        self.add_copying(menu)
        menu.addMenu(self.columns_menu(menu))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def add_copying(self, menu: QMenu) -> None:
        """Add the ways to copy to a menu."""
        menu.addAction("&Copy the selected cells", self.copy_selection)
        menu.addAction("Copy the table as &TSV", self.copy_tsv)
        menu.addAction("Copy the table as &LaTeX", self.copy_latex)

    def columns_menu(self, parent: QWidget) -> QMenu:
        """A menu of all metrics, checked where they have a column."""
        menu = QMenu("C&olumns", parent)
        self.fill_columns(menu)
        return menu

    def fill_columns(self, menu: QMenu) -> None:
        """List all metrics in a menu, checked where they have a column."""
        menu.clear()
        menu.setToolTipsVisible(True)
        shown = {metric.name for metric in self.scores_model.metrics()}
        for name, metric in WORD_METRICS.items():
            action = QAction(name, menu, checkable=True, checked=name in shown)
            action.setToolTip(metric.rewards)
            action.setEnabled(name != self._comparison.metric)
            action.triggered.connect(self._choose_column)
            menu.addAction(action)
        menu.addSeparator()
        menu.addAction("The usual ones", self._usual_columns)

    def _choose_column(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            show_metric(self._settings, action.text().replace("&", ""), action.isChecked())

    def _usual_columns(self) -> None:
        show_usual(self._settings)

    def _header_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        metric = self.scores_model.metric(self.horizontalHeader().logicalIndexAt(place))
        if metric is not None:
            look = menu.addAction(f"Look at {metric.name}")
            look.triggered.connect(lambda: self._comparison.set_metric(metric.name))
            menu.addSeparator()
        for action in self.columns_menu(menu).actions():
            menu.addAction(action)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.horizontalHeader().mapToGlobal(place))
