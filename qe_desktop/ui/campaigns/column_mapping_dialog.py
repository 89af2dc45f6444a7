"""Confirmation dialog for a table that may contain ratings: how each column would be read."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QTreeWidget, QTreeWidgetItem, QWidget

from qe_desktop.formats.ratings.header_aliases import RATER, AmbiguousTableError
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, vbox


class ColumnMappingDialog(QDialog):
    """Accepted if the user confirms that the table contains ratings. In a wide table, the user selects rater columns.

    Nothing is read from the file before.
    """

    def __init__(self, error: AmbiguousTableError, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.error = error
        self.setWindowTitle(tr("Import ratings?"))
        self.setModal(True)
        title = Label(tr("Does “{file}” contain ratings?", file=error.path.name), scale=1.15, bold=True, wraps=True)
        sentences = [tr("The file does not say so. Its columns would be read as shown here.")]
        if error.form == "wide":
            sentences.append(tr("Clear columns that are not raters."))
        about = Label(" ".join(sentences), token="muted", wraps=True)
        self.columns = QTreeWidget()
        self.columns.setRootIsDecorated(False)
        self.columns.setHeaderLabels([tr("column"), tr("read as", "a column"), tr("examples")])
        self.columns.setAccessibleName(tr("Columns of the table"))
        for use in error.uses:
            item = QTreeWidgetItem([use.name, use.said or tr("not read"), "   ".join(use.examples)])
            if use.taken_for == RATER:
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(0, Qt.CheckState.Checked)
            self.columns.addTopLevelItem(item)
        for column in range(2):
            self.columns.resizeColumnToContents(column)
        self.columns.itemChanged.connect(self._on_ticked)
        self.take = FlatButton(tr("&Import as ratings"), primary=True)
        leave = FlatButton(tr("&Skip the file"))
        self.take.clicked.connect(self.accept)
        leave.clicked.connect(self.reject)
        buttons = hbox(StretchSpace(), leave, self.take)
        vbox(title, about, Stretched(self.columns, 1), buttons, on=self, gap=10, margins=(20, 16, 20, 16))
        metrics = self.fontMetrics()
        self.resize(metrics.horizontalAdvance("0") * 90, metrics.height() * 22)
        leave.setFocus()

    @property
    def raters(self) -> tuple[str, ...]:
        """Selected rater columns; empty for a table with one rating per row."""
        items = [self.columns.topLevelItem(index) for index in range(self.columns.topLevelItemCount())]
        return tuple(
            item.text(0)
            for item, use in zip(items, self.error.uses, strict=True)
            if item is not None and use.taken_for == RATER and item.checkState(0) is Qt.CheckState.Checked
        )

    def _on_ticked(self) -> None:
        self.take.setEnabled(self.error.form != "wide" or bool(self.raters))
