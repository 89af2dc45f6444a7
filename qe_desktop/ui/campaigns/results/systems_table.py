"""Table of systems and their statistics; one statistic can be selected for the chart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QModelIndex, QObject, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.escaping import shorten_names
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.results.result_types import NO_RANK_NOTE, RatingResults, SystemResult
from qe_desktop.ratings.results.sample_size import MIN_SEGMENTS
from qe_desktop.report.rating_report import systems_table, totals_table
from qe_desktop.report.render.latex import table_latex
from qe_desktop.ui.campaigns.results.statistic_columns import (
    BASIS,
    SEGMENTS,
    StatisticColumn,
    format_statistic_interval,
    main_column,
    statistic_columns,
)
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.background_export import copy_text
from qe_desktop.ui.widgets.tables.table_delegate import PADDING
from qe_desktop.ui.widgets.tables.table_model import (
    TableCell,
    TableColumn,
    TableModel,
    number_column,
    table_row,
    text_column,
)
from qe_desktop.ui.widgets.tables.table_view import DescribedTableView

NAME_COLUMN = 0
RANK_IDS = ("rank-low", "rank-high")


class SystemResultsModel(TableModel):
    """Table model of systems: name, rank range, and statistics, with the confidence interval of the selected one."""

    statistic_selected = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__((), parent, says_headers=False)
        self.results: RatingResults | None = None
        self.decimals = 3
        self.selected_key = ""
        """Key of the selected statistic; empty if none is selected."""
        self._is_user_choice = False
        self._best: set[str] = set()
        """Names of the systems (`best_systems`) whose value of the selected statistic is shown in bold."""
        self._figures: list[StatisticColumn] = []
        self._figure_columns: list[StatisticColumn | None] = []
        """Statistic of each column; None for name, rank and interval columns."""

    # --- content

    def show_results(self, results: RatingResults | None) -> None:
        """Show `results`; None clears the table.

        A statistic that the user selected stays selected if `results` contains it.
        """
        self.results = results
        self._figures = [] if results is None else statistic_columns(results)
        keys = [figure.key for figure in self.compared_statistics()]
        if not self._is_user_choice or self.selected_key not in keys:
            main = None if results is None else main_column(results)
            self.selected_key = "" if main is None else main.key
        self._refresh()
        self.statistic_selected.emit()

    def set_decimals(self, decimals: int) -> None:
        """Set the number of decimals of the statistics."""
        self.decimals = decimals
        self._refresh()

    def choose(self, key: str) -> None:
        """Select the statistic with this key; do nothing if the statistic is a count or does not exist."""
        if key != self.selected_key and any(figure.key == key for figure in self.compared_statistics()):
            self.selected_key, self._is_user_choice = key, True
            self._refresh()
            self.statistic_selected.emit()

    def figure(self, column: int) -> StatisticColumn | None:
        """Return the statistic of a column; None for name, rank and interval columns."""
        return self._figure_columns[column] if 0 <= column < len(self._figure_columns) else None

    def column_of(self, figure: StatisticColumn) -> int:
        """Return the index of the column of a statistic. Raises ValueError if the statistic has no column."""
        return self._figure_columns.index(figure)

    def selected_statistic(self) -> StatisticColumn | None:
        """Return the selected statistic; None if none is selected."""
        return next((figure for figure in self._figures if figure.key == self.selected_key), None)

    def compared_statistics(self) -> list[StatisticColumn]:
        """Return the statistics by which systems are compared: all statistics that have values, except counts."""
        results = self.results
        return [
            figure for figure in self._figures if results is not None and figure.has_values(results)
            and not figure.is_count
        ]  # fmt: skip

    # --- helpers

    def _refresh(self) -> None:
        results = self.results
        if results is None:
            self._figure_columns = []
            self.show_rows((), ())
            return
        intervals = any(figure.interval(system) is not None for figure in self._figures for system in results.systems)
        ends, names = cluster_ends(results), shorten_names([system.name for system in results.systems])
        main = main_column(results)
        self._best = set() if main is None or main.key != self.selected_key else best_systems(results)
        displayed_names = {system.name: name for system, name in zip(results.systems, names, strict=True)}
        columns = self._columns(displayed_names, with_interval=intervals)
        self.show_rows(
            [
                [replace(cell, ends_group=index in ends) for cell in table_row(columns, system)]
                for index, system in enumerate(results.systems)
            ],
            columns,
        )

    def _columns(self, names: Mapping[str, str], *, with_interval: bool) -> list[TableColumn]:
        """Return the columns of the table, and set `_figure_columns`.

        `names` maps the names of systems to the names shown. If `with_interval` is true, a column with the confidence
        interval follows the selected statistic.
        """
        columns = [
            text_column(
                tr("System"),
                tr("Sorted best first; lines separate clusters"),
                lambda system: TableCell(
                    names[system.name], self._name_with_ranks(system), exact_values=(system.name,)
                ),
                "system",
            ),
            number_column(
                tr("Rank"), tr("Range of ranks that is consistent with the data"), self._ranks_cell, *RANK_IDS
            ),
        ]
        self._figure_columns = [None] * len(columns)
        for figure in self._figures:
            column = number_column(figure.header, figure.description, partial(self._figure_cell, figure), figure.key)
            caution = self._caution() if figure.group == BASIS else ""
            columns.append(
                replace(column, is_current=figure.key == self.selected_key, group=figure.group, caution=caution)
            )
            self._figure_columns.append(figure)
            if with_interval and figure.key == self.selected_key:
                ends = (f"{figure.key} {end}" for end in ("low", "high"))
                tooltip = tr("Range of the selected statistic when segments are resampled; narrower is more certain")
                interval = number_column(tr("95 % interval"), tooltip, self._interval_cell, *ends)
                columns.append(replace(interval, group=figure.group))
                self._figure_columns.append(None)
        return columns

    def _caution(self) -> str:
        """Return the caution shown above the counts; empty unless the results are based on too few segments."""
        results = self.results
        if results is None or results.evidence is None:
            return ""
        has_few = results.evidence.segments < MIN_SEGMENTS
        return tr("under {n} {n:segment|segments}", "", MIN_SEGMENTS) if has_few else ""

    def _ranks_cell(self, system: SystemResult) -> TableCell:
        ranks = ranks_text(system.rank_low, system.rank_high)
        return TableCell(ranks, self._name_with_ranks(system), exact_values=(system.rank_low, system.rank_high))

    def _name_with_ranks(self, system: SystemResult) -> str:
        if not system.rank_low or self.results is None:
            is_single = self.results is not None and len(self.results.systems) == 1
            return tr("{systems}: {problem}", systems=system.name, problem=NO_RANK_NOTE) if is_single else system.name
        ranks, count = ranks_text(system.rank_low, system.rank_high), len(self.results.systems)
        return tr("{system}: rank {ranks} of {n}", "", count, system=system.name, ranks=ranks)

    def _figure_cell(self, figure: StatisticColumn, system: SystemResult) -> TableCell:
        chosen, describe = figure.key == self.selected_key, figure.describe(system, self.decimals)
        value, text = figure.value(system), figure.text(system, self.decimals)
        has_few = figure.key == SEGMENTS and value is not None and value < MIN_SEGMENTS and self._caution()
        token = "warning" if has_few else "muted" if figure.is_count else ""
        bold = chosen and system.name in self._best
        if bold:
            describe = tr("{value}; bold because the rank range includes rank 1", value=describe)
        share = position_in_limits(value, figure.limits) if chosen else None
        return TableCell(text, describe, token, share, bold, exact_values=(value,))

    def _interval_cell(self, system: SystemResult) -> TableCell:
        selected_statistic = self.selected_statistic()
        ends = None if selected_statistic is None else selected_statistic.interval(system)
        text = "–" if ends is None else format_statistic_interval(*ends, self.decimals)
        tip = system.name if selected_statistic is None else selected_statistic.describe(system, self.decimals)
        return TableCell(text, tip, "muted", exact_values=ends or (None, None))


def position_in_limits(value: float | None, limits: tuple[float, float] | None) -> float | None:
    """Return the length of the bar for a value: its position between the limits as a fraction, clipped to 0..1.

    Return None, for no bar, if the value is None, or if `limits` is None or empty.

    >>> position_in_limits(4.0, (2.0, 10.0)), position_in_limits(4.0, None)
    (0.25, None)
    """
    if value is None or limits is None or limits[1] <= limits[0]:
        return None
    return min(1.0, max(0.0, (value - limits[0]) / (limits[1] - limits[0])))


def best_systems(results: RatingResults) -> set[str]:
    """Return the names of the systems whose rank range includes rank 1; empty if this applies to all systems."""
    best = {system.name for system in results.systems if system.rank_low == 1}
    return best if len(best) < len(results.systems) else set()


def cluster_ends(results: RatingResults) -> set[int]:
    """Return the row index of the last system of each cluster, except for the last row of the table."""
    positions = {system.name: index for index, system in enumerate(results.systems)}
    ends = {max(positions[name] for name in cluster) for cluster in results.clusters if cluster}
    return {end for end in ends if end < len(results.systems) - 1}


def ranks_text(low: int | None, high: int | None) -> str:
    """Return the rank range as text.

    >>> ranks_text(1, 1), ranks_text(2, 3), ranks_text(None, None)
    ('1', '2–3', '–')
    """
    if low is None or high is None:
        return "–"
    return f"{low}" if low == high else f"{low}–{high}"


MIN_NAME_CHARS = 16
"""Minimum width of the name column, in characters, unless all names are shorter."""


class SystemResultsView(DescribedTableView):
    """View of a `SystemResultsModel`. Enter in a column or a click on its header selects the column's statistic."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        self.systems = SystemResultsModel()
        super().__init__(self.systems, settings, tr("Systems, best first"), parent)
        self.systems.decimals = settings.decimals
        self._settings = settings
        self.systems.dataChanged.connect(self.fit_columns)
        self.header.sectionClicked.connect(self._choose)
        self.cell_activated.connect(self._on_entered)
        settings.changed.connect(self._on_setting)
        self.fit()

    def _choose(self, section: int) -> None:
        figure = self.systems.figure(section)
        if figure is not None:
            index = self.currentIndex()
            current = self.systems.figure(index.column())
            self.systems.choose(figure.key)
            if current is not None:
                # the interval column moves next to the selected statistic, which shifts the columns in between
                self.setCurrentIndex(self.systems.index(index.row(), self.systems.column_of(current)))

    def _on_entered(self, index: QModelIndex) -> None:
        self._choose(index.column())

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self.systems.set_decimals(self._settings.decimals)

    def copy_tsv(self) -> None:
        """Copy the results of all systems to the clipboard, as tab-separated values with full precision."""
        if self.systems.results is not None:
            copy_text(totals_table(self.systems.results).tsv())

    def copy_latex(self) -> None:
        """Copy the results of all systems to the clipboard, as a LaTeX table."""
        if self.systems.results is not None:
            copy_text(table_latex(systems_table(self.systems.results, self.systems.decimals)))

    def fit_columns(self) -> None:
        """Fit the widths of the columns to their contents.

        If there is too little space, only the name column is narrowed. Extra width goes to the other columns first, so
        that they stay close to the names.
        """
        model, count = self.systems, self.systems.columnCount()
        metrics = self.fontMetrics()
        widths = []
        for column in range(1, count):
            texts = [str(model.index(row, column).data() or "") for row in range(min(model.rowCount(), 60))]
            widest = max([0, *map(metrics.horizontalAdvance, texts)]) + 2 * PADDING + 4
            widths.append(max(widest, self.header.required_width(column)))
        names = [str(model.index(row, NAME_COLUMN).data() or "") for row in range(min(model.rowCount(), 200))]
        longest = max([0, *map(metrics.horizontalAdvance, names)]) + 2 * PADDING + 4
        least = min(longest, metrics.horizontalAdvance("0") * MIN_NAME_CHARS)
        least = max(self.header.required_width(NAME_COLUMN), least)
        widths = self._widen_columns(widths, self.viewport().width() - least)
        available = self.viewport().width() - sum(widths)
        name = max(least, min(available, longest))
        # widen the statistics first, so that they stay close to the names
        extra = min(metrics.horizontalAdvance("0") * 7, max(0, available - name) // max(1, len(widths)))
        for column, width in enumerate(widths, 1):
            self.setColumnWidth(column, width + extra)
        extra_width = min(metrics.horizontalAdvance("0") * MIN_NAME_CHARS, available - extra * len(widths) - name)
        self.setColumnWidth(NAME_COLUMN, name + max(0, extra_width))

    def _widen_columns(self, widths: list[int], available: int) -> list[int]:
        """Return the column widths `widths`, in pixels, enlarged to fit the group names.

        If the sum of the widths exceeds `available`, cautions next to group names are reduced to warning signs.
        """
        for self.header.is_brief in (False, True):
            widened = self.header.widen_groups(widths)
            if sum(widened) <= available:
                break
        return widened


def all_rows_height(view: SystemResultsView) -> int:
    """Return the total height in pixels of the header, all rows and, if needed, the horizontal scroll bar."""
    bar = view.horizontalScrollBar()
    return view.natural_height() + (bar.sizeHint().height() if bar.maximum() > 0 else 0)
