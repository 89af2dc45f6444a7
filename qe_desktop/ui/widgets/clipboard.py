"""What is put on the clipboard."""

from __future__ import annotations

from PySide6.QtGui import QGuiApplication, QPixmap


def copy_text(text: str) -> None:
    """Put text on the clipboard."""
    QGuiApplication.clipboard().setText(text)


def copy_pixmap(picture: QPixmap) -> None:
    """Put a picture on the clipboard."""
    QGuiApplication.clipboard().setPixmap(picture)
