"""Text size of a campaign's items: the largest at which the longest item fits, chosen once per window size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from heapq import nlargest

from qe_desktop.ratings.campaign import WHOLE_DOCUMENT, Screen
from qe_desktop.ratings.displayed_texts import DisplayedTexts, screen_texts
from qe_desktop.ratings.rater_session import RaterSession

TEXT_SIZES_PX = (24, 20, 17)
"""Text sizes in pixels at a window text size of 100 %, largest first."""
MAX_CANDIDATES = 3
"""Number of the longest texts of each kind that are measured; the number of characters only predicts the height."""
MAX_CONTEXT_LINES = 2
"""Maximum number of lines above the judged segment that are reserved for context; more lines scroll."""
_FIRST_WIDE = "\u1100"
"""First character of the scripts whose characters are about twice as wide as Latin letters."""


@dataclass(frozen=True, slots=True)
class TextFit:
    """Text size in pixels at 100 %, the lines reserved for preceding context, and whether the longest item fits."""

    pixels: int = TEXT_SIZES_PX[-1]
    context_lines: int = 0
    complete: bool = False


def text_width(text: str) -> int:
    """Return the approximate width of a text in Latin letters.

    >>> text_width("Katze"), text_width("猫がいる")
    (5, 8)
    """
    return len(text) if text.isascii() else len(text) + sum(map(_FIRST_WIDE.__le__, text))


def longest_items(work: RaterSession) -> list[DisplayedTexts]:
    """Return the texts of the items that are candidates for needing the most space."""

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
    screens = {screen.uid: screen for kind in kinds for screen in nlargest(MAX_CANDIDATES, work.screens, key=kind)}
    return [screen_texts(work, screen) for screen in screens.values()]


Fits = Callable[[TextFit, DisplayedTexts, bool], bool]
"""Whether the texts of an item fit; the flag states whether their context counts."""


def choose_fit(
    items: Sequence[DisplayedTexts], context: int, fits: Fits, *, context_lines: int = MAX_CONTEXT_LINES
) -> TextFit:
    """Return the largest text size at which all items fit, with `context_lines` above if there is context.

    If none does, context scrolls if the items fit without it. The context of whole documents always scrolls.
    """
    lines = context_lines if context else 0
    counted = context != WHOLE_DOCUMENT
    for pixels in TEXT_SIZES_PX:
        fit = TextFit(pixels, lines, complete=True)
        if all(fits(fit, texts, counted) for texts in items):
            return fit
    fit = TextFit(TEXT_SIZES_PX[-1], 0, complete=True)
    if context and all(fits(fit, texts, False) for texts in items):
        return fit
    return TextFit(TEXT_SIZES_PX[-1], lines)
