"""Buttons that open a menu, or a panel of controls."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QStyleOptionToolButton, QToolButton, QWidget, QWidgetAction

ARROW = "▾"


class MenuButton(QToolButton):
    """Button that opens a menu; an arrow follows its text, unless the text is only a symbol."""

    def __init__(self, text: str, parent: QWidget | None = None, *, arrow: bool = True) -> None:
        super().__init__(parent)
        self._arrow = arrow
        self.setText(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.popup = QMenu(self)
        self.setMenu(self.popup)

    def initStyleOption(self, option: QStyleOptionToolButton) -> None:
        """Add the arrow to the text, because the one of the style would be in a corner of the button."""
        super().initStyleOption(option)
        option.features &= ~QStyleOptionToolButton.ToolButtonFeature.HasMenu
        if self._arrow:
            option.text = f"{option.text} {ARROW}"


class PanelButton(MenuButton):
    """Button that opens a panel of controls below it; the panel stays open while its controls are used."""

    def __init__(self, text: str, panel: QWidget, parent: QWidget | None = None, *, icon: QIcon | None = None) -> None:
        super().__init__(text, parent, arrow=icon is None)
        if icon is not None:
            self.setIcon(icon)
        action = QWidgetAction(self.popup)
        action.setDefaultWidget(panel)
        self.popup.addAction(action)
