"""A flat table of ready-made cells on screen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.outgoing import label
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.parts.flat_table import FlatTable
from qe_desktop.ui.parts.table_delegate import PADDING
from qe_desktop.ui.parts.table_model import TableModel
from qe_desktop.ui.settings import Settings

SAMPLED = 100
"""Rows that widths are taken from."""


class RowsView(FlatTable):
    """A `TableModel` whose columns are as wide as their cells, within reason."""

    def __init__(self, settings: Settings, name: str, columns: Sequence[Column], parent: QWidget | None = None) -> None:
        self.table = TableModel(columns)
        super().__init__(self.table, settings, name, parent)
        self.setSelectionBehavior(FlatTable.SelectionBehavior.SelectRows)
        # what these cells say begins with what matters
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.table.dataChanged.connect(self.fit_columns)
        self.fit()

    def show_rows(self, rows: Sequence[Sequence[Cell]]) -> None:
        """Show other rows."""
        self.table.show_rows(rows)

    def fit_columns(self) -> None:
        """As wide as the widest cell, at most a third of the table; wide columns share the rest."""
        metrics, columns = self.fontMetrics(), self.table.columns
        most = max(metrics.horizontalAdvance("0") * 24, self.viewport().width() // 3)
        widths = []
        for place, _ in enumerate(columns):
            texts = [label(row[place].text) for row in self.table.rows[:SAMPLED]]
            widest = max([0, *map(metrics.horizontalAdvance, texts)]) + 2 * PADDING + 6
            widths.append(max(self.header.wanted_width(place), min(widest, most)))
        wide = [place for place, column in enumerate(columns) if column.wide]
        rest = self.viewport().width() - sum(width for place, width in enumerate(widths) if place not in wide)
        for place in wide:
            widths[place] = max(
                widths[place] if not rest > 0 else metrics.horizontalAdvance("0") * 12, rest // len(wide)
            )
        for place, width in enumerate(widths):
            self.setColumnWidth(place, width)
