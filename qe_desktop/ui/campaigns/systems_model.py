"""The table of systems: one row a system, best first, one column a figure."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from qe_desktop.outgoing import label, short_names
from qe_desktop.ratings.findings import Results, SystemResult
from qe_desktop.ui.campaigns.figure_columns import FigureColumn, columns_of, interval_of, main_column
from qe_desktop.ui.scores.score_model import CHOSEN_ROLE, MUTED_ROLE, SHARE_ROLE
from qe_desktop.ui.shell.flat_header import HEADER_CHOSEN_ROLE
from qe_desktop.ui.shell.labels import tip

Index = QModelIndex | QPersistentModelIndex
ROLE = Qt.ItemDataRole
ROOT = QModelIndex()
CLUSTER_END_ROLE = int(ROLE.UserRole) + 50
"""Whether a line stands below the row: the systems under it are significantly worse."""
NAME = 0
RANKS, INTERVAL = "ranks", "interval"
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class SystemsModel(QAbstractTableModel):
    """Name, range of ranks, figures, and the interval of the figure that is looked at."""

    chosen_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.results: Results | None = None
        self.decimals = 3
        self.chosen = ""
        """The key of the figure that is looked at."""
        self._own = False
        self._short: tuple[str, ...] = ()
        self._columns: list[FigureColumn] = []
        self._with_interval = False
        self._ends: set[int] = set()

    # --- what is shown

    def show_results(self, results: Results | None) -> None:
        """Show other results; a figure that a person chose stays where they have it."""
        self.beginResetModel()
        self.results = results
        self._columns = [] if results is None else columns_of(results)
        self._ends = set() if results is None else cluster_ends(results)
        names = [] if results is None else [system.name for system in results.systems]
        self._short = short_names(names)
        self._with_interval = results is not None and any(
            column.interval(system) is not None for column in self._columns for system in results.systems
        )
        keys = [column.key for column in self._columns if column.scored]
        if not self._own or self.chosen not in keys:
            wanted = "" if results is None else main_column(results)
            self.chosen = wanted if wanted in keys else (keys[0] if keys else "")
        self.endResetModel()
        self.chosen_changed.emit()

    def set_decimals(self, decimals: int) -> None:
        """Show figures with so many digits after the point."""
        self.decimals = decimals
        if self.results is not None:
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))

    def choose(self, key: str) -> None:
        """Look at another figure."""
        if key != self.chosen and any(column.key == key and column.scored for column in self._columns):
            self.chosen, self._own = key, True
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))
            self.chosen_changed.emit()

    def column(self, place: int) -> FigureColumn | None:
        """The figure of a column; None for names, ranks and the interval."""
        return self._columns[place - 2] if 2 <= place < len(self._columns) + 2 else None

    def looked_at(self) -> FigureColumn | None:
        """The figure that is looked at."""
        return next((column for column in self._columns if column.key == self.chosen), None)

    def scored(self) -> list[FigureColumn]:
        """The figures that systems can be compared by."""
        return [column for column in self._columns if column.scored]

    # --- Qt's questions

    def rowCount(self, parent: Index = ROOT) -> int:
        """One row a system."""
        return 0 if parent.isValid() or self.results is None else len(self.results.systems)

    def columnCount(self, parent: Index = ROOT) -> int:
        """Name, ranks, figures, interval."""
        return 0 if parent.isValid() or self.results is None else len(self._columns) + 2 + self._with_interval

    def data(self, index: Index, role: int = ROLE.DisplayRole) -> Any:
        """A cell, for every role that the views ask for."""
        if self.results is None or not index.isValid() or index.row() >= self.rowCount():
            return None
        if role == ROLE.TextAlignmentRole:
            return _LEFT if index.column() == NAME else _RIGHT
        system, column = self.results.systems[index.row()], self.column(index.column())
        if role == ROLE.DisplayRole:
            return self._short[index.row()] if index.column() == NAME else self._text(system, index.column())
        if role in (ROLE.ToolTipRole, ROLE.AccessibleTextRole):
            said = self._sentence(system, index.column())
            return tip(said) if role == ROLE.ToolTipRole else label(said)
        if role == CHOSEN_ROLE:
            return column is not None and column.key == self.chosen
        if role == MUTED_ROLE:
            return column is not None and not column.scored
        if role == SHARE_ROLE:
            return self._share(system) if column is not None and column.key == self.chosen else None
        if role == CLUSTER_END_ROLE:
            return index.row() in self._ends
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = ROLE.DisplayRole) -> Any:
        """The columns' names."""
        if orientation == Qt.Orientation.Vertical or self.results is None or section >= self.columnCount():
            return None
        column = self.column(section)
        if role == ROLE.TextAlignmentRole:
            return int(_LEFT if section == NAME else _RIGHT)
        if role == HEADER_CHOSEN_ROLE:
            return column is not None and column.key == self.chosen
        looked_at = self.looked_at()
        if role == ROLE.DisplayRole:
            if section == NAME:
                return "system"
            if section == 1:
                return RANKS
            if column is None:
                return f"95 % of {looked_at.header}" if looked_at is not None else INTERVAL
            return column.header
        if role == ROLE.ToolTipRole:
            return tip(column.about if column is not None else _ABOUT.get(section, _ABOUT[-1]))
        return None

    # --- behind it

    def _text(self, system: SystemResult, place: int) -> str:
        if place == 1:
            return ranks_text(system.rank_low, system.rank_high)
        column = self.column(place) or self.looked_at()
        if column is None:
            return ""
        if self.column(place) is not None:
            return column.text(system, self.decimals)
        found = column.interval(system)
        return interval_of(*found, self.decimals) if found is not None else ""

    def _sentence(self, system: SystemResult, place: int) -> str:
        column = self.column(place) or self.looked_at()
        if place == NAME or column is None:
            return system.name
        if place == 1:
            low, high = system.rank_low, system.rank_high
            return f"{system.name}: rank {ranks_text(low, high)} of {self.rowCount()}" if low else system.name
        said = f"{system.name}: {column.header} {column.text(system, self.decimals)}"
        found = column.interval(system)
        return f"{said}, 95 % interval {interval_of(*found, self.decimals)}" if found is not None else said

    def _share(self, system: SystemResult) -> float | None:
        """How long the bar is: from the worst system's value to the best's, with some length for the worst."""
        column, results = self.looked_at(), self.results
        if column is None or results is None:
            return None
        values = [value for one in results.systems if (value := column.value(one)) is not None]
        value = column.value(system)
        if value is None or not values or max(values) <= min(values):
            return None
        return 0.15 + 0.85 * (value - min(values)) / (max(values) - min(values))


_ABOUT = {
    NAME: "Best first; a line stands between clusters",
    1: "The range of ranks that the data leaves open",
    -1: "The bootstrap interval of the figure that is looked at",
}


def cluster_ends(results: Results) -> set[int]:
    """The rows below which a cluster ends; none below the last."""
    places = {system.name: place for place, system in enumerate(results.systems)}
    ends = {max(places[name] for name in cluster) for cluster in results.clusters if cluster}
    return {end for end in ends if end < len(results.systems) - 1}


def ranks_text(low: int | None, high: int | None) -> str:
    """A range of ranks.

    >>> ranks_text(1, 1), ranks_text(2, 3), ranks_text(None, None)
    ('1', '2–3', '–')
    """
    if low is None or high is None:
        return "–"
    return f"{low}" if low == high else f"{low}–{high}"
