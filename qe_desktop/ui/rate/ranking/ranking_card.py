"""What the cards of rankings and of pairs have in common: what is given, the translations, and where they differ."""

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

IDENTICAL_OUTPUTS_TEXT = tr("All systems wrote the same here, so there is nothing to compare: Enter goes on.")


class RankingCardBase(ItemCard):
    """Several translations, each on a card; one alone where all systems wrote the same."""

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
        """Source, reference and the translations."""
        return [*self.given.panes(), *(card.pane for card in self.cards)]

    def show_here(self) -> None:
        """Show source or reference, and the translations from the first."""
        super().show_here()
        self.given.show_here()

    def letters(self) -> int:
        """As many as there are translations."""
        return self._count

    @property
    def alone(self) -> bool:
        """Whether there is nothing to compare."""
        return self._count == 1

    def show_screen(self) -> None:
        """Show the item in view."""
        screen = self.session.screen
        if screen is None:
            return
        self._count = len(screen.outputs)
        self.prepare()
        for card, uid in zip(self.cards, screen.outputs, strict=False):
            card.pane.show_paragraphs([Paragraph(self.session.work.output(uid).text)])
        self.refresh()

    def prepare(self) -> None:
        """Get ready for as many translations as there are now."""
        raise NotImplementedError

    def refresh(self) -> None:
        """Show what holds for the item in view."""
        raise NotImplementedError

    def toggle_differences(self) -> None:
        """Mark or unmark the words that differ."""
        self._differences = not self._differences
        self.refresh()

    def mark(self, legend: str, others: Sequence[int]) -> None:
        """Mark what differs from the other translation that each is compared with, none from itself."""
        self.legend.setVisible(self._differences or self.alone)
        self.legend.setText(IDENTICAL_OUTPUTS_TEXT if self.alone else legend)
        if self.alone:
            return
        texts = [card.pane.texts()[0] for card in self.cards]
        for place, (card, other) in enumerate(zip(self.cards, others, strict=True)):
            marked = self._differences and other != place
            card.pane.mark(differing_spans(texts[place], texts[other]) if marked else ())
