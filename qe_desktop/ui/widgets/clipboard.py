"""Functions that copy text and images to the clipboard."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QPixmap


def copy_text(text: str) -> None:
    """Copy text to the clipboard."""
    QGuiApplication.clipboard().setText(text)


def copy_pixmap(picture: QPixmap) -> None:
    """Copy an image to the clipboard."""
    QGuiApplication.clipboard().setPixmap(picture)
