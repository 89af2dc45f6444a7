"""Source and reference next to the translation, or below it in a narrow window; widgets never contain hidden texts."""

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
    """Heading and text of the current item; `role` is "source", or "mt" for the target language."""

    def __init__(self, session: RatingSession, what: str, role: str, scale: float) -> None:
        super().__init__()
        campaign = session.work.campaign
        language = campaign.source_language if role == "source" else campaign.target_language
        title = heading_text(what, language)
        heading = Label(title, token="muted")
        self._type = TextStyle(session.settings, role, scale, around=bool(campaign.context), language=language)
        self.pane = ReadingPane(self._type)
        self.pane.setAccessibleName(title)
        self._padding = QWidget()
        self._padding.setFixedHeight(0)
        vbox(heading, self._padding, self.pane, on=self, gap=4)

    def set_padding(self, height: int) -> None:
        """Set the space above the text."""
        if self._padding.height() != height:
            self._padding.setFixedHeight(height)

    def measured(self, paragraphs: Sequence[Paragraph], width: int) -> tuple[float, float]:
        """Return the offset of the judged segment and total height at a width, in pixels."""
        return measure_text(paragraphs, self._type, width)


def context_parts(session: RatingSession, scale: float) -> tuple[TitledText, TitledText]:
    """Return widgets for the source and the reference of the current item."""
    return TitledText(session, tr("Source"), "source", scale), TitledText(session, tr("Reference"), "mt", scale)


def heading_text(what: str, language: str) -> str:
    """Return the heading with the language name, if known.

    >>> heading_text("Source", "de"), heading_text("Source", "")
    ('Source · German', 'Source')
    """
    name = language_name(language)
    return f"{what} · {name}" if name else what


MIN_TEXT_ROW_WIDTH = 84
"""Minimum width in characters for texts side by side."""
COLUMN_GAP_PX, EDGE_PX = 32, 16
HANG_FRACTION = 0.28
"""Fraction of the free height placed above short texts."""


class TextColumns(QWidget):
    """Columns with the texts of the current item; the judged segment is at the same height on both sides."""

    def __init__(self, session: RatingSession) -> None:
        super().__init__()
        self._session = session
        self._texts = DisplayedTexts(())
        self._room = 0
        self.source, self.reference = context_parts(session, LARGE_SCALE)
        self.translation = TitledText(session, tr("Translation"), "mt", LARGE_SCALE)
        self.hidden = Label(self._hidden_text(), token="muted", wraps=True)
        self._lay_out()
        session.screen_changed.connect(self.show_screen)
        session.changed.connect(self._reveal)
        self.show_screen()

    def _lay_out(self) -> None:
        self._given = wrap_layout(vbox(self.hidden, self.source, self.reference, StretchSpace(), gap=16))
        self._row = ResponsiveBoxLayout(
            self, MIN_TEXT_ROW_WIDTH, on=self, gap=COLUMN_GAP_PX, narrow=BoxDirection.BottomToTop
        )
        # keep text away from the scroll bar
        self._row.setContentsMargins(0, 0, EDGE_PX, 0)
        self._row.arranged.connect(self._align)
        self._row.addWidget(self._given, 1)
        self._row.addWidget(self.translation, 1, Qt.AlignmentFlag.AlignTop)
        self._given.setVisible(not self._session.work.protocol.target_only)

    def panes(self) -> list[ReadingPane]:
        """Return all text panes, visible or not."""
        return [self.source.pane, self.reference.pane, self.translation.pane]

    @property
    def is_side_by_side(self) -> bool:
        """Whether the texts are side by side."""
        return self._row.direction() == BoxDirection.LeftToRight

    def show_screen(self) -> None:
        """Show the current item."""
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
            # hidden text is in no widget, so that it cannot leak
            visible = paragraphs if shown else ()
            if part.pane.texts() != [paragraph.text for paragraph in visible]:
                part.pane.show_paragraphs(visible)
            part.setVisible(bool(visible))
        self.hidden.setVisible(not shown)
        self._align()

    def _hidden_text(self) -> str:
        work = self._session.work
        first = work.protocol.answers[0].called
        match work.campaign.basis:
            case EvaluationBasis.SOURCE:
                return tr("The source is shown after {question} is rated.", question=first)
            case EvaluationBasis.REFERENCE:
                return tr("The reference is shown after {question} is rated.", question=first)
            case EvaluationBasis.BOTH:
                return tr("Source and reference are shown after {question} is rated.", question=first)

    # --- size

    def set_room(self, height: int) -> None:
        """Set the available height."""
        if height != self._room:
            self._room = height
            self._align()

    def _align(self) -> None:
        """Align the judged segment on both sides, and move short texts away from the top edge.

        Hidden texts are measured too, so that the layout does not move when they are shown.
        """
        width = (self.width() - COLUMN_GAP_PX - EDGE_PX) // 2
        texts = self._texts
        sizes = [self.source.measured(texts.source, width), self.reference.measured(texts.reference, width)]
        above, height = self.translation.measured(texts.translation, width)
        first = sizes[0] if texts.source else sizes[1]
        padding = round(first[0] - above) if self.is_side_by_side else 0
        self.translation.set_padding(max(0, padding))
        (self.source if texts.source else self.reference).set_padding(max(0, -padding))
        self.hidden.setContentsMargins(0, round(max(first[0], above)) if self.is_side_by_side else 0, 0, 0)
        needed = max(sum(size[1] for size in sizes) + max(0, -padding), height + max(0, padding))
        spare = self._room - needed - 4 * self.fontMetrics().height()
        top = round(max(0.0, spare) * HANG_FRACTION) if self.is_side_by_side else 0
        if self._row.contentsMargins().top() != top:
            self._row.setContentsMargins(0, top, EDGE_PX, 0)


MIN_CONTEXT_ROW_WIDTH = 100
"""Minimum width in characters for source and reference side by side."""
MAX_CONTEXT_FRACTION = 0.36
"""Maximum fraction of the card's height for source and reference."""


class ContextTexts(FittedView):
    """View of source and reference of the current item, with context segments.

    It is as high as needed, up to a fraction of the card; longer texts scroll.
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
        """Return both text panes."""
        return [part.pane for part in self._parts]

    def show_screen(self) -> None:
        """Show the current item."""
        screen = self._session.screen
        if screen is None:
            return
        texts = screen_texts(self._session.work, screen)
        for part, paragraphs in zip(self._parts, (texts.source, texts.reference), strict=True):
            part.pane.show_paragraphs(paragraphs)
            part.setVisible(bool(paragraphs))

    def fit(self) -> None:
        """Fit the height to the texts, up to the maximum."""
        parent = self.parentWidget()
        if parent is not None:
            self.setFixedHeight(max(1, min(self.needed(), round(parent.height() * MAX_CONTEXT_FRACTION))))

    def show_here(self) -> None:
        """Scroll to the judged segment, with some context before it."""
        self.fit()
        pane, texts = next((pane for pane in self.panes() if pane.texts()), None), self.widget()
        if pane is not None and texts is not None:
            top = pane.mapTo(texts, pane.here_rect().topLeft().toPoint()).y()
            spare = max(0, self.viewport().height() - round(pane.here_rect().height()))
            self.verticalScrollBar().setValue(max(0, top - spare // 2))
