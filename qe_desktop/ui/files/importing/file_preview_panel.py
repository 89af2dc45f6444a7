"""Panel that shows the first segments of a file, and lets the user select source and target of a bilingual file."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHeaderView,
    QLabel,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from qe_desktop.escaping import escape_label
from qe_desktop.formats import PlannedFile, Role
from qe_desktop.formats.bilingual.column_choice import ColumnChoice
from qe_desktop.formats.importing.bilingual_detection import MAX_PREVIEW_ROWS
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.widgets.labels import ElidedLabel, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, hbox, vbox, wrap_layout
from qe_desktop.ui.widgets.tables.table_header import TableHeader

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
