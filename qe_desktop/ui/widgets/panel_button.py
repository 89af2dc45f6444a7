"""Button that opens a panel of controls."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QMenu, QToolButton, QWidget, QWidgetAction


class PanelButton(QToolButton):
    """Button that opens a panel of controls below it; the panel stays open while its controls are used."""

    def __init__(self, text: str, panel: QWidget, parent: QWidget | None = None, *, icon: QIcon | None = None) -> None:
        super().__init__(parent)
        self.setText(text)
        if icon is not None:
            self.setIcon(icon)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.popup = QMenu(self)
        action = QWidgetAction(self.popup)
        action.setDefaultWidget(panel)
        self.popup.addAction(action)
        self.setMenu(self.popup)

    def open_panel(self) -> None:
        """Open the panel, and return while it is open."""
        self.popup.popup(self.mapToGlobal(self.rect().bottomLeft()))
