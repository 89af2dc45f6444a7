"""Visible texts and buttons of the Scores area."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton

from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.widgets.labels import Label


def texts(area: ScoresArea) -> str:
    return " | ".join(label.text() for label in area.findChildren(Label) if label.isVisibleTo(area))


def button(area: ScoresArea, text: str) -> QPushButton:
    return next(b for b in area.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(area))
