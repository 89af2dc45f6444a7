"""Texts of an item as displayed to a rater, and the largest text size at which nearly all items fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from heapq import nlargest

from qe_desktop.ratings.assignment.screen_drafts import displayed_texts
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


TEXT_SIZES_PX = (24, 20, 17)
"""Text sizes in pixels at a window text size of 100 %, largest first."""
MAX_LONG_ITEMS_FRACTION = 0.05
"""Maximum fraction of items to ignore, longest first, when the text size of the campaign is chosen."""
MAX_CANDIDATES = 3
"""Number of longest items measured per kind of text. One is too few: the longest text need not be the tallest."""
MAX_CONTEXT_LINES = 2
"""Default number of lines reserved for context above the judged segment; further context lines scroll."""
_WIDE = re.compile("[\u1100-\u11ff\u2e80-\U0010ffff]+")
"""Characters counted as two Latin letters wide; punctuation and symbols of Latin texts are not among them."""


@dataclass(frozen=True, slots=True)
class TextFit:
    """Text size, number of lines reserved for preceding context, and whether all measured items fit.

    `pixels` is the text size at a window text size of 100 %. `has_context` states whether the items fit with all of
    their context; if not, context beyond the reserved lines scrolls.
    """

    pixels: int = TEXT_SIZES_PX[-1]
    context_lines: int = 0
    fits_all: bool = False
    has_context: bool = False


def text_width(text: str) -> int:
    """Return the approximate width of a text, in units of the width of a Latin letter.

    >>> text_width("Katze…"), text_width("猫がいる")
    (6, 8)
    """
    return len(text) if text.isascii() else len(text) + sum(map(len, _WIDE.findall(text)))


@dataclass(frozen=True, slots=True)
class FitSample:
    """Items that determine the text size: those that may need the most space, except the few longest.

    `measured_items` has the texts of these items. `long_item_uids` has the uids of the few longest items, which are
    left out. `context_items` has the texts of the items with the longest preceding context, among all items.
    """

    measured_items: tuple[DisplayedTexts, ...]
    long_item_uids: frozenset[str]
    context_items: tuple[DisplayedTexts, ...] = ()


def fit_sample(work: RaterSession) -> FitSample:
    """Return the sample of a rater's items that determines the text size."""

    @cache
    def output_width(uid: str) -> int:
        return text_width(work.output(uid).text)

    @cache
    def given_width(segment: int) -> int:
        passage = work.passage(segment)
        return text_width(passage.source) + text_width(passage.reference)

    @cache
    def around_width(segment: int) -> int:
        reach = max(1, work.campaign.context)
        return sum(given_width(segment + by) for by in range(-reach, reach + 1) if by)

    def before_width(screen: Screen) -> int:
        document = work.passage(screen.segment).document
        before = range(max(0, screen.segment - max(1, work.campaign.context)), screen.segment)
        return sum(given_width(segment) for segment in before if work.passage(segment).document == document)

    kinds: list[Callable[[Screen], int]] = [
        lambda screen: max(map(output_width, screen.outputs), default=0),
        lambda screen: sum(map(output_width, screen.outputs)),
        lambda screen: given_width(screen.segment),
    ]
    if work.campaign.context:
        kinds += [
            lambda screen: around_width(screen.segment),
            lambda screen: given_width(screen.segment) + around_width(screen.segment),
        ]

    def whole_width(screen: Screen) -> int:
        context_width = around_width(screen.segment) if work.campaign.context else 0
        return sum(map(output_width, screen.outputs)) + given_width(screen.segment) + context_width

    by_length = sorted(work.screens, key=whole_width)
    count = len(by_length) - int(len(by_length) * MAX_LONG_ITEMS_FRACTION)
    usual, exceptions = by_length[:count], by_length[count:]
    screens = {screen.uid: screen for kind in kinds for screen in nlargest(MAX_CANDIDATES, usual, key=kind)}
    longest = tuple(screen_texts(work, screen) for screen in screens.values())
    above = nlargest(MAX_CANDIDATES, work.screens, key=before_width) if work.campaign.context else []
    context_items = tuple(screen_texts(work, screen) for screen in above)
    return FitSample(longest, frozenset(screen.uid for screen in exceptions), context_items)


Fits = Callable[[TextFit, DisplayedTexts, bool], bool]
"""Function that returns whether the texts of an item fit; the flag states whether context segments count."""


def choose_fit(
    items: Sequence[DisplayedTexts], context: int, fits: Fits, *, context_lines: int = MAX_CONTEXT_LINES
) -> TextFit:
    """Return the largest text size at which all items fit, and the number of lines reserved for context.

    `context` is `Campaign.context`. If it is not 0, `context_lines` lines are reserved for context. If the items fit at
    no size, the smallest size is returned. If they fit at this size only without context, the context scrolls, and as
    many lines as fit are reserved, up to `context_lines`. The context of whole documents always scrolls.
    """
    lines, with_context = context_lines if context else 0, context not in (0, WHOLE_DOCUMENT)
    for pixels in TEXT_SIZES_PX:
        fit = TextFit(pixels, lines, fits_all=True, has_context=with_context)
        if all(fits(fit, texts, with_context) for texts in items):
            return fit
    for line_count in range(lines, -1, -1) if context else ():
        fit = TextFit(TEXT_SIZES_PX[-1], line_count, fits_all=True)
        if all(fits(fit, texts, False) for texts in items):
            return fit
    return TextFit(TEXT_SIZES_PX[-1], lines)


def reserve_lines(fit: TextFit, items: Sequence[DisplayedTexts], fits: Fits, needed: int) -> TextFit:
    """Return `fit` with more lines reserved for preceding context: up to `needed`, as long as all items fit."""
    while fit.fits_all and fit.context_lines < needed:
        more = replace(fit, context_lines=fit.context_lines + 1)
        if not all(fits(more, texts, fit.has_context) for texts in items):
            break
        fit = more
    return fit


def item_fit(fit: TextFit, texts: DisplayedTexts, fits: Fits) -> TextFit:
    """Return `fit` with the largest text size, at most its own, at which one of the few longest items fits.

    `fit` is the fit of the campaign. If the item fits at no size, or if the other items do not all fit, `fit` is
    returned unchanged, and the texts scroll. The number of reserved lines is the same for all items.
    """
    sizes = [pixels for pixels in TEXT_SIZES_PX if pixels <= fit.pixels] if fit.fits_all else []
    smaller = (replace(fit, pixels=pixels) for pixels in sizes)
    return next((candidate for candidate in smaller if fits(candidate, texts, fit.has_context)), fit)
