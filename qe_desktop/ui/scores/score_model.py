"""Model of the score table: one row per layer, one column per metric."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Qt

from qe_desktop.corpus import LayerKey
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.metrics import Metric
from qe_desktop.report import DASH, Table
from qe_desktop.report.render.tables import Cell
from qe_desktop.ui.scores.number_format import format_change, format_interval, format_score
from qe_desktop.ui.scores.score_descriptions import (
    direction_text,
    interval_help,
    interval_sentence,
    layer_description,
    metric_header_help,
    rank_help,
    systems_help,
)
from qe_desktop.ui.scores.score_values import MatrixState, ScoreTableState, SystemRanks
from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.tables.table_header import HEADER_BELOW_ROLE, HEADER_CURRENT_ROLE, HEADER_ORDER_ROLE
from qe_desktop.ui.widgets.tables.table_model import (
    BAR_FRACTION_ROLE,
    CHANGE_ROLE,
    CURRENT_ROLE,
    LAST_ROLE,
    LEFT,
    MUTED_ROLE,
    RIGHT,
    ROLE,
    ROOT,
    CopyableTableModel,
    ModelIndex,
)

NAME_COLUMN = 0
_CAUTION_MARK = "*"

INTERVAL, RANK = "interval", "rank"
"""Names of the columns that contain the intervals of the current metric and the ranks by it."""


class ScoreModel(CopyableTableModel):
    """Model with a row per layer and columns for names and metrics.

    If `with_interval`, the current metric comes first, followed by interval and rank; otherwise, its values have bars.
    """

    def __init__(self, metrics: Sequence[Metric], parent: QObject | None = None, *, with_interval: bool = True) -> None:
        super().__init__(parent)
        self._table_state = ScoreTableState()
        self._matrix_state = MatrixState()
        self._metrics, self._with_interval = list(metrics), with_interval
        self._order = np.zeros(0, np.int64)
        self._sort: tuple[str, bool] | None = (self._matrix_state.metric, True)
        self._ranks: SystemRanks | None = None
        self._cluster_ends: frozenset[int] = frozenset()
        """Indices of the last rows of clusters, which have a line below them; the last cluster has no line."""
        self._layout: tuple[Metric | str, ...] = ()
        self.decimals = 3
        self._arrange()

    def _arrange(self) -> None:
        """Determine the columns that follow the name column."""
        if not self._with_interval:
            self._layout = tuple(self._metrics)
            return
        first = [metric for metric in self._metrics if metric.name == self._matrix_state.metric]
        self._layout = (*first, INTERVAL, RANK, *(metric for metric in self._metrics if metric not in first))

    # --- content

    def metrics(self) -> list[Metric]:
        """Return the metrics that have a column, in the order of the columns."""
        return [part for part in self._layout if isinstance(part, Metric)]

    def set_metrics(self, metrics: Sequence[Metric]) -> None:
        """Set the metrics that have a column."""
        if list(metrics) != self._metrics:
            self.beginResetModel()
            self._metrics = list(metrics)
            self._arrange()
            self._order = self._sorted_rows()
            self._find_ends()
            self.endResetModel()

    def set_decimals(self, decimals: int) -> None:
        """Set the number of decimals of scores, intervals and changes."""
        self.decimals = decimals
        self._emit_all_changed()

    def layer(self, row: int) -> LayerKey:
        """Return the layer of a row."""
        return self._table_state.layers[int(self._order[row])]

    def metric(self, column: int) -> Metric | None:
        """Return the metric of a column; None for names, intervals and ranks."""
        part = self._layout[column - 1] if 1 <= column <= len(self._layout) else None
        return part if isinstance(part, Metric) else None

    def column_of(self, name: str) -> int:
        """Return the index of the column of a metric, or of `INTERVAL` or `RANK`; -1 if there is no such column."""
        names = [part if isinstance(part, str) else part.name for part in self._layout]
        return names.index(name) + 1 if name in names else -1

    def is_interval(self, column: int) -> bool:
        """Return whether a column contains the intervals."""
        return column == self.column_of(INTERVAL) > 0

    def is_rank(self, column: int) -> bool:
        """Return whether a column contains the ranks."""
        return column == self.column_of(RANK) > 0

    # --- sentences

    def sentence(self, index: ModelIndex) -> str:
        """Return a sentence about a cell; empty if the index is invalid."""
        if not index.isValid() or index.row() >= self.rowCount():
            return ""
        layer, ranks = self.layer(index.row()), self._ranks_of(index.column())
        text = str(index.data(ROLE.AccessibleTextRole) or "")
        if ranks is not None and not self.is_interval(index.column()):
            text = ranks.sentence(layer, self.decimals) or text
        metric = self.metric(index.column())
        caution = "" if metric is None else self._table_state.caution(metric, int(self._order[index.row()]))
        outdated_note = tr("Outdated.") if self._matrix_state.is_outdated and ranks is not None else ""
        return join_localized(" ", [part for part in (text, caution, outdated_note) if part])

    def sign(self, index: ModelIndex) -> str:
        """Return the significance symbol of the system in a cell's row (see `SystemRanks.sign`); empty if none."""
        ranks = self._ranks_of(index.column()) if index.isValid() and index.row() < self.rowCount() else None
        return "" if ranks is None or self.is_interval(index.column()) else ranks.sign(self.layer(index.row()))

    def _ranks_of(self, column: int) -> SystemRanks | None:
        """Return the ranks by a column's metric or, if it has none, by the current metric; None if not tested."""
        metric, result = self.metric(column), self._matrix_state.result
        if metric is None or metric.name == self._matrix_state.metric:
            return self._ranks
        return SystemRanks(result, metric.name) if result is not None and metric.name in result.metrics else None

    # --- copying

    def block(self, rows: Sequence[int], columns: Sequence[int]) -> Table:
        """Return a table of exact values; intervals and ranks have two columns each, empty if outdated or missing."""
        value_columns = [column for column in columns if column != NAME_COLUMN]
        indices = [int(self._order[row]) for row in rows]
        header = tuple(name for column in value_columns for name in self._export_columns(column))
        names = [self._table_state.layers[index].display_name for index in indices]
        values = [[cell for column in value_columns for cell in self._exact_values(index, column)] for index in indices]
        table_rows = tuple((name, *cells) for name, cells in zip(names, values, strict=True))
        return Table("", ("system", *header), table_rows)

    def _export_columns(self, column: int) -> tuple[str, ...]:
        metric, looked = self.metric(column), self._matrix_state.metric
        if metric is not None:
            return (metric.name,)
        if self.is_rank(column):
            return f"{looked} best rank", f"{looked} worst rank"
        return f"{looked} low", f"{looked} high"

    def _exact_values(self, index: int, column: int) -> tuple[Cell, ...]:
        metric, result, layer = self.metric(column), self._matrix_state.result, self._table_state.layers[index]
        if metric is not None:
            return (self._table_state.value(metric, index),)
        if result is None or self._matrix_state.is_outdated:
            return None, None
        if self.is_rank(column):
            return (self._ranks.ranks(layer) if self._ranks is not None else None) or (None, None)
        return result.interval(self._matrix_state.metric, layer) or (None, None)

    # --- the model interface of Qt

    def rowCount(self, parent: ModelIndex = ROOT) -> int:
        """Return the number of scored layers."""
        return 0 if parent.isValid() else len(self._table_state.layers)

    def columnCount(self, parent: ModelIndex = ROOT) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else 1 + len(self._layout)

    def data(self, index: ModelIndex, role: int = ROLE.DisplayRole) -> Any:
        """Return the value of a cell for a role."""
        if not index.isValid() or index.row() >= len(self._table_state.layers):
            return None
        if role == ROLE.TextAlignmentRole:
            return LEFT if index.column() == NAME_COLUMN else RIGHT
        if role == LAST_ROLE:
            return index.row() in self._cluster_ends
        layer_index, metric = int(self._order[index.row()]), self.metric(index.column())
        if metric is not None:
            return self._metric_data(layer_index, metric, role)
        if index.column() == NAME_COLUMN:
            return self._name_data(self._table_state.layers[layer_index], role)
        if self.is_rank(index.column()):
            return self._rank_data(self._table_state.layers[layer_index], role)
        return self._interval_data(self._table_state.layers[layer_index], role)

    def _name_data(self, layer: LayerKey, role: int) -> Any:
        other_names = self._table_state.other_names.get(layer.name, ())
        if role == ROLE.DisplayRole:
            return layer.display_name
        if role == ROLE.AccessibleTextRole:
            return join_localized(", ", (layer.display_name, *other_names))
        if role == ROLE.ToolTipRole:
            return plain_tooltip(layer_description(layer, self._table_state.level.items_heading, other_names))
        return None

    def _metric_data(self, layer_index: int, metric: Metric, role: int) -> Any:
        value = self._table_state.value(metric, layer_index)
        if role == ROLE.DisplayRole:
            return self._value_text(metric, value)
        if role == CHANGE_ROLE:
            return format_change(self._table_state.difference(metric, layer_index), self.decimals)
        if role == BAR_FRACTION_ROLE:
            has_bar = metric.name == self._matrix_state.metric and not self._with_interval
            return self._table_state.bar_fraction(metric, layer_index) if has_bar else None
        if role == CURRENT_ROLE:
            # bold: no system is significantly better
            is_ranked = metric.name == self._matrix_state.metric and not self._matrix_state.is_outdated
            ranks = self._ranks if is_ranked else None
            return ranks is not None and ranks.is_top(self._table_state.layers[layer_index])
        if role == MUTED_ROLE:
            return not self._table_state.is_complete or math.isnan(value)
        if role == ROLE.AccessibleTextRole:
            return self._table_state.sentence(metric, layer_index, self.decimals)
        if role == ROLE.ToolTipRole:
            return plain_tooltip(self._value_description(layer_index, metric))
        return None

    def _value_text(self, metric: Metric, value: float) -> str:
        if metric.name not in self._table_state.values:
            return ""
        return format_score(value, self.decimals) + (_CAUTION_MARK if value > metric.usual_max else "")

    def _value_description(self, index: int, metric: Metric) -> str:
        text = self._table_state.sentence(metric, index, self.decimals + 1)
        caution = self._table_state.caution(metric, index)
        return f"{text}. {caution}" if caution else text

    def _interval_data(self, layer: LayerKey, role: int) -> Any:
        result, name = self._matrix_state.result, self._matrix_state.metric
        interval = result.interval(name, layer) if result is not None else None
        if role == ROLE.DisplayRole:
            if interval is None:
                return ""
            return DASH if math.isnan(interval[0]) else format_interval(*interval, self.decimals)
        if role == MUTED_ROLE:
            return self._matrix_state.is_outdated
        if role in (ROLE.AccessibleTextRole, ROLE.ToolTipRole):
            outdated = self._matrix_state.is_outdated
            method, defined = "", False
            if result is not None and interval is not None:
                method, defined = result.interval_text(name), result.is_defined(name, layer)
            text = interval_sentence(
                layer.display_name, name, interval, self.decimals, method, defined=defined, outdated=outdated
            )
            return plain_tooltip(text) if role == ROLE.ToolTipRole else text
        return None

    def _rank_data(self, layer: LayerKey, role: int) -> Any:
        text = "" if self._ranks is None else self._ranks.text(layer)
        if role == ROLE.DisplayRole:
            return text
        if role == MUTED_ROLE:
            return self._matrix_state.is_outdated
        if role in (ROLE.AccessibleTextRole, ROLE.ToolTipRole):
            sentence = "" if self._ranks is None else self._ranks.sentence(layer, self.decimals)
            sentence = sentence or tr("{system}: not tested", system=layer.display_name)
            return plain_tooltip(sentence) if role == ROLE.ToolTipRole else sentence
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        """Return the name, the tooltip or a state of a column, depending on the role."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        metric = self.metric(section)
        if role == ROLE.TextAlignmentRole:
            return LEFT if section == NAME_COLUMN else RIGHT
        if role == ROLE.InitialSortOrderRole and section != NAME_COLUMN:
            name = metric.name if metric is not None else self._matrix_state.metric
            return Qt.SortOrder.DescendingOrder if self._is_descending(name, True) else Qt.SortOrder.AscendingOrder
        if role == HEADER_CURRENT_ROLE:
            return metric is not None and metric.name == self._matrix_state.metric
        if role == HEADER_BELOW_ROLE and metric is not None and self._with_interval:
            return direction_text(metric), False
        if role == HEADER_ORDER_ROLE:
            sorted_section, order = self.sort_state()
            return order if sorted_section == section else None
        if role == ROLE.DisplayRole:
            title = tr("Rank") if self.is_rank(section) else tr("95 % interval")
            return metric.name if metric is not None else tr("System") if section == NAME_COLUMN else title
        if role == ROLE.ToolTipRole:
            return plain_tooltip(self._header_help(section, metric))
        return None

    def _header_help(self, section: int, metric: Metric | None) -> str:
        if metric is not None:
            return metric_header_help(metric, is_selected=metric.name == self._matrix_state.metric)
        if section == NAME_COLUMN:
            return systems_help(self._table_state.level.positive)
        return (rank_help if self.is_rank(section) else interval_help)(self._matrix_state.metric)

    # --- order

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column, or by the current metric for intervals and ranks; column -1 restores the loading order."""
        metric = self.metric(column)
        name = metric.name if metric is not None else self._matrix_state.metric if column > NAME_COLUMN else ""
        self._sort = None if column < 0 else (name, self._is_descending(name, order == Qt.SortOrder.DescendingOrder))
        self._reorder()
        self._find_ends()  # the ends of clusters also depend on the sort column
        self._emit_all_changed()

    def _is_descending(self, name: str, best_first: bool) -> bool:
        """Return whether the sort order is descending; for names, `best_first` means descending."""
        metric = self._table_state.level.metrics.get(name)
        return best_first if metric is None or metric.better > 0 else not best_first

    def sort_state(self) -> tuple[int, Qt.SortOrder]:
        """Return the index of the sort column (-1 if there is none) and the sort order."""
        if self._sort is None:
            return -1, Qt.SortOrder.AscendingOrder
        name, best_first = self._sort
        order = Qt.SortOrder.DescendingOrder if self._is_descending(name, best_first) else Qt.SortOrder.AscendingOrder
        return (self.column_of(name) if name else NAME_COLUMN), order

    def _sorted_rows(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        if self._sort is None:
            return np.arange(len(self._table_state.layers))
        name, best_first = self._sort
        return self._table_state.order(name, descending=self._is_descending(name, best_first))

    def _reorder(self) -> bool:
        order = self._sorted_rows()
        if np.array_equal(order, self._order):
            return False
        self.layoutAboutToBeChanged.emit()
        before, indices = self.persistentIndexList(), np.argsort(order)
        after = [self.index(int(indices[self._order[index.row()]]), index.column()) for index in before]
        self._order = order
        self._find_ends()
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()
        return True

    # --- updates

    def show_scores(self, scores: ScoreTableState) -> None:
        """Replace the scores; the new scores may belong to other layers."""
        if scores.layers == self._table_state.layers:
            self._table_state = scores
            if not self._reorder():
                self._find_ends()
                self._emit_data_changed(1, len(self._layout))
            return
        self.beginResetModel()
        self._table_state = scores
        self._order = self._sorted_rows()
        self._find_ends()
        self.endResetModel()

    def show_state(self, state: MatrixState) -> None:
        """Replace the current metric and the comparison result, which contains the intervals and ranks."""
        before, self._matrix_state = self._matrix_state, state
        if before == state:
            return
        result = state.result
        self._ranks = SystemRanks(result, state.metric) if result and state.metric in result.metrics else None
        self._arrange()
        if self._sort is not None and self._sort[0] == before.metric:
            self._sort = (state.metric, self._sort[1])
        self._find_ends()
        if before.metric != state.metric:
            self._reorder()
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)
            self._emit_all_changed()
        elif self._with_interval:
            self._emit_all_changed()  # the lines below clusters cross all columns

    def _find_ends(self) -> None:
        """Set `_cluster_ends`, empty unless rows are sorted by the current metric and its ranks are up to date."""
        sorted_by_metric = self._sort == (self._matrix_state.metric, True) and self._with_interval
        layers = [self._table_state.layers[index] for index in self._order] if sorted_by_metric else []
        ranks = None if self._matrix_state.is_outdated else self._ranks
        self._cluster_ends = frozenset() if ranks is None or not layers else ranks.cluster_ends(layers)

    def _emit_all_changed(self) -> None:
        self._emit_data_changed(0, self.columnCount() - 1)

    def _emit_data_changed(self, first: int, last: int) -> None:
        if self._table_state.layers and last >= first:
            self.dataChanged.emit(self.index(0, first), self.index(len(self._table_state.layers) - 1, last))
