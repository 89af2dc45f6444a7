"""Painting of a segment: backgrounds, texts, and tag rows below them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter

from qe_desktop.corpus import Kind, LayerKey, Provenance, Tags, TextRole
from qe_desktop.corpus.tag_voting import LIGHT_MARK, segment_marks
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.inspect.reader.layout_metrics import row_name
from qe_desktop.ui.inspect.reader.segment_layout import WRAP_FLAGS, SegmentLayout, TextBlock, shading_row
from qe_desktop.ui.inspect.reader.segment_words import TagRow
from qe_desktop.ui.inspect.reader.word_decorations import (
    EditType,
    draw_code,
    draw_cursor,
    draw_edit_type,
    draw_edited,
    draw_gap_cursor,
    draw_probability,
    draw_search_match,
    find_spans,
)
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.tag_painter import TagOutcome, TagPainter, tag_outcome

MIN_THIN_PROBABILITY = 0.1
"""Minimum P(BAD) for which the tag of a word in a thin row is shaded."""


@dataclass(frozen=True, slots=True)
class SegmentPainter:
    """Painter of a segment layout with its cursor, selection and highlighted words.

    `highlighted_words` holds the hovered word and the words aligned with it. If no word is hovered, it holds only the
    words aligned with the word at the cursor. Edited tags of layer `target` are marked, and matches of `search_text`
    are framed.
    """

    page: SegmentLayout
    theme: Theme
    cursor: int
    selected: tuple[int, ...]
    highlighted_words: dict[Kind, set[int]]
    has_focus: bool
    target: LayerKey | None
    search_text: str = ""

    def paint(self, painter: QPainter, visible: QRectF) -> None:
        """Paint the part of the layout within `visible`."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        sizes = self.page.metrics
        painter.setFont(sizes.small_font)
        painter.setPen(self.theme.muted)
        painter.drawText(self.page.footnote_rect, WRAP_FLAGS, self.page.footnote)
        for block in self.page.blocks:
            if block.top > visible.bottom() or block.top + block.layout.height + sizes.margin < visible.top():
                continue
            self._paint_text_label(painter, block)
            self._paint_background(painter, block)
            painter.setPen(self.theme.text)
            block.layout.draw(painter, block.origin(self.page.metrics.left), self.theme.muted)
            self._paint_codes(painter, block)
            self._paint_matches(painter, block)
            self._paint_removed(painter, block)
            self._paint_text_gaps(painter, block)
            self._paint_row_names(painter, block)
            for row, track in enumerate(block.tag_rows):
                self._paint_row(painter, block, row, track)
        self._paint_cursor(painter)

    def _paint_text_label(self, painter: QPainter, block: TextBlock) -> None:
        line = block.layout.lines[0] if block.layout.lines else None
        height = line.bottom - line.top if line else self.page.metrics.row_height
        self._paint_label(painter, block.role.display_name, block.top, height, muted=True)

    def _paint_label(self, painter: QPainter, text: str, top: float, height: float, *, muted: bool) -> None:
        sizes = self.page.metrics
        painter.setFont(sizes.small_font)
        painter.setPen(self.theme.muted if muted else self.theme.text)
        width = sizes.left - sizes.margin - 10
        elided = QFontMetricsF(sizes.small_font).elidedText(text, Qt.TextElideMode.ElideMiddle, width)
        rect = QRectF(sizes.margin, top, width, height)
        # rows may be too short for their labels, whose descenders must not be clipped
        alignment = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextDontClip
        painter.drawText(rect, int(alignment), elided)

    # --- text

    def _paint_background(self, painter: QPainter, block: TextBlock) -> None:
        if block.role is TextRole.POST_EDIT:
            self._paint_highlighted(painter, block, Kind.TRANSLATION)
            self._paint_post_edits(painter, block)
        if block.kind is None:
            return
        self._paint_highlighted(painter, block, block.kind)
        if block.kind is self.page.kind:
            for index in self.selected:
                for rect in self._rects(block, index):
                    painter.fillRect(rect.adjusted(-3, -1, 3, 1), self.theme.selection)
        if not self.page.tags_shown:
            return
        tag_painter = TagPainter(self.theme, dotted=block.kind is Kind.SOURCE)
        for word, mark in self._marks(block.kind):
            for rect in self._rects(block, word):
                tag_painter.paint_word(painter, rect, partial=mark == LIGHT_MARK)
        # above the tags, so that a BAD word is darker than an OK word with a similar P(BAD)
        self._shade(painter, block)
        for word in self._edited_positions(block):
            for rect in self._rects(block, word)[-1:]:
                draw_edited(painter, rect, self.theme)

    def _paint_highlighted(self, painter: QPainter, block: TextBlock, kind: Kind) -> None:
        for word in self.highlighted_words.get(kind, set()):
            for rect in self._rects(block, word):
                painter.fillRect(rect.adjusted(-2, 0, 2, 0), self.theme.selection)

    def _paint_post_edits(self, painter: QPainter, block: TextBlock) -> None:
        if self.page.word_alignment is None:
            return
        for word in range(len(block.layout.tokens)):
            edit_type = self.page.word_alignment.edit_type(word)
            if edit_type is not None:
                for rect in self._rects(block, word):
                    draw_edit_type(painter, rect, edit_type, self.theme)

    def _paint_removed(self, painter: QPainter, block: TextBlock) -> None:
        """Strike out MT words removed by the post-edit, if the post-edit is shown."""
        if block.role is TextRole.MT and self.page.word_alignment is not None and self.page.block(Kind.TRANSLATION):
            for word in self.page.word_alignment.removed_words:
                for rect in self._rects(block, word):
                    draw_edit_type(painter, rect, EditType.DELETED, self.theme)

    def _rects(self, block: TextBlock, word: int) -> list[QRectF]:
        return self.page.word_rects(block, word) if word < len(block.layout.tokens) else []

    def _marks(self, kind: Kind) -> list[tuple[int, int]]:
        """Return the index and the mark of each marked position of a kind."""
        marks = segment_marks(self.page.view, kind, self.page.segment, self.page.agreement)
        return [] if marks is None else [(index, int(marks[index])) for index in marks.nonzero()[0].tolist()]

    def _paint_codes(self, painter: QPainter, block: TextBlock) -> None:
        layout, at = block.layout, block.origin(self.page.metrics.left)
        font = self.page.font(block.role)
        for chip, code in layout.code_rects():
            draw_code(painter, chip.translated(at), code, font, self.theme, right_to_left=layout.right_to_left)

    def _paint_matches(self, painter: QPainter, block: TextBlock) -> None:
        for start, end in find_spans(self.search_text, block.layout.text):
            for rect in block.layout.span(start, end):
                draw_search_match(painter, rect.translated(block.origin(self.page.metrics.left)), self.theme.accent)

    def _shade(self, painter: QPainter, block: TextBlock) -> None:
        track = shading_row(self.page.view, self.page.segment, block)
        numbers = self._numbers(track) if track else []
        for word, probability in enumerate(numbers):
            for rect in self._rects(block, word):
                draw_probability(painter, rect, probability, self.theme)

    def _edited_positions(self, block: TextBlock) -> list[int]:
        target = self.target
        if target is None or target.kind is not block.kind:
            return []
        return [int(index) for index in self.page.view.edited_positions(target, self.page.segment)]

    def _paint_text_gaps(self, painter: QPainter, block: TextBlock) -> None:
        if block.kind is not Kind.WORDS or self.page.kind is Kind.SOURCE or not self.page.tags_shown:
            return
        tag_painter, size = TagPainter(self.theme), self.page.metrics.gap_mark_size
        for index, mark in self._marks(Kind.GAPS):
            tip = self.page.gap_tip(block, index)
            tag_painter.paint_gap(painter, tip, size, TagOutcome.BAD, partial=mark == LIGHT_MARK)

    # --- tag rows

    def _paint_row_names(self, painter: QPainter, block: TextBlock) -> None:
        """Paint the names of the tag rows below `block.named_lines`.

        If the rows below the first line have no names, paint their number as a label.
        """
        rows, sizes = block.tag_rows, self.page.metrics
        for line, (row, track) in product(block.named_lines, enumerate(rows)):
            name = row_name(track.provenance, escape_label(track.name))
            self._paint_label(painter, name, self.page.row_top(block, line, row), sizes.row_height, muted=False)
        if rows and 0 not in block.named_lines:
            of_systems = all(track.provenance is Provenance.SYSTEM for track in rows)
            text = (
                tr("{n} {n:system|systems}", "", len(rows)) if of_systems else tr("{n} {n:layer|layers}", "", len(rows))
            )
            self._paint_label(painter, text, self.page.row_top(block, 0, 0), sizes.row_height, muted=True)

    def _paint_row(self, painter: QPainter, block: TextBlock, row: int, track: TagRow) -> None:
        tags, numbers = self._tags(track.tags), self._numbers(track)
        if tags is not None:
            reference = self._reference(track.tags)
            gold_tags = [None] * len(tags) if reference is None else reference.tolist()
            ok_bars: list[QRectF] = []
            # the tag of <EOS> has no word
            for word, (bars, tag) in enumerate(zip(self.page.bars(block, row), tags.tolist(), strict=False)):
                mark = tag_outcome(tag, gold_tags[word])
                for bar in bars:
                    self._paint_tag(painter, bar, mark, numbers[word] if numbers else 0.0)
                    if mark is TagOutcome.OK:
                        ok_bars.append(bar)
            TagPainter(self.theme).paint_ok_bars(painter, ok_bars)
        self._paint_gap_tags(painter, block, row, track)

    def _paint_tag(self, painter: QPainter, bar: QRectF, mark: TagOutcome, probability: float) -> None:
        """Paint the P(BAD) of a word as a shade of `bar`, then the tag of the word unless it is OK."""
        is_thin = bar.height() <= self.page.metrics.thin_row_height
        if probability >= (MIN_THIN_PROBABILITY if is_thin else 0.0):
            draw_probability(painter, bar, probability, self.theme)
        if mark is not TagOutcome.OK:
            tag_painter = TagPainter(self.theme)
            paint = tag_painter.paint_thin_bar if is_thin else tag_painter.paint_bar
            paint(painter, bar, mark)

    def _paint_gap_tags(self, painter: QPainter, block: TextBlock, row: int, track: TagRow) -> None:
        gaps, sizes, tag_painter = self._tags(track.gaps), self.page.metrics, TagPainter(self.theme)
        if gaps is None:
            return
        reference = self._reference(track.gaps)
        for index, tag in enumerate(gaps):
            mark = tag_outcome(int(tag), None if reference is None else int(reference[index]))
            if mark is TagOutcome.OK:
                continue
            x, line = block.layout.gap(index)
            is_named = line in block.named_lines
            bottom = sizes.row_height * 0.82 if is_named else sizes.thin_row_height + 1
            tip = QPointF(sizes.left + x, self.page.row_top(block, line, row) + bottom)
            tag_painter.paint_gap(painter, tip, sizes.gap_mark_size if is_named else sizes.thin_row_spacing, mark)

    def _reference(self, key: LayerKey | None) -> Tags | None:
        if key is None:
            return None
        reference = self.page.view.reference_at(key.kind, self.page.segment)
        return None if reference == key else self._tags(reference)

    def _tags(self, key: LayerKey | None) -> Tags | None:
        return None if key is None else self.page.view.segment_tags(key, self.page.segment)

    def _numbers(self, track: TagRow) -> list[float]:
        if track.probabilities is None:
            return []
        return [float(n) for n in self.page.view.corpus.layers[track.probabilities].numbers[self.page.segment]]

    # --- cursor

    def _paint_cursor(self, painter: QPainter) -> None:
        rect = self.page.cursor_rect(self.cursor)
        if not rect.isEmpty():
            draw = draw_gap_cursor if self.page.kind is Kind.GAPS else draw_cursor
            draw(painter, rect, self.theme, focused=self.has_focus)
