"""Visible texts and buttons of a page, and the text on the clipboard."""

from __future__ import annotations

import html
import re

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from qe_desktop.ui.widgets.labels import Label


def visible_texts(page: QWidget) -> str:
    """Return the texts of all visible labels."""
    return " | ".join(label.text() for label in page.findChildren(Label) if label.isVisibleTo(page))


def find_button(page: QWidget, text: str) -> QPushButton:
    """Return the visible button with a text."""
    return next(b for b in page.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(page))


def clipboard_text() -> str:
    return QGuiApplication.clipboard().text()


def drawn_text(svg: str) -> str:
    """Return the text of an SVG without spaces; fonts decide into how many parts Qt divides a text."""
    parts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    return html.unescape("".join(parts)).replace(" ", "")
