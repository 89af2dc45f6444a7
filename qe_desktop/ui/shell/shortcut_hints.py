"""Painting of shortcuts as keys, and a line of shortcut hints."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.ui import theme
from qe_desktop.ui.action_registry import display_shortcut


def key_caps(key: str) -> list[str]:
    """Split a shortcut into its keys, in the notation of the operating system.

    >>> key_caps("Ctrl+Shift+Z")
    ['Ctrl', 'Shift', 'Z']
    """
    text = display_shortcut(key)
    # the last key may be a plus sign
    parts = text[:-1].split("+") if text.endswith("+") else text.split("+")
    if text.endswith("+"):
        parts[-1] = "+"
    return [part for part in parts if part]


def key_font(font: QFont) -> QFont:
    """Return the font for the labels of painted keys: 90% of the size of `font`."""
    result = QFont(font)
    result.setPointSizeF(font.pointSizeF() * 0.9)
    return result


def keys_width(keys: Sequence[str], font: QFont) -> int:
    """Return the width in pixels of the shortcuts `keys` when painted by `paint_keys`."""
    metrics = QFontMetrics(key_font(font))
    total = 0
    for key in keys:
        total += sum(_cap_width(cap, metrics) + 3 for cap in key_caps(key)) + _cap_spacing(metrics)
    return max(0, total - _cap_spacing(metrics))


def paint_keys(painter: QPainter, keys: Sequence[str], rect: QRect, font: QFont, *, right: bool = True) -> None:
    """Paint shortcuts vertically centred at the right edge of a rectangle, or at the left edge if not `right`."""
    colours = theme.current()
    metrics = QFontMetrics(key_font(font))
    x = rect.right() - keys_width(keys, font) if right else rect.left()
    height = metrics.height() + 4
    top = rect.center().y() - height // 2
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setFont(key_font(font))
    for key in keys:
        for cap in key_caps(key):
            box = QRectF(x + 0.5, top + 0.5, _cap_width(cap, metrics) - 1, height - 1)
            painter.setPen(colours.border)
            painter.setBrush(colours.raised)
            painter.drawRoundedRect(box, 4, 4)
            painter.setPen(colours.text)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, cap)
            x += _cap_width(cap, metrics) + 3
        x += _cap_spacing(metrics)
    painter.restore()


def _cap_width(cap: str, metrics: QFontMetrics) -> int:
    return max(metrics.horizontalAdvance(cap) + 10, metrics.height() + 4)


def _cap_spacing(metrics: QFontMetrics) -> int:
    return metrics.horizontalAdvance("0")


class ShortcutHints(QWidget):
    """Line of shortcuts, each followed by a description."""

    def __init__(self, hints: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hints = hints
        self.setAccessibleName(", ".join(f"{display_shortcut(key)}: {text}" for key, text in hints))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return the height of one line of keys, and a width of 0."""
        return QSize(0, self.fontMetrics().height() + 10)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw each shortcut as keys, followed by its description."""
        painter = QPainter(self)
        metrics = self.fontMetrics()
        x = 0
        for key, text in self._hints:
            paint_keys(painter, [key], QRect(x, 0, self.width(), self.height()), self.font(), right=False)
            x += keys_width([key], self.font()) + 8
            painter.setPen(theme.current().muted)
            painter.drawText(QRect(x, 0, self.width(), self.height()), Qt.AlignmentFlag.AlignVCenter, text)
            x += metrics.horizontalAdvance(text) + 24
        painter.end()
