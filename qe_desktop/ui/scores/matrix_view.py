"""The significance matrix on screen: by mouse and keyboard, from a cell to the segments, and to the clipboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QPalette, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QMenu, QTableView, QWidget

from qe_desktop.report import matrix_table, matrix_tsv
from qe_desktop.ui import theme
from qe_desktop.ui.comparing import ComparisonKeeper
from qe_desktop.ui.scores.copying import copy_picture, copy_text, selected_text
from qe_desktop.ui.scores.figures import tabular
from qe_desktop.ui.scores.matrix_delegate import MatrixDelegate
from qe_desktop.ui.scores.matrix_header import LONGEST, MatrixHeader
from qe_desktop.ui.scores.matrix_model import Index, MatrixModel

WIDEST = 2.2
"""How much larger than needed cells become where there is room."""


class MatrixView(QTableView):
    """A `MatrixModel` with square-ish cells that shrink to their signs where there are many systems."""

    said = Signal(str)
    """What the current cell says."""

    def __init__(
        self,
        comparison: ComparisonKeeper,
        parent: QWidget | None = None,
        *,
        small: bool = False,
        longest: int = LONGEST,
    ) -> None:
        super().__init__(parent)
        self._keeper = comparison
        self._small = small
        self.matrix = MatrixModel(comparison, self)
        self.matrix.decimals = comparison.workspace.settings.decimals
        self._delegate = MatrixDelegate(self)
        self.setItemDelegate(self._delegate)
        self.setHorizontalHeader(MatrixHeader(Qt.Orientation.Horizontal, self, longest=longest))
        self.setVerticalHeader(MatrixHeader(Qt.Orientation.Vertical, self, longest=longest))
        self.setModel(self.matrix)
        self._set_up()
        self._connect()
        self._fit()

    def _set_up(self) -> None:
        self.setShowGrid(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setCornerButtonEnabled(False)
        corner = self.findChild(QAbstractButton)
        if corner is not None:
            # Qt draws it as a raised grey box
            corner.setFixedSize(0, 0)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ContiguousSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAccessibleName("Significance matrix")

    def _connect(self) -> None:
        self.matrix.modelReset.connect(self._fit)
        self.matrix.headerDataChanged.connect(self._fit)
        self.matrix.dataChanged.connect(self._say)
        # beside the reader the segments are in sight already, so one click is enough
        (self.clicked if self._small else self.doubleClicked).connect(self.show_segments)
        self._keeper.changed.connect(self._on_changed)
        self._keeper.workspace.settings.changed.connect(self._on_setting)
        theme.themes.theme_changed.connect(self.viewport().update)
        self._on_changed()

    # --- what is shown

    def _on_changed(self) -> None:
        stale = self._keeper.stale or self.matrix.metric != self._keeper.metric
        if stale != self._delegate.stale:
            self._delegate.stale = stale
            self.viewport().update()

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self.matrix.set_decimals(self._keeper.workspace.settings.decimals)

    def currentChanged(self, current: Index, previous: Index) -> None:
        """Say what the cell means."""
        super().currentChanged(current, previous)
        self._say()
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.viewport().update()

    def _say(self) -> None:
        self.said.emit(self.matrix.sentence(self.currentIndex()))

    # --- size

    def _fit(self) -> None:
        count = self.matrix.rowCount()
        if not count:
            return
        across, down = self.horizontalHeader(), self.verticalHeader()
        assert isinstance(across, MatrixHeader)
        assert isinstance(down, MatrixHeader)
        room = QSize(self.width() - down.extent() - 4, self.height() - across.extent() - 4)
        cell = self._cell(QSize(room.width() // count, room.height() // count))
        across.setDefaultSectionSize(cell.width())
        down.setDefaultSectionSize(cell.height())
        self.updateGeometries()

    def _cell(self, room: QSize) -> QSize:
        """The largest cell that leaves all on screen: stacked, in one line, or signs only."""
        metrics = self.fontMetrics()
        full, line = self._delegate.full_size(metrics), self._delegate.line_size(metrics)
        if self._small or room.width() < full.width() or room.height() < line.height():
            return self._signs(room)
        if room.height() >= full.height():
            width = min(room.width(), round(full.width() * WIDEST))
            return QSize(width, min(room.height(), round(full.height() * WIDEST), width)).expandedTo(full)
        if room.width() >= line.width():
            return QSize(min(room.width(), round(line.width() * 1.2)), room.height())
        return self._signs(room)

    def _signs(self, room: QSize) -> QSize:
        metrics = self.fontMetrics()
        side = min(room.width(), room.height(), round(metrics.height() * 2))
        return QSize(side, side).expandedTo(self._delegate.small_size(metrics))

    def full_cell(self) -> QSize:
        """A cell with room for its number."""
        full = self._delegate.full_size(self.fontMetrics())
        return QSize(round(full.width() * 1.2), round(full.height() * 1.1))

    def names_width(self) -> int:
        """How far the names reach, with a little air."""
        header = self.verticalHeader()
        return header.sizeHint().width() + 8

    def natural_width(self) -> int:
        """The width that shows all columns."""
        columns = self.matrix.rowCount() * self.horizontalHeader().defaultSectionSize()
        return self.verticalHeader().sizeHint().width() + columns + 4

    def natural_height(self) -> int:
        """The height that shows all rows."""
        rows = self.matrix.rowCount() * self.verticalHeader().defaultSectionSize()
        return self.horizontalHeader().sizeHint().height() + rows + 4

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Use the room there is."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self.model() is not None:
            self.setFont(tabular(self.font()))
            self._fit()

    # --- what can be done

    def show_segments(self, index: QModelIndex) -> None:
        """Ask for the segments where a cell's systems differ most."""
        layers = self.matrix.layers(index)
        if layers is not None:
            self._keeper.workspace.segments_wanted.emit(*layers)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy on the usual keys, open on Enter."""
        if event.matches(QKeySequence.StandardKey.Copy):
            text = selected_text(self.selectionModel())
            if text:
                copy_text(text)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.show_segments(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """What can be done with the cell and the matrix."""
        menu = QMenu(self)
        index = self.currentIndex()
        show = menu.addAction("&Show the segments where they differ most")
        show.setEnabled(self.matrix.layers(index) is not None)
        show.triggered.connect(lambda: self.show_segments(self.currentIndex()))
        menu.addSeparator()
        self.add_copying(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(event.globalPos())

    def add_copying(self, menu: QMenu) -> None:
        """Add the ways to copy to a menu."""
        menu.addAction("Copy the matrix as &TSV", self.copy_tsv)
        menu.addAction("Copy the matrix as &LaTeX", self.copy_latex)
        menu.addAction("Copy the matrix as a &picture", self.copy_matrix_picture)

    def copy_tsv(self) -> None:
        """Copy all p-values with full precision."""
        if self.matrix.compared is not None and self.matrix.metric:
            copy_text(matrix_tsv(self.matrix.compared.comparison, self.matrix.metric))

    def copy_latex(self) -> None:
        """Copy the matrix for a paper."""
        if self.matrix.compared is not None and self.matrix.metric:
            copy_text(matrix_table(self.matrix.compared.comparison, self.matrix.metric).latex())

    def copy_matrix_picture(self) -> None:
        """Copy the matrix as drawn, all of it."""
        copy_picture(self.picture())

    def picture(self) -> QPixmap:
        """The whole matrix as drawn, whatever part of it is on screen."""
        other = MatrixView(self._keeper)
        other.matrix.set_by_score(self.matrix.by_score)
        other.setFont(self.font())
        cell = other.full_cell()
        count = other.matrix.rowCount()
        other.resize(other.names_width() + count * cell.width(), other.names_width() + count * cell.height())
        other._fit()
        picture = other.grab(QRect(0, 0, other.natural_width(), other.natural_height()))
        other.deleteLater()
        return picture
