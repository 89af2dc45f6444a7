"""A line in which a person presses the keys that a command shall have."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QKeySequenceEdit, QWidget

from qe_desktop.ui.parts.buttons import FlatButton
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, row_of
from qe_desktop.wording import tr


class KeyField(QWidget):
    """Hidden until `ask` is called; `entered(keys)` with the first shortcut replaced, or with none."""

    entered = Signal(list)
    left = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._others: list[str] = []
        self._label = Label()
        self._edit = QKeySequenceEdit()
        self._edit.setMaximumSequenceLength(1)
        self._edit.setClearButtonEnabled(True)
        self._edit.setAccessibleName(tr("New keys"))
        row = row_of(self._label, Placed(self._edit, 1), on=self, gap=8)
        for button, handler in (
            (FlatButton(tr("Set"), primary=True), self._set),
            (FlatButton(tr("No keys")), self._none),
            (FlatButton(tr("Leave as it is")), self._leave),
        ):
            button.clicked.connect(handler)
            row.addWidget(button)
        self.hide()

    def ask(self, name: str, keys: Sequence[str]) -> None:
        """Show the line for a command that has `keys` now."""
        self._others = list(keys[1:])
        self._label.setText(tr("{command}: press the new keys", command=name))
        self._edit.setKeySequence(QKeySequence(keys[0]) if keys else QKeySequence())
        self.show()
        self._edit.setFocus()

    def _set(self) -> None:
        text = self._edit.keySequence().toString(QKeySequence.SequenceFormat.PortableText)
        self.entered.emit([text, *self._others] if text else list(self._others))

    def _none(self) -> None:
        self.entered.emit([])

    def _leave(self) -> None:
        self.hide()
        self.left.emit()
