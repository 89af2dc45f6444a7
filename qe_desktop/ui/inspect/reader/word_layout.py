"""A segment's text laid out word by word: shaped once by Qt, with the places of words and gaps for painting and mouse.

Qt counts text in UTF-16 units, Python in code points: the two meet here and nowhere else.
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
from qe_desktop.ui.inspect.reader.inline_code_painting import PositionedCode, code_size
from qe_desktop.ui.settings import Settings

END_SIGN = "¶"
"""The sign at the end of a text that stands for what is missing there, where that has a tag of its own."""
CODE_PLACEHOLDER = "\u00a0"
"""What keeps the room of a chip: a blank at which no line breaks, so that the chip stays with its words."""


@dataclass(frozen=True, slots=True)
class LayoutLine:
    """One line of text: its top, and the bottom of its text."""

    top: float
    bottom: float


def utf16_length(text: str) -> int:
    """The length of a text as Qt counts it."""
    return len(text) if not text or max(text) <= "\uffff" else len(text.encode("utf-16-le")) // 2


class WordLayout:
    """A text in lines of at most `width`, each line followed by `below` free pixels for what stands under the words.

    Coordinates start at (0, 0). `rects[i]` are the rectangles of word i: one, or several where it breaks over lines.
    They take longer than all else and are looked up when they are asked for; a list asks for those of few words alone.
    What is missing at the end counts as the last word where it has a tag; it is written as the sign `end`.
    `codes` have room among the characters, but are none: neither words nor `text` know of them.
    """

    def __init__(
        self,
        written: DisplayText,
        font: QFont,
        width: float,
        *,
        below: float = 0.0,
        direction: str = "auto",
        end: str = END_SIGN,
        codes: Sequence[PositionedCode] = (),
    ) -> None:
        self.written, self.codes = written, tuple(codes)
        self.tokens = (*written.words, end) if written.ending else tuple(written.words)
        self.text = _with_end_sign(written.text, end) if written.ending else written.text
        self.right_to_left = direction == "rtl" or (direction == "auto" and _runs_right_to_left(self.text))
        self._units = _utf16_offsets(self.text)
        places = [*written.places, (len(self.text) - len(end), len(self.text))] if written.ending else written.places
        self._before = [placed.place for placed in self.codes]
        self._starts, self._ends = [self._behind(low) for low, _ in places], [self._place(high) for _, high in places]
        self._layout = QTextLayout(_with_placeholders(self.text, self._before), font)
        self._layout.setFormats(self._rooms(font))
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
        self._parts: list[list[tuple[int, int, int]]] = [[] for _ in self.tokens]
        self._found: dict[int, list[QRectF]] = {}
        self.lines: list[LayoutLine] = self._place_words()

    def _rooms(self, font: QFont) -> list[QTextLayout.FormatRange]:
        """The formats that make blanks as wide as the chips that stand there."""
        metrics, found = QFontMetricsF(font), []
        for number, placed in enumerate(self.codes):
            room = QTextLayout.FormatRange()
            room.start, room.length = self._chip(number), 1
            look = QTextCharFormat()
            look.setFontLetterSpacingType(QFont.SpacingType.AbsoluteSpacing)
            look.setFontLetterSpacing(
                code_size(placed.code, metrics).width() - metrics.horizontalAdvance(CODE_PLACEHOLDER)
            )
            room.format = look
            found.append(room)
        return found

    def chips(self) -> list[tuple[QRectF, LineCode]]:
        """Where codes are drawn, as high as letters."""
        found = []
        for number, placed in enumerate(self.codes):
            at = self._chip(number)
            line = self._layout.lineForTextPosition(at)
            if line.isValid():
                left, right = sorted((_x(line, at), _x(line, at + 1)))
                found.append((QRectF(left, line.y(), right - left, line.ascent()), placed.code))
        return found

    def code_at(self, point: QPointF) -> LineCode | None:
        """The code under a point, or None."""
        return next((code for room, code in self.chips() if room.contains(point)), None)

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

    def _place_words(self) -> list[LayoutLine]:
        found: list[LayoutLine] = []
        word = 0
        for number in range(self._layout.lineCount()):
            line = self._layout.lineAt(number)
            first, end = line.textStart(), line.textStart() + line.textLength()
            while word < len(self.tokens) and self._starts[word] < end:
                start, stop = max(self._starts[word], first), min(self._ends[word], end)
                if start < stop:
                    self._parts[word].append((number, start, stop))
                if self._ends[word] > end:
                    break
                word += 1
            rect = line.rect()
            found.append(LayoutLine(rect.top(), rect.bottom()))
        return found

    @cached_property
    def rects(self) -> list[list[QRectF]]:
        """Those of all words."""
        return [self.rects_of(word) for word in range(len(self.tokens))]

    def rects_of(self, word: int) -> list[QRectF]:
        """The rectangles of one word."""
        if word not in self._found:
            self._found[word] = [
                _text_rect(self._layout.lineAt(number), start, stop) for number, start, stop in self._parts[word]
            ]
        return self._found[word]

    @property
    def rect_lines(self) -> list[list[int]]:
        """The line that each of a word's rectangles stands on."""
        return [[number for number, _, _ in parts] for parts in self._parts]

    def span(self, start: int, end: int) -> list[QRectF]:
        """The rectangles of the characters from `start` to before `end` of the text, one for each line or more."""
        first, last = self._behind(start), self._place(end)
        if first in self._starts and last in self._ends:
            word = self._starts.index(first)
            if self._ends[word] == last:
                return self.rects_of(word)
        found = []
        for number in range(self._layout.lineCount()):
            line = self._layout.lineAt(number)
            begin, stop = max(first, line.textStart()), min(last, line.textStart() + line.textLength())
            if begin < stop:
                found.append(_text_rect(line, begin, stop))
        return found

    def caret(self, place: int) -> QPointF:
        """Where a line ends between two characters of the text, at the bottom of its line."""
        at = self._place(place)
        line = self._layout.lineForTextPosition(at)
        # behind the last word of a line, and not before the first of the next
        number = line.lineNumber()
        if at and number and at == line.textStart():
            line = self._layout.lineAt(number - 1)
        return QPointF(_x(line, at), line.rect().bottom()) if line.isValid() else QPointF(0.0, self.height)

    def _place(self, place: int) -> int:
        """A place among the characters of the text as Qt counts them: before the codes that stand there."""
        return self._unit(place) + bisect_left(self._before, place)

    def _behind(self, place: int) -> int:
        """The same, behind the codes that stand there."""
        return self._unit(place) + bisect_right(self._before, place)

    def _chip(self, number: int) -> int:
        """Where the room of a code is."""
        return self._unit(self._before[number]) + number

    def _unit(self, place: int) -> int:
        return place if self._units is None else self._units[place]

    def draw(self, painter: QPainter, at: QPointF, quiet: QColor | None = None) -> None:
        """Draw the text; the sign at its end in a `quiet` colour."""
        if quiet is None or not self.written.ending:
            self._layout.draw(painter, at)
            return
        sign = QTextLayout.FormatRange()
        sign.start, sign.length = self._starts[-1], self._ends[-1] - self._starts[-1]
        look = QTextCharFormat()
        look.setForeground(quiet)
        sign.format = look
        self._layout.draw(painter, at, [sign])

    def word_at(self, point: QPointF) -> int | None:
        """The word under a point, or None."""
        for word, rects in enumerate(self.rects):
            if any(rect.contains(point) for rect in rects):
                return word
        return None

    def gap(self, place: int) -> tuple[float, int]:
        """The x of the gap before word `place` (behind the last for the number of words), and its line."""
        if not self.tokens:
            return 0.0, 0
        if place >= len(self.tokens):
            last = self.rects_of(len(self.tokens) - 1)
            rect = last[-1] if last else QRectF()
            outer = rect.left() if self.right_to_left else rect.right()
            return outer + self._nudge(-1.0), len(self.lines) - 1
        rects = self.rects_of(place)
        if not rects:
            return 0.0, 0
        line = self._parts[place][0][0]
        edge = rects[0].right() if self.right_to_left else rects[0].left()
        before = self.rects_of(place - 1) if place else []
        if before and abs(before[-1].top() - rects[0].top()) < 1:
            other = before[-1].left() if self.right_to_left else before[-1].right()
            return (edge + other) / 2, line
        return edge + self._nudge(1.0), line

    def _nudge(self, side: float) -> float:
        # a gap at a line's edge stands a little off the word
        return side * (2.0 if self.right_to_left else -2.0)

    def gap_at(self, point: QPointF, reach: float) -> int | None:
        """The gap nearest to a point, within `reach` pixels on its line, or None."""
        best: tuple[float, int] | None = None
        for place in range(len(self.tokens) + 1):
            x, number = self.gap(place)
            line = self.lines[number] if self.lines else None
            if line is not None and line.top <= point.y() <= line.bottom:
                distance = abs(point.x() - x)
                if distance <= reach and (best is None or distance < best[0]):
                    best = (distance, place)
        return None if best is None else best[1]


def _runs_right_to_left(text: str) -> bool:
    return majority_direction([text]) is Direction.RIGHT_TO_LEFT


def _text_rect(line: QTextLine, start: int, stop: int) -> QRectF:
    """The room of some of a line's characters, as high as the line."""
    joined = QRectF()
    for run in line.glyphRuns(start, stop - start):
        joined = joined.united(run.boundingRect())
    top = line.rect()
    if joined.isEmpty():
        left, right = _x(line, start), _x(line, stop)
        joined = QRectF(min(left, right), top.top(), max(2.0, abs(right - left)), top.height())
    return QRectF(joined.left(), top.top(), joined.width(), top.height())


def _x(line: QTextLine, place: int) -> float:
    found: Any = line.cursorToX(place)
    return float(found[0] if isinstance(found, tuple) else found)


def _with_end_sign(text: str, sign: str) -> str:
    return f"{text} {sign}" if text else sign


def _with_placeholders(text: str, places: Sequence[int]) -> str:
    """A text with a blank for each code, before the character that it stands before."""
    edges = [0, *places, len(text)]
    return CODE_PLACEHOLDER.join(text[low:high] for low, high in pairwise(edges))


def _utf16_offsets(text: str) -> list[int] | None:
    """Where each character of a text begins as Qt counts, and where the text ends; None where Python counts alike."""
    if not text or max(text) <= "\uffff":
        return None
    return [0, *accumulate(1 + (character > "\uffff") for character in text)]


AUTO = "auto"


def text_direction(corpus: Corpus, role: TextRole, settings: Settings) -> str:
    """“ltr”, “rtl”, or “auto” where no text of that role says it."""
    source, target = _language_directions(corpus)
    if role is TextRole.SOURCE:
        return _resolve_direction(settings.source_direction, source, corpus.text(role))
    return _resolve_direction(settings.mt_direction, target, corpus.text(role))


def translations_direction(corpus: Corpus, settings: Settings) -> str:
    """That of the texts that stand side by side, which are all in one language."""
    columns = (corpus.text(TextRole.MT), *corpus.references.values(), *corpus.translations.values())
    column = next((column for column in columns if column is not None), None)
    return _resolve_direction(settings.mt_direction, _language_directions(corpus)[1], column)


def _language_directions(corpus: Corpus) -> tuple[str, str]:
    """The directions of the languages of source and target that files name; “auto” where they do not."""
    named = corpus.languages if corpus.job is None else corpus.source_and_target()
    return str(language_direction(named[0])), str(language_direction(named[1]))


def _resolve_direction(wanted: str, of_language: str, column: TextColumn | None) -> str:
    if wanted != AUTO:
        return wanted
    return of_language if of_language != AUTO or column is None else str(column.direction())
