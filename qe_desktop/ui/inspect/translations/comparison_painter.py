"""Layout and painting of compared translations: lines, words, highlights, scores and cursor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPolygonF

from qe_desktop.corpus import DisplayText
from qe_desktop.corpus.text_spans import TokenSpans
from qe_desktop.escaping import escape_label
from qe_desktop.levels.translations.diff_styles import MarkStyle, TextMark
from qe_desktop.levels.translations.side_by_side import MarkedLine
from qe_desktop.ui.inspect.reader.layout_metrics import LayoutMetrics
from qe_desktop.ui.inspect.reader.word_decorations import (
    draw_cursor,
    draw_search_match,
    draw_shade,
    draw_word_lines,
    find_spans,
    frame_around,
)
from qe_desktop.ui.inspect.reader.word_layout import WordLayout
from qe_desktop.ui.theme import Theme

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
    """Return the width in pixels of the score column in a view of `width` pixels; only a long title is elided."""
    metrics = QFontMetricsF(sizes.small_font)
    widest = max((metrics.horizontalAdvance(score) for score in scores), default=0.0)
    return max(widest, min(metrics.horizontalAdvance(escape_label(title)), width * MAX_TITLE_FRACTION))


_STYLE_STEPS = {MarkStyle.STEP_1: 1, MarkStyle.STEP_2: 2, MarkStyle.STEP_3: 3, MarkStyle.STEP_4: 4}
_PEN_STYLES = {
    MarkStyle.DASHED: Qt.PenStyle.DashLine,
    MarkStyle.DOTTED: Qt.PenStyle.DotLine,
    MarkStyle.SOLID: Qt.PenStyle.SolidLine,
    MarkStyle.DOUBLE: Qt.PenStyle.SolidLine,
    MarkStyle.STRUCK: Qt.PenStyle.SolidLine,
}
SHADE_STEP = 0.13
"""Difference in opacity (0 to 1) between the background shades of successive steps."""
HALF_WAVE_LENGTH_PX = 5.0
"""Length of half a wave of a wavy underline, in pixels."""


def paint_background(painter: QPainter, rect: QRectF, style: MarkStyle, theme: Theme) -> None:
    """Paint the background of words if `style` has one; longer matches have stronger shades."""
    steps = _STYLE_STEPS.get(style, 0)
    if steps:
        draw_shade(painter, rect, theme.ok, SHADE_STEP * (steps - 0.4))


def paint_decoration(painter: QPainter, rect: QRectF, style: MarkStyle, theme: Theme) -> None:
    """Paint the lines or dots of a style below, around or through words."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if style in _STYLE_STEPS:
        _paint_step(painter, rect, _STYLE_STEPS[style], theme)
    elif style is MarkStyle.WAVED:
        painter.setPen(QPen(theme.miss, 1.6))
        painter.drawPath(_wave(rect.left(), rect.right(), rect.bottom() - 1))
    elif style is MarkStyle.FRAME:
        painter.setPen(QPen(theme.miss, 1.3, Qt.PenStyle.DotLine))
        painter.drawRoundedRect(rect.adjusted(-1, 2, 1, 0), 2, 2)
    elif style is MarkStyle.BRACKET:
        painter.setPen(QPen(theme.ok, 1.6))
        bottom, high = rect.bottom() + 1, rect.bottom() - rect.height() * 0.25
        left, right = rect.left() + 0.5, rect.right() - 0.5
        corners = [QPointF(left, high), QPointF(left, bottom), QPointF(right, bottom), QPointF(right, high)]
        painter.drawPolyline(QPolygonF(corners))
    elif style in _PEN_STYLES:
        double, struck = style is MarkStyle.DOUBLE, style is MarkStyle.STRUCK
        ink = theme.bad if struck else theme.ok
        draw_word_lines(painter, rect, ink, _PEN_STYLES[style], double=double, struck=struck)


def _paint_step(painter: QPainter, rect: QRectF, steps: int, theme: Theme) -> None:
    """Paint the length of a matching n-gram below it: one dot per word for up to three words, or a bar for four."""
    y = rect.bottom()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.ok)
    if steps == len(_STYLE_STEPS):
        painter.drawRect(QRectF(rect.left(), y - 1.6, rect.width(), 3.2))
        return
    size, distance = 3.6, 6.0
    left = rect.center().x() - distance * (steps - 1) / 2
    for step in range(steps):
        painter.drawEllipse(QPointF(left + step * distance, y), size / 2, size / 2)


def _wave(left: float, right: float, y: float) -> QPainterPath:
    path = QPainterPath(QPointF(left, y))
    x, up = left, True
    while x < right:
        next_x = min(right, x + HALF_WAVE_LENGTH_PX)
        path.quadTo(QPointF((x + next_x) / 2, y - 4 if up else y + 3), QPointF(next_x, y - 0.5))
        x, up = next_x, not up
    return path


def paint_insertion_tick(painter: QPainter, tip: QPointF, size: float, theme: Theme) -> None:
    """Paint an insertion tick: a triangle below the line that points up to `tip`, between two words."""
    half = size / 2
    triangle = QPolygonF([tip, QPointF(tip.x() - half, tip.y() + size), QPointF(tip.x() + half, tip.y() + size)])
    painter.setPen(QPen(theme.ok, 1.0))
    painter.setBrush(theme.ok)
    painter.drawPolygon(triangle)


def paint_sample(painter: QPainter, rect: QRectF, style: MarkStyle, theme: Theme) -> None:
    """Paint a sample of a highlight style."""
    if style is MarkStyle.TICK:
        paint_insertion_tick(painter, rect.center() + QPointF(0, rect.height() * 0.15), rect.height() * 0.45, theme)
        return
    paint_background(painter, rect, style, theme)
    paint_decoration(painter, rect, style, theme)


_LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


@dataclass(frozen=True, slots=True)
class ComparisonPainter:
    """Painter of the lines that intersect the rectangle `visible`.

    `metric` is the title of the score column, and `scores` contains one text per line. `cursor` is the cursor position
    (line, word); the cursor is painted only if `has_focus`. Matches of `search_text` are framed.
    """

    laid_out: ComparisonLayout
    theme: Theme
    visible: QRectF
    metric: str
    scores: tuple[str, ...]
    cursor: tuple[int, int] | None
    has_focus: bool
    search_text: str = ""

    def paint(self, painter: QPainter) -> None:
        """Paint the visible lines."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # names are at the left of the texts, and scores at their right, in every layout direction
        painter.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._paint_header(painter)
        for number, laid in enumerate(self.laid_out.laid_out_lines):
            if laid.bottom >= self.visible.top() and laid.top <= self.visible.bottom():
                self._paint_line(painter, number, laid)
        self._paint_cursor(painter)

    def _paint_header(self, painter: QPainter) -> None:
        if self.laid_out.scores_width:
            painter.setFont(self.laid_out.metrics.small_font)
            painter.setPen(self.theme.muted)
            rect = self._score_rect(0, self.laid_out.metrics.row_height)
            title = QFontMetricsF(painter.font()).elidedText(
                escape_label(self.metric), Qt.TextElideMode.ElideMiddle, rect.width()
            )
            painter.drawText(rect, _RIGHT, title)

    def _score_rect(self, top: float, height: float) -> QRectF:
        return QRectF(self.laid_out.right - self.laid_out.scores_width, top, self.laid_out.scores_width, height)

    def _paint_line(self, painter: QPainter, number: int, laid: LaidOutLine) -> None:
        if number:
            painter.fillRect(
                QRectF(self.laid_out.left, laid.top - 3, self.laid_out.right - self.laid_out.left, 1), self.theme.border
            )
        self._paint_label(painter, number, laid)
        at = QPointF(self.laid_out.left, laid.top)
        marks = [mark for mark in laid.line.marks if mark.end > mark.start]
        for mark in marks:
            for rect in laid.mark_rects(mark):
                paint_background(painter, rect.translated(at), mark.sign.style, self.theme)
        painter.setPen(self.theme.text)
        laid.layout.draw(painter, at)
        for mark in marks:
            for rect in laid.mark_rects(mark):
                paint_decoration(painter, rect.translated(at), mark.sign.style, self.theme)
        for start, end in find_spans(self.search_text, laid.layout.text):
            for rect in laid.layout.span(start, end):
                draw_search_match(painter, rect.translated(at), self.theme.accent)
        for mark in laid.line.marks:
            if mark.start == mark.end:
                paint_insertion_tick(
                    painter, laid.layout.caret(mark.start) + at, self.laid_out.metrics.gap_mark_size * 0.9, self.theme
                )

    def _paint_label(self, painter: QPainter, number: int, laid: LaidOutLine) -> None:
        sizes, lines = self.laid_out.metrics, laid.layout.lines
        height = lines[0].bottom - lines[0].top if lines else sizes.row_height
        font = QFont(sizes.small_font)
        font.setBold(laid.line.is_base)
        painter.setFont(font)
        painter.setPen(self.theme.text if laid.line.is_base else self.theme.muted)
        width = sizes.left - sizes.margin - 10
        name = QFontMetricsF(font).elidedText(escape_label(laid.line.name), Qt.TextElideMode.ElideMiddle, width)
        painter.drawText(QRectF(sizes.margin, laid.top, width, height), _LEFT, name)
        if self.laid_out.scores_width and number < len(self.scores):
            painter.setFont(sizes.small_font)
            painter.setPen(self.theme.text)
            painter.drawText(self._score_rect(laid.top, height), _RIGHT, self.scores[number])

    def _paint_cursor(self, painter: QPainter) -> None:
        if self.cursor is None or not self.has_focus:
            return
        number, word = self.cursor
        rect = self.laid_out.word_rect(number, word)
        if not rect.isEmpty():
            neighbours = [self.laid_out.word_rect(number, index) for index in (word - 1, word + 1) if index >= 0]
            draw_cursor(painter, frame_around(rect, filter(QRectF.isValid, neighbours)), self.theme)
