"""A text under its heading."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from qe_desktop.ratings.protocols import language_name
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import column_of
from qe_desktop.ui.rate.texts.reading_document import Type
from qe_desktop.ui.rate.texts.reading_pane import ReadingPane


class TextPart(QWidget):
    """A heading and a text."""

    def __init__(self, title: str, type_: Type, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.heading = Label(title, token="muted")
        self.pane = ReadingPane(type_)
        self.pane.setAccessibleName(title)
        self._padding = QWidget()
        self._padding.setFixedHeight(0)
        column_of(self.heading, self._padding, self.pane, on=self, gap=4)

    def set_padding(self, height: int) -> None:
        """Begin the text further down."""
        if self._padding.height() != height:
            self._padding.setFixedHeight(height)


def titled(what: str, language: str) -> str:
    """A heading with the language's name, where it is known.

    >>> titled("Source", "de"), titled("Source", "")
    ('Source · German', 'Source')
    """
    name = language_name(language)
    return f"{what} · {name}" if name else what
