"""The lines of translations side by side, laid out: where each stands, its words and the rooms of its marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from qe_desktop.corpus import Written
from qe_desktop.levels.translations.markings import Mark
from qe_desktop.levels.translations.side_by_side import Line
from qe_desktop.ui.inspect.page import Sizes
from qe_desktop.ui.inspect.words import WordLayout

AT_ONCE = 4_000
"""Characters that are laid out in one turn of the window; what is below waits for the next."""


@dataclass(slots=True)
class Laid:
    """A line at its place: where it begins and ends, its text laid out, and where its words begin in the text."""

    line: Line
    layout: WordLayout
    top: float
    bottom: float
    starts: tuple[int, ...]
    rooms: dict[Mark, list[QRectF]] = field(default_factory=dict)

    def word_span(self, word: int) -> tuple[int, int]:
        """The characters of a word."""
        start = self.starts[word]
        return start, start + len(self.layout.tokens[word])

    def room(self, mark: Mark) -> list[QRectF]:
        """The rectangles of a mark within the text, worked out when it is first painted."""
        if mark not in self.rooms:
            self.rooms[mark] = self.layout.span(mark.start, mark.end)
        return self.rooms[mark]


class LaidOut:
    """Lines below each other for a width and sizes; they come to stand by and by, `more` says whether some do not yet.

    Texts begin at `left` and have so much `room`; scores end at `right`.
    """

    def __init__(self, lines: Sequence[Line], sizes: Sizes, width: float, scores: float, direction: str) -> None:
        self.sizes = sizes
        self.width = width
        self.left = sizes.left
        self.right = width - sizes.margin
        self.scores = scores
        self.direction = direction
        self.room = max(120.0, width - sizes.left - sizes.margin - (scores + 12 if scores else 0))
        self.top = sizes.row * 1.1 if scores else 4.0
        self._waiting = list(lines)
        self.laid: list[Laid] = []

    @property
    def more(self) -> bool:
        """Whether lines wait to be laid out."""
        return bool(self._waiting)

    @property
    def height(self) -> float:
        """What the lines take that stand already."""
        return (self.laid[-1].bottom if self.laid else self.top) + self.sizes.margin * 0.5

    def lay_some(self) -> None:
        """Lay out the next lines, one at the least."""
        characters = 0
        while self._waiting and (not characters or characters + len(self._waiting[0].text) <= AT_ONCE):
            line = self._waiting.pop(0)
            characters += max(1, len(line.text))
            self._lay(line)

    def _lay(self, line: Line) -> None:
        tokens = line.text.split(" ") if line.text else []
        layout = WordLayout(
            Written.of_tokens(tokens),
            self.sizes.reading,
            self.room,
            below=self.sizes.tick * 1.1,
            direction=self.direction,
        )
        starts, place = [], 0
        for token in tokens:
            starts.append(place)
            place += len(token) + 1
        top = (self.laid[-1].bottom if self.laid else self.top) + 4
        self.laid.append(Laid(line, layout, top, top + layout.height + 4, tuple(starts)))

    def take(self, lines: Sequence[Line]) -> bool:
        """Take marks and scores of the same texts; False where the texts are others."""
        known = [one.line for one in self.laid] + self._waiting
        if [(line.key, line.text) for line in known] != [(line.key, line.text) for line in lines]:
            return False
        for one, line in zip(self.laid, lines, strict=False):
            if one.line.marks != line.marks:
                one.rooms = {}
            one.line = line
        self._waiting = list(lines[len(self.laid) :])
        return True

    def at(self, point: QPointF) -> tuple[int, int] | None:
        """The line and the word under a point, or None."""
        for number, one in enumerate(self.laid):
            if one.top <= point.y() < one.bottom:
                word = one.layout.word_at(point - QPointF(self.left, one.top))
                return None if word is None else (number, word)
        return None

    def word_rect(self, number: int, word: int) -> QRectF:
        """The first rectangle of a word; an empty one where there is no such word."""
        if number >= len(self.laid) or word >= len(self.laid[number].layout.tokens):
            return QRectF()
        rects = self.laid[number].layout.rects_of(word)
        return rects[0].translated(self.left, self.laid[number].top) if rects else QRectF()


def scores_width(texts: Sequence[str], sizes: Sizes) -> float:
    """The room of a column of scores with its head; none where there are no scores."""
    metrics = QFontMetricsF(sizes.small)
    return max((metrics.horizontalAdvance(text) for text in texts if text), default=0.0)
