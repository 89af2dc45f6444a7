"""Source and reference beside the translation, or below it where the text is large; what is hidden is not there."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import EvaluationBasis
from qe_desktop.ratings.displayed_texts import DisplayedTexts, Paragraph, screen_texts
from qe_desktop.ratings.protocols import language_name
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.rate.texts.reading_pane import (
    LARGE_SCALE,
    MEDIUM_SCALE,
    FittedView,
    ReadingPane,
    TextStyle,
    measure_text,
)
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import BoxDirection, ResponsiveBoxLayout, StretchSpace, vbox, wrap_layout


class TitledText(QWidget):
    """A heading and a text of the sitting's items: `role` is "source", or "mt" for what is in the other language."""

    def __init__(self, session: RatingSession, what: str, role: str, scale: float) -> None:
        super().__init__()
        campaign = session.work.campaign
        title = heading_text(what, campaign.source_language if role == "source" else campaign.target_language)
        heading = Label(title, token="muted")
        self._type = TextStyle(session.settings, role, scale, around=bool(campaign.context))
        self.pane = ReadingPane(self._type)
        self.pane.setAccessibleName(title)
        self._padding = QWidget()
        self._padding.setFixedHeight(0)
        vbox(heading, self._padding, self.pane, on=self, gap=4)

    def set_padding(self, height: int) -> None:
        """Begin the text further down."""
        if self._padding.height() != height:
            self._padding.setFixedHeight(height)

    def measured(self, paragraphs: Sequence[Paragraph], width: int) -> tuple[float, float]:
        """How far down the segment that is judged would begin at a width, and how high all would be."""
        return measure_text(paragraphs, self._type, width)


def context_parts(session: RatingSession, scale: float) -> tuple[TitledText, TitledText]:
    """Source and reference: what translations are judged against."""
    return TitledText(session, tr("Source"), "source", scale), TitledText(session, tr("Reference"), "mt", scale)


def heading_text(what: str, language: str) -> str:
    """A heading with the language's name, where it is known.

    >>> heading_text("Source", "de"), heading_text("Source", "")
    ('Source · German', 'Source')
    """
    name = language_name(language)
    return f"{what} · {name}" if name else what


MIN_TEXT_ROW_WIDTH = 84
"""From so many letters of width on, the texts stand beside each other."""
COLUMN_GAP_PX, EDGE_PX = 32, 16
HANG_FRACTION = 0.28
"""The share of the free height that short texts hang below the upper edge."""


class TextColumns(QWidget):
    """The texts of the sitting's item. The segment that is judged stands at the same height on both sides."""

    def __init__(self, session: RatingSession) -> None:
        super().__init__()
        self._session = session
        self._texts = DisplayedTexts(())
        self._room = 0
        self.source, self.reference = context_parts(session, LARGE_SCALE)
        self.translation = TitledText(session, tr("Translation"), "mt", LARGE_SCALE)
        self.hidden = Label(self._promise(), token="muted", wraps=True)
        self._lay_out()
        session.screen_changed.connect(self.show_screen)
        session.changed.connect(self._reveal)
        self.show_screen()

    def _lay_out(self) -> None:
        self._given = wrap_layout(vbox(self.hidden, self.source, self.reference, StretchSpace(), gap=16))
        self._row = ResponsiveBoxLayout(
            self, MIN_TEXT_ROW_WIDTH, on=self, gap=COLUMN_GAP_PX, narrow=BoxDirection.BottomToTop
        )
        # text keeps off the scroll bar
        self._row.setContentsMargins(0, 0, EDGE_PX, 0)
        self._row.arranged.connect(self._align)
        self._row.addWidget(self._given, 1)
        self._row.addWidget(self.translation, 1, Qt.AlignmentFlag.AlignTop)
        self._given.setVisible(not self._session.work.protocol.target_only)

    def panes(self) -> list[ReadingPane]:
        """All texts, whether in view or not."""
        return [self.source.pane, self.reference.pane, self.translation.pane]

    @property
    def beside(self) -> bool:
        """Whether the texts stand beside each other."""
        return self._row.direction() == BoxDirection.LeftToRight

    def show_screen(self) -> None:
        """Show the item in view."""
        screen = self._session.screen
        if screen is None:
            return
        self._texts = screen_texts(self._session.work, screen)
        self.translation.pane.show_paragraphs(self._texts.translation)
        self._reveal()

    def _reveal(self) -> None:
        if self._session.screen is None:
            return
        shown = self._session.revealed
        for part, paragraphs in ((self.source, self._texts.source), (self.reference, self._texts.reference)):
            # what is hidden is in no widget, so that nothing can give it away
            wanted = paragraphs if shown else ()
            if part.pane.texts() != [paragraph.text for paragraph in wanted]:
                part.pane.show_paragraphs(wanted)
            part.setVisible(bool(wanted))
        self.hidden.setVisible(not shown)
        self._align()

    def _promise(self) -> str:
        work = self._session.work
        first = work.protocol.answers[0].called
        match work.campaign.basis:
            case EvaluationBasis.SOURCE:
                return tr("The source comes into view once {question} is rated.", question=first)
            case EvaluationBasis.REFERENCE:
                return tr("The reference comes into view once {question} is rated.", question=first)
            case EvaluationBasis.BOTH:
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
        width = (self.width() - COLUMN_GAP_PX - EDGE_PX) // 2
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
        top = round(max(0.0, spare) * HANG_FRACTION) if self.beside else 0
        if self._row.contentsMargins().top() != top:
            self._row.setContentsMargins(0, top, EDGE_PX, 0)


MIN_CONTEXT_ROW_WIDTH = 100
"""From so many letters of width on, source and reference stand beside each other."""
MAX_CONTEXT_FRACTION = 0.36
"""The share of the card's height that they take at most."""


class ContextTexts(FittedView):
    """What the translations of the sitting's item are judged against, with the segments around.

    No higher than needed, and than a share of the card: longer texts scroll by themselves.
    """

    def __init__(self, session: RatingSession) -> None:
        super().__init__()
        texts = QWidget()
        self._session = session
        self._parts = context_parts(session, MEDIUM_SCALE)
        row = ResponsiveBoxLayout(texts, MIN_CONTEXT_ROW_WIDTH, on=texts, gap=32)
        row.setContentsMargins(0, 0, 16, 0)
        for part in self._parts:
            row.addWidget(part, 1, Qt.AlignmentFlag.AlignTop)
        session.screen_changed.connect(self.show_screen)
        self.show_screen()
        self.hold(texts)

    def panes(self) -> list[ReadingPane]:
        """Both texts."""
        return [part.pane for part in self._parts]

    def show_screen(self) -> None:
        """Show the item in view."""
        screen = self._session.screen
        if screen is None:
            return
        texts = screen_texts(self._session.work, screen)
        for part, paragraphs in zip(self._parts, (texts.source, texts.reference), strict=True):
            part.pane.show_paragraphs(paragraphs)
            part.setVisible(bool(paragraphs))

    def fit(self) -> None:
        """Become as high as the texts, or as may be."""
        around = self.parentWidget()
        if around is not None:
            self.setFixedHeight(max(1, min(self.needed(), round(around.height() * MAX_CONTEXT_FRACTION))))

    def show_here(self) -> None:
        """Scroll to the segment that is judged, with a little of what stands before it."""
        self.fit()
        pane, texts = next((pane for pane in self.panes() if pane.texts()), None), self.widget()
        if pane is not None and texts is not None:
            top = pane.mapTo(texts, pane.here_rect().topLeft().toPoint()).y()
            room = max(0, self.viewport().height() - round(pane.here_rect().height()))
            self.verticalScrollBar().setValue(max(0, top - room // 2))
