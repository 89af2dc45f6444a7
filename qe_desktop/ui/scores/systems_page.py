"""Systems page: table of systems × metrics, a sentence about the current cell, significance matrix and charts."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QWidget

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui import icons
from qe_desktop.ui.scores.empty_states import ScoresOrPlaceholder, ScoringProgress, scores_empty_state
from qe_desktop.ui.scores.live_score_service import LiveScoreService
from qe_desktop.ui.scores.options_bar import OptionsBar
from qe_desktop.ui.scores.plot_tabs import CoefficientPane, PlotTabs
from qe_desktop.ui.scores.score_table_view import ScoreTableView
from qe_desktop.ui.scores.score_values import MatrixState, interval_plot_data
from qe_desktop.ui.scores.significance.significance_matrix_pane import SignificanceMatrixPane
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.widgets.labels import ElidedLabel, Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, hbox, make_splitter, vbox, wrap_layout
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData, interval_table
from qe_desktop.ui.widgets.plots.lazy_plot import LazyPlotWidget, Plot
from qe_desktop.ui.widgets.tables.description_line import DescribedViewTracker, DescriptionLine
from qe_desktop.ui.widgets.tabs import set_tab_order
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.ui.widgets.plots.interval_plot import IntervalPlot

MAX_FEW_SYSTEMS = 6
FEW_TABLE_FRACTION, MANY_TABLE_FRACTION = 0.48, 0.36
"""Maximum fractions of the splitter's height for the table: with up to `MAX_FEW_SYSTEMS` systems, and with more."""
MIN_ROWS = 3
"""Minimum number of rows that the table shows, even if it then exceeds its maximum fraction of the height."""
HINT = tr("Select a value or a pair of systems for details.")
ONE_SYSTEM = tr("Open a second system to test for significant differences.")


class SystemsPage(QWidget):
    """Page with live scores and significance tests; signals request that a folder be opened or files be added."""

    folder_requested = Signal()
    files_requested = Signal()

    def __init__(
        self,
        comparison: SignificanceService,
        options: OptionsBar,
        table: ScoreTableView,
        matrix: SignificanceMatrixPane,
        coefficients: CoefficientPane,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._workspace: Workspace = comparison.workspace
        self._scores: LiveScoreService = comparison.scores
        self._comparison = comparison
        self._has_user_sizes = False
        # snapshot for the plots, replaced when the services change
        self._matrix_state = comparison.snapshot()
        self._painted_state: tuple[tuple[MatrixState, int, bool], IntervalPlotData | str] | None = None
        """Inputs and data of the interval plot, cached because the data are requested on every update."""
        self.options, self.table, self.matrix, self.coefficients = options, table, matrix, coefficients
        self._heading, self._title = Label(bold=True), ElidedLabel(token="muted")
        self.sentence = DescriptionLine(HINT, self)
        self._tracker = DescribedViewTracker(self)
        self._described_view: QWidget = table
        """View (table or matrix) that was used last; the sentence describes the current cell of this view."""
        self._interval_plot: IntervalPlot | None = None
        self._aligning = QTimer(self, singleShot=True, interval=0)
        self._working = ScoringProgress(self._scores, self)
        self._lay_out()
        self._connect()
        self._on_reset()

    # --- building

    def _lay_out(self) -> None:
        body = self._body = ScoresOrPlaceholder(self._scores, self._content(), opens=True)
        body.folder_requested.connect(self.folder_requested)
        body.files_requested.connect(self.files_requested)
        body.setFocusProxy(self.table)
        vbox(self.options, Stretched(body, 1), on=self, gap=8, margins=(16, 8, 16, 8))
        self.setFocusProxy(body)
        set_tab_order([*self._tab_order, self.gallery])

    def _content(self) -> QWidget:
        self._single_system_label = Label(ONE_SYSTEM, token="muted", wraps=True)
        self._single_system_label.setAlignment(Qt.AlignmentFlag.AlignTop)
        lower = wrap_layout(vbox(self._single_system_label, Stretched(self._lower_part(), 1), gap=8))
        self._split = make_splitter(Qt.Orientation.Vertical, self._upper_part(), lower, shares=(0, 1))
        return self._split

    def _upper_part(self) -> QWidget:
        upper = QWidget()
        columns = self._menu_button(tr("Columns"), "filter", self.table.fill_columns)
        self.table.columns_folded.connect(lambda: self._show_hidden_count(columns))
        self._show_hidden_count(columns)
        copying = self._menu_button(tr("Copy and export"), "export", self._fill_copying)
        head = hbox(self._heading, Stretched(self._title, 1), self._working, columns, copying, gap=8)
        self._tab_order: list[QWidget] = [
            self.options.panel_button or self.options, columns, copying, self.table, self.sentence.segments_button,
            self.matrix.view
        ]  # fmt: skip
        vbox(head, Stretched(self.table, 1), self.sentence, on=upper, gap=4)
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        return upper

    def _menu_button(self, text: str, icon: str, fill: Callable[[QMenu], None]) -> QPushButton:
        button = QPushButton(icons.icon(icon), text)
        button.setFlat(True)
        menu = QMenu(button)
        menu.aboutToShow.connect(lambda: fill(menu))
        button.setMenu(menu)
        return button

    def _show_hidden_count(self, button: QPushButton) -> None:
        """Show on the menu button how many metrics are hidden because their columns do not fit."""
        folded = self.table.hidden_metrics
        button.setText(tr("Columns ({n:,} hidden)", "", len(folded)) if folded else tr("Columns"))
        names = tr("Not enough width for {metrics}. Widen the window or hide other columns.", metrics=", ".join(folded))
        button.setToolTip(plain_tooltip(names) if folded else "")

    def _fill_copying(self, menu: QMenu) -> None:
        menu.clear()
        # `clear` does not delete submenus
        for old in menu.findChildren(QMenu):
            old.deleteLater()
        self.table.add_copying(menu)
        menu.addSeparator()
        if self.matrix.isVisibleTo(self):
            self.matrix.view.add_copying(menu)
            menu.addSeparator()
        plot = self.gallery.current_plot()
        if plot is not None:
            plot.add_actions(menu)

    def _lower_part(self) -> QWidget:
        self.intervals = LazyPlotWidget(
            self._workspace,
            tr("Intervals"),
            self._intervals_plot,
            numbers=self._interval_numbers,
            subject=lambda: self._comparison.metric,
            module_name="qe_desktop.ui.widgets.plots.interval_plot",
        )
        self.gallery = PlotTabs(self._scores, self._comparison, self.table, self.intervals, self.coefficients)
        self._sides = make_splitter(Qt.Orientation.Horizontal, self.matrix, self.gallery, shares=(3, 2))
        return self._sides

    def _intervals_plot(self) -> Plot:
        # the plotting library is imported when a plot is first shown
        from qe_desktop.ui.widgets.plots.interval_plot import IntervalPlot

        self._interval_plot = IntervalPlot(self._intervals)
        return self._interval_plot

    def _intervals(self) -> IntervalPlotData | str:
        now = (self._matrix_state, self._workspace.settings.decimals, self.matrix.view.matrix.by_score)
        if self._painted_state is None or self._painted_state[0] != now:
            self._painted_state = now, interval_plot_data(now[0], now[1], by_score=now[2])
        return self._painted_state[1]

    def _interval_numbers(self) -> Callable[[], str] | None:
        intervals = self._intervals()
        return None if isinstance(intervals, str) else interval_table(intervals).tsv

    def _connect(self) -> None:
        self._scores.reset.connect(self._on_reset)
        self._scores.scores_changed.connect(self._update_title)
        self._comparison.changed.connect(self._on_compared)
        self.options.order_changed.connect(self._set_order)
        self.matrix.view.matrix.set_by_score(self._workspace.settings.best_first)
        self._connect_sentence()
        # the header may have a different number of lines
        self.table.scores_model.modelReset.connect(self._size_table)
        self.table.scores_model.headerDataChanged.connect(self._size_table)
        self._aligning.timeout.connect(self._align)
        self.intervals.drawn.connect(self._aligning.start)
        self.gallery.currentChanged.connect(self._aligning.start)
        self.matrix.view.fitted.connect(self._aligning.start)
        for name, splitter in (("scores-rows", self._split), ("scores-columns", self._sides)):
            state = self._workspace.settings.state(name)
            self._has_user_sizes = (bool(state) and splitter.restoreState(state)) or self._has_user_sizes
            splitter.splitterMoved.connect(self._save_sizes)
        self.gallery.tabs_added.connect(self._size_table)

    def _connect_sentence(self) -> None:
        table, matrix = self.table, self.matrix.view
        for view in (table, matrix):
            view.selectionModel().currentChanged.connect(partial(self._set_described_view, view))
            view.installEventFilter(self)
            for changed in (view.model().dataChanged, view.model().modelReset, view.model().layoutChanged):
                changed.connect(self._explain)
        self._comparison.changed.connect(self._explain)
        self.gallery.described.connect(self._explain_chart)
        self.sentence.requested.connect(lambda: matrix.show_segments(matrix.currentIndex()))
        self._explain()

    def place_switch(self, switch: QWidget) -> None:
        """Put the page switch at the start of the options bar."""
        self.options.put_first(switch)

    # --- the sentence

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Explain the current cell of the view that receives the focus."""
        if event.type() == QEvent.Type.FocusIn and isinstance(watched, QWidget):
            self._set_described_view(watched)
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """On Escape, leave the current cell of the matrix or table, so that the first system is described again."""
        if event.key() == Qt.Key.Key_Escape and not event.modifiers():
            for view in (self.matrix.view, self.table):
                view.setCurrentIndex(QModelIndex())
            self.table.setFocus()
        else:
            super().keyPressEvent(event)

    def _set_described_view(self, view: QWidget, *changed: object) -> None:
        self._described_view = view
        self._explain()

    def _explain_chart(self, sentence: str) -> None:
        """Explain an item of the tabs or, if `sentence` is empty, the current cell again."""
        if sentence:
            self._tracker.set_described(self._tracker.focused_view())
            self.sentence.show_sentence(sentence)
        else:
            self._explain()

    def _explain(self) -> None:
        """Explain the current cell of the table or matrix, whichever was used last.

        If the matrix was used last but has no current cell, explain the current cell of the table. If the table has no
        current cell, explain the score of its first system.
        """
        matrix, index = self.matrix.view, self.matrix.view.currentIndex()
        is_matrix_described = self._described_view is matrix and index.isValid()
        # a user who returns to the page finds the sentence unchanged
        self._body.setFocusProxy(matrix if is_matrix_described else self.table)
        if is_matrix_described:
            self._tracker.set_described(matrix)
            has_segments = matrix.matrix.layers(index) is not None
            self.sentence.show_sentence(
                matrix.matrix.sentence(index), matrix.matrix.sign(index), has_segments=has_segments
            )
            return
        self._tracker.set_described(self.table)
        model, index = self.table.scores_model, self.table.currentIndex()
        if not index.isValid() and self._scores.values:
            index = model.index(0, model.column_of(self._comparison.metric))
        parts = (model.sentence(index), self._describe_order())
        self.sentence.show_sentence(join_localized(" ", filter(None, parts)), model.sign(index))

    def _describe_order(self) -> str:
        """Return a note if the table is sorted by a metric other than the tested one; empty otherwise."""
        model, tested = self.table.scores_model, self._comparison.metric
        metric = model.metric(model.sort_state()[0])
        if metric is None or metric.name == tested or not self._scores.values:
            return ""
        return tr(
            "Sorted by {metric}; tests use {tested}. To test {metric}, double-click one of its values.",
            metric=metric.name, tested=tested,
        )  # fmt: skip

    # --- rows of matrix and intervals

    def _set_order(self, by_score: bool) -> None:
        self.matrix.view.matrix.set_by_score(by_score)
        self.intervals.refresh()

    def _align(self) -> None:
        """Align the rows of the interval plot with those of the matrix if both show all systems."""
        plot, view, intervals = self._interval_plot, self.matrix.view, self._intervals()
        if plot is None or not self.intervals.isVisible():
            return
        is_alignable = (
            not isinstance(intervals, str) and len(intervals.rows) == view.matrix.rowCount() and view.isVisible()
        )
        if not is_alignable or view.verticalScrollBar().maximum():
            plot.align_rows(None)
            return
        top = view.viewport().mapTo(self, QPoint()).y() - plot.widget.mapTo(self, QPoint()).y()
        plot.align_rows((top, view.rowHeight(0)))

    # --- updates

    def _on_reset(self) -> None:
        self.options.set_active(scores_empty_state(self._scores) is None)
        several = len(self._scores.layers) > 1
        self._single_system_label.setVisible(not several)
        self.matrix.setVisible(several)
        self._update_title()
        self._size_table()

    def _update_title(self) -> None:
        if self._scores.state != "working":
            self._title.setText(self._describe_data())
            self._update_heading()
        elif not self._scores.values:
            # counting tags is part of scoring, and would block the window here
            self._title.clear()

    def _update_heading(self) -> None:
        """Show the metric and the number of systems above the table."""
        count, metric = len(self._scores.layers), self._comparison.metric
        self._heading.setText(tr("{metric} of {n:,} {n:system|systems}", "", count, metric=metric) if count else "")

    def _describe_data(self) -> str:
        scoring = self._scores.scoring()
        return "" if scoring is None else scoring.level.headline(scoring)

    def _size_table(self) -> None:
        """Fit the table to its rows, and the matrix to its legend and columns, unless the user has moved a splitter.

        A page that is not on screen is fitted when it is shown.
        """
        if self._has_user_sizes or not self.isVisible():
            return
        height, width = self._split.height(), self._sides.width()
        # the legend of the matrix can wrap, but the tab bar cannot
        tabs = self.gallery.tabBar().sizeHint().width() + 8
        # tabs that are scrolled anyway can leave more space for the matrix
        min_width = width * (9 if tabs <= width * 11 // 20 else 9.5) // 20
        matrix = round(max(min(self.matrix.sizeHint().width() + 8, width * 11 // 20, width - tabs), min_width))
        self._sides.setSizes([matrix, width - matrix])
        head = self.table.y() + 2 + self.sentence.height() + 4
        max_fraction = FEW_TABLE_FRACTION if len(self._scores.layers) <= MAX_FEW_SYSTEMS else MANY_TABLE_FRACTION
        bar = self.table.horizontalScrollBar()
        scroll_bar_height = (
            bar.sizeHint().height() if self.table.horizontalHeader().length() > self.table.width() else 0
        )
        natural_height = self.table.natural_height() + scroll_bar_height + head
        row = self.table.verticalHeader().defaultSectionSize()
        count = self.table.model().rowCount()
        frame_height = natural_height - row * count
        # show only whole rows; more of them if the matrix does not need the remaining height
        fraction = round(height * max_fraction)
        if self.matrix.isVisibleTo(self):
            fraction = max(fraction, height - self.matrix.needed_height() - self._split.handleWidth())
        table_height = frame_height + row * min(count, max(MIN_ROWS, (fraction - frame_height) // row))
        self._split.setSizes([table_height, height - table_height])

    def _save_sizes(self) -> None:
        self._has_user_sizes = True
        self._workspace.settings.save_state("scores-rows", bytes(self._split.saveState().data()))
        self._workspace.settings.save_state("scores-columns", bytes(self._sides.saveState().data()))

    def _on_compared(self) -> None:
        now = self._comparison.snapshot()
        self._update_heading()
        if now != self._matrix_state:
            self._matrix_state = now
            self.intervals.refresh()
            # the warnings and names of the new result may need a different height
            self._size_table()

    def event(self, event: QEvent) -> bool:
        """Fit the table and the matrix to a new size or font."""
        handled = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.FontChange):
            self._size_table()
            self._aligning.start()
        return handled


def build_systems_page(comparison: SignificanceService, parent: QWidget) -> Generator[int, None, SystemsPage]:
    """Build the page in steps and return it; until the widgets are laid out, they are hidden children of `parent`."""
    yield 0
    options = OptionsBar(comparison, parent)
    yield 0
    table = ScoreTableView(comparison.scores, comparison, parent)
    yield 0
    matrix, coefficients = SignificanceMatrixPane(comparison, parent), CoefficientPane(comparison, parent)
    yield 0
    page = SystemsPage(comparison, options, table, matrix, coefficients, parent)
    yield 0
    return page
