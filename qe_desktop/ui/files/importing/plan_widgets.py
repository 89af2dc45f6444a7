"""Widgets of the import dialogs: the table of the files of a plan, and the preview of a file."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHeaderView,
    QLabel,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from qe_desktop.escaping import escape_label
from qe_desktop.formats import PlannedFile, Role
from qe_desktop.formats.bilingual.columns import ColumnChoice
from qe_desktop.formats.importing.bilingual_detection import MAX_PREVIEW_ROWS
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.files.importing.plan_model import (
    COLUMNS,
    FILE_USES,
    NOT_CHOSEN,
    PlanColumn,
    PlanModel,
    possible_meanings,
)
from qe_desktop.ui.widgets.labels import ElidedLabel, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, hbox, vbox, wrap_layout
from qe_desktop.ui.widgets.tables.table_delegate import ComboBoxDelegate
from qe_desktop.ui.widgets.tables.table_header import TableHeader
from qe_desktop.ui.widgets.tables.table_view import soften_selection

_EMPTY_COLUMNS = (PlanColumn.MEANING, PlanColumn.NAME, PlanColumn.NOTES)
"""Columns that are hidden until one of their cells has a text or can be edited."""
_ELIDED_COLUMNS = (PlanColumn.FORMAT, PlanColumn.FILE, PlanColumn.NAME)
"""Columns that become narrower, in this order, if the table has too little space; their texts are then elided."""
_MIN_LETTERS = 16
_NOTE_MARGIN_PX = 10
"""Horizontal space in a cell, in pixels, that is not available for the text of a note."""
_ROW_HEIGHT = 1.7
"""Height of a row that has one line of text, as a multiple of the font height."""
MAX_NOTE_LINES = 4
"""Maximum number of lines shown of a note; longer notes are elided."""
MAX_WRAPPED_ROWS = 500
"""Number of rows, from the top, in which notes are wrapped; in all further rows, a note is elided after one line."""


class PlanTable(QTableView):
    """Table with one row per file; columns that have been empty and read-only so far are hidden."""

    def __init__(self, model: PlanModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self.setModel(model)
        self._hidden_columns = set(_EMPTY_COLUMNS)
        uses = ComboBoxDelegate(lambda row: FILE_USES, NOT_CHOSEN, self)
        readings = ComboBoxDelegate(lambda row: possible_meanings(model.plan.files[row]), NOT_CHOSEN, self)
        self.setItemDelegateForColumn(PlanColumn.USE, uses)
        self.setItemDelegateForColumn(PlanColumn.MEANING, readings)
        self.setItemDelegateForColumn(PlanColumn.NAME, NameDelegate(self))
        self.setAccessibleName(tr("Files"))
        # only the notes have several lines
        self.setWordWrap(True)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self.setEditTriggers(QTableView.EditTrigger.AllEditTriggers)
        self.setTabKeyNavigation(False)
        self._header = TableHeader(self, clickable=False, padding=4)
        self.setHorizontalHeader(self._header)
        self._header.setSectionResizeMode(PlanColumn.NOTES, QHeaderView.ResizeMode.Stretch)
        self._header.sectionResized.connect(self._on_resized)
        soften_selection(self)
        model.modelReset.connect(self._reset_hidden_columns)
        self.fit_columns()

    def fit_columns(self) -> None:
        """Show the columns that have contents, and fit the column widths; the notes get the remaining width."""
        self._update_hidden_columns()
        letter = self.fontMetrics().horizontalAdvance("0")
        for column, (_, characters) in COLUMNS.items():
            if characters and not self.isColumnHidden(column):
                needed = min(letter * characters, self.sizeHintForColumn(column) + 2 * letter)
                self.setColumnWidth(column, max(needed, self._header.required_width(column)))
        self._fit_width(letter)

    def _fit_width(self, letter: int) -> None:
        """Narrow `_ELIDED_COLUMNS` if the notes would otherwise be too narrow, and fit the row heights.

        `letter` is the width of a digit in pixels.
        """
        visible_columns = [column for column in COLUMNS if not self.isColumnHidden(column)]
        needed = [
            _MIN_LETTERS * letter if column is PlanColumn.NOTES else self.columnWidth(column)
            for column in visible_columns
        ]
        excess = sum(needed) - self.viewport().width()
        for column in _ELIDED_COLUMNS:
            width = self.columnWidth(column)
            least = min(width, max(_MIN_LETTERS * letter, self._header.required_width(column)))
            narrow = max(least, width - max(0, excess))
            excess -= width - narrow
            self.setColumnWidth(column, narrow)
        self._fit_rows()

    def _on_resized(self, column: int) -> None:
        if column == PlanColumn.NOTES:
            self._fit_rows()

    def _fit_rows(self) -> None:
        """Make each row tall enough for its note, up to `MAX_NOTE_LINES` lines."""
        metrics = self.fontMetrics()
        default = round(metrics.height() * _ROW_HEIGHT)
        self.verticalHeader().setDefaultSectionSize(default)
        # Qt stretches the column of the notes only later
        others = [column for column in COLUMNS if column is not PlanColumn.NOTES and not self.isColumnHidden(column)]
        width = self.viewport().width() - sum(map(self.columnWidth, others)) - _NOTE_MARGIN_PX
        for row in range(min(MAX_WRAPPED_ROWS, self._model.rowCount())):
            note = str(self._model.index(row, PlanColumn.NOTES).data() or "")
            text_rect = QRect(0, 0, max(1, width), 10_000)
            lines = metrics.boundingRect(text_rect, Qt.TextFlag.TextWordWrap, note).height() if note else 0
            lines = min(lines, MAX_NOTE_LINES * metrics.lineSpacing())
            self.setRowHeight(row, max(default, lines + default - metrics.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the columns to the new width."""
        super().resizeEvent(event)
        self.fit_columns()

    def _reset_hidden_columns(self) -> None:
        # another plan may need fewer columns
        self._hidden_columns.update(_EMPTY_COLUMNS)

    def _update_hidden_columns(self) -> None:
        for column in _EMPTY_COLUMNS:
            cells = [self._model.index(row, column) for row in range(self._model.rowCount())]
            if any(cell.data() for cell in cells) or self._is_editable(column):
                # a column remains visible when its last text is removed, so that the other columns do not move
                self._hidden_columns.discard(column)
            self.setColumnHidden(column, column in self._hidden_columns)

    def editing_hint(self) -> str:
        """Return a sentence that names the editable columns and states how to edit cells; empty if none is editable."""
        meaning, name = self._is_editable(PlanColumn.MEANING), self._is_editable(PlanColumn.NAME)
        if not self._is_editable(PlanColumn.USE):
            return ""
        if meaning and name:
            return tr("To change “Used as”, “Read as” or a name, double-click it or press F2.")
        if meaning:
            return tr("To change “Used as” or “Read as”, double-click it or press F2.")
        if name:
            return tr("To change “Used as” or a name, double-click it or press F2.")
        return tr("To change “Used as”, double-click it or press F2.")

    def _is_editable(self, column: PlanColumn) -> bool:
        cells = (self._model.index(row, column) for row in range(self._model.rowCount()))
        return any(self._model.flags(cell) & Qt.ItemFlag.ItemIsEditable for cell in cells)


class NameDelegate(QStyledItemDelegate):
    """Delegate that shows a name in one line, even if it has hyphens; a long name is elided in the middle."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Do not wrap the name; elide it in the middle, because the names of systems often begin alike."""
        super().initStyleOption(option, index)
        option.features &= ~QStyleOptionViewItem.ViewItemFeature.WrapText
        option.textElideMode = Qt.TextElideMode.ElideMiddle


NO_TEXT_ROLE = tr("select…")
TEXT_FORMAT = "text"
"""Name of the plain-text format; the preview of a file in this format shows its first lines."""


def has_preview(file: PlannedFile) -> bool:
    """Return whether a file has a preview: only readable text files, bilingual files and tables of texts have one."""
    return file.problem is None and (
        file.format == TEXT_FORMAT or file.column_options is not None or file.role is Role.JOB
    )


class DirectionDelegate(QStyledItemDelegate):
    """Delegate that draws each text in the writing direction of its first letter."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        """Set the text direction of a cell."""
        super().initStyleOption(option, index)
        kinds = map(unicodedata.bidirectional, str(index.data() or ""))
        if next((kind for kind in kinds if kind in ("L", "R", "AL")), "L") != "L":
            option.direction = Qt.LayoutDirection.RightToLeft


class FilePreviewPanel(QWidget):
    """Panel with the preview of one file; `chosen` is emitted with the `ColumnChoice` that the user made.

    Source and target can be selected only if `selects` is true.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None, *, selects: bool = True) -> None:
        super().__init__(parent)
        self._selects = selects
        self.source, self.target = QComboBox(), QComboBox()
        self.title = ElidedLabel()
        self.rows = QTableWidget(0, 0)
        self.rows.setAccessibleName(tr("First segments"))
        self.rows.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.rows.setShowGrid(False)
        self.rows.setWordWrap(False)
        self.rows.setTabKeyNavigation(False)
        self.rows.setItemDelegate(DirectionDelegate(self.rows))
        self.rows.verticalHeader().hide()
        self.rows.setHorizontalHeader(TableHeader(self.rows, clickable=False, padding=4))
        self.rows.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        height = self.fontMetrics().height()
        self.rows.setFixedHeight((MAX_PREVIEW_ROWS + 1) * (height + 8) + 16)
        self.rows.verticalHeader().setDefaultSectionSize(height + 8)
        fields = []
        for text, box in ((tr("&Source is"), self.source), (tr("&Target is"), self.target)):
            name = QLabel(text)
            name.setBuddy(box)
            box.setMinimumContentsLength(18)
            fields += [name, box]
            box.activated.connect(self._choose)
        self._choices = wrap_layout(hbox(*fields, gap=8))
        top = hbox(Stretched(self.title, 1), self._choices)
        vbox(top, self.rows, on=self, gap=8)
        self.hide()

    def show_file(self, file: PlannedFile) -> None:
        """Show the name of a file and its selectable columns; `show_rows` adds the rows once they are loaded."""
        self.title.setText(tr("{file} begins with:", file=escape_label(file.path.name)))
        offer = file.column_options
        self._choices.setVisible(self._selects and offer is not None)
        columns = file.effective_columns
        for box, column in ((self.source, columns.source), (self.target, columns.target)):
            with QSignalBlocker(box):
                box.clear()
                box.addItem(NO_TEXT_ROLE, "")
                for name in offer.names if offer is not None else ():
                    box.addItem(escape_label(name), name)
                box.setCurrentIndex(max(0, box.findData(column)))
        self.show_rows((), ())
        self.show()

    def show_rows(self, names: Sequence[str], rows: Sequence[tuple[str, ...]]) -> None:
        """Show the first rows of the file; `names` are the column names, empty if the file contains a single text."""
        columns = max((len(row) for row in (names, *rows)), default=0)
        self.rows.clear()
        self.rows.setRowCount(len(rows))
        self.rows.setColumnCount(columns)
        self.rows.setHorizontalHeaderLabels([escape_label(name) for name in names])
        self.rows.horizontalHeader().setVisible(bool(names))
        for index, row in enumerate(rows):
            for column, text in enumerate(row):
                item = QTableWidgetItem(escape_label(text))
                item.setToolTip(plain_tooltip(text))
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                self.rows.setItem(index, column, item)

    def show_reason(self, text: str) -> None:
        """Show `text`, the reason why there is no preview, in place of the rows."""
        self.show_rows((), [(text,)])

    def _choose(self) -> None:
        self.chosen.emit(ColumnChoice(self.source.currentData() or "", self.target.currentData() or ""))
