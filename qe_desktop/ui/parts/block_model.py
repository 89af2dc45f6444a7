"""A table model of which blocks are copied: with headers and names, and numbers as exported files have them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QAbstractTableModel

from qe_desktop.report import Table


class BlockModel(QAbstractTableModel):
    """What a `PlainTable` shows."""

    def block(self, rows: Sequence[int], columns: Sequence[int]) -> Table:
        """These rows and columns for spreadsheets and scripts: headers in English, names first, numbers in full."""
        raise NotImplementedError

    def whole(self) -> Table:
        """All rows and columns."""
        return self.block(range(self.rowCount()), range(self.columnCount()))
