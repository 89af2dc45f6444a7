"""Source and reference with headings, and a widget that shows them above the translations of a ranking."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus.languages import language_direction
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.protocols import language_name
from qe_desktop.ui.rate.cards.item_card import TextView
from qe_desktop.ui.rate.cards.reading_pane import (
    BAR_MARGIN_PX,
    CONTEXT_LINE_PX,
    LINE_HEIGHT,
    PARAGRAPH_GAP_PX,
    ReadingPane,
    TextStyle,
    measure_text,
)
from qe_desktop.ui.rate.cards.text_fit import DisplayedTexts, Paragraph, TextFit, screen_texts
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.shell.appearance import pixel_scale, scaled_pixels
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import ResponsiveBoxLayout, Stretched, StretchSpace, hbox, set_side_margins, vbox

HEADING_GAP_PX = 4
"""Space between a heading and its text, in pixels."""


class TitledText(QWidget):
    """Text of the current item below a heading; `role` is "source", or "mt" for texts in the target language."""

    def __init__(self, session: RatingSession, text_name: str, role: str) -> None:
        super().__init__()
        campaign = session.work.campaign
        language = campaign.source_language if role == "source" else campaign.target_language
        self._type = TextStyle(session.settings, role, has_context=bool(campaign.context), language=language)
        self.title = heading_text(text_name, language)
        self._right_to_left = str(language_direction(language)) == "rtl"
        self.heading = self.make_heading()
        self.pane = ReadingPane(self._type)
        self.pane.setAccessibleName(self.title)
        self._padding = QWidget()
        self._padding.setFixedHeight(0)
        self.heading.setContentsMargins(0, 0, 0, HEADING_GAP_PX)
        # the stretch keeps the text at the top until the layout has adopted its new height
        self._column = vbox(self.heading, self._padding, self.pane, StretchSpace(), on=self, gap=0)

    def make_heading(self) -> Label:
        """Return a label with the heading, aligned to the side on which the lines of the text begin."""
        label = Label(self.title, token="muted")
        # absolute alignment, because it depends on the text and not on the window
        side = Qt.AlignmentFlag.AlignRight if self._right_to_left else Qt.AlignmentFlag.AlignLeft
        label.setAlignment(side | Qt.AlignmentFlag.AlignAbsolute)
        label.setIndent(BAR_MARGIN_PX if self._type.has_context else 0)
        return label

    def set_padding(self, height: int) -> None:
        """Set the space between heading and text, in addition to `HEADING_GAP_PX`, in pixels."""
        if self._padding.height() != height:
            self._padding.setFixedHeight(height)
            # if the height of this widget stays the same, Qt does not lay it out again
            self._column.activate()

    def set_fit(self, fit: TextFit) -> None:
        """Set the text size."""
        self._type = replace(self._type, scale=pixel_scale(fit.pixels))
        self.pane.set_scale(self._type.scale)

    def measure(
        self, paragraphs: Sequence[Paragraph], width: int, fit: TextFit, *, context: bool = True
    ) -> tuple[int, int]:
        """Return the vertical offset of the judged segment and the height of the text from that offset on, in pixels.

        Without `context`, only the judged segment is measured.
        """
        measured = paragraphs if context else [paragraph for paragraph in paragraphs if paragraph.is_current]
        style = replace(self._type, scale=pixel_scale(fit.pixels))
        above, height = measure_text(measured, style, width)
        return round(above), math.ceil(height) - round(above)

    def heading_height(self) -> int:
        """Return the height of the heading with the gap below it, in pixels."""
        return self.heading.sizeHint().height()


def source_and_reference(session: RatingSession) -> tuple[TitledText, TitledText]:
    """Return widgets for the source and the reference of the current item."""
    return TitledText(session, tr("Source"), "source"), TitledText(session, tr("Reference"), "mt")


def heading_text(text_name: str, language: str) -> str:
    """Return the heading of a text: the name of the text, followed by the name of its language if known.

    >>> heading_text("Source", "de"), heading_text("Source", "")
    ('Source · German', 'Source')
    """
    name = language_name(language)
    return f"{text_name} · {name}" if name else text_name


def context_zone(fit: TextFit) -> int:
    """Return the height above the judged segment that is reserved for preceding context, in pixels."""
    gap = scaled_pixels(PARAGRAPH_GAP_PX)
    return fit.context_lines * scaled_pixels(CONTEXT_LINE_PX) + gap


MIN_LINES = 2
"""Minimum number of visible lines of a judged segment."""
MIN_CONTEXT_ROW_WIDTH = 100
"""Minimum width, in characters, at which source and reference are side by side."""
GAP_PX, EDGE_PX = 32, 16


class ContextTexts(QWidget):
    """Source and reference of the current item, with context segments; texts that exceed the height scroll.

    The ranking card sets the height with `set_fit`, so that the translations below this widget are at the same position
    in all items.
    """

    def __init__(self, session: RatingSession) -> None:
        super().__init__()
        self._session = session
        self._texts = DisplayedTexts(())
        self._fit = TextFit()
        self._offset = 0
        self._parts = source_and_reference(session)
        texts = QWidget()
        self._row = ResponsiveBoxLayout(texts, MIN_CONTEXT_ROW_WIDTH, on=texts, gap=GAP_PX)
        set_side_margins(self._row, 0, EDGE_PX)
        for part in self._parts:
            self._row.addWidget(part, 1, Qt.AlignmentFlag.AlignTop)
        self._row.arranged.connect(self._align)
        self.view = TextView()
        self.view.set_content(texts)
        self.view.resized.connect(self._on_resized)
        self._headings = QWidget()
        self._titles = [part.make_heading() for part in self._parts]
        columns = [Stretched(title, 1) for title in self._titles]
        set_side_margins(hbox(*columns, on=self._headings, gap=GAP_PX), 0, EDGE_PX)
        self._column = vbox(self._headings, Stretched(self.view, 1), on=self, gap=HEADING_GAP_PX)
        session.screen_changed.connect(self.show_screen)
        self.show_screen()

    def panes(self) -> list[ReadingPane]:
        """Return the panes of source and reference."""
        return [part.pane for part in self._parts]

    def show_screen(self) -> None:
        """Show the current item."""
        screen = self._session.screen
        if screen is None:
            return
        self._texts = screen_texts(self._session.work, screen)
        texts = (self._texts.source, self._texts.reference)
        for part, title, paragraphs in zip(self._parts, self._titles, texts, strict=True):
            part.pane.show_paragraphs(paragraphs)
            part.setVisible(bool(paragraphs))
            title.setVisible(bool(paragraphs))
        self._align()

    # --- size

    def needed_height(self, fit: TextFit, texts: DisplayedTexts, width: int, *, context: bool) -> int:
        """Return the height in pixels of source and reference at a width.

        If `context` is false, only the judged segments count, besides headings and reserved context.
        """
        used = [
            (part, paragraphs)
            for part, paragraphs in zip(self._parts, (texts.source, texts.reference), strict=True)
            if paragraphs
        ]
        column_width = self._text_width(width, len(used))
        heights = [
            part.heading_height() + context_zone(fit) + part.measure(paragraphs, column_width, fit, context=context)[1]
            for part, paragraphs in used
        ]
        if self._is_row(width, len(used)):
            return max(heights, default=0)
        return sum(heights) + GAP_PX * max(0, len(heights) - 1)

    def limited_height(self, fit: TextFit, height: int) -> int:
        """Return the height in pixels of a heading, the reserved context, and as many segment lines as fit.

        `height` limits the total. Only whole lines of the judged segment count, but at least `MIN_LINES`, even if they
        do not fit.
        """
        fixed_height = self._parts[0].heading_height() + context_zone(fit)
        line = max(1, ceil(scaled_pixels(fit.pixels) * LINE_HEIGHT))
        return fixed_height + line * max(MIN_LINES, (height - fixed_height) // line)

    def _is_row(self, width: int, count: int) -> bool:
        """Return whether `count` texts are side by side at a width.

        A single text counts as a row, because its heading is above the scroll area, as in a row.
        """
        return count < 2 or width - EDGE_PX >= self.fontMetrics().horizontalAdvance("0") * MIN_CONTEXT_ROW_WIDTH

    def _text_width(self, width: int, count: int) -> int:
        """Return the width in pixels of each of `count` texts if `width` pixels are available in total."""
        if not self._is_row(width, count) or not count:
            return width - EDGE_PX
        return (width - EDGE_PX - GAP_PX * (count - 1)) // count

    def set_fit(self, fit: TextFit, height: int) -> None:
        """Set the text size, and the height of the widget in pixels."""
        self._fit = fit
        self.setFixedHeight(max(1, height))
        for part in self._parts:
            part.set_fit(fit)
        self._align()

    def _align(self) -> None:
        """Put the judged segment at the same vertical position in all items."""
        # in a row, the headings do not scroll
        count = sum(bool(texts) for texts in (self._texts.source, self._texts.reference))
        is_horizontal = self._is_row(self.width(), count)
        self._headings.setVisible(is_horizontal)
        for part in self._parts:
            part.heading.setVisible(not is_horizontal)
        zone, above, heights = context_zone(self._fit), 0, [0]
        column_width = self._text_width(self.width(), count)
        for part, paragraphs in zip(self._parts, (self._texts.source, self._texts.reference), strict=True):
            before, following = part.measure(paragraphs, column_width, self._fit)
            part.set_padding(max(0, zone - before))
            if is_horizontal or part is self._parts[0]:
                above = max(above, before)
            heights.append(max(zone, before) + following)
        self._offset = max(0, above - zone)
        if self._offset and not is_horizontal:
            self._offset += self._parts[0].heading_height()
        margins = self._row.contentsMargins()
        # space to scroll to the judged segment
        missing = self.view.height() + self._offset - max(heights) if self._offset and is_horizontal else 0
        margins.setBottom(max(0, missing))
        self._row.setContentsMargins(margins)
        # lay out now, so that no intermediate state is painted
        self._row.activate()
        self._hide_partial_line()
        QTimer.singleShot(0, self, self.scroll_to_start)

    def _hide_partial_line(self) -> None:
        """If a line below the judged segment would be only partly visible, end the view above this line."""
        top = self._headings.sizeHint().height() + HEADING_GAP_PX if self._headings.isVisibleTo(self) else 0
        height = end = self.height() - top
        visible = [part for part in self._parts if part.isVisibleTo(self)]
        for part in visible:
            pane_top = part.y() + part.pane.y() - self._offset
            judged = pane_top + part.pane.judged_rect().bottom()
            for start, stop in part.pane.line_spans():
                if judged <= pane_top + start < height < pane_top + stop:
                    end = min(end, floor(pane_top + start))
        self._column.setContentsMargins(0, 0, 0, max(0, height - end))

    def _on_resized(self, width: int, height: int, scroll_bar_width: int) -> None:
        set_side_margins(self._row, 0, max(0, EDGE_PX - scroll_bar_width))
        self._align()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Align the texts for the new size."""
        super().resizeEvent(event)
        self._align()

    def scroll_to_start(self) -> None:
        """Scroll to the judged segment."""
        self.view.show_position(lambda: self._offset)
