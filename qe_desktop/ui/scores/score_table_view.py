"""Score table views: sorting, columns, current metric and copying."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import QModelIndex, QPoint, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QAction, QContextMenuEvent
from PySide6.QtWidgets import QMenu, QWidget

from qe_desktop.corpus import LayerKey
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels import Level
from qe_desktop.metrics import Metric
from qe_desktop.report import ScoreReport, Table, settings_signature
from qe_desktop.report.render.tables import Cell
from qe_desktop.ui.scores.live_score_service import LiveScoreService
from qe_desktop.ui.scores.number_format import format_interval, format_ranks, format_score
from qe_desktop.ui.scores.score_descriptions import method_note
from qe_desktop.ui.scores.score_model import NAME_COLUMN, ScoreModel
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.report_export import OnScreenReport, ReportSource, add_report_menus
from qe_desktop.ui.widgets.tables.table_delegate import PADDING
from qe_desktop.ui.widgets.tables.table_model import CURRENT_ROLE, LAST_ROLE
from qe_desktop.ui.widgets.tables.table_view import TableView


class LiveScoreTable(TableView):
    """Table of a `ScoreModel`; Enter on a value selects its metric. Subclasses choose the metric columns.

    The table updates the model before it adapts its columns, so that a partial update is never painted.
    """

    def __init__(
        self,
        scores: LiveScoreService,
        comparison: SignificanceService,
        parent: QWidget | None = None,
        *,
        with_interval: bool = True,
    ) -> None:
        self._scores, self._comparison, self._settings = scores, comparison, scores.workspace.settings
        self.scores_model = model = ScoreModel(self.visible_metrics(), with_interval=with_interval)
        model.decimals = self._settings.decimals
        model.show_state(comparison.snapshot())
        model.show_scores(scores.snapshot())
        super().__init__(model, self._settings, tr("Scores of the systems"), parent)
        scores.reset.connect(self._on_reset)
        scores.scores_changed.connect(self._on_moved)
        comparison.changed.connect(self._on_compared)
        self._settings.changed.connect(self._on_setting)
        self.cell_activated.connect(self._select_metric)

    def visible_metrics(self) -> list[Metric]:
        """Return the metrics that currently have a column."""
        raise NotImplementedError

    def _on_reset(self) -> None:
        self.scores_model.show_scores(self._scores.snapshot())

    def _on_moved(self) -> None:
        self._on_reset()
        self.flash.start()

    def _on_compared(self) -> None:
        model = self.scores_model
        before = model.metric(self.currentIndex().column())
        model.show_state(self._comparison.snapshot())
        model.set_metrics(self.visible_metrics())
        current, column = self.currentIndex(), model.column_of(self._comparison.metric)
        has_moved = before is not None and current.isValid() and model.metric(current.column()) != before
        if has_moved and current.column() != column:
            # otherwise, the current cell would show the score of a metric other than the selected one
            self.setCurrentIndex(model.index(current.row(), column))

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self.scores_model.set_decimals(self._settings.decimals)
            self.fit()

    def _select_metric(self, index: QModelIndex) -> None:
        metric = self.scores_model.metric(index.column())
        if metric is not None and metric.name != self._comparison.metric:
            self._comparison.set_metric(metric.name)


def score_report(scores: LiveScoreService, layers: Sequence[LayerKey], metrics: Sequence[Metric]) -> ScoreReport | None:
    """Return a report of the scores, with layers and metrics in the given order; None before scores are computed.

    Raises ValueError if `metrics` is empty or a layer is not scored, and KeyError if a metric is not scored.
    """
    scoring = scores.scoring()
    if scoring is None or not scores.values:
        return None
    indices = [scores.layers.index(layer) for layer in layers]
    values = np.stack([scores.values[metric.name][indices] for metric in metrics], axis=-1)
    level, reference_name = scoring.level, scoring.reference.display_name
    edited = sum(len(scoring.view.edited_segments(key)) for key in (scoring.reference, *layers))
    signature_parts = level.signature(scoring)
    parts = {**signature_parts, "against": reference_name, "edited-segments": edited}
    return ScoreReport(
        systems=tuple(layer.display_name for layer in layers),
        metrics=tuple(metrics),
        values=values,
        segments=scoring.segments,
        items=scoring.size,
        signature=settings_signature(level.group, parts),
        title=level.data_summary(scoring),
        remarks=tuple(level.remarks),
        tokenizer=signature_parts.get("tok", ""),
    )


def displayed_table(model: ScoreModel, report: ScoreReport) -> Table:
    """Return the table of a report, with intervals, ranks, bold type and lines between clusters as in the model.

    The report must have the same systems and metrics as the model, in the same order. Intervals and ranks that are
    outdated or not computed have no columns.
    """
    table, rows = report.table(model.decimals), range(model.rowCount())
    # headings of the columns as on screen
    header, parts = [str(model.headerData(NAME_COLUMN, Qt.Orientation.Horizontal))], [[row[0] for row in table.rows]]
    best, attached = set(), set()
    for column in range(1, model.columnCount()):
        metric = model.metric(column)
        if metric is not None:
            table_column = 1 + report.metrics.index(metric)
            best |= {(row, len(header)) for row in rows if model.index(row, column).data(CURRENT_ROLE)}
            cells = [row[table_column] for row in table.rows]
        else:
            ends = [row[1:] for row in model.block(rows, [column]).rows]
            cells = [_range_text(pair, model.decimals, is_rank=model.is_rank(column)) for pair in ends]
            if not any(cells):
                continue
            attached.add(len(header))
        header.append(str(model.headerData(column, Qt.Orientation.Horizontal)))
        parts.append(cells)
    last = [row + 1 for row in rows[:-1] if model.index(row, 0).data(LAST_ROLE)]
    return replace(
        table, header=tuple(header), rows=tuple(zip(*parts, strict=True)), rules=tuple(last), best=frozenset(best),
        attached=frozenset(attached),
    )  # fmt: skip


def _range_text(ends: Sequence[Cell], decimals: int, *, is_rank: bool) -> Cell:
    """Return the text of a rank range (if `is_rank`) or of an interval; None if its ends are unknown."""
    low, high = ends
    if not isinstance(low, int | float) or not isinstance(high, int | float) or math.isnan(low):
        return None
    return format_ranks(int(low), int(high)) if is_rank else f"[{low:.{decimals}f}, {high:.{decimals}f}]"


MAX_COLUMN_SCALE = 2.2
"""Maximum width of a column relative to its required width."""
TABLE_KEYS = {"words": "scores"}
"""Keys of tables in the settings, by level group; for other groups, the key is the name of the group."""


class ScoreTableView(LiveScoreTable):
    """Table of scores, intervals and ranks.

    Each metric selected for the current level group has a column; columns that do not fit are hidden.
    """

    columns_folded = Signal()
    """Emitted when `hidden_metrics` has changed."""

    def __init__(
        self, scores: LiveScoreService, comparison: SignificanceService, parent: QWidget | None = None
    ) -> None:
        super().__init__(scores, comparison, parent)
        self.report_source = ReportSource(tr("Scores"), self.report, "scores")
        self._has_user_widths = self._fitting = False
        self.hidden_metrics: list[str] = []
        """Names of the metrics whose columns are hidden because they do not fit."""
        self.header.setSortIndicatorClearable(True)
        self.header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._show_sorting()
        self.setSortingEnabled(True)
        self.header.customContextMenuRequested.connect(self._header_menu)
        self.header.sectionResized.connect(self._on_section_resized)
        self.fit()

    @property
    def _level(self) -> Level:
        return self._scores.workspace.level

    def current_layer(self) -> LayerKey | None:
        """Return the layer in the current row; None if no row is current."""
        row = self.currentIndex().row()
        return self.scores_model.layer(row) if 0 <= row < self.scores_model.rowCount() else None

    # --- choices

    def visible_metrics(self) -> list[Metric]:
        """Return the selected metrics and the current metric, in the order of the level."""
        names = self._selected_columns() | {self._comparison.metric}
        return [metric for name, metric in self._level.metrics.items() if name in names]

    def _selected_columns(self) -> set[str]:
        return set(selected_columns(self._settings, self._level))

    def _show_metric(self, name: str, visible: bool) -> None:
        """Show or hide the column of a metric; the last remaining column cannot be hidden."""
        names = self._selected_columns() & set(self._level.metrics)
        names = names | {name} if visible else names - {name}
        if names:
            chosen = [metric for metric in self._level.metrics if metric in names]
            self._settings.columns = {**self._settings.columns, _table_key(self._level): chosen}

    def _show_default_columns(self) -> None:
        columns = self._settings.columns
        self._settings.columns = {name: columns[name] for name in columns if name != _table_key(self._level)}

    def _on_compared(self) -> None:
        super()._on_compared()
        self._show_sorting()
        self.fit_columns()

    def _on_setting(self, key: str) -> None:
        super()._on_setting(key)
        if key == "view/columns":
            self._on_compared()

    def _show_sorting(self) -> None:
        header = self.header
        column, order = self.scores_model.sort_state()
        if (column, order) != (header.sortIndicatorSection(), header.sortIndicatorOrder()):
            # the model is sorted already: only the arrow moves
            with QSignalBlocker(header):
                header.setSortIndicator(column, order)
            header.viewport().update()

    # --- widths

    def fit_columns(self) -> None:
        """Hide columns for which there is no space, and divide any spare width among the others.

        If the user has resized a column, show all columns and keep their widths.
        """
        if self._has_user_widths:
            self._hide_columns([])
            return
        content_widths = {column: self._content_width(column) for column in range(self.scores_model.columnCount())}
        folded = self._fold(content_widths)
        spare = max(0, self.viewport().width() - sum(content_widths.values()))
        share = spare // max(1, len(content_widths))
        self._fitting = True
        self._hide_columns(folded)
        for column, width in content_widths.items():
            self.setColumnWidth(column, min(width + share, round(width * MAX_COLUMN_SCALE)))
        self._fitting = False

    def _hide_columns(self, folded: list[str]) -> None:
        """Hide the columns of these metrics, and show all others."""
        for column in range(self.scores_model.columnCount()):
            metric = self.scores_model.metric(column)
            self.setColumnHidden(column, metric is not None and metric.name in folded)
        if folded != self.hidden_metrics:
            self.hidden_metrics = folded
            self.columns_folded.emit()

    def _fold(self, widths: dict[int, int]) -> list[str]:
        """Remove columns from `widths`, last ones first, until the rest fit; return the removed columns' metric names.

        The columns of names, intervals, ranks, the current metric and the sort key are never removed.
        """
        model, folded = self.scores_model, []
        for column in sorted(widths, reverse=True):
            if sum(widths.values()) <= self.viewport().width():
                break
            metric = model.metric(column)
            if metric is not None and metric.name != self._comparison.metric and column != model.sort_state()[0]:
                folded.append(metric.name)
                del widths[column]
        return folded[::-1]

    def _content_width(self, column: int) -> int:
        header, model, decimals = self.header, self.scores_model, self.scores_model.decimals
        metrics = self.fontMetrics()
        if column == NAME_COLUMN:
            names = [str(model.index(row, NAME_COLUMN).data() or "") for row in range(model.rowCount())]
            widest = max([0, *map(metrics.horizontalAdvance, names)])
            return min(
                max(widest + 3 * PADDING, header.required_width(NAME_COLUMN)), metrics.horizontalAdvance("0") * 40
            )
        if model.is_interval(column):
            text = format_interval(-0.1, -0.1, decimals)
        elif model.is_rank(column):
            text = format_ranks(len(self._scores.layers), len(self._scores.layers) + 1)
        else:
            # space for a change next to the value
            text = f"{format_score(-0.1, decimals + 1)} {format_score(1.0, decimals)}*"
        return max(metrics.horizontalAdvance(text) + 3 * PADDING, header.required_width(column))

    def _on_section_resized(self) -> None:
        self._has_user_widths = self._has_user_widths or (not self._fitting and self.header.underMouse())

    # --- copying

    def report(self) -> OnScreenReport | None:
        """Return the report of all rows and metrics, including hidden columns; None before scores are computed."""
        model = self.scores_model
        layers = [model.layer(row) for row in range(model.rowCount())]
        report = score_report(self._scores, layers, model.metrics()) if layers else None
        if report is None:
            return None
        shown, result = displayed_table(model, report), self._comparison.result
        if result is not None and len(shown.header) > 1 + len(report.metrics):
            shown = shown.with_notes(method_note(result.comparison, self._comparison.metric))
        return OnScreenReport(report, model.full_table(), model.decimals, replace(shown, title=self._caption()))

    def _caption(self) -> str:
        """Return the title of a copied table: the data, the metric that sorts and ranks systems, and the gold."""
        scoring, systems = self._scores.scoring(), self.scores_model.rowCount()
        if scoring is None:
            return ""
        subject = tr("{metric} of {n:,} {n:system|systems}", "", systems, metric=self._comparison.metric)
        parts = (scoring.view.corpus.name, subject, scoring.level.headline(scoring))
        return join_localized(". ", [part for part in parts if part])

    # --- menus

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Show a menu of actions for the current column and the table."""
        menu = QMenu(self)
        metric = self.scores_model.metric(self.currentIndex().column())
        if metric is not None:
            show_action = menu.addAction(tr("Show {metric}", metric=metric.name))
            show_action.setEnabled(metric.name != self._comparison.metric)
            show_action.triggered.connect(lambda: self._comparison.set_metric(metric.name))
        column = self.currentIndex().column()
        if column >= 0:
            menu.addAction(tr("Sort &by this column"), lambda: self._sort_by(column))
        menu.addSeparator()
        self.add_block_copying(menu)
        self.add_copying(menu)
        menu.addMenu(self.columns_menu(menu))
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def _sort_by(self, column: int) -> None:
        """Sort by a column in its initial direction; if already sorted by the column, reverse the direction."""
        header, descending = self.header, Qt.SortOrder.DescendingOrder
        order = self.scores_model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.InitialSortOrderRole)
        if header.sortIndicatorSection() == column:
            order = Qt.SortOrder.AscendingOrder if header.sortIndicatorOrder() == descending else descending
        header.setSortIndicator(column, order or Qt.SortOrder.AscendingOrder)

    def add_copying(self, menu: QMenu) -> None:
        """Add actions that copy and save the table to a menu."""
        workspace = self._scores.workspace
        add_report_menus(menu, tr("Copy &table"), tr("Sa&ve table"), self.report_source, workspace, self)

    def columns_menu(self, parent: QWidget) -> QMenu:
        """Return the menu that `fill_columns` fills."""
        menu = QMenu(tr("C&olumns"), parent)
        self.fill_columns(menu)
        return menu

    def fill_columns(self, menu: QMenu) -> None:
        """Fill a menu with all metrics of the level (those with a column are checked) and “Default columns”."""
        menu.clear()
        menu.setToolTipsVisible(True)
        visible = {metric.name for metric in self.scores_model.metrics()}
        for name, metric in self._level.metrics.items():
            action = QAction(name, menu, checkable=True, checked=name in visible)
            action.setToolTip(metric.rewards)
            action.setEnabled(name != self._comparison.metric)
            action.triggered.connect(partial(self._show_metric, name, name not in visible))
            menu.addAction(action)
        menu.addSeparator()
        menu.addAction(tr("Default columns"), self._show_default_columns)

    def _header_menu(self, position: QPoint) -> None:
        menu = QMenu(self)
        metric = self.scores_model.metric(self.header.logicalIndexAt(position))
        if metric is not None:
            show_action = menu.addAction(tr("Show {metric}", metric=metric.name))
            show_action.triggered.connect(lambda: self._comparison.set_metric(metric.name))
            menu.addSeparator()
        for action in self.columns_menu(menu).actions():
            menu.addAction(action)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.header.mapToGlobal(position))


def selected_columns(settings: Settings, level: Level) -> Sequence[str]:
    """Return the names of the metrics selected for the group of a level; without a selection, the level's defaults."""
    return settings.columns.get(_table_key(level)) or level.shown_metrics


def _table_key(level: Level) -> str:
    return TABLE_KEYS.get(level.group, level.group)
