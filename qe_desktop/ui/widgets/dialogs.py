"""Base class of dialogs that are deleted when closed, and input dialogs with buttons in the interface language."""

from __future__ import annotations

from collections.abc import Sequence

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QInputDialog, QWidget

from qe_desktop.i18n.messages import tr


class Dialog(QDialog):
    """Dialog that is deleted when it is closed, with all its widgets.

    Dialogs whose answer is read after they were closed are shown with `show_question` instead, which deletes them.
    """

    def __init__(self, parent: QWidget | None = None, flags: Qt.WindowType = Qt.WindowType.Dialog) -> None:
        super().__init__(parent, flags)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)


def ask_number(parent: QWidget, title: str, asked: str, now: int, last: int) -> int | None:
    """Ask for a number from 1 to `last`; return None if the user cancels or the dialog is destroyed."""
    dialog = QInputDialog(parent)
    dialog.setInputMode(QInputDialog.InputMode.IntInput)
    dialog.setWindowTitle(title)
    dialog.setLabelText(asked)
    dialog.setIntRange(1, last)
    dialog.setIntValue(now)
    dialog.setOkButtonText(tr("Go to"))
    dialog.setCancelButtonText(tr("Cancel"))
    given = dialog.exec() == QDialog.DialogCode.Accepted
    # the parent may be destroyed while the dialog is open, and the dialog with it
    if not shiboken6.isValid(dialog):
        return None
    dialog.deleteLater()
    return dialog.intValue() if given else None


def ask_item(parent: QWidget, title: str, asked: str, names: Sequence[str], done: str) -> int | None:
    """Ask for one of several items; return its 0-based index, or None if the user cancels or the dialog is destroyed.

    `done` is the text of the button that confirms.
    """
    dialog = QInputDialog(parent)
    dialog.setInputMode(QInputDialog.InputMode.TextInput)
    dialog.setComboBoxItems(list(names))
    dialog.setComboBoxEditable(False)
    dialog.setWindowTitle(title)
    dialog.setLabelText(asked)
    dialog.setOkButtonText(done)
    dialog.setCancelButtonText(tr("Cancel"))
    given = dialog.exec() == QDialog.DialogCode.Accepted
    if not shiboken6.isValid(dialog):
        return None
    dialog.deleteLater()
    return list(names).index(dialog.textValue()) if given else None
