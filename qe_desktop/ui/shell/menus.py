"""Menu bar, filled from the registry of actions."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QAction, QHelpEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar, QToolTip, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import Action, ActionRegistry
from qe_desktop.ui.project_paths import display_entry
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.start_page import SAMPLES
from qe_desktop.ui.widgets.labels import plain_tooltip

SEPARATOR = ""
VIEW_MENU_ACTIONS = ("inspect.highlights",)
"""Ids of the actions of an area that are in the View menu instead of the menu of the area."""

AREA_MENU_ACTIONS = {"scores": ("file.findings",)}
"""Ids of global actions that are also in the menu of an area, below the commands that show the pages of the area."""


class ActionMenu(QMenu):
    """Menu whose tooltips show the tip of an action or, if the action is disabled, how to enable it."""

    def __init__(self, title: str, registry: ActionRegistry, parent: QWidget) -> None:
        super().__init__(title, parent)
        self._registry = registry

    def add_menu(self, title: str) -> ActionMenu:
        """Add a submenu, which is also an `ActionMenu`, and return it."""
        menu = ActionMenu(title, self._registry, self)
        self.addMenu(menu)
        return menu

    def event(self, event: QEvent) -> bool:
        """Show the explanation of the action under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            action = self.actionAt(event.pos())
            id = "" if action is None else action.objectName()
            text = self._registry.explanation(id) if id in self._registry else ""
            QToolTip.showText(event.globalPos(), plain_tooltip(text) if text else "", self)
            return True
        return super().event(event)


class MenuBuilder(QObject):
    """Builder of the menus. Each area has a separate menu, which is shown with the area."""

    def __init__(
        self, window: QMainWindow, registry: ActionRegistry, settings: Settings, open_path: Callable[[str], object]
    ) -> None:
        super().__init__(window)
        self._registry = registry
        self._settings = settings
        self._open_path = open_path
        bar = window.menuBar()
        self._fill_file(self._menu(bar, tr("&File")))
        edit = self._menu(bar, tr("&Edit"))
        self._add(edit, "edit.undo", "edit.redo", SEPARATOR, "edit.find", "edit.replace", SEPARATOR)
        self._add(edit, "edit.own-layer", "edit.close-layer", "edit.post-edit-gold", SEPARATOR, "edit.qe-run")
        self.checks = edit.add_menu(tr("QA chec&ks"))
        self._add(self.checks, "edit.qe-checks", "edit.qe-checks-remove")
        self._add(edit, "edit.match-systems", SEPARATOR, "edit.preferences")
        self._view = self._menu(bar, tr("&View"))
        self._view.addAction(registry["view.start"])
        self._areas_separator = self._view.addSeparator()
        self._fill_view(self._view)
        self._help = self._menu(bar, tr("&Help"))
        self._add(self._help, "help.commands", "help.shortcuts", "help.glossary", SEPARATOR, "help.about")
        self._bar = bar
        self._areas: dict[str, QMenu] = {}

    def add_area(self, id: str, title: str) -> None:
        """List an area in the View menu, and add the area's own menu, which is hidden at first."""
        self._view.insertAction(self._areas_separator, self._registry[f"view.area-{id}"])
        for action in self._registry.actions():
            if action.area == id and action.id in VIEW_MENU_ACTIONS:
                self._view.insertAction(self._registry["view.evaluation"], self._registry[action.id])
        menu = ActionMenu(f"&{title}", self._registry, self._bar)
        menu.setObjectName(id)
        menu.aboutToShow.connect(self._fill_area)
        self._bar.insertMenu(self._help.menuAction(), menu)
        menu.menuAction().setVisible(False)
        self._areas[id] = menu

    def show_area(self, id: str) -> None:
        """Show the menu of an area if the area has commands, and hide the menus of all other areas."""
        for name, menu in self._areas.items():
            has_commands = any(action.area == name for action in self._registry.actions())
            menu.menuAction().setVisible(name == id and has_commands)

    def _menu(self, bar: QMenuBar, title: str) -> ActionMenu:
        menu = ActionMenu(title, self._registry, bar)
        bar.addMenu(menu)
        return menu

    def _add(self, menu: QMenu, *ids: str) -> None:
        for id in ids:
            if id == SEPARATOR:
                menu.addSeparator()
            else:
                menu.addAction(self._registry[id])

    def _fill_file(self, menu: ActionMenu) -> None:
        self._add(menu, "file.open-folder", "file.open-files", "file.open-project", "file.connect")
        samples = menu.add_menu(tr("Open a sa&mple"))
        self._add(samples, *(f"file.sample-{key}" for key, _, _ in SAMPLES))
        self._recent = menu.addMenu(tr("Open &recent"))
        self._recent.aboutToShow.connect(self._fill_recent)
        self._add(menu, "file.findings", SEPARATOR)
        self._add(menu, "file.save", "file.save-copy", "file.export-as", "file.export", SEPARATOR)
        self._add(menu, "file.project", "file.project-server", SEPARATOR)
        self._add(menu, "file.recognised", SEPARATOR, "file.close", "file.quit")

    def _fill_view(self, menu: ActionMenu) -> None:
        self._add(menu, "view.evaluation", SEPARATOR)
        themes = menu.add_menu(tr("&Theme"))
        self._add(themes, "view.theme-system", "view.theme-light", "view.theme-dark", "view.theme-contrast")
        text = menu.add_menu(tr("Te&xt size"))
        self._add(text, "view.text-larger", "view.text-smaller", "view.text-usual")
        self._add(menu, "view.still", SEPARATOR, "view.full-screen")

    def _fill_recent(self) -> None:
        self._recent.clear()
        for path in self._settings.existing_recent_paths():
            # an ampersand in a file name does not mark a shortcut
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
        if isinstance(menu, ActionMenu):
            menu.clear()
            # clearing a menu does not delete its submenus
            for old in menu.findChildren(QMenu):
                old.deleteLater()
            actions = [action for action in self._registry.actions() if action.area == menu.objectName()]
            actions = [action for action in actions if action.id not in VIEW_MENU_ACTIONS]
            for id in AREA_MENU_ACTIONS.get(menu.objectName(), ()):
                pages = sum(action.group == actions[0].group for action in actions)
                actions[pages:pages] = [action for action in self._registry.actions() if action.id == id]
            self._list_actions(menu, actions)

    def _list_actions(self, menu: ActionMenu, actions: list[Action]) -> None:
        """Add actions to a menu, with separators between groups but not between adjacent submenus."""
        submenus: dict[str, ActionMenu] = {}
        before: Action | None = None
        for action in actions:
            qt_action = self._registry[action.id]
            is_listed = not action.submenu or (action.submenu not in submenus and qt_action.isVisible())
            if is_listed and before is not None and self._is_separated(before, action):
                menu.addSeparator()
            if is_listed:
                before = action
            if not action.submenu:
                menu.addAction(qt_action)
            elif qt_action.isVisible():
                if action.submenu not in submenus:
                    submenus[action.submenu] = menu.add_menu(action.submenu)
                submenus[action.submenu].addAction(qt_action)

    def _is_separated(self, previous: Action, action: Action) -> bool:
        """Return whether a separator is needed between two actions; `separated` actions always have one above."""
        return action.separated or (action.group != previous.group and not (action.submenu and previous.submenu))
