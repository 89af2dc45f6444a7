"""Tables to the clipboard."""

from __future__ import annotations

from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication, QPixmap

from qe_desktop.outgoing import seen_cell


def copy_text(text: str) -> None:
    """Put text on the clipboard."""
    QGuiApplication.clipboard().setText(text)


def copy_picture(picture: QPixmap) -> None:
    """Put a picture on the clipboard."""
    QGuiApplication.clipboard().setPixmap(picture)


def selected_text(selection: QItemSelectionModel) -> str:
    """The selected cells as shown, tab-separated, one line a row; cells that are not selected stay empty.

    What is pasted into a spreadsheet is no formula there.
    """
    chosen = selection.selectedIndexes()
    if not chosen:
        return ""
    rows = sorted({index.row() for index in chosen})
    columns = sorted({index.column() for index in chosen})
    shown = {
        (index.row(), index.column()): seen_cell(str(index.data(Qt.ItemDataRole.DisplayRole) or "")) for index in chosen
    }
    return "\n".join("\t".join(shown.get((row, column), "") for column in columns) for row in rows)


def copy_selected(selection: QItemSelectionModel) -> None:
    """Put the selected cells on the clipboard, where there are any."""
    text = selected_text(selection)
    if text:
        copy_text(text)
