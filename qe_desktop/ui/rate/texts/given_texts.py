"""Source and reference, which stay in view above several translations."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QBoxLayout, QWidget

from qe_desktop.ratings.texts_in_view import texts_of
from qe_desktop.ui.rate.sitting import Sitting
from qe_desktop.ui.rate.texts.reading_document import MEDIUM, Type
from qe_desktop.ui.rate.texts.reading_pane import ReadingPane
from qe_desktop.ui.rate.texts.text_part import TextPart, titled
from qe_desktop.ui.rate.texts.text_view import TextView
from qe_desktop.ui.rate.texts.turning import Turning
from qe_desktop.wording import tr

BESIDE = 100
"""From so many letters of width on, source and reference stand beside each other."""
MOST = 0.36
"""The share of the card's height that they take at most."""


class GivenTexts(QWidget):
    """What the translations of the sitting's item are judged against, with the segments around."""

    def __init__(self, sitting: Sitting, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sitting = sitting
        campaign, settings = sitting.work.campaign, sitting.settings
        around = bool(campaign.context)
        source, reference = Type(settings, "source", MEDIUM, around), Type(settings, "mt", MEDIUM, around)
        self.source = TextPart(titled(tr("Source"), campaign.source_language), source)
        self.reference = TextPart(titled(tr("Reference"), campaign.target_language), reference)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(0, 0, 16, 0)
        self._row.setSpacing(32)
        self._turning = Turning(self, self._row, BESIDE)
        for part in (self.source, self.reference):
            self._row.addWidget(part, 1, Qt.AlignmentFlag.AlignTop)
        sitting.screen_changed.connect(self.show_screen)
        self.show_screen()

    def panes(self) -> list[ReadingPane]:
        """Both texts."""
        return [self.source.pane, self.reference.pane]

    def show_screen(self) -> None:
        """Show the item in view."""
        screen = self._sitting.screen
        if screen is None:
            return
        texts = texts_of(self._sitting.work, screen)
        for part, paragraphs in ((self.source, texts.source), (self.reference, texts.reference)):
            part.pane.show_paragraphs(paragraphs)
            part.setVisible(bool(paragraphs))


class GivenView(TextView):
    """The given texts, no higher than they need and than a share of the card; longer ones scroll by themselves."""

    def __init__(self, texts: GivenTexts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.texts = texts
        self.setWidget(texts)
        texts.setAutoFillBackground(False)
        texts.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The texts need another height."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return False

    def fit(self) -> None:
        """Become as high as the texts, or as may be."""
        layout, around = self.texts.layout(), self.parentWidget()
        if layout is not None and around is not None:
            most = round(around.height() * MOST)
            self.setFixedHeight(max(1, min(layout.sizeHint().height(), most)))

    def show_here(self) -> None:
        """Scroll to the segment that is judged, with a little of what stands before it."""
        self.fit()
        pane = next((pane for pane in self.texts.panes() if pane.texts()), None)
        if pane is not None:
            top = pane.mapTo(self.texts, pane.here_rect().topLeft().toPoint()).y()
            room = max(0, self.viewport().height() - round(pane.here_rect().height()))
            self.verticalScrollBar().setValue(max(0, top - room // 2))
