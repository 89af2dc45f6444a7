"""The table of systems on screen: choose a figure to see it drawn, copy what is selected or all."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QWidget

from qe_desktop.report.latex import table_latex
from qe_desktop.report.rating_tables import systems_table, totals_table
from qe_desktop.ui.campaigns.results.systems_model import NAME, SystemsModel
from qe_desktop.ui.parts.copying import copy_text
from qe_desktop.ui.parts.flat_table import FlatTable
from qe_desktop.ui.parts.table_delegate import PADDING
from qe_desktop.ui.settings import Settings
from qe_desktop.wording import tr

SHORTEST = 16
"""Characters of a name that stay."""


class SystemsView(FlatTable):
    """A `SystemsModel`; Enter on a figure or a click on its header looks at it."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        self.systems = SystemsModel()
        super().__init__(self.systems, settings, tr("Systems, best first"), parent)
        self.systems.decimals = settings.decimals
        self._settings = settings
        self.systems.dataChanged.connect(self.fit_columns)
        self.header.sectionClicked.connect(self._choose)
        self.entered_cell.connect(self._on_entered)
        settings.changed.connect(self._on_setting)
        self.fit()

    def _choose(self, section: int) -> None:
        figure = self.systems.figure(section)
        if figure is not None:
            self.systems.choose(figure.key)

    def _on_entered(self, index: QModelIndex) -> None:
        self._choose(index.column())

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self.systems.set_decimals(self._settings.decimals)

    def copy_tsv(self) -> None:
        """Copy all systems with full precision."""
        if self.systems.results is not None:
            copy_text(totals_table(self.systems.results).tsv())

    def copy_latex(self) -> None:
        """Copy all systems for a paper."""
        if self.systems.results is not None:
            copy_text(table_latex(systems_table(self.systems.results, self.systems.decimals)))

    def fit_columns(self) -> None:
        """Figures as wide as they need, names take the rest."""
        model, count = self.systems, self.systems.columnCount()
        metrics = self.fontMetrics()
        widths = []
        for column in range(1, count):
            texts = [str(model.index(row, column).data() or "") for row in range(min(model.rowCount(), 60))]
            widest = max([0, *map(metrics.horizontalAdvance, texts)]) + 2 * PADDING + 4
            widths.append(max(widest, self.header.wanted_width(column)))
        room = self.viewport().width() - sum(widths)
        names = [str(model.index(row, NAME).data() or "") for row in range(min(model.rowCount(), 200))]
        longest = max([0, *map(metrics.horizontalAdvance, names)]) + 2 * PADDING + 4
        name = max(metrics.horizontalAdvance("0") * SHORTEST, min(room, longest))
        # what is left goes to the figures first, so that names do not stand far from them
        more = min(metrics.horizontalAdvance("0") * 7, max(0, room - name) // max(1, len(widths)))
        for column, width in enumerate(widths, 1):
            self.setColumnWidth(column, width + more)
        rest = min(metrics.horizontalAdvance("0") * SHORTEST, room - more * len(widths) - name)
        self.setColumnWidth(NAME, name + max(0, rest))


def all_rows_height(view: SystemsView) -> int:
    """The height that shows the header and all rows, with its horizontal scroll bar where there is one."""
    bar = view.horizontalScrollBar()
    return view.natural_height() + (bar.sizeHint().height() if bar.maximum() > 0 else 0)
