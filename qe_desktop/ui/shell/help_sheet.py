"""Help under F1: the keys, and what the words mean."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QDialog, QWidget

from qe_desktop.ui.actions import ActionTable
from qe_desktop.ui.parts.buttons import FlatButton
from qe_desktop.ui.parts.layouts import Placed, Stretch, column_of, holding, row_of
from qe_desktop.ui.parts.pages import Pages
from qe_desktop.ui.shell.glossary_page import GlossaryPage
from qe_desktop.ui.shell.shortcut_page import ShortcutPage
from qe_desktop.wording import tr

SHORTCUTS, GLOSSARY = "shortcuts", "glossary"


class HelpSheet(QDialog):
    """Two pages: F1 shows the keys, Shift+F1 the glossary; F1 or Ctrl+Tab within it the other one."""

    def __init__(self, table: ActionTable, parent: QWidget, page: str = SHORTCUTS) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(tr("Help"))
        self.shortcuts, self.glossary = ShortcutPage(table), GlossaryPage()
        self.pages = Pages()
        self.pages.add(SHORTCUTS, tr("Keyboard shortcuts"), lambda: self.shortcuts)
        self.pages.add(GLOSSARY, tr("Glossary"), lambda: self.glossary)
        close = FlatButton(tr("Close"), primary=True)
        # Enter belongs to the line that is chosen
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        buttons = holding(row_of(Stretch(), close, margins=(16, 0, 16, 16)))
        column_of(Placed(self.pages, 1), buttons, on=self, gap=0)
        for keys in ("F1", "Ctrl+Tab"):
            QShortcut(QKeySequence(keys), self).activated.connect(self.turn)
        letter = self.fontMetrics().horizontalAdvance("0")
        width = self.shortcuts.wanted_width()
        self.resize(min(width, parent.width()), min(round(letter * 85), parent.height() - 48))
        self.pages.show_page(page)
        self.setFocusProxy(self.pages)
        self.pages.setFocus()

    def turn(self) -> None:
        """Show the other page."""
        self.pages.show_page(GLOSSARY if self.pages.current == SHORTCUTS else SHORTCUTS)
