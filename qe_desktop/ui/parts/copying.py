"""What is put on the clipboard."""

from __future__ import annotations

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QPixmap


def copy_text(text: str) -> None:
    """Put text on the clipboard."""
    QGuiApplication.clipboard().setText(text)


def copy_picture(picture: QPixmap) -> None:
    """Put a picture on the clipboard."""
    QGuiApplication.clipboard().setPixmap(picture)


def copy_page(page: str) -> None:
    """Put a page of HTML on the clipboard: as a page for whoever takes one, else as its text."""
    data = QMimeData()
    data.setHtml(page)
    data.setText(page)
    QGuiApplication.clipboard().setMimeData(data)
