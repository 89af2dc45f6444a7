"""Selection of rows that is only tinted, so that the colours in the row remain legible."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QAbstractItemView

from qe_desktop.ui.theme import current, themes


class _SelectionTint(QObject):
    """Tint of the selection in a view, which owns this object and follows the theme through it."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        themes.theme_changed.connect(self.apply)
        self.apply()

    def apply(self) -> None:
        """Use the colours of the theme."""
        palette = self._view.palette()
        palette.setColor(QPalette.ColorRole.Highlight, current().selection)
        palette.setColor(QPalette.ColorRole.HighlightedText, current().text)
        self._view.setPalette(palette)


def soften_selection(view: QAbstractItemView) -> None:
    """Select whole rows in a view, and tint them in the colour of the theme."""
    view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    _SelectionTint(view)
