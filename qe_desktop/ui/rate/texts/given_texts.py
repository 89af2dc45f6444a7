"""Source and reference, which stay in view above several translations."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.ratings.texts_in_view import texts_of
from qe_desktop.ui.rate.sitting import Sitting
from qe_desktop.ui.rate.texts.reading_document import MEDIUM
from qe_desktop.ui.rate.texts.reading_pane import ReadingPane
from qe_desktop.ui.rate.texts.text_part import given_parts
from qe_desktop.ui.rate.texts.text_view import FittedView
from qe_desktop.ui.rate.texts.turning import TurningRow

BESIDE = 100
"""From so many letters of width on, source and reference stand beside each other."""
MOST = 0.36
"""The share of the card's height that they take at most."""


class GivenTexts(FittedView):
    """What the translations of the sitting's item are judged against, with the segments around.

    No higher than needed, and than a share of the card: longer texts scroll by themselves.
    """

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        texts = QWidget()
        self._sitting = sitting
        self._parts = given_parts(sitting, MEDIUM)
        row = TurningRow(texts, BESIDE, on=texts, gap=32)
        row.setContentsMargins(0, 0, 16, 0)
        for part in self._parts:
            row.addWidget(part, 1, Qt.AlignmentFlag.AlignTop)
        sitting.screen_changed.connect(self.show_screen)
        self.show_screen()
        self.hold(texts)

    def panes(self) -> list[ReadingPane]:
        """Both texts."""
        return [part.pane for part in self._parts]

    def show_screen(self) -> None:
        """Show the item in view."""
        screen = self._sitting.screen
        if screen is None:
            return
        texts = texts_of(self._sitting.work, screen)
        for part, paragraphs in zip(self._parts, (texts.source, texts.reference), strict=True):
            part.pane.show_paragraphs(paragraphs)
            part.setVisible(bool(paragraphs))

    def fit(self) -> None:
        """Become as high as the texts, or as may be."""
        around = self.parentWidget()
        if around is not None:
            self.setFixedHeight(max(1, min(self.needed(), round(around.height() * MOST))))

    def show_here(self) -> None:
        """Scroll to the segment that is judged, with a little of what stands before it."""
        self.fit()
        pane, texts = next((pane for pane in self.panes() if pane.texts()), None), self.widget()
        if pane is not None and texts is not None:
            top = pane.mapTo(texts, pane.here_rect().topLeft().toPoint()).y()
            room = max(0, self.viewport().height() - round(pane.here_rect().height()))
            self.verticalScrollBar().setValue(max(0, top - room // 2))
