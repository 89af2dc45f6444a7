"""A button with a list of which several may be chosen, and at least one always is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton

from qe_desktop.outgoing import label
from qe_desktop.wording import tr


class SeveralButton(QPushButton):
    """`offered` gives what can be chosen and what is, by their names, whenever the list is opened."""

    chosen = Signal(tuple)
    """The names that are chosen now; none for the usual ones."""

    def __init__(self, offered: Callable[[], tuple[Sequence[str], Sequence[str]]]) -> None:
        super().__init__()
        self._offered = offered
        self.list = QMenu(self)
        self.setMenu(self.list)
        self.list.aboutToShow.connect(self._fill)

    def open(self) -> None:
        """Open the list."""
        self.setFocus()
        self.showMenu()

    def _fill(self) -> None:
        names, chosen = self._offered()
        self.list.clear()
        for name in names:
            action = QAction(label(name).replace("&", "&&"), self.list)
            action.setCheckable(True)
            action.setChecked(name in chosen)
            action.setData(name)
            action.toggled.connect(self._tell)
            self.list.addAction(action)
        if names:
            self.list.addSeparator()
            self.list.addAction(tr("The &usual ones"), lambda: self.chosen.emit(()))

    def _tell(self) -> None:
        names = tuple(str(one.data()) for one in self.list.actions() if one.isCheckable() and one.isChecked())
        if names:
            self.chosen.emit(names)
