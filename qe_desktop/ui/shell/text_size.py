"""The size of all text in the window, in steps."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication

from qe_desktop.ui.settings import TEXT_SIZES

_PROPERTY = "desktop text size"


def apply(app: QApplication, percent: int) -> None:
    """Give all text `percent` of the size that the desktop asks for."""
    font = app.font()
    base = app.property(_PROPERTY)
    if base is None:
        base = font.pointSizeF()
        app.setProperty(_PROPERTY, base)
    font.setPointSizeF(base * percent / 100)
    app.setFont(font)


def step(percent: int, direction: int) -> int:
    """The next larger (1) or smaller (-1) size.

    >>> step(100, 1), step(100, -1), step(200, 1)
    (110, 90, 200)
    """
    if direction > 0:
        return next((size for size in TEXT_SIZES if size > percent), TEXT_SIZES[-1])
    return next((size for size in reversed(TEXT_SIZES) if size < percent), TEXT_SIZES[0])
