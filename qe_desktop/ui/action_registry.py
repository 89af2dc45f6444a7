"""Registry of the actions that the `commands` modules declare: menus, command palette, shortcuts and conflicts."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from weakref import ref

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)
from shiboken6 import isValid

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons
from qe_desktop.ui.settings import Settings

GLOBAL_AREA = ""
"""Area name of actions that are available in every area."""

Handler = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Action:
    """Action that the user can run. Its keys work in `area`; `group` is its heading in the shortcut list.

    `text` is the name in the command palette and must be clear without a menu ("Larger text"). `menu` is a shorter
    text for menus, with `&` before the mnemonic. `submenu` is the title of the submenu that contains the action in the
    area's menu. `needs` is a sentence that states what the user must do to enable the action; it is shown until then.
    `separated` adds a line above the action in the area's menu. `widget_keys` are additional keys of the action that
    are handled by widgets of the area. They are listed with `keys`, and no other action of the area can have them as
    `keys`. Different widgets may handle the same key for different actions.
    """

    id: str
    text: str
    keys: tuple[str, ...] = ()
    area: str = GLOBAL_AREA
    group: str = ""
    icon: str = ""
    tip: str = ""
    menu: str = ""
    checkable: bool = False
    submenu: str = ""
    needs: str = ""
    separated: bool = False
    widget_keys: tuple[str, ...] = ()


_active: list[ref[ActionRegistry]] = []
"""List with a weak reference to the registry of the last opened window; empty until a window is opened."""


def _active_registry() -> ActionRegistry | None:
    registry = _active[0]() if _active else None
    # Qt may have deleted the registry together with its window
    return registry if registry is not None and isValid(registry) else None


def shortcut_text(id: str, modifiers: tuple[str, ...] = ("",)) -> str:
    """Return an action's first shortcut that begins with one of `modifiers`, in native notation; empty if none does."""
    registry = _active_registry()
    keys = registry.keys(id) if registry is not None and id in registry else []
    return next((display_shortcut(key) for key in keys if key.startswith(modifiers)), "")


def run_command(id: str) -> bool:
    """Trigger an action if it is enabled; return whether an action with this id exists."""
    if (registry := _active_registry()) is None or id not in registry:
        return False
    registry[id].trigger()
    return True


def with_shortcut(text: str, id: str) -> str:
    """Return a text, followed by the first shortcut of an action in parentheses if the action has one."""
    key = shortcut_text(id)
    return tr("{text} ({key})", text=text, key=key) if key else text


def follow_shortcuts(update: Callable[[], object]) -> None:
    """Call `update`, a method of a QObject, now and whenever actions or shortcuts of the window change."""
    update()
    if (registry := _active_registry()) is not None:
        registry.changed.connect(update)


class ShortcutConflict(ValueError):
    """Error raised if two actions in overlapping areas would share a key; the error text is a message for the user."""


class ActionRegistry(QObject):
    """Actions of one window and their shortcuts: default shortcuts, or custom shortcuts from the settings.

    An action without a handler is disabled. The keys of an area work while its widget (`set_area_widget`) is visible.
    """

    changed = Signal()
    """Emitted when actions have been added or shortcuts have been changed."""
    about_to_run = Signal()
    """Emitted before an action runs, so that pending input is committed first."""

    def __init__(self, window: QWidget, settings: Settings) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        self.leading_group = ""
        self._actions: dict[str, Action] = {}
        self._qt: dict[str, QAction] = {}
        self._area_widgets: dict[str, QWidget] = {}
        self._handlers: dict[str, Handler] = {}
        self._current_texts: dict[str, str] = {}
        self._areas: dict[str, QActionGroup] = {}
        self._area_needs: dict[str, str] = {}
        """Maps each disabled area to a sentence that states what the user must do to enable its actions."""
        self._user_shortcuts = settings.shortcuts
        self._guard = _ShortcutOverrideFilter(self)
        _active[:] = [ref(self)]

    def add(self, action: Action, handler: Handler | None = None) -> QAction:
        """Add an action and return its QAction.

        Raises ValueError if its id is already used. Raises ShortcutConflict if, in an overlapping area, one of its keys
        is a default key or widget key of another action, or one of its widget keys is a default key of another action.
        Actions whose shortcuts the user customized cause no error; they keep the keys that the user assigned to them.
        """
        if action.id in self._actions:
            raise ValueError(f"there is already an action {action.id}")
        self._reject_used_keys(action, action.keys)
        self._reject_used_keys(action, action.widget_keys, by_widgets=False)
        self._actions[action.id] = action
        qt_action = QAction(self)
        qt_action.setObjectName(action.id)
        qt_action.setCheckable(action.checkable)
        qt_action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        if action.icon:
            qt_action.setIcon(icons.icon(action.icon))
            qt_action.setIconVisibleInMenu(False)
        qt_action.setEnabled(False)
        self._qt[action.id] = qt_action
        if action.area != GLOBAL_AREA:
            self._area_group(action.area).addAction(qt_action)
        # a custom shortcut may be the default of an action that was added before
        self._label(*(self._actions if action.id in self._user_shortcuts else (action.id,)))
        qt_action.triggered.connect(self._run)
        qt_action.enabledChanged.connect(self._on_enabled)
        if area_widget := self._window if action.area == GLOBAL_AREA else self._area_widgets.get(action.area):
            area_widget.addAction(qt_action)
        if handler is not None:
            self.connect_to(action.id, handler)
        self.changed.emit()
        return qt_action

    def add_all(self, actions: Iterable[Action]) -> None:
        """Add several actions without handlers, to be connected later. Raises as `add` does."""
        for action in actions:
            self.add(action)

    def set_area_widget(self, area: str, widget: QWidget) -> None:
        """Set the widget that must be on screen for the keys of an area to work."""
        self._area_widgets[area] = widget
        for action in self._actions.values():
            if action.area == area:
                widget.addAction(self._qt[action.id])

    def connect_to(self, id: str, handler: Handler, *, enabled: bool = True) -> QAction:
        """Set or replace the handler of an action, enable or disable the action, and return its QAction."""
        self._handlers[id] = handler
        self._qt[id].setEnabled(enabled)
        return self._qt[id]

    def enable_area(self, area: str, enabled: bool, needs: str = "") -> None:
        """Disable the actions of an area, with `needs` as the reason; if `enabled`, restore their own states."""
        self._area_needs[area] = "" if enabled else needs
        self._area_group(area).setEnabled(enabled)

    def _area_group(self, area: str) -> QActionGroup:
        if area not in self._areas:
            group = self._areas[area] = QActionGroup(self)
            group.setExclusionPolicy(QActionGroup.ExclusionPolicy.None_)
        return self._areas[area]

    def set_text(self, id: str, text: str) -> None:
        """Set a text that states what an action would do now, such as "Undo: word 4 BAD → OK, segment 12".

        An empty text restores the default.
        """
        self._current_texts[id] = escape_label(text)
        self._label(id)

    def text(self, id: str) -> str:
        """Return the current text of an action."""
        return self._current_texts.get(id) or self._actions[id].text

    def __getitem__(self, id: str) -> QAction:
        return self._qt[id]

    def __contains__(self, id: object) -> bool:
        return id in self._actions

    def action(self, id: str) -> Action:
        """Return the definition of an action."""
        return self._actions[id]

    def actions(self) -> list[Action]:
        """Return all actions, in the order in which they were added."""
        return list(self._actions.values())

    def actions_by_relevance(self) -> list[Action]:
        """Return all actions in order: area on screen, global, other areas, hidden; in each, `leading_group` first."""

        def rank(action: Action) -> tuple[bool, int, bool]:
            area = 1 if action.area == GLOBAL_AREA else 0 if self._is_on_screen(action) else 2
            return not self._qt[action.id].isVisible(), area, action.group != self.leading_group

        return sorted(self._actions.values(), key=rank)

    def available_actions(self) -> list[Action]:
        """Return the enabled actions of the area on screen, then the enabled global actions."""
        return [a for a in self.actions_by_relevance() if self._qt[a.id].isEnabled() and self._is_on_screen(a)]

    def keys(self, id: str) -> list[str]:
        """Return the current shortcuts of an action as portable text, such as "Ctrl+Shift+Z"."""
        if id in self._user_shortcuts:
            return [_portable_shortcut(key) for key in self._user_shortcuts[id]]
        # a custom shortcut takes precedence over the default shortcuts of a new version
        return [key for key in self._default_keys(id) if not self._is_assigned_elsewhere(key, self._actions[id])]

    def listed_keys(self, id: str) -> list[str]:
        """Return the current shortcuts and widget keys as portable text; keys that look the same are listed once."""
        keys = [*self.keys(id), *self._widget_keys(id)]
        return list({display_shortcut(key): key for key in reversed(keys)}.values())[::-1]

    def _widget_keys(self, id: str) -> list[str]:
        return [_portable_shortcut(key) for key in self._actions[id].widget_keys]

    def is_customized(self, id: str) -> bool:
        """Return whether the shortcuts of an action were customized by the user."""
        return id in self._user_shortcuts

    def set_keys(self, id: str, keys: Iterable[str]) -> None:
        """Set and store an action's shortcuts. Raises ShortcutConflict if an overlapping area already uses one."""
        widget_keys = self._widget_keys(id)
        shortcuts = [text for text in map(_portable_shortcut, keys) if text and text not in widget_keys]
        self._reject_used_keys(self._actions[id], shortcuts)
        if shortcuts == self._default_keys(id):
            self._user_shortcuts.pop(id, None)
        else:
            self._user_shortcuts[id] = shortcuts
        self._settings.shortcuts = self._user_shortcuts
        self._label(*self._actions)
        self.changed.emit()

    def reset_all_keys(self) -> None:
        """Restore the default shortcuts of all actions."""
        self._user_shortcuts = {}
        self._settings.shortcuts = {}
        self._label(*self._actions)
        self.changed.emit()

    def find_by_key(self, key: str, area: str, *, by_widgets: bool = True) -> Action | None:
        """Return an action with `key` in an area overlapping `area`, or None; `by_widgets` includes widget keys."""
        portable, keys_of = _portable_shortcut(key), self.listed_keys if by_widgets else self.keys
        for action in self._actions.values():
            if _areas_overlap(area, action.area) and portable in keys_of(action.id):
                return action
        return None

    def _default_keys(self, id: str) -> list[str]:
        return [_portable_shortcut(key) for key in self._actions[id].keys]

    def _is_assigned_elsewhere(self, key: str, action: Action) -> bool:
        return any(
            id != action.id
            and id in self._actions
            and _areas_overlap(action.area, self._actions[id].area)
            and key in map(_portable_shortcut, keys)
            for id, keys in self._user_shortcuts.items()
        )

    def _is_on_screen(self, action: Action) -> bool:
        widget = self._area_widgets.get(action.area)
        return action.area == GLOBAL_AREA or (widget is not None and widget.isVisible())

    def _run(self) -> None:
        sender = self.sender()
        handler = self._handlers.get(sender.objectName()) if sender is not None else None
        if handler is not None:
            self.about_to_run.emit()
            handler()

    def _reject_used_keys(self, action: Action, keys: Iterable[str], *, by_widgets: bool = True) -> None:
        for key in keys:
            conflicting_action = self.find_by_key(key, action.area, by_widgets=by_widgets)
            if conflicting_action is None or conflicting_action.id == action.id:
                continue
            if action.id in self._actions or not self.is_customized(conflicting_action.id):
                keys, command = display_shortcut(key), conflicting_action.text
                raise ShortcutConflict(
                    tr("{keys} is already assigned to “{command}”. Press other keys.", keys=keys, command=command)
                )

    def _label(self, *ids: str) -> None:
        for id in ids:
            action, qt_action = self._actions[id], self._qt[id]
            qt_action.setShortcuts([QKeySequence(key) for key in self.keys(id)])
            # an ampersand in a text that is set at run time does not mark a shortcut
            qt_action.setText(self._current_texts.get(id, "").replace("&", "&&") or action.menu or action.text)
            self._set_tooltip(id)

    def _on_enabled(self) -> None:
        sender = self.sender()
        if sender is not None:
            self._set_tooltip(sender.objectName())

    def explanation(self, id: str) -> str:
        """Return the sentence that explains why an action is disabled or, if there is none, its tip (may be empty)."""
        return self._needs(id) or self._actions[id].tip

    def _needs(self, id: str) -> str:
        """Return the sentence that explains why an action is disabled; empty if it is enabled or has no sentence."""
        action = self._actions[id]
        return "" if self._qt[id].isEnabled() else self._area_needs.get(action.area) or action.needs

    def _set_tooltip(self, id: str) -> None:
        action, qt_action, keys = self._actions[id], self._qt[id], self.keys(id)
        needs = self._needs(id)
        tooltip = html.escape(needs or self._current_texts.get(id, "") or action.tip or action.text.rstrip("…"))
        text = f"{tooltip} ({display_shortcut(keys[0])})" if keys and not needs else tooltip
        qt_action.setToolTip(f"<span>{text}</span>")


class _ShortcutOverrideFilter(QObject):
    """Event filter that lets the focused widget handle keys without modifiers before they trigger shortcuts.

    It covers Space, Enter and arrows in buttons, sliders, tab bars, text views and, also with Alt, combo boxes.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        if isinstance(app := QApplication.instance(), QApplication):
            app.focusChanged.connect(self._watch)

    def _watch(self, old: QWidget | None, new: QWidget | None) -> None:
        if old is not None:
            old.removeEventFilter(self)
        if isinstance(new, _KEY_CONSUMING_WIDGETS):
            new.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Accept shortcut-override events for the keys that the focused widget handles."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            keypad, alt = Qt.KeyboardModifier.KeypadModifier, Qt.KeyboardModifier.AltModifier
            ignored = keypad | alt if isinstance(watched, QComboBox) else keypad
            if not event.modifiers() & ~ignored and event.key() in _activation_keys():
                event.accept()
                return True
        return False


_KEY_CONSUMING_WIDGETS = (QAbstractButton, QComboBox, QAbstractSlider, QTabBar, QTextEdit, QPlainTextEdit)


@cache
def _activation_keys() -> frozenset[int]:
    """Return the keys that activate a widget or move the focus, cursor or value in it.

    The set is created on first use, because accessing one of Qt's key constants creates all 450 of them.
    """
    key = Qt.Key
    arrows = (key.Key_Left, key.Key_Right, key.Key_Up, key.Key_Down)
    return frozenset(int(code) for code in (key.Key_Space, key.Key_Return, key.Key_Enter, key.Key_Select, *arrows))


def display_shortcut(key: str) -> str:
    """Format a shortcut in the notation of the operating system, with “Enter” instead of Qt's “Return”."""
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText).replace("Return", "Enter")


@cache
def _portable_shortcut(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)


def _areas_overlap(area: str, second_area: str) -> bool:
    """Return whether the keys of two areas can be active at the same time."""
    return area == second_area or GLOBAL_AREA in (area, second_area)
