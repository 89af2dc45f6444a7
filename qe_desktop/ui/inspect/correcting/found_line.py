"""The line under a target that says what checks find in it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from qe_desktop.ui.parts.labels import ElidedLabel
from qe_desktop.wording import side_by_side, tr


class FoundLine(ElidedLabel):
    """Hidden where nothing is found; all of it on hover where there is no room for it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(token="warning", parent=parent)
        self.setAccessibleName(tr("Checks"))
        self.hide()

    def show_reasons(self, reasons: Sequence[str]) -> None:
        """Say what is wrong, the first thing first; the same is said once."""
        text = said(reasons)
        if text != self.text():
            self.setText(text)
        self.setVisible(bool(text))


def said(reasons: Sequence[str]) -> str:
    """What is wrong, in a line; empty where nothing is."""
    each = list(dict.fromkeys(reasons))
    return tr("Checks: {reasons}", reasons=side_by_side(" · ", each)) if each else ""
