"""Layout of compared translations: positions of lines, words and highlights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QFontMetricsF

from qe_desktop.corpus import DisplayText
from qe_desktop.corpus.detokenized_text import TokenSpans
from qe_desktop.escaping import escape_label
from qe_desktop.levels.translations.diff_styles import TextMark
from qe_desktop.levels.translations.side_by_side import MarkedLine
from qe_desktop.ui.inspect.reader.layout_metrics import LayoutMetrics
from qe_desktop.ui.inspect.reader.word_layout import WordLayout

CHARS_PER_STEP = 4_000
"""Maximum number of characters laid out per event-loop iteration; a single longer line is laid out as a whole."""


@dataclass(slots=True)
class LaidOutLine:
    """Line with its text layout and its vertical position in pixels."""

    line: MarkedLine
    layout: WordLayout
    top: float
    bottom: float
    cached_rects: dict[TextMark, list[QRectF]] = field(default_factory=dict)

    @property
    def words(self) -> TokenSpans:
        """Character spans of the words in the line."""
        return self.layout.display_text.token_spans

    def mark_rects(self, mark: TextMark) -> list[QRectF]:
        """Return the rectangles of a highlight, relative to the text layout; they are computed on first use."""
        if mark not in self.cached_rects:
            self.cached_rects[mark] = self.layout.span(mark.start, mark.end)
        return self.cached_rects[mark]


class ComparisonLayout:
    """Layout of compared lines for a width and layout metrics, computed in steps by `lay_out_next`.

    Texts start at `left` and are at most `text_width` wide. The score column is `scores_width` wide and ends at
    `right`. All lengths are in pixels.
    """

    def __init__(
        self, lines: Sequence[MarkedLine], sizes: LayoutMetrics, width: float, scores: float, direction: str
    ) -> None:
        self.metrics = sizes
        self.width = width
        self.left = sizes.left
        self.right = width - sizes.margin
        self.scores_width = scores
        self.direction = direction
        self.text_width = max(120.0, width - sizes.left - sizes.margin - (scores + 12 if scores else 0))
        self.top = sizes.row_height * 1.1 if scores else 4.0
        self._pending = list(lines)
        self.laid_out_lines: list[LaidOutLine] = []

    @property
    def has_pending_lines(self) -> bool:
        """Whether lines are still to be laid out."""
        return bool(self._pending)

    @property
    def height(self) -> float:
        """Height in pixels of the lines laid out so far, including the margins."""
        return (self.laid_out_lines[-1].bottom if self.laid_out_lines else self.top) + self.metrics.margin * 0.5

    def lay_out_next(self) -> None:
        """Lay out the next pending lines: at least one, and as many as fit into `CHARS_PER_STEP`."""
        characters = 0
        while self._pending and (not characters or characters + len(self._pending[0].text) <= CHARS_PER_STEP):
            line = self._pending.pop(0)
            characters += max(1, len(line.text))
            self._lay_out_line(line)

    def _lay_out_line(self, line: MarkedLine) -> None:
        tokens = line.text.split(" ") if line.text else []
        layout = WordLayout(
            DisplayText.of_tokens(tokens),
            self.metrics.text_font,
            self.text_width,
            below=self.metrics.gap_mark_size * 1.1,
            direction=self.direction,
        )
        top = (self.laid_out_lines[-1].bottom if self.laid_out_lines else self.top) + 4
        self.laid_out_lines.append(LaidOutLine(line, layout, top, top + layout.height + 4))

    def update_lines(self, lines: Sequence[MarkedLine]) -> bool:
        """Take highlights and scores from `lines`; if the texts differ, change nothing and return False."""
        laid_lines = [laid_line.line for laid_line in self.laid_out_lines] + self._pending
        if [(line.key, line.text) for line in laid_lines] != [(line.key, line.text) for line in lines]:
            return False
        for laid_line, line in zip(self.laid_out_lines, lines, strict=False):
            if laid_line.line.marks != line.marks:
                laid_line.cached_rects = {}
            laid_line.line = line
        self._pending = list(lines[len(self.laid_out_lines) :])
        return True

    def word_at(self, point: QPointF) -> tuple[int, int] | None:
        """Return the indices (line, word) of the word at a point; None if there is no word."""
        for number, laid_line in enumerate(self.laid_out_lines):
            if laid_line.top <= point.y() < laid_line.bottom:
                word = laid_line.layout.word_at(point - QPointF(self.left, laid_line.top))
                return None if word is None else (number, word)
        return None

    def word_rect(self, number: int, word: int) -> QRectF:
        """Return the first rectangle of a word in line `number`; empty if no such word has been laid out."""
        if number >= len(self.laid_out_lines) or word >= len(self.laid_out_lines[number].layout.tokens):
            return QRectF()
        rects = self.laid_out_lines[number].layout.rects_of(word)
        return rects[0].translated(self.left, self.laid_out_lines[number].top) if rects else QRectF()


MAX_TITLE_FRACTION = 0.25
"""Maximum width of the title of the score column, as a fraction of the width of the view."""


def scores_width(title: str, scores: Sequence[str], sizes: LayoutMetrics, width: float) -> float:
    """Return the width of the score column in a view of `width` pixels; a long title is elided, scores are not."""
    metrics = QFontMetricsF(sizes.small_font)
    widest = max((metrics.horizontalAdvance(score) for score in scores), default=0.0)
    return max(widest, min(metrics.horizontalAdvance(escape_label(title)), width * MAX_TITLE_FRACTION))
