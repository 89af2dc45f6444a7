"""Measurement of the fraction of the window that shows text in Inspect."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget

from qe_desktop.ui.inspect.area import InspectArea


def text_panes(area: InspectArea) -> dict[str, QWidget]:
    """Return the panes that show text: the list, the source, the MT with its tags, and the target being edited."""
    pane = area.segment_pane
    return {
        "list": area.view.viewport(),
        "source": pane._pinned.viewport(),
        "MT": pane._scroll.viewport(),
        "target": pane.target.edit.viewport(),
    }


def shown_rect(widget: QWidget, window: QWidget) -> QRect:
    """Return the part of a widget that is inside all its parents, in the coordinates of the window."""
    rect = QRect(widget.mapTo(window, QPoint()), widget.size()) if widget.isVisible() else QRect()
    above = widget.parentWidget()
    while above is not None and above is not window:
        rect &= QRect(above.mapTo(window, QPoint()), above.size())
        above = above.parentWidget()
    return rect


def text_shares(area: InspectArea, window: QWidget) -> dict[str, float]:
    """Return the fraction of the window that each text pane takes."""
    whole = window.width() * window.height()
    sizes = {name: shown_rect(pane, window).size() for name, pane in text_panes(area).items()}
    return {name: size.width() * size.height() / whole for name, size in sizes.items()}
