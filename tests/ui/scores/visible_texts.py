"""Visible texts and buttons of the Scores area."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton

from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.widgets.labels import Label


def visible_texts(area: ScoresArea) -> str:
    """Return the texts of all visible labels."""
    return " | ".join(label.text() for label in area.findChildren(Label) if label.isVisibleTo(area))


def find_button(area: ScoresArea, text: str) -> QPushButton:
    """Return the visible button with a text."""
    return next(b for b in area.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(area))
