"""What the list shows of a text that is longer than its column: the part in which there is something to see."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from operator import itemgetter

from PySide6.QtGui import QFontMetricsF

from qe_desktop.corpus import Written
from qe_desktop.corpus.aligned import Places
from qe_desktop.ui.inspect.segment_model import on_one_line

CUT = "…"
"""Stands where words are left out."""
BEFORE = 0.35
"""The share of the room that may go to words before the one that is to be seen."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The part that is shown, with `CUT` before and behind it where some is left out: its first word is the word
    `first` of the segment.
    """

    written: Written
    first: int = 0

    def shown_at(self, word: int) -> int | None:
        """Where a word of the segment stands among those that are shown; None where it is left out."""
        shown = len(self.written.places) + self.written.ending
        return word - self.first if self.first <= word < self.first + shown else None


def excerpt(written: Written, wanted: int | None, metrics: QFontMetricsF, width: float) -> Excerpt:
    """As many whole words as fit, from the first on; where `wanted` is not among them, from a little before it."""
    line = _Line(on_one_line(written.text), written.places, metrics, width)
    first, end = 0, line.fitting(0)
    if wanted is not None and end <= wanted and end < len(line.places):
        first = line.begin(min(wanted, len(line.places) - 1))
        end = line.fitting(first)
    text, shift = line.part(first, end)
    places = tuple((low + shift, high + shift) for low, high in line.places[first:end])
    return Excerpt(Written(text, places, written.ending and end == len(line.places)), first)


@dataclass(frozen=True, slots=True)
class _Line:
    """A text on one line, and the room that there is for it."""

    text: str
    places: Places
    metrics: QFontMetricsF
    width: float

    def part(self, first: int, end: int) -> tuple[str, int]:
        """The text of the words `first` to `end` (exclusive), and how far its words stand from where they stood."""
        whole = end == len(self.places)
        if first == end and not (whole and not first):
            return CUT, 0
        low = self.places[first][0] if first else 0
        before, behind = f"{CUT} " if first else "", "" if whole else f" {CUT}"
        high = len(self.text) if whole else self.places[end - 1][1]
        return f"{before}{self.text[low:high]}{behind}", len(before) - low

    def fitting(self, first: int) -> int:
        """Behind which word the line is full that begins with the word `first`."""
        # measured by the longest text that could fit at all, so that a very long segment costs no more than a short one
        some = max(8, int(self.width / max(1.0, self.metrics.horizontalAdvance("0") * 0.4)))
        low = self.places[first][0] if first else 0
        end = len(self.places)
        if len(self.text) - low > some:
            end = max(first, bisect_right(self.places, low + some, key=itemgetter(1)))
        most = end
        while end > first:
            over = self._over(first, end)
            if over <= 1:
                break
            most = end - 1
            end = min(most, max(first + 1, first + int((end - first) / over))) if over > 1.2 else most
        # words of different widths: a step over several of them can leave room
        while end < most and self._over(first, end + 1) <= 1:
            end += 1
        return end

    def _over(self, first: int, end: int) -> float:
        """How much wider than its room a part is."""
        return self.metrics.horizontalAdvance(self.part(first, end)[0]) / max(1.0, self.width)

    def begin(self, wanted: int) -> int:
        """Where to begin so that a word is seen, and some of what stands before it."""
        first, room = wanted, self.width * BEFORE
        while first > 1:
            room -= self.metrics.horizontalAdvance(self.text[self.places[first - 1][0] : self.places[first][0]])
            if room < 0:
                break
            first -= 1
        return first
