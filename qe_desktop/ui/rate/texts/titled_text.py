"""Widget that shows a text of the current item below a heading."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus.languages import language_direction
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.displayed_texts import Paragraph
from qe_desktop.ratings.protocols import language_name
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.rate.texts.reading_pane import (
    BAR_MARGIN_PX,
    CONTEXT_LINE_PX,
    PARAGRAPH_GAP_PX,
    ReadingPane,
    TextStyle,
    measure_text,
)
from qe_desktop.ui.rate.texts.text_fit import TextFit
from qe_desktop.ui.shell.appearance import pixel_scale, scaled_pixels
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import StretchSpace, vbox

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
            # the height of this widget may stay the same
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
