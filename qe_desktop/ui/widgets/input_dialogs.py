"""Small questions in dialogs, whose buttons speak the language that everything else does."""

from __future__ import annotations

from collections.abc import Sequence

import shiboken6
from PySide6.QtWidgets import QDialog, QInputDialog, QWidget

from qe_desktop.i18n.messages import tr


def ask_number(parent: QWidget, title: str, asked: str, now: int, last: int) -> int | None:
    """Which of many to go to, a number from 1 to `last`; None where a person goes nowhere."""
    dialog = QInputDialog(parent)
    dialog.setInputMode(QInputDialog.InputMode.IntInput)
    dialog.setWindowTitle(title)
    dialog.setLabelText(asked)
    dialog.setIntRange(1, last)
    dialog.setIntValue(now)
    dialog.setOkButtonText(tr("Go to"))
    dialog.setCancelButtonText(tr("Cancel"))
    given = dialog.exec() == QDialog.DialogCode.Accepted
    # what it belongs to may go while it is open, and it with that
    if not shiboken6.isValid(dialog):
        return None
    dialog.deleteLater()
    return dialog.intValue() if given else None


def ask_item(parent: QWidget, title: str, asked: str, names: Sequence[str], done: str) -> int | None:
    """Which of several, by its place; `done` is what the button says that does it. None where a person does nothing."""
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
