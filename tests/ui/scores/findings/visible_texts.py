"""Visible texts and buttons of the All metrics page."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QPushButton

from qe_desktop.ui.widgets.labels import Label


def texts(driver: Any) -> str:
    page = driver.page
    return " | ".join(label.text() for label in page.findChildren(Label) if label.isVisibleTo(page))


def button(driver: Any, text: str) -> QPushButton:
    page = driver.page
    return next(b for b in page.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(page))
