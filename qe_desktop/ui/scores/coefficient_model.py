"""The distinction coefficients: which share of the pairs of systems each metric tells apart."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from qe_desktop.report import Table
from qe_desktop.significance import MetricComparison, halves
from qe_desktop.ui.scores.compared import Looked
from qe_desktop.ui.scores.figures import score_text
from qe_desktop.ui.scores.score_model import CHOSEN_ROLE
from qe_desktop.ui.shell.labels import tip

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole
ROOT = QModelIndex()
HEADER = ("Metric", "d", "d_top", "d_bottom")


class CoefficientModel(QAbstractTableModel):
    """Tested metrics × (name, d, d_top, d_bottom)."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._looked = Looked()
        self._rows: tuple[MetricComparison, ...] = ()
        self.decimals = 3

    def show_looked(self, looked: Looked) -> None:
        """Show another result or metric."""
        if (looked.result, looked.metric) == (self._looked.result, self._looked.metric):
            return
        self.beginResetModel()
        self._looked = looked
        self._rows = looked.result.comparison.metrics if looked.result is not None else ()
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        """One row a tested metric."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        """The name and three coefficients."""
        return 0 if parent.isValid() else len(HEADER)

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        """A cell, for every role that the views ask for."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        one, column = self._rows[index.row()], index.column()
        if role == ROLE.DisplayRole:
            return one.metric.name if column == 0 else score_text(_values(one)[column - 1], self.decimals)
        if role == ROLE.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == CHOSEN_ROLE:
            return one.metric.name == self._looked.metric
        if role == ROLE.ToolTipRole:
            return tip(self._sentence(one, column))
        if role == ROLE.AccessibleTextRole:
            return self._sentence(one, column)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        """Names of the coefficients, and what they mean."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == ROLE.DisplayRole:
            return HEADER[section]
        if role == ROLE.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == ROLE.ToolTipRole:
            return tip(self._about(section))
        return None

    def table(self) -> Table:
        """The coefficients as a table of the report."""
        rows = tuple((one.metric.name, *_values(one)) for one in self._rows)
        return Table("Distinction coefficients", ("metric", *HEADER[1:]), rows, self.decimals)

    def _split(self) -> tuple[int, int]:
        result = self._looked.result
        if result is None:
            return 0, 0
        return halves(len(result.layers), result.comparison.options.top)

    def _about(self, section: int) -> str:
        top, bottom = self._split()
        return (
            "The metric whose scores are compared.",
            "The share of all pairs of systems that the metric tells apart, after correction. Higher is finer.",
            f"The same among the {top} best systems by this metric, corrected for their own pairs.",
            f"The same among the other {bottom} systems, corrected for their own pairs.",
        )[section]

    def _sentence(self, one: MetricComparison, column: int) -> str:
        if column == 0:
            return f"{one.metric.name}. {one.metric.help()}"
        value = _values(one)[column - 1]
        if value != value:
            return f"{HEADER[column]} of {one.metric.name} is undefined with fewer than two systems."
        size = (len(one.order), *self._split())[column - 1]
        pairs = size * (size - 1) // 2
        found = round(value * pairs)
        return f"{one.metric.name} tells {found:,} of {pairs:,} pairs apart. {self._about(column)}"


def _values(one: MetricComparison) -> tuple[float, float, float]:
    return one.d, one.d_top, one.d_bottom
