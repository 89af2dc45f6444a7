"""The menu bar, filled from the registry of actions."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QMenu

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.project_paths import display_entry
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.start_page import SAMPLES

SEPARATOR = ""


class MenuBuilder(QObject):
    """Builder of the menus. Each area has a separate menu, which is shown with the area."""

    def __init__(
        self, window: QMainWindow, table: ActionRegistry, settings: Settings, open_path: Callable[[str], object]
    ) -> None:
        super().__init__(window)
        self._table = table
        self._settings = settings
        self._open_path = open_path
        bar = window.menuBar()
        self._file(bar.addMenu(tr("&File")))
        edit = bar.addMenu(tr("&Edit"))
        self._add(edit, "edit.undo", "edit.redo", SEPARATOR, "edit.find", "edit.replace", SEPARATOR)
        self._add(edit, "edit.own-layer", "edit.close-layer", "edit.qe-run")
        self.checks = edit.addMenu(tr("QA &checks"))
        self._add(self.checks, "edit.qe-checks")
        self._add(edit, "edit.post-edit-gold", "edit.match-systems", SEPARATOR, "edit.preferences")
        self._view = bar.addMenu(tr("&View"))
        self._view.addAction(table["view.start"])
        self._after_areas = self._view.addSeparator()
        self._fill_view(self._view)
        self._help = bar.addMenu(tr("&Help"))
        self._add(self._help, "help.commands", "help.shortcuts", "help.glossary", SEPARATOR, "help.about")
        self._bar = bar
        self._areas: dict[str, QMenu] = {}

    def add_area(self, id: str, title: str) -> None:
        """List an area under View, and add its menu."""
        self._view.insertAction(self._after_areas, self._table[f"view.area-{id}"])
        menu = QMenu(f"&{title}", self._bar)
        menu.setObjectName(id)
        menu.aboutToShow.connect(self._fill_area)
        self._bar.insertMenu(self._help.menuAction(), menu)
        menu.menuAction().setVisible(False)
        self._areas[id] = menu

    def show_area(self, id: str) -> None:
        """Show the menu of the area on screen, and hide those of other areas."""
        for name, menu in self._areas.items():
            has_commands = any(action.area == name for action in self._table.actions())
            menu.menuAction().setVisible(name == id and has_commands)

    def _add(self, menu: QMenu, *ids: str) -> None:
        for id in ids:
            if id == SEPARATOR:
                menu.addSeparator()
            else:
                menu.addAction(self._table[id])

    def _file(self, menu: QMenu) -> None:
        self._add(menu, "file.open-folder", "file.open-files", "file.open-project", "file.connect")
        samples = menu.addMenu(tr("Open a sa&mple"))
        self._add(samples, *(f"file.sample-{key}" for key, _, _ in SAMPLES))
        self._recent = menu.addMenu(tr("Open &recent"))
        self._recent.aboutToShow.connect(self._fill_recent)
        self._add(menu, "file.findings", SEPARATOR, "file.project", "file.project-server", SEPARATOR, "file.save")
        self._add(menu, "file.save-copy", "file.export-as", "file.export")
        self._add(menu, "file.recognised", SEPARATOR, "file.close", "file.quit")

    def _fill_view(self, menu: QMenu) -> None:
        self._add(menu, "view.evaluation")
        themes = menu.addMenu(tr("&Theme"))
        self._add(themes, "view.theme-system", "view.theme-light", "view.theme-dark", "view.theme-contrast")
        text = menu.addMenu(tr("Te&xt size"))
        self._add(text, "view.text-larger", "view.text-smaller", "view.text-usual")
        self._add(menu, "view.still", SEPARATOR, "view.full-screen")

    def _fill_recent(self) -> None:
        self._recent.clear()
        for path in self._settings.recent():
            # an ampersand in a file name does not mark a letter
            action = QAction(escape_label(display_entry(path)).replace("&", "&&"), self._recent)
            action.setData(path)
            action.triggered.connect(self._open_recent)
            self._recent.addAction(action)
        if self._recent.isEmpty():
            self._recent.addAction(tr("No recent files")).setEnabled(False)

    def _open_recent(self) -> None:
        sender = self.sender()
        if isinstance(sender, QAction):
            self._open_path(str(sender.data()))

    def _fill_area(self) -> None:
        menu = self.sender()
        if isinstance(menu, QMenu):
            menu.clear()
            # clearing a menu does not delete its submenus
            for old in menu.findChildren(QMenu):
                old.deleteLater()
            within: dict[str, QMenu] = {}
            for action in self._table.actions():
                if action.area == menu.objectName() and not action.submenu:
                    menu.addAction(self._table[action.id])
                elif action.area == menu.objectName() and self._table[action.id].isVisible():
                    if action.submenu not in within:
                        within[action.submenu] = menu.addMenu(action.submenu)
                    within[action.submenu].addAction(self._table[action.id])
