"""Qt layout of a text, with the positions of its words, gaps and inline codes.

Qt counts UTF-16 code units, and Python counts code points. Offsets into a text are in code points.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QTextCharFormat, QTextLayout, QTextLine, QTextOption

from qe_desktop.corpus import Corpus, DisplayText, TextColumn, TextRole
from qe_desktop.corpus.languages import Direction, language_direction, majority_direction
from qe_desktop.formats.bilingual.plain_lines import LineCode
from qe_desktop.ui.inspect.reader.word_decorations import PositionedCode, code_size
from qe_desktop.ui.settings import Settings

END_SIGN = "¶"
"""Symbol appended to a text if one of its tags stands for words missing at the end."""
CODE_PLACEHOLDER = "\u00a0"
"""Placeholder for an inline code: a no-break space, so that no line break separates the code from adjacent words."""


@dataclass(frozen=True, slots=True)
class LayoutLine:
    """Vertical extent of a line of text in pixels, without the free space below it."""

    top: float
    bottom: float


def utf16_length(text: str) -> int:
    """Return the length of a text in UTF-16 code units."""
    return len(text) if not text or max(text) <= "\uffff" else len(text.encode("utf-16-le")) // 2


class WordLayout:
    """Text laid out in lines at most `width` pixels wide, with `below` free pixels for tag rows below each line.

    Coordinates start at (0, 0). `rects[i]` are the rectangles of word i, one for each line that the word occupies. They
    are computed on demand, because computing them is expensive. If the text has a tag for words missing at the end,
    `end` is appended as an additional word. `codes` take up space between characters, but are not part of words or of
    `text`.
    """

    def __init__(
        self,
        display_text: DisplayText,
        font: QFont,
        width: float,
        *,
        below: float = 0.0,
        direction: str = "auto",
        end: str = END_SIGN,
        codes: Sequence[PositionedCode] = (),
    ) -> None:
        self.display_text, self.codes = display_text, tuple(codes)
        self.tokens = (*display_text.words, end) if display_text.has_ending_tag else tuple(display_text.words)
        self.text = _with_end_sign(display_text.text, end) if display_text.has_ending_tag else display_text.text
        self.right_to_left = direction == "rtl" or (direction == "auto" and _runs_right_to_left(self.text))
        self._utf16_positions = _utf16_offsets(self.text)
        spans = (
            [*display_text.token_spans, (len(self.text) - len(end), len(self.text))]
            if display_text.has_ending_tag
            else display_text.token_spans
        )
        self._code_offsets = [placed.offset for placed in self.codes]
        self._starts = [self._position_after_codes(start) for start, _ in spans]
        self._ends = [self._position_before_codes(stop) for _, stop in spans]
        self._layout = QTextLayout(_with_placeholders(self.text, self._code_offsets), font)
        self._layout.setFormats(self._code_formats(font))
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(
            Qt.LayoutDirection.RightToLeft if self.right_to_left else Qt.LayoutDirection.LeftToRight
        )
        if self.right_to_left:
            option.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
        self._layout.setTextOption(option)
        self._layout.setCacheEnabled(True)
        self.height = self._break(width, below, QFontMetricsF(font))
        self._word_parts: list[list[tuple[int, int, int]]] = [[] for _ in self.tokens]
        self._rects: dict[int, list[QRectF]] = {}
        self.lines: list[LayoutLine] = self._place_words()

    def _code_formats(self, font: QFont) -> list[QTextLayout.FormatRange]:
        """Return the formats that give placeholders the width of their inline codes."""
        metrics, formats = QFontMetricsF(font), []
        for number, placed in enumerate(self.codes):
            format_range = QTextLayout.FormatRange()
            format_range.start, format_range.length = self._code_position(number), 1
            char_format = QTextCharFormat()
            char_format.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
            char_format.setFontLetterSpacing(
                code_size(placed.code, metrics).width() - metrics.horizontalAdvance(CODE_PLACEHOLDER)
            )
            format_range.format = char_format
            formats.append(format_range)
        return formats

    def code_rects(self) -> list[tuple[QRectF, LineCode]]:
        """Return the inline codes with their rectangles, whose height is the ascent of the line."""
        chips = []
        for number, placed in enumerate(self.codes):
            at = self._code_position(number)
            line = self._layout.lineForTextPosition(at)
            if line.isValid():
                left, right = sorted((_x(line, at), _x(line, at + 1)))
                chips.append((QRectF(left, line.y(), right - left, line.ascent()), placed.code))
        return chips

    def code_at(self, point: QPointF) -> LineCode | None:
        """Return the inline code at a point; None if there is none."""
        return next((code for rect, code in self.code_rects() if rect.contains(point)), None)

    def _break(self, width: float, below: float, metrics: QFontMetricsF) -> float:
        y = 0.0
        self._layout.beginLayout()
        while True:
            line = self._layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(max(width, metrics.horizontalAdvance("0") * 4))
            line.setPosition(QPointF(0, y))
            y += line.height() + below
        self._layout.endLayout()
        return y or metrics.height() + below

    def space_lines(self, below: Sequence[float]) -> None:
        """Set the free space below each line, in pixels, without changing the line breaks."""
        y = 0.0
        for number, space in zip(range(self._layout.lineCount()), below, strict=True):
            line = self._layout.lineAt(number)
            line.setPosition(QPointF(line.x(), y))
            y += line.height() + space
        self.height = y or self.height
        self._rects.clear()
        self.__dict__.pop("rects", None)
        self.lines = self._lines()

    def _lines(self) -> list[LayoutLine]:
        rects = [self._layout.lineAt(number).rect() for number in range(self._layout.lineCount())]
        return [LayoutLine(rect.top(), rect.bottom()) for rect in rects]

    def line_of(self, word: int) -> int:
        """Return the index of the line on which a word begins; 0 if the word has no characters."""
        parts = self._word_parts[word] if word < len(self._word_parts) else []
        return parts[0][0] if parts else 0

    def _place_words(self) -> list[LayoutLine]:
        word = 0
        for number in range(self._layout.lineCount()):
            line = self._layout.lineAt(number)
            first, end = line.textStart(), line.textStart() + line.textLength()
            while word < len(self.tokens) and self._starts[word] < end:
                start, stop = max(self._starts[word], first), min(self._ends[word], end)
                if start < stop:
                    self._word_parts[word].append((number, start, stop))
                if self._ends[word] > end:
                    break
                word += 1
        return self._lines()

    @cached_property
    def rects(self) -> list[list[QRectF]]:
        """Rectangles of all words."""
        return [self.rects_of(word) for word in range(len(self.tokens))]

    def rects_of(self, word: int) -> list[QRectF]:
        """Return the rectangles of a word."""
        if word not in self._rects:
            self._rects[word] = [
                _text_rect(self._layout.lineAt(number), start, stop) for number, start, stop in self._word_parts[word]
            ]
        return self._rects[word]

    @property
    def rect_lines(self) -> list[list[int]]:
        """Line index of each rectangle, as one list per word."""
        return [[number for number, _, _ in parts] for parts in self._word_parts]

    def span(self, start: int, end: int) -> list[QRectF]:
        """Return the rectangles of the characters [start, end), one per line."""
        first, last = self._position_after_codes(start), self._position_before_codes(end)
        if first in self._starts and last in self._ends:
            word = self._starts.index(first)
            if self._ends[word] == last:
                return self.rects_of(word)
        rects = []
        for number in range(self._layout.lineCount()):
            line = self._layout.lineAt(number)
            begin, stop = max(first, line.textStart()), min(last, line.textStart() + line.textLength())
            if begin < stop:
                rects.append(_text_rect(line, begin, stop))
        return rects

    def caret(self, offset: int) -> QPointF:
        """Return the point before the character at `offset`, at the bottom of its line.

        If the character begins a line other than the first, return the end of the previous line instead.
        """
        at = self._position_before_codes(offset)
        line = self._layout.lineForTextPosition(at)
        # at a line break, use the end of the previous line
        number = line.lineNumber()
        if at and number and at == line.textStart():
            line = self._layout.lineAt(number - 1)
        return QPointF(_x(line, at), line.rect().bottom()) if line.isValid() else QPointF(0.0, self.height)

    def _position_before_codes(self, offset: int) -> int:
        """Return the Qt position of a text offset, before the inline codes at this offset."""
        return self._utf16_offset(offset) + bisect_left(self._code_offsets, offset)

    def _position_after_codes(self, offset: int) -> int:
        """Return the Qt position of a text offset, after the inline codes at this offset."""
        return self._utf16_offset(offset) + bisect_right(self._code_offsets, offset)

    def _code_position(self, number: int) -> int:
        """Return the Qt position of an inline code."""
        return self._utf16_offset(self._code_offsets[number]) + number

    def _utf16_offset(self, offset: int) -> int:
        return offset if self._utf16_positions is None else self._utf16_positions[offset]

    def draw(self, painter: QPainter, at: QPointF, muted: QColor | None = None) -> None:
        """Draw the text at the position `at`; if `muted` is not None, draw the end sign in that colour."""
        if muted is None or not self.display_text.has_ending_tag:
            self._layout.draw(painter, at)
            return
        format_range = QTextLayout.FormatRange()
        format_range.start, format_range.length = self._starts[-1], self._ends[-1] - self._starts[-1]
        char_format = QTextCharFormat()
        char_format.setForeground(muted)
        format_range.format = char_format
        self._layout.draw(painter, at, [format_range])

    def word_at(self, point: QPointF) -> int | None:
        """Return the index of the word at a point; None if there is none."""
        for word, rects in enumerate(self.rects):
            if any(rect.contains(point) for rect in rects):
                return word
        return None

    def gap(self, index: int) -> tuple[float, int]:
        """Return the x coordinate and the line index of the gap before word `index`.

        If `index` is the number of words, the gap is the one after the last word.
        """
        if not self.tokens:
            return 0.0, 0
        if index >= len(self.tokens):
            last = self.rects_of(len(self.tokens) - 1)
            rect = last[-1] if last else QRectF()
            outer = rect.left() if self.right_to_left else rect.right()
            return outer + self._edge_offset(-1.0), len(self.lines) - 1
        rects = self.rects_of(index)
        if not rects:
            return 0.0, 0
        line = self._word_parts[index][0][0]
        edge = rects[0].right() if self.right_to_left else rects[0].left()
        before = self.rects_of(index - 1) if index else []
        if before and abs(before[-1].top() - rects[0].top()) < 1:
            neighbour_edge = before[-1].left() if self.right_to_left else before[-1].right()
            return (edge + neighbour_edge) / 2, line
        return edge + self._edge_offset(1.0), line

    def _edge_offset(self, side: float) -> float:
        # a gap at a line's edge is drawn slightly off the word
        return side * (2.0 if self.right_to_left else -2.0)

    def gap_at(self, point: QPointF, max_distance: float) -> int | None:
        """Return the index of the gap nearest to a point; None if there is none.

        Only gaps on the same line as the point, and at most `max_distance` pixels away, are considered.
        """
        best: tuple[float, int] | None = None
        for index in range(len(self.tokens) + 1):
            x, number = self.gap(index)
            line = self.lines[number] if self.lines else None
            if line is not None and line.top <= point.y() <= line.bottom:
                distance = abs(point.x() - x)
                if distance <= max_distance and (best is None or distance < best[0]):
                    best = (distance, index)
        return None if best is None else best[1]


def _runs_right_to_left(text: str) -> bool:
    return majority_direction([text]) is Direction.RIGHT_TO_LEFT


def _text_rect(line: QTextLine, start: int, stop: int) -> QRectF:
    """Return the rectangle of the characters at the Qt positions [start, stop) of a line; it is as tall as the line."""
    bounds = QRectF()
    for run in line.glyphRuns(start, stop - start):
        bounds = bounds.united(run.boundingRect())
    top = line.rect()
    if bounds.isEmpty():
        left, right = _x(line, start), _x(line, stop)
        bounds = QRectF(min(left, right), top.top(), max(2.0, abs(right - left)), top.height())
    return QRectF(bounds.left(), top.top(), bounds.width(), top.height())


def _x(line: QTextLine, position: int) -> float:
    result: Any = line.cursorToX(position)
    return float(result[0] if isinstance(result, tuple) else result)


def _with_end_sign(text: str, sign: str) -> str:
    return f"{text} {sign}" if text else sign


def _with_placeholders(text: str, offsets: Sequence[int]) -> str:
    """Insert a placeholder for each inline code."""
    edges = [0, *offsets, len(text)]
    return CODE_PLACEHOLDER.join(text[start:high] for start, high in pairwise(edges))


def _utf16_offsets(text: str) -> list[int] | None:
    """Return the UTF-16 offsets of all characters and of the end; None if all equal the offsets in code points."""
    if not text or max(text) <= "\uffff":
        return None
    return [0, *accumulate(1 + (character > "\uffff") for character in text)]


AUTO = "auto"


def text_direction(corpus: Corpus, segment: int, role: TextRole, settings: Settings) -> str:
    """Return the direction of a segment's text: "ltr", "rtl", or "auto" if it is unknown.

    The setting takes precedence over the language stated in the files; if neither determines the direction, it is the
    direction of most texts with this role.
    """
    source, target = _language_directions(corpus, segment)
    if role is TextRole.SOURCE:
        return _resolve_direction(settings.source_direction, source, corpus.text(role))
    return _resolve_direction(settings.mt_direction, target, corpus.text(role))


def translations_direction(corpus: Corpus, segment: int, settings: Settings) -> str:
    """Return the direction of the compared translations of a segment, which share one language."""
    columns = (corpus.text(TextRole.MT), *corpus.references.values(), *corpus.translations.values())
    column = next((column for column in columns if column is not None), None)
    return _resolve_direction(settings.mt_direction, _language_directions(corpus, segment)[1], column)


def _language_directions(corpus: Corpus, segment: int) -> tuple[str, str]:
    """Return the directions of the languages that the files state for source and target; "auto" if unknown."""
    source, target = corpus.languages
    if corpus.job is not None:
        source, target = corpus.source_language_of(segment), corpus.target_language_of(segment)
    return str(language_direction(source)), str(language_direction(target))


def _resolve_direction(setting: str, of_language: str, column: TextColumn | None) -> str:
    if setting != AUTO:
        return setting
    return of_language if of_language != AUTO or column is None else str(column.direction())
