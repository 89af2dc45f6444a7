"""A text of an item under its heading."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from qe_desktop.ratings.protocols import language_name
from qe_desktop.ratings.texts_in_view import Paragraph
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import column_of
from qe_desktop.ui.rate.sitting import Sitting
from qe_desktop.ui.rate.texts.reading_document import Type, measured
from qe_desktop.ui.rate.texts.reading_pane import ReadingPane
from qe_desktop.wording import tr


class TextPart(QWidget):
    """A heading and a text of the sitting's items: `role` is "source", or "mt" for what is in the other language."""

    def __init__(self, sitting: Sitting, what: str, role: str, scale: float) -> None:
        super().__init__()
        campaign = sitting.work.campaign
        title = titled(what, campaign.source_language if role == "source" else campaign.target_language)
        heading = Label(title, token="muted")
        self._type = Type(sitting.settings, role, scale, around=bool(campaign.context))
        self.pane = ReadingPane(self._type)
        self.pane.setAccessibleName(title)
        self._padding = QWidget()
        self._padding.setFixedHeight(0)
        column_of(heading, self._padding, self.pane, on=self, gap=4)

    def set_padding(self, height: int) -> None:
        """Begin the text further down."""
        if self._padding.height() != height:
            self._padding.setFixedHeight(height)

    def measured(self, paragraphs: Sequence[Paragraph], width: int) -> tuple[float, float]:
        """How far down the segment that is judged would begin at a width, and how high all would be."""
        return measured(paragraphs, self._type, width)


def given_parts(sitting: Sitting, scale: float) -> tuple[TextPart, TextPart]:
    """Source and reference: what translations are judged against."""
    return TextPart(sitting, tr("Source"), "source", scale), TextPart(sitting, tr("Reference"), "mt", scale)


def titled(what: str, language: str) -> str:
    """A heading with the language's name, where it is known.

    >>> titled("Source", "de"), titled("Source", "")
    ('Source · German', 'Source')
    """
    name = language_name(language)
    return f"{what} · {name}" if name else what
