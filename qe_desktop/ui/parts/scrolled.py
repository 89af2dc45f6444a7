"""Widgets within something that scrolls."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QScrollArea, QWidget


def scroll_area_of(widget: QWidget) -> QScrollArea | None:
    """What a widget scrolls in, however deep it stands there; None where nothing does."""
    above = widget.parentWidget()
    while above is not None and not isinstance(above, QScrollArea):
        above = above.parentWidget()
    return above


def keep_in_view(widget: QWidget, rect: QRectF, margin: float) -> None:
    """Scroll so far that a place of a widget is seen, and so many pixels above and below it."""
    area = scroll_area_of(widget)
    inside = None if area is None else area.widget()
    if area is not None and inside is not None:
        centre = widget.mapTo(inside, rect.center().toPoint()) if inside is not widget else rect.center().toPoint()
        area.ensureVisible(centre.x(), centre.y(), 0, round(margin))


def scroll_pages(widget: QWidget, pages: int) -> None:
    """Scroll so many times what is seen at once, downwards or upwards below zero."""
    area = scroll_area_of(widget)
    if area is not None:
        bar = area.verticalScrollBar()
        bar.setValue(bar.value() + pages * bar.pageStep())
