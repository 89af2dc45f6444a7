"""The lines of translations side by side, laid out: where each stands, its words and the rooms of its marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from qe_desktop.corpus import DisplayText
from qe_desktop.levels.translations.diff_styles import TextMark
from qe_desktop.levels.translations.side_by_side import MarkedLine
from qe_desktop.ui.inspect.reader.segment_layout import LayoutMetrics
from qe_desktop.ui.inspect.reader.word_layout import WordLayout

CHARS_PER_STEP = 4_000
"""Characters that are laid out in one turn of the window; what is below waits for the next."""


@dataclass(slots=True)
class LaidOutLine:
    """A line at its place: where it begins and ends, its text laid out, and where its words begin in the text."""

    line: MarkedLine
    layout: WordLayout
    top: float
    bottom: float
    starts: tuple[int, ...]
    rooms: dict[TextMark, list[QRectF]] = field(default_factory=dict)

    def word_span(self, word: int) -> tuple[int, int]:
        """The characters of a word."""
        start = self.starts[word]
        return start, start + len(self.layout.tokens[word])

    def room(self, mark: TextMark) -> list[QRectF]:
        """The rectangles of a mark within the text, worked out when it is first painted."""
        if mark not in self.rooms:
            self.rooms[mark] = self.layout.span(mark.start, mark.end)
        return self.rooms[mark]


class ComparisonLayout:
    """Lines below each other for a width and sizes; they come to stand by and by, `more` says whether some do not yet.

    Texts begin at `left` and have so much `room`; scores end at `right`.
    """

    def __init__(
        self, lines: Sequence[MarkedLine], sizes: LayoutMetrics, width: float, scores: float, direction: str
    ) -> None:
        self.sizes = sizes
        self.width = width
        self.left = sizes.left
        self.right = width - sizes.margin
        self.scores = scores
        self.direction = direction
        self.room = max(120.0, width - sizes.left - sizes.margin - (scores + 12 if scores else 0))
        self.top = sizes.row * 1.1 if scores else 4.0
        self._waiting = list(lines)
        self.laid: list[LaidOutLine] = []

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
        while self._waiting and (not characters or characters + len(self._waiting[0].text) <= CHARS_PER_STEP):
            line = self._waiting.pop(0)
            characters += max(1, len(line.text))
            self._lay(line)

    def _lay(self, line: MarkedLine) -> None:
        tokens = line.text.split(" ") if line.text else []
        layout = WordLayout(
            DisplayText.of_tokens(tokens),
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
        self.laid.append(LaidOutLine(line, layout, top, top + layout.height + 4, tuple(starts)))

    def take(self, lines: Sequence[MarkedLine]) -> bool:
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


def scores_width(texts: Sequence[str], sizes: LayoutMetrics) -> float:
    """The room of a column of scores with its head; none where there are no scores."""
    metrics = QFontMetricsF(sizes.small)
    return max((metrics.horizontalAdvance(text) for text in texts if text), default=0.0)
