"""Buttons that open a menu or a panel of controls."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QIcon, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QMenu, QStyleOptionToolButton, QToolButton, QWidget, QWidgetAction

from qe_desktop.ui.widgets.keyboard_focus import TAB_KEY, TabFocusMixin, move_focus


class MenuButton(QToolButton):
    """Button that opens a menu. With `arrow`, the button shows an arrow after its text."""

    menu_type: type[QMenu] = QMenu

    def __init__(self, text: str, parent: QWidget | None = None, *, arrow: bool = True) -> None:
        super().__init__(parent)
        self._arrow = arrow
        self.setText(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.popup = self.menu_type(self)
        self.setMenu(self.popup)

    def initStyleOption(self, option: QStyleOptionToolButton) -> None:
        """Remove the arrow of menu buttons from the style option if the button was created without an arrow."""
        super().initStyleOption(option)
        if not self._arrow:
            option.features &= ~QStyleOptionToolButton.ToolButtonFeature.HasMenu


class PanelMenu(TabFocusMixin, QMenu):
    """Menu with a panel of controls. Keys go to the control with the focus, initially the first control.

    Tab moves the focus from control to control, and then to the entries below the panel.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hovered.connect(self._focus_entry)

    def showEvent(self, event: QShowEvent) -> None:
        """Move the focus to the first control."""
        super().showEvent(event)
        self.setFocus()
        move_focus(self, forward=True)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Move the focus: on Tab or Shift+Tab, to a control or menu entry; otherwise, as Qt does."""
        return self._move_focus(forward=next) if TAB_KEY.consume() else QWidget.focusNextPrevChild(self, next)

    def _move_focus(self, *, forward: bool) -> bool:
        entries = [action for action in self.actions() if _is_entry(action)]
        if entries and not move_focus(self, forward=forward, wraps=False):
            self.setActiveAction(entries[0 if forward else -1])
            return True
        return bool(entries) or move_focus(self, forward=forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the focus on Tab, and keep the menu open on Alt, because the mnemonics of controls begin with Alt."""
        if event.key() == Qt.Key.Key_Tab or event.key() == Qt.Key.Key_Backtab:
            self._move_focus(forward=event.key() == Qt.Key.Key_Tab)
        elif event.key() != Qt.Key.Key_Alt:
            super().keyPressEvent(event)

    def _focus_entry(self, action: QAction) -> None:
        """Move the focus to the menu if `action` is an entry; otherwise, move it from the menu back to the controls."""
        if _is_entry(action):
            self.setFocus()
        elif self.hasFocus():
            move_focus(self, forward=False)


def _is_entry(action: QAction) -> bool:
    """Return whether an action of a menu is an enabled entry, not a panel or a separator."""
    return not isinstance(action, QWidgetAction) and not action.isSeparator() and action.isEnabled()


class PanelButton(MenuButton):
    """Button that opens a panel of controls below the button; the panel stays open while its controls are used."""

    menu_type = PanelMenu

    def __init__(self, text: str, panel: QWidget, parent: QWidget | None = None, *, icon: QIcon | None = None) -> None:
        super().__init__(text, parent, arrow=icon is None)
        if icon is not None:
            self.setIcon(icon)
        action = QWidgetAction(self.popup)
        action.setDefaultWidget(panel)
        self.popup.addAction(action)

    def open_panel(self) -> None:
        """Open the panel and return immediately; when the panel is closed, the focus returns to the button."""
        self.setFocus()
        self.popup.popup(self.mapToGlobal(self.rect().bottomLeft()))


def add_combo_items(menu: QMenu, box: QComboBox) -> None:
    """Add the items of a combo box to a menu as checkable actions; the current item is checked."""
    group = QActionGroup(menu)
    for index in range(box.count()):
        action = menu.addAction(box.itemText(index).replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(index == box.currentIndex())
        action.setEnabled(box.isEnabled())
        group.addAction(action)
        action.triggered.connect(lambda _=False, index=index: _choose(box, index))


def _choose(box: QComboBox, index: int) -> None:
    """Select an item of a combo box as if the user had selected it."""
    box.setCurrentIndex(index)
    box.activated.emit(index)
