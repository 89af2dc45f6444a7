"""Text size of a campaign's items: the largest at which nearly all items fit, chosen once per window size."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from heapq import nlargest

from qe_desktop.ratings.campaign import WHOLE_DOCUMENT, Screen
from qe_desktop.ratings.displayed_texts import DisplayedTexts, screen_texts
from qe_desktop.ratings.rater_session import RaterSession

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
    left out.
    """

    measured_items: tuple[DisplayedTexts, ...]
    long_item_uids: frozenset[str]


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
    return FitSample(longest, frozenset(screen.uid for screen in exceptions))


Fits = Callable[[TextFit, DisplayedTexts, bool], bool]
"""Function that returns whether the texts of an item fit; the flag states whether context segments count."""


def choose_fit(
    items: Sequence[DisplayedTexts], context: int, fits: Fits, *, context_lines: int = MAX_CONTEXT_LINES
) -> TextFit:
    """Return the largest text size at which all items fit.

    `context` is `Campaign.context`. If it is not 0, `context_lines` lines are reserved for context. If the items fit at
    no size, the smallest size is returned; if they fit at the smallest size without context, the context scrolls, and
    as many lines are reserved as fit, up to `context_lines`. The context of whole documents always scrolls.
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
    """Return the text size for one of the few longest items: the largest at which it fits, up to that of `fit`.

    `fit` is the fit of the campaign. If the item fits at no size, `fit` is returned, and the texts scroll. The number
    of reserved lines is the same for all items.
    """
    sizes = [pixels for pixels in TEXT_SIZES_PX if pixels <= fit.pixels] if fit.fits_all else []
    smaller = (replace(fit, pixels=pixels) for pixels in sizes)
    return next((candidate for candidate in smaller if fits(candidate, texts, fit.has_context)), fit)
