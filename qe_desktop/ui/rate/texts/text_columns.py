"""Source and reference beside the translation, or below it where the text is large; what is hidden is not there."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.ratings.campaign import Basis
from qe_desktop.ratings.texts_in_view import Texts, texts_of
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Stretch, column_of, holding
from qe_desktop.ui.rate.sitting import Sitting
from qe_desktop.ui.rate.texts.reading_document import LARGE
from qe_desktop.ui.rate.texts.reading_pane import ReadingPane
from qe_desktop.ui.rate.texts.text_part import TextPart, given_parts
from qe_desktop.ui.rate.texts.turning import TurningRow, Way
from qe_desktop.wording import tr

BESIDE = 84
"""From so many letters of width on, the texts stand beside each other."""
APART, EDGE = 32, 16
HANG = 0.28
"""The share of the free height that short texts hang below the upper edge."""


class TextColumns(QWidget):
    """The texts of the sitting's item. The segment that is judged stands at the same height on both sides."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self._sitting = sitting
        self._texts = Texts(())
        self._room = 0
        self.source, self.reference = given_parts(sitting, LARGE)
        self.translation = TextPart(sitting, tr("Translation"), "mt", LARGE)
        self.hidden = Label(self._promise(), token="muted", wraps=True)
        self._lay_out()
        sitting.screen_changed.connect(self.show_screen)
        sitting.changed.connect(self._reveal)
        self.show_screen()

    def _lay_out(self) -> None:
        self._given = holding(column_of(self.hidden, self.source, self.reference, Stretch(), gap=16))
        self._row = TurningRow(self, BESIDE, on=self, gap=APART, narrow=Way.BottomToTop)
        # text keeps off the scroll bar
        self._row.setContentsMargins(0, 0, EDGE, 0)
        self._row.arranged.connect(self._align)
        self._row.addWidget(self._given, 1)
        self._row.addWidget(self.translation, 1, Qt.AlignmentFlag.AlignTop)
        self._given.setVisible(not self._sitting.work.protocol.target_only)

    def panes(self) -> list[ReadingPane]:
        """All texts, whether in view or not."""
        return [self.source.pane, self.reference.pane, self.translation.pane]

    @property
    def beside(self) -> bool:
        """Whether the texts stand beside each other."""
        return self._row.direction() == Way.LeftToRight

    def show_screen(self) -> None:
        """Show the item in view."""
        screen = self._sitting.screen
        if screen is None:
            return
        self._texts = texts_of(self._sitting.work, screen)
        self.translation.pane.show_paragraphs(self._texts.translation)
        self._reveal()

    def _reveal(self) -> None:
        if self._sitting.screen is None:
            return
        shown = self._sitting.revealed
        for part, paragraphs in ((self.source, self._texts.source), (self.reference, self._texts.reference)):
            # what is hidden is in no widget, so that nothing can give it away
            wanted = paragraphs if shown else ()
            if part.pane.texts() != [paragraph.text for paragraph in wanted]:
                part.pane.show_paragraphs(wanted)
            part.setVisible(bool(wanted))
        self.hidden.setVisible(not shown)
        self._align()

    def _promise(self) -> str:
        work = self._sitting.work
        first = work.protocol.answers[0].called
        match work.campaign.basis:
            case Basis.SOURCE:
                return tr("The source comes into view once {question} is rated.", question=first)
            case Basis.REFERENCE:
                return tr("The reference comes into view once {question} is rated.", question=first)
            case Basis.BOTH:
                return tr("Source and reference come into view once {question} is rated.", question=first)

    # --- size

    def set_room(self, height: int) -> None:
        """Say how high the place is that the texts are shown in."""
        if height != self._room:
            self._room = height
            self._align()

    def _align(self) -> None:
        """Bring what is judged to the same height on both sides, and short texts away from the edge.

        What is still hidden is measured as well, so that nothing moves when it comes into view.
        """
        width = (self.width() - APART - EDGE) // 2
        texts = self._texts
        sizes = [self.source.measured(texts.source, width), self.reference.measured(texts.reference, width)]
        above, height = self.translation.measured(texts.translation, width)
        first = sizes[0] if texts.source else sizes[1]
        padding = round(first[0] - above) if self.beside else 0
        self.translation.set_padding(max(0, padding))
        (self.source if texts.source else self.reference).set_padding(max(0, -padding))
        self.hidden.setContentsMargins(0, round(max(first[0], above)) if self.beside else 0, 0, 0)
        needed = max(sum(size[1] for size in sizes) + max(0, -padding), height + max(0, padding))
        spare = self._room - needed - 4 * self.fontMetrics().height()
        top = round(max(0.0, spare) * HANG) if self.beside else 0
        if self._row.contentsMargins().top() != top:
            self._row.setContentsMargins(0, top, EDGE, 0)
