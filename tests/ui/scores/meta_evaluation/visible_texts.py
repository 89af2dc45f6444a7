"""Visible texts, buttons and clipboard of the “Against human scores” page."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton

from qe_desktop.ui.widgets.labels import Label


def visible_texts(driver: Any) -> str:
    """Return the texts of all visible labels of the page."""
    page = driver.page
    return " | ".join(label.text() for label in page.findChildren(Label) if label.isVisibleTo(page))


def find_button(driver: Any, text: str) -> QPushButton:
    """Return the visible button with a text."""
    page = driver.page
    return next(b for b in page.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(page))


def clipboard_text() -> str:
    return QGuiApplication.clipboard().text()
