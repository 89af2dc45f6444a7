"""Delegate of the segment list; draws each text on one line, with marked BAD words, inline codes and search matches."""

from __future__ import annotations

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF, QHelpEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from qe_desktop.corpus import DisplayText
from qe_desktop.corpus.tag_voting import LIGHT_MARK, MarkArray
from qe_desktop.corpus.text_spans import TokenSpans
from qe_desktop.ui.inspect.reader.word_decorations import (
    PositionedCode,
    code_size,
    draw_code,
    draw_search_match,
    find_spans,
)
from qe_desktop.ui.inspect.reader.word_layout import WordLayout
from qe_desktop.ui.inspect.segment_list.row_tags import excerpt_position
from qe_desktop.ui.inspect.segment_list.segment_model import LEFT, SegmentColumn, SegmentModel, replace_line_breaks
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.theme import current
from qe_desktop.ui.widgets.labels import plain_tooltip
from qe_desktop.ui.widgets.tables.table_delegate import PADDING
from qe_desktop.ui.widgets.tables.table_model import ModelIndex
from qe_desktop.ui.widgets.tag_painter import TagOutcome, TagPainter

ELLIPSIS = "…"
"""Text that replaces omitted words."""
LEADING_FRACTION = 0.35
"""Maximum fraction of the width used for words before the word that must be visible."""


@dataclass(frozen=True, slots=True)
class TextExcerpt:
    """Excerpt of the text of a segment, with `ELLIPSIS` for omitted parts.

    `first_word` is the index, among the words of the segment, of the first word in the excerpt. `codes` are the inline
    codes in the excerpt, which are not part of `display_text`.
    """

    display_text: DisplayText
    first_word: int = 0
    codes: tuple[PositionedCode, ...] = ()

    def index_in_excerpt(self, word: int) -> int | None:
        """Return the index in the excerpt of a word of the segment; None if the excerpt omits the word."""
        count = len(self.display_text.token_spans) + self.display_text.has_ending_tag
        return word - self.first_word if self.first_word <= word < self.first_word + count else None


def make_excerpt(
    display_text: DisplayText,
    word: int | None,
    metrics: QFontMetricsF,
    width: float,
    codes: Sequence[PositionedCode] = (),
) -> TextExcerpt:
    """Return an excerpt of as many whole words as fit into `width` pixels.

    The excerpt begins at the start of the text or, if `word` would then be omitted, shortly before that word.
    """
    line = _Line(replace_line_breaks(display_text.text), display_text.token_spans, metrics, width, tuple(codes))
    first, end = 0, line.excerpt_end(0)
    if word is not None and end <= word and end < len(line.word_spans):
        first = line.excerpt_start(min(word, len(line.word_spans) - 1))
        end = line.excerpt_end(first)
    text, shift = line.part(first, end)
    spans = tuple((start + shift, stop + shift) for start, stop in line.word_spans[first:end])
    shown_codes = tuple(code._replace(offset=code.offset + shift) for code in line.codes_of(first, end))
    return TextExcerpt(
        DisplayText(text, spans, display_text.has_ending_tag and end == len(line.word_spans)), first, shown_codes
    )


@dataclass(frozen=True, slots=True)
class _Line:
    """Text of one line, its inline codes, and the available width in pixels."""

    text: str
    word_spans: TokenSpans
    metrics: QFontMetricsF
    width: float
    codes: tuple[PositionedCode, ...] = ()

    def part(self, first: int, end: int) -> tuple[str, int]:
        """Return the text of words [first, end) with ellipses, and a shift.

        An offset in the line plus the shift is the offset in the returned text.
        """
        if self._is_empty(first, end):
            return ELLIPSIS, 0
        start, high = self._span(first, end)
        before, suffix = f"{ELLIPSIS} " if first else "", "" if end == len(self.word_spans) else f" {ELLIPSIS}"
        return f"{before}{self.text[start:high]}{suffix}", len(before) - start

    def _is_empty(self, first: int, end: int) -> bool:
        """Return whether the range [first, end) is empty although the line contains words."""
        return first == end and not (end == len(self.word_spans) and not first)

    def _span(self, first: int, end: int) -> tuple[int, int]:
        """Return the start and end offsets of words [first, end) in the line.

        If the first word of the line is included, so is the text before it; likewise the text after the last word.
        """
        start = self.word_spans[first][0] if first else 0
        return start, len(self.text) if end == len(self.word_spans) else self.word_spans[end - 1][1]

    def codes_of(self, first: int, end: int) -> list[PositionedCode]:
        """Return the inline codes before, in and after words [first, end)."""
        if not self.codes or self._is_empty(first, end):
            return []
        start, high = self._span(first, end)
        return [code for code in self.codes if start <= code.offset <= high]

    def excerpt_end(self, first: int) -> int:
        """Return the end (exclusive) of the longest sequence of words from `first` that fits into the width."""
        # limit the text that is measured, so that long segments cost no more than short ones
        max_chars = max(8, int(self.width / max(1.0, self.metrics.horizontalAdvance("0") * 0.4)))
        start = self.word_spans[first][0] if first else 0
        end = len(self.word_spans)
        if len(self.text) - start > max_chars:
            end = max(first, bisect_right(self.word_spans, start + max_chars, key=itemgetter(1)))
        max_end = end
        while end > first:
            relative_width = self._relative_width(first, end)
            if relative_width <= 1:
                break
            max_end = end - 1
            end = (
                min(max_end, max(first + 1, first + int((end - first) / relative_width)))
                if relative_width > 1.2
                else max_end
            )
        # a step over words of different widths can leave free space
        while end < max_end and self._relative_width(first, end + 1) <= 1:
            end += 1
        return end

    def _relative_width(self, first: int, end: int) -> float:
        """Return the width of words [first, end) as a fraction of the available width."""
        width = self.metrics.horizontalAdvance(self.part(first, end)[0])
        return (width + self._codes_width(self.codes_of(first, end))) / max(1.0, self.width)

    def _codes_width(self, codes: Iterable[PositionedCode]) -> float:
        return sum(code_size(placed.code, self.metrics).width() for placed in codes)

    def excerpt_start(self, wanted: int) -> int:
        """Return the index of the first word of an excerpt that shows word `wanted` and some words before it."""
        first, available = wanted, self.width * LEADING_FRACTION
        while first > 1:
            start, stop = self.word_spans[first - 1][0], self.word_spans[first][0]
            available -= self.metrics.horizontalAdvance(self.text[start:stop])
            available -= self._codes_width(code for code in self.codes if start <= code.offset < stop)
            if available < 0:
                break
            first -= 1
        return next((word for word in range(first, wanted + 1) if self._follows_space(word)), first)

    def _follows_space(self, word: int) -> bool:
        start = self.word_spans[word][0]
        return self.text[max(0, start - 1) : start].isspace()


MAX_CACHED_LINES = 400
"""Maximum number of cached layouts, enough for a few screens of rows with two texts each."""
UNLIMITED_WIDTH = 1e6
SELECTION_BAR_PX = 3
"""Width in pixels of the bar at the left edge of the selected row."""
GAP_MARK_SCALE = 0.42
"""Size of a gap mark relative to the height of the line."""
END_PADDING = "\u00a0\u00a0"
"""Placeholder for words missing at the end of a text; it is marked if their tag is BAD, and otherwise invisible."""


class SegmentDelegate(QStyledItemDelegate):
    """Delegate that draws source and MT with their marks, and other columns as plain text; layouts are cached."""

    def __init__(self, settings: Settings, model: SegmentModel) -> None:
        super().__init__(model)
        self._settings = settings
        self._model = model
        self._layouts: OrderedDict[tuple[object, ...], tuple[TextExcerpt, WordLayout]] = OrderedDict()
        model.modelReset.connect(self._layouts.clear)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: ModelIndex) -> None:
        """Draw a cell."""
        column = SegmentColumn(index.column())
        # the style draws the background, and the view draws the focus frame; the text is drawn here
        view = QStyleOptionViewItem(option)
        view.state &= ~QStyle.StateFlag.State_HasFocus
        style = view.widget.style() if view.widget is not None else None
        if style is not None:
            style.drawControl(QStyle.ControlElement.CE_ItemViewItem, view, painter, view.widget)
        if column is SegmentColumn.NUMBER and view.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(QRect(view.rect.topLeft(), QSize(SELECTION_BAR_PX, view.rect.height())), current().accent)
        if column not in (SegmentColumn.SOURCE, SegmentColumn.MT):
            self._draw_plain(painter, view, index)
            return
        self._draw(painter, view, index.row(), column)

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: ModelIndex
    ) -> bool:
        """Show what a cell does not: a text that is cut off, or what the symbols of a status mean."""
        if event.type() != QEvent.Type.ToolTip:
            return super().helpEvent(event, view, option, index)
        text = self._hidden_text(option, index) if index.isValid() else ""
        QToolTip.showText(event.globalPos(), plain_tooltip(text) if text else "", view)
        return True

    def _hidden_text(self, option: QStyleOptionViewItem, index: ModelIndex) -> str:
        column, segment = SegmentColumn(index.column()), self._model.segment_at(index.row())
        if column is SegmentColumn.STATUS:
            return str(index.data(Qt.ItemDataRole.AccessibleTextRole) or "")
        if column in (SegmentColumn.SOURCE, SegmentColumn.MT):
            text = self._model.displayed_text(segment, column).text
            part, _, _ = self._positioned_excerpt(option, segment, column, self._marks(segment, column))
            return "" if part.display_text.text == replace_line_breaks(text) else text
        text = str(index.data() or "")
        return "" if text == elide_text(text, column, option.fontMetrics, _text_rect(option).toRect().width()) else text

    def _draw_plain(self, painter: QPainter, view: QStyleOptionViewItem, index: ModelIndex) -> None:
        text_rect = view.rect.adjusted(PADDING, 0, -PADDING, 0)
        text = elide_text(str(index.data() or ""), SegmentColumn(index.column()), view.fontMetrics, text_rect.width())
        painter.setFont(view.font)
        painter.setPen(current().text)
        painter.drawText(text_rect, int(index.data(Qt.ItemDataRole.TextAlignmentRole) or LEFT), text)

    def word_at(self, option: QStyleOptionViewItem, index: ModelIndex, x: float) -> int | None:
        """Return the index in the segment of the word at horizontal position `x`; None if there is none."""
        column, segment = SegmentColumn(index.column()), self._model.segment_at(index.row())
        if column not in (SegmentColumn.SOURCE, SegmentColumn.MT):
            return None
        part, layout, at = self._positioned_excerpt(option, segment, column, self._marks(segment, column))
        word = layout.word_at(QPointF(x - at.x(), layout.height / 2))
        return None if word is None else word + part.first_word

    def _marks(self, segment: int, column: SegmentColumn) -> MarkArray | None:
        return self._model.column_marks(segment, column) if self._settings.highlights else None

    def _positioned_excerpt(
        self, view: QStyleOptionViewItem, segment: int, column: SegmentColumn, marks: MarkArray | None
    ) -> tuple[TextExcerpt, WordLayout, QPointF]:
        """Return the excerpt shown in a cell, its layout, and the position at which the layout is drawn."""
        rect = _text_rect(view)
        part, layout = self._layout(segment, column, view, rect.width(), self._word_in_view(segment, column, marks))
        at = QPointF(rect.left(), rect.top() + (rect.height() - layout.height) / 2)
        if layout.right_to_left:
            at.setX(rect.right() - UNLIMITED_WIDTH)
        return part, layout, at

    def _draw(self, painter: QPainter, view: QStyleOptionViewItem, row: int, column: SegmentColumn) -> None:
        segment = self._model.segment_at(row)
        marks = self._marks(segment, column)
        part, layout, at = self._positioned_excerpt(view, segment, column, marks)
        theme = current()
        painter.save()
        painter.setClipRect(_text_rect(view))
        marked = [] if marks is None else [(index, int(marks[index])) for index in marks.nonzero()[0].tolist()]
        tag_painter = TagPainter(theme, 1.6, dotted=column is SegmentColumn.SOURCE, margin=0)
        gaps = self._model.marks_gaps(column)
        for word, mark in () if gaps else marked:
            shown_word = part.index_in_excerpt(word)
            if shown_word is not None and shown_word < len(layout.tokens):
                for rect in layout.rects_of(shown_word):
                    tag_painter.paint_word(painter, rect.translated(at), partial=mark == LIGHT_MARK)
        painter.setPen(theme.text)
        layout.draw(painter, at)
        for chip, code in layout.code_rects():
            draw_code(painter, chip.translated(at), code, view.font, theme, right_to_left=layout.right_to_left)
        for index, mark in marked if gaps else ():
            if 0 <= index - part.first_word <= len(layout.tokens):
                x, _ = layout.gap(index - part.first_word)
                size = layout.height * GAP_MARK_SCALE
                tag_painter.paint_gap(
                    painter, at + QPointF(x, layout.height), size, TagOutcome.BAD, partial=mark == LIGHT_MARK
                )
        for start, end in find_spans(self._model.search_text, layout.text):
            for rect in layout.span(start, end):
                draw_search_match(painter, rect.translated(at), theme.accent)
        painter.restore()

    def _word_in_view(self, segment: int, column: SegmentColumn, marks: MarkArray | None) -> int | None:
        """Return the word to keep visible: the first search match, otherwise a BAD word; None if there is neither."""
        if self._model.search_text:
            written = self._model.displayed_text(segment, column)
            spans = find_spans(self._model.search_text, written.text)
            if spans:
                # the word that contains the start of the match, or the next word
                return next((word for word, (_, end) in enumerate(written.token_spans) if spans[0][0] < end), None)
        return None if marks is None else excerpt_position(marks)

    def _layout(
        self, segment: int, column: SegmentColumn, view: QStyleOptionViewItem, width: float, word: int | None
    ) -> tuple[TextExcerpt, WordLayout]:
        direction = self._model.direction(segment, column, self._settings)
        edited_target = self._model.edited_target(segment, column)
        key = (segment, column, round(width), view.font.toString(), direction, word, edited_target)
        cached = self._layouts.get(key)
        if cached is None:
            written = self._model.displayed_text(segment, column)
            codes = self._model.codes(segment, column, written.text)
            excerpt = make_excerpt(written, word, QFontMetricsF(view.font), width, codes)
            layout = WordLayout(
                excerpt.display_text,
                view.font,
                UNLIMITED_WIDTH,
                direction=direction,
                end=END_PADDING,
                codes=excerpt.codes,
            )
            cached = excerpt, layout
            self._layouts[key] = cached
            if len(self._layouts) > MAX_CACHED_LINES:
                self._layouts.popitem(last=False)
        else:
            self._layouts.move_to_end(key)
        return cached


def _text_rect(view: QStyleOptionViewItem) -> QRectF:
    return QRectF(view.rect).adjusted(PADDING, 0, -PADDING, 0)


def elide_text(text: str, column: SegmentColumn, metrics: QFontMetrics, width: int) -> str:
    """Elide a text at the end; in the difference column, elide it in the middle, because it ends with a number."""
    middle = column is SegmentColumn.DIFFERENCE
    return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight, width)
