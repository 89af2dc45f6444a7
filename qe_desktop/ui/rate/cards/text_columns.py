"""Source and reference next to (or below) the translation. Texts hidden from the rater are not stored in any widget."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import EvaluationBasis
from qe_desktop.ui.rate.cards.context_texts import TitledText, context_zone, source_and_reference
from qe_desktop.ui.rate.cards.reading_pane import BAR_MARGIN_PX, CONTEXT_LINE_PX, LINE_HEIGHT, ReadingPane
from qe_desktop.ui.rate.cards.text_fit import (
    DisplayedTexts,
    TextFit,
    choose_fit,
    fit_sample,
    item_fit,
    reserve_lines,
    screen_texts,
)
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.shell.appearance import scaled_pixels
from qe_desktop.ui.theme import current
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import (
    BoxDirection,
    ResponsiveBoxLayout,
    Stretched,
    StretchSpace,
    hbox,
    set_side_margins,
    vbox,
    wrap_layout,
)

MIN_TEXT_ROW_WIDTH = 84
"""Minimum width, in characters, at which the texts are side by side."""
COLUMN_GAP_PX, EDGE_PX = 40, 16
MAX_RESERVED_LINES = 4
"""Maximum number of lines reserved for preceding context; fewer if the texts of an item would not fit."""
TEXT_GAP_PX = 16
"""Space between the source and the reference below it, in pixels."""


class TextColumns(QWidget):
    """Columns with the texts of the current item; the judged segment is at the same position in every item.

    `headings` is the widget with the headings of the columns; the card places it above the scrolling texts.
    """

    def __init__(self, session: RatingSession) -> None:
        super().__init__()
        self._session = session
        self._texts = DisplayedTexts(())
        self._sample = fit_sample(session.work)
        self._fits: dict[tuple[int, int], TextFit] = {}
        self._total_width, self._available_height = 0, 0
        self.fit = TextFit()
        """Text size of the current item: the campaign's text size or, for some of the longest items, a smaller one."""
        self.offset = 0
        """Scroll position, in pixels, that puts the judged segment at the same vertical position in all items."""
        self.source, self.reference = source_and_reference(session)
        self.translation = TitledText(session, tr("Translation"), "mt")
        self.hidden = Label(self._hidden_text(), token="muted", wraps=True)
        self.headings = QWidget()
        self._lay_out()
        session.screen_changed.connect(self.show_screen)
        session.changed.connect(self._reveal)
        session.settings.changed.connect(self._on_setting)
        self.show_screen()

    def _lay_out(self) -> None:
        self._source_column = wrap_layout(
            vbox(self.source, self.hidden, self.reference, StretchSpace(), gap=TEXT_GAP_PX)
        )
        self._row = ResponsiveBoxLayout(
            self, MIN_TEXT_ROW_WIDTH, on=self, gap=COLUMN_GAP_PX, narrow=BoxDirection.BottomToTop
        )
        # keep text away from the scroll bar
        set_side_margins(self._row, 0, EDGE_PX)
        self._row.arranged.connect(self._align)
        self._row.addWidget(self._source_column, 1)
        self._row.addWidget(self.translation, 1, Qt.AlignmentFlag.AlignTop)
        first_columns = [] if self._session.work.protocol.target_only else [self._primary_text()]
        columns = [Stretched(part.make_heading(), 1) for part in (*first_columns, self.translation)]
        set_side_margins(hbox(*columns, on=self.headings, gap=COLUMN_GAP_PX), 0, EDGE_PX)
        self._source_column.setVisible(not self._session.work.protocol.target_only)

    def _primary_text(self) -> TitledText:
        by_reference = self._session.work.campaign.basis is EvaluationBasis.REFERENCE
        return self.reference if by_reference else self.source

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
        is_revealed = self._session.is_revealed
        for part, paragraphs in ((self.source, self._texts.source), (self.reference, self._texts.reference)):
            # a hidden text is not stored in any widget, so that it cannot leak
            visible = paragraphs if is_revealed else ()
            if part.pane.texts() != [paragraph.text for paragraph in visible]:
                part.pane.show_paragraphs(visible)
            part.setVisible(bool(visible))
        self.hidden.setVisible(not is_revealed)
        self._align()

    def _hidden_text(self) -> str:
        work = self._session.work
        first = work.protocol.answers[0].sentence_name
        match work.campaign.basis:
            case EvaluationBasis.SOURCE:
                return tr("The source is shown after {question} is rated.", question=first)
            case EvaluationBasis.REFERENCE:
                return tr("The reference is shown after {question} is rated.", question=first)
            case EvaluationBasis.BOTH:
                return tr("Source and reference are shown after {question} is rated.", question=first)

    # --- size

    def set_visible_size(self, width: int, height: int, scroll_bar_width: int) -> None:
        """Set the visible size in pixels. A scroll bar reduces the margin, so that no text is rewrapped."""
        set_side_margins(self._row, 0, max(0, EDGE_PX - scroll_bar_width))
        self._total_width, self._available_height = width + scroll_bar_width, height
        self._align()

    def changeEvent(self, event: QEvent) -> None:
        """Choose the text size of the items again after a change of the window's text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._reset_fits()

    def _on_setting(self, key: str) -> None:
        if key.startswith("reading/"):
            self._reset_fits()

    def _reset_fits(self) -> None:
        self._fits = {}
        self._align()

    def fit_in(self, width: int, height: int) -> TextFit:
        """Return the text size and the number of reserved context lines, the same for all items of the campaign.

        `width` and `height` are the size of the visible part in pixels.
        """
        key = (width, height)
        if key not in self._fits:
            longest, context = self._sample.measured_items, self._session.work.campaign.context
            fits = partial(self._fits_size, width, height)
            fit = choose_fit(longest, context, fits)
            with_most_context = (*longest, *self._sample.context_items)
            lines = max((self._lines_before(fit, texts, width) for texts in with_most_context), default=0)
            self._fits[key] = reserve_lines(fit, longest, fits, min(lines, MAX_RESERVED_LINES))
        return self._fits[key]

    def _lines_before(self, fit: TextFit, texts: DisplayedTexts, width: int) -> int:
        """Return the number of lines of preceding context of an item.

        It is the maximum over source, reference and translation.
        """
        column = self.column_width(width)
        parts = ((self.source, texts.source), (self.reference, texts.reference), (self.translation, texts.translation))
        above = max(part.measure(paragraphs, column, fit)[0] for part, paragraphs in parts)
        return above // scaled_pixels(CONTEXT_LINE_PX)

    def _fits_size(self, width: int, height: int, fit: TextFit, texts: DisplayedTexts, with_context: bool) -> bool:
        return self._height(fit, texts, width, context=with_context) <= height

    def column_width(self, width: int) -> int:
        """Return the width of each text column if the total width is `width`, in pixels."""
        columns = 1 if self._session.work.protocol.target_only or not self.is_side_by_side else 2
        return (width - EDGE_PX - COLUMN_GAP_PX * (columns - 1)) // columns

    def _height(self, fit: TextFit, texts: DisplayedTexts, width: int, *, context: bool) -> int:
        """Return the height in pixels of an item's texts; it includes headings unless the texts are side by side.

        If `context` is false, only the judged segments count.
        """
        column, zone = self.column_width(width), context_zone(fit)
        heights = self._given_heights(fit, texts, column, context=context)
        _, translation = self.translation.measure(texts.translation, column, fit, context=context)
        if self.is_side_by_side:
            return zone + max(sum(heights), translation)
        return 2 * zone + sum(heights) + translation + COLUMN_GAP_PX + 2 * self.translation.heading_height()

    def _given_heights(self, fit: TextFit, texts: DisplayedTexts, width: int, *, context: bool) -> list[int]:
        """Return the heights of source and reference in pixels, without those of empty texts.

        The first height in the list is measured from the top of the judged segment. A second height also includes the
        context before the judged segment, the heading, and the gap above the heading.
        """
        parts = ((self.source, texts.source), (self.reference, texts.reference))
        used = [(part, paragraphs) for part, paragraphs in parts if paragraphs]
        heights = []
        for number, (part, paragraphs) in enumerate(used):
            above, height = part.measure(paragraphs, width, fit, context=context)
            heights.append(height if number == 0 else above + height + TEXT_GAP_PX + part.heading_height())
        return heights

    def _align(self) -> None:
        """Put the judged segment at the same vertical position in both columns and in all items.

        Hidden texts are measured too, so that the layout does not move when they are shown.
        """
        if self._total_width <= EDGE_PX or self._available_height <= 0:
            return
        fit = self.fit_in(self._total_width, self._available_height)
        if self._session.screen is not None and self._session.screen.uid in self._sample.long_item_uids:
            fits = partial(self._fits_size, self._total_width, self._available_height)
            fit = item_fit(fit, self._texts, fits)
        self.fit = fit
        for part in (self.source, self.reference, self.translation):
            part.set_fit(fit)
        side = self.is_side_by_side
        self.headings.setVisible(side)
        first, texts, column = self._primary_text(), self._texts, self.column_width(self._total_width)
        for part in (first, self.translation):
            part.heading.setVisible(not side)
        before = first.measure(texts.source or texts.reference, column, fit)[0]
        above = self.translation.measure(texts.translation, column, fit)[0]
        text_top = max(context_zone(fit), before, above) if side else context_zone(fit)
        first.set_padding(max(0, text_top - before))
        self.translation.set_padding(max(0, text_top - above))
        # centred on the first line of the hidden text
        line = round(scaled_pixels(fit.pixels) * LINE_HEIGHT)
        top = text_top + max(0, (line - self.hidden.fontMetrics().height()) // 2) if side else 0
        margin, mirrored = BAR_MARGIN_PX if first.pane.is_marked else 0, self.isRightToLeft()
        self.hidden.setContentsMargins(0 if mirrored else margin, top, margin if mirrored else 0, 0)
        self.offset = text_top - context_zone(fit) if side else 0
        # space to scroll to the judged segment
        needed = self.offset + max(self._available_height, self._height(fit, texts, self._total_width, context=True))
        self.setMinimumHeight(needed if self.offset else 0)
        # lay out now, so that no intermediate state is painted
        self._row.activate()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the line between the columns, and the bar at the note that replaces a hidden text."""
        painter = QPainter(self)
        colours = current()
        if self.hidden.isVisible() and self._primary_text().pane.is_marked:
            box = QRect(self.hidden.mapTo(self, QPoint(0, 0)), self.hidden.size())
            top = self.hidden.contentsMargins().top()
            text = box.adjusted(0, top - 4, 0, 4)
            x = box.right() - 3 if self.isRightToLeft() else box.left()
            painter.fillRect(x, text.top(), 4, self.hidden.fontMetrics().height() + 8, colours.border)
        if self.is_side_by_side and self._source_column.isVisible():
            x = (self._source_column.geometry().right() + self.translation.geometry().left()) // 2
            if self.isRightToLeft():
                x = (self.translation.geometry().right() + self._source_column.geometry().left()) // 2
            painter.fillRect(x, 0, 1, self.height(), colours.border)
        painter.end()
