"""A choice among what there is at the moment."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtWidgets import QComboBox


class Choice(QComboBox):
    """What is chosen stays where it is offered again, by its data; one thing alone is no choice and is not shown."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)

    def offer(self, things: Iterable[tuple[str, object]]) -> None:
        """Offer other things, each as a text and its data."""
        chosen = self.currentData()
        self.clear()
        for text, data in things:
            self.addItem(text, data)
        self.setCurrentIndex(max(0, self.findData(chosen)))
        self.setVisible(self.count() > 1)
