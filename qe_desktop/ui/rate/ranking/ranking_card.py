"""Base class of the ranking cards: context, translations and differences."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.corpus.text_diff import differing_spans
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.displayed_texts import Paragraph
from qe_desktop.ui.rate.item_card import ItemCard
from qe_desktop.ui.rate.ranking.translation_box import TranslationBox
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.rate.texts.reading_pane import ReadingPane
from qe_desktop.ui.rate.texts.text_columns import ContextTexts
from qe_desktop.ui.widgets.labels import Label

IDENTICAL_OUTPUTS_TEXT = tr(
    "All systems have the same output here, so there is nothing to compare. Press Enter to continue."
)


class RankingCardBase(ItemCard):
    """Base class of cards with several translations, each in a box; one box if all outputs are identical."""

    def __init__(self, session: RatingSession) -> None:
        super().__init__(session)
        self.cards: list[TranslationBox] = []
        self._count = 0
        self._differences = False
        self.given = ContextTexts(session)
        self.legend = Label(token="muted", wraps=True)
        self.legend.hide()
        session.screen_changed.connect(self.show_screen)
        session.changed.connect(self.refresh)

    def panes(self) -> list[ReadingPane]:
        """Return the panes of source, reference and translations."""
        return [*self.given.panes(), *(card.pane for card in self.cards)]

    def show_here(self) -> None:
        """Scroll to the source or reference, and to the first translation."""
        super().show_here()
        self.given.show_here()

    def letters(self) -> int:
        """Return the number of translations."""
        return self._count

    @property
    def alone(self) -> bool:
        """Whether there is nothing to compare."""
        return self._count == 1

    def show_screen(self) -> None:
        """Show the current item."""
        screen = self.session.screen
        if screen is None:
            return
        self._count = len(screen.outputs)
        self.prepare()
        for card, uid in zip(self.cards, screen.outputs, strict=False):
            card.pane.show_paragraphs([Paragraph(self.session.work.output(uid).text)])
        self.refresh()

    def prepare(self) -> None:
        """Set up the card for the number of translations."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Show the answers of the current item."""
        raise NotImplementedError

    def toggle_differences(self) -> None:
        """Toggle highlighting of differing words."""
        self._differences = not self._differences
        self.refresh()

    def mark(self, legend: str, others: Sequence[int]) -> None:
        """If differences are on, show the legend and mark the words in which translations differ.

        If there is nothing to compare, only a text that says so is shown.

        `others` are, by translation, the indices of the translations with which they are compared; a translation
        compared with itself is not marked.
        """
        self.legend.setVisible(self._differences or self.alone)
        self.legend.setText(IDENTICAL_OUTPUTS_TEXT if self.alone else legend)
        if self.alone:
            return
        texts = [card.pane.texts()[0] for card in self.cards]
        for index, (card, other) in enumerate(zip(self.cards, others, strict=True)):
            marked = self._differences and other != index
            card.pane.mark(differing_spans(texts[index], texts[other]) if marked else ())
