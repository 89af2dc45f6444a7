"""What the list shows of a text that is longer than its column: the part in which there is something to see."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QFontMetricsF

CUT = "…"
"""Stands where words are left out."""
BEFORE = 0.35
"""The share of the room that may go to words before the one that is to be seen."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The tokens that are shown, with `CUT` before and behind them where some are left out: `first` is the place in the
    segment of the first that is shown, `end` that behind the last.
    """

    tokens: tuple[str, ...]
    first: int
    end: int

    def shown_at(self, word: int) -> int | None:
        """Where a word of the segment stands among the tokens; None where it is left out."""
        return word - self.first + (self.first > 0) if self.first <= word < self.end else None


def excerpt(tokens: list[str], wanted: int | None, metrics: QFontMetricsF, width: float) -> Excerpt:
    """As many whole tokens as fit, from the first on; where `wanted` is not among them, from a little before it."""
    count, cut = _fitting(tokens, 0, metrics, width)
    first = 0
    if wanted is not None and count <= wanted < len(tokens):
        first = _begin(tokens, wanted, metrics, width)
        count, cut = _fitting(tokens, first, metrics, width)
    kept = tokens[first : first + count]
    return Excerpt((*([CUT] if first else []), *kept, *([CUT] if cut else [])), first, first + count)


def _begin(tokens: list[str], wanted: int, metrics: QFontMetricsF, width: float) -> int:
    """Where to begin so that a word is seen, and some of what stands before it."""
    first, room = wanted, width * BEFORE
    while first > 1:
        room -= metrics.horizontalAdvance(tokens[first - 1] + " ")
        if room < 0:
            break
        first -= 1
    return first


def _fitting(tokens: list[str], first: int, metrics: QFontMetricsF, width: float) -> tuple[int, bool]:
    """How many tokens from `first` on fit, and whether more follow."""
    # measured by the longest text that could fit at all, so that a very long segment costs no more than a short one
    some = max(8, int(width / max(1.0, metrics.averageCharWidth() * 0.5)))
    used, kept = 0, 0
    while first + kept < len(tokens):
        used += len(tokens[first + kept]) + 1
        if used > some:
            break
        kept += 1
    before = f"{CUT} " if first else ""
    while kept:
        cut = first + kept < len(tokens)
        text = before + " ".join(tokens[first : first + kept]) + (f" {CUT}" if cut else "")
        over = metrics.horizontalAdvance(text) / max(1.0, width)
        if over <= 1:
            break
        kept = min(kept - 1, max(1, int(kept / over))) if over > 1.2 else kept - 1
    return kept, first + kept < len(tokens)
