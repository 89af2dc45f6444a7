"""The significance matrix on screen: by mouse and keyboard, from a cell to the segments, and to the clipboard."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QPixmap
from PySide6.QtWidgets import QMenu, QWidget

from qe_desktop.levels import Scoring
from qe_desktop.report.comparisons import ComparisonReport
from qe_desktop.ui.parts.copying import copy_picture
from qe_desktop.ui.parts.grid_header import LONGEST
from qe_desktop.ui.parts.grid_view import GridView
from qe_desktop.ui.parts.picture_files import Exported, add_saving
from qe_desktop.ui.parts.report_files import OnScreen, Reported, add_report_menus
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.matrix_model import MatrixModel
from qe_desktop.wording import tr

SHORTER = 12
"""Characters of a name that are shown in a narrow place."""


class MatrixView(GridView):
    """A `MatrixModel` with square-ish cells that shrink to their signs where there are many systems."""

    def __init__(self, comparison: ComparisonKeeper, parent: QWidget | None = None, *, small: bool = False) -> None:
        self._keeper = comparison
        self.matrix = MatrixModel()
        self.reported = Reported(tr("Significance matrix"), self.report)
        self.drawing = Exported(tr("Significance matrix"), self._whole)
        self.matrix.decimals = comparison.workspace.settings.decimals
        longest = SHORTER if small else LONGEST
        super().__init__(self.matrix, tr("Significance matrix"), parent, small=small, longest=longest)
        # beside the reader the segments are in sight already, so one click is enough
        (self.clicked if self._small else self.doubleClicked).connect(self.show_segments)
        self._keeper.changed.connect(self._on_changed)
        self._keeper.workspace.settings.changed.connect(self._on_setting)
        self._on_changed()

    # --- what is shown

    def _on_changed(self) -> None:
        self.matrix.show_looked(self._keeper.looked())
        stale = self._keeper.stale or self.matrix.metric != self._keeper.metric
        if stale != self._painter.stale:
            self._painter.stale = stale
            self.viewport().update()

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self.matrix.set_decimals(self._keeper.workspace.settings.decimals)

    # --- what can be done

    def show_segments(self, index: QModelIndex) -> None:
        """Ask for the segments that make the most of a cell's difference, in its metric."""
        layers, compared = self.matrix.layers(index), self.matrix.compared
        if layers is not None and compared is not None:
            wanted = self._keeper.workspace.segments_wanted
            wanted.emit(*layers, self.matrix.metric, compared.level, compared.reference)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open on Enter."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.show_segments(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the cell and the matrix."""
        menu = QMenu(self)
        index = self.currentIndex()
        show = menu.addAction(tr("&Show the segments that make the difference"))
        show.setEnabled(self.matrix.layers(index) is not None)
        show.triggered.connect(lambda: self.show_segments(self.currentIndex()))
        menu.addSeparator()
        self.add_block_copying(menu)
        self.add_copying(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def add_copying(self, menu: QMenu) -> None:
        """Add the ways to copy to a menu."""
        around = self._keeper.workspace
        add_report_menus(menu, tr("Copy the &matrix"), tr("Save the matrix &in numbers"), self.reported, around, self)
        menu.addAction(tr("Copy the matrix as a &picture"), self.copy_matrix_picture)
        add_saving(menu, tr("&Save the matrix as a picture"), self.drawing, around, self)

    def report(self) -> OnScreen | None:
        """The comparison by the metric that is looked at; None before there is one."""
        compared, view = self.matrix.compared, self._keeper.workspace.view
        if compared is None or view is None or not self.matrix.metric:
            return None
        comparison = replace(compared.comparison, metrics=(compared.comparison.of(self.matrix.metric),))
        scoring = Scoring(view, compared.reference, compared.layers, compared.level)
        return OnScreen(ComparisonReport.made(scoring, comparison), self.matrix.whole(), self.matrix.decimals)

    def copy_matrix_picture(self) -> None:
        """Copy the matrix as drawn, all of it."""
        copy_picture(self.picture())

    def picture(self) -> QPixmap:
        """The whole matrix as drawn, whatever part of it is on screen."""
        other = self._whole()
        return other.grab(QRect(0, 0, other.natural_width(), other.natural_height()))

    def _whole(self) -> MatrixView:
        """The matrix in its own size, for as long as it takes to draw it."""
        other = MatrixView(self._keeper)
        other.matrix.set_by_score(self.matrix.by_score)
        other.setFont(self.font())
        cell = other.full_cell()
        count = other.matrix.rowCount()
        other.resize(other.names_width() + count * cell.width(), other.names_width() + count * cell.height())
        other.fit()
        other.deleteLater()
        return other
