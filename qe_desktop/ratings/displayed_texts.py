"""Texts of an item as displayed to a rater: translation, source, reference, and context."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qe_desktop.ratings.assignment.opaque_names import displayed_texts
from qe_desktop.ratings.campaign import WHOLE_DOCUMENT, Campaign, Passage, Screen
from qe_desktop.ratings.rater_session import RaterSession


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Text of a segment; `is_current` is True for the segment to judge and False for context."""

    text: str
    is_current: bool = True


Paragraphs = tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class DisplayedTexts:
    """Texts of an item; `source` and `reference` are empty if the campaign never displays them."""

    outputs: tuple[str, ...]
    preceding: tuple[str, ...] = ()
    """Translations of preceding segments of the same document, as shown to the rater."""
    source: Paragraphs = ()
    reference: Paragraphs = ()

    @property
    def translation(self) -> Paragraphs:
        """Paragraphs of the translations in `preceding`, followed by the paragraph of the first output."""
        return (
            *(Paragraph(text, is_current=False) for text in self.preceding),
            *(Paragraph(text) for text in self.outputs[:1]),
        )


def screen_texts(session: RaterSession, screen: Screen) -> DisplayedTexts:
    """Return all texts of an item; the caller hides those that must not be displayed yet."""
    has_source, has_reference = displayed_texts(session.campaign)
    return DisplayedTexts(
        tuple(session.output(uid).text for uid in screen.outputs),
        _preceding_translations(session, screen),
        _context_paragraphs(session, screen, lambda passage: passage.source) if has_source else (),
        _context_paragraphs(session, screen, lambda passage: passage.reference) if has_reference else (),
    )


def _context_paragraphs(session: RaterSession, screen: Screen, text: Callable[[Passage], str]) -> Paragraphs:
    current = session.passage(screen.segment)
    before = _neighbours(session, current, -1, text)[::-1]
    after = _neighbours(session, current, 1, text)
    return (
        *(Paragraph(neighbour, is_current=False) for neighbour in before),
        Paragraph(text(current)),
        *(Paragraph(neighbour, is_current=False) for neighbour in after),
    )


def _neighbours(session: RaterSession, current: Passage, direction: int, text: Callable[[Passage], str]) -> list[str]:
    """Return the texts of neighbouring segments in the same document, nearest first.

    `direction` is -1 for the segments before `current` and 1 for those after it. The result ends before the first
    empty text.
    """
    neighbours: list[str] = []
    for _ in range(_context_size(session.campaign, current)):
        passage = session.passage(current.segment + direction * (len(neighbours) + 1))
        if passage.document != current.document or not text(passage):
            break
        neighbours.append(text(passage))
    return neighbours


def _context_size(campaign: Campaign, passage: Passage) -> int:
    if campaign.context == WHOLE_DOCUMENT:
        # without document information, there is no whole document
        return 1_000 if passage.document else 0
    return campaign.context


def _preceding_translations(session: RaterSession, screen: Screen) -> tuple[str, ...]:
    """Return the translations of preceding segments; empty unless the rater reads whole documents in sequence."""
    campaign = session.campaign
    if not campaign.by_document or not campaign.context or screen.training or len(screen.outputs) != 1:
        return ()
    current = session.passage(screen.segment)
    index = session.screens.index(screen)
    preceding: list[str] = []
    for _ in range(_context_size(campaign, current)):
        index -= 1
        earlier = session.screens[index] if index >= 0 else None
        if earlier is None or earlier.training or len(earlier.outputs) != 1:
            break
        passage = session.passage(earlier.segment)
        if passage.document != current.document or earlier.segment != screen.segment - len(preceding) - 1:
            break
        preceding.append(session.output(earlier.outputs[0]).text)
    return tuple(preceding[::-1])
