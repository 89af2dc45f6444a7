"""Boxes of choices that follow what can be chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QComboBox


def offer(combo: QComboBox, choices: Sequence[tuple[str, object]]) -> bool:
    """List these choices, texts and values; says whether they are others than before."""
    now = [(combo.itemText(place), combo.itemData(place)) for place in range(combo.count())]
    if now == list(choices):
        return False
    combo.clear()
    for text, value in choices:
        combo.addItem(text, value)
    return True


def choose(combo: QComboBox, value: object) -> None:
    """Show a value as the one chosen, where it is offered."""
    place = next((row for row in range(combo.count()) if combo.itemData(row) == value), -1)
    if place >= 0 and place != combo.currentIndex():
        combo.setCurrentIndex(place)
