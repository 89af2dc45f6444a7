"""Layout of a segment in the reader: its texts, and the tag rows below their words.

Tag rows have names only in the line with the cursor; in other lines they are thin, so that long segments fit on screen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF

from qe_desktop.corpus import DisplayText, Kind, TextRole, View, display_text
from qe_desktop.corpus.tag_voting import VotingRule
from qe_desktop.ui.inspect.inspect_view import EVALUATION_VIEW, InspectView
from qe_desktop.ui.inspect.reader.layout_metrics import (
    DEFAULT_SIZE,
    SHOWN_ROLES,
    LayoutMetrics,
    TrackSize,
    label_names,
    thin_row,
)
from qe_desktop.ui.inspect.reader.segment_header import header_text, missing_tags_text, segment_facts, unaligned_texts
from qe_desktop.ui.inspect.reader.segment_words import TagRow, align_words, is_missing_mt_filled, tag_rows
from qe_desktop.ui.inspect.reader.word_decorations import frame_around, positioned_codes
from qe_desktop.ui.inspect.reader.word_layout import WordLayout, text_direction
from qe_desktop.ui.settings import Settings

_TAG_KINDS = {TextRole.SOURCE: Kind.SOURCE, TextRole.MT: Kind.WORDS}
"""Kind of the tags of each text that has tags."""
MIN_TEXT_WIDTH = 120.0
"""Minimum text width in pixels."""
TAG_MARGIN_PX = 0.75
"""Pixels by which a tag is inset on each side of its word, so that tags of words without spaces do not touch."""
WRAP_FLAGS = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
"""Text flags of the notes below the texts: line wrapping, and alignment to the top left."""


@dataclass(slots=True)
class TextBlock:
    """Positioned text of a segment with its tag rows.

    `kind` is the kind of the word tags, if any. `named_lines` are the lines with tag row names.
    """

    role: TextRole
    layout: WordLayout
    kind: Kind | None
    top: float = 0.0
    tag_rows: list[TagRow] = field(default_factory=list)
    named_lines: range = range(1)
    tag_rects: dict[int, list[list[QRectF]]] = field(default_factory=dict)
    """Cached rectangles of the tags, by row index; they do not depend on the values of the tags."""

    def origin(self, left: float) -> QPointF:
        """Return the top left corner of the text, whose left edge is at `left`."""
        return QPointF(left, self.top)


@dataclass(frozen=True, slots=True)
class PanelsBelow:
    """Panels below the segment that compare the translations `names`.

    If `are_main_content` is true, the segment layout contains only the source. Otherwise, it omits the reference if
    there are `names`, and the post-edit if `post_edit_shown` is false.
    """

    names: tuple[str, ...] = ()
    are_main_content: bool = False
    post_edit_shown: bool = True

    def remaining_roles(self, roles: Sequence[TextRole]) -> Sequence[TextRole]:
        """Return those of `roles` whose texts are part of the segment layout."""
        if self.are_main_content:
            return [role for role in roles if role is TextRole.SOURCE]
        hidden = [TextRole.REFERENCE] if self.names else []
        hidden += [] if self.post_edit_shown else [TextRole.POST_EDIT]
        return [role for role in roles if role not in hidden]


NO_PANELS_BELOW = PanelsBelow()


class SegmentLayout:
    """Text blocks of a segment, laid out for a width of `width` pixels; `height` is the total height in pixels.

    `view_mode` determines whether there are tag rows. `reasons` are the reasons for flags, listed below the texts.
    """

    def __init__(
        self,
        view: View,
        segment: int,
        kind: Kind,
        width: float,
        font: QFont,
        settings: Settings,
        below: PanelsBelow = NO_PANELS_BELOW,
        tags_shown: bool = True,
        source_width: float | None = None,
        view_mode: InspectView = EVALUATION_VIEW,
        reasons: Sequence[str] = (),
        order: Sequence[str] = (),
        size: TrackSize = DEFAULT_SIZE,
        visible_row_names: frozenset[str] | None = None,
    ) -> None:
        self.view = view
        self.system_order = order
        """Names of the systems whose tag rows come before those of other systems, in this order."""
        self.view_mode = view_mode
        self.is_compact, self.are_all_named = size.compact, size.are_all_named
        """Whether the MT has a smaller font and its tag rows have no names, to save space during editing."""
        self.visible_row_names = visible_row_names
        """Names of the tag rows that are shown; None if all rows are shown."""
        self.tags_shown = tags_shown and not (view_mode.flag_wording and is_missing_mt_filled(view, segment))
        """Whether tags are shown."""
        self.segment = segment
        self.kind = kind
        names = [*label_names(view, view_mode), *below.names]
        self.metrics = sizes = LayoutMetrics.of(font, settings, names, width, size.thin_row_reduction)
        self._below = below
        self.agreement = VotingRule(settings.agreement)
        self.header_text = header_text(view, segment, view_mode)
        self.document, self.score = segment_facts(view, segment, view_mode)
        self.word_alignment = align_words(view, segment)
        """Word alignment of MT and post-edit; None if either text is missing or too long."""
        self.blocks: list[TextBlock] = []
        self.text_width = text_width = max(MIN_TEXT_WIDTH, width - sizes.left - sizes.margin)
        self.source_text_width = (
            text_width if source_width is None else max(MIN_TEXT_WIDTH, source_width - sizes.left - sizes.margin)
        )
        """Width in pixels that is available for the text of the source."""
        y = sizes.margin * 0.75
        for block in self._contents(settings):
            block.top = y
            self.blocks.append(block)
            y += block.layout.height + sizes.margin
        self.missing_tags = (
            "" if below.are_main_content or not tags_shown or not view_mode.tag_rows else missing_tags_text(view, kind)
        )
        """Note that lists the systems without tags of the current kind; empty if there are no such systems."""
        texts = [(block.role, block.layout.display_text) for block in self.blocks]
        self.footnote = "\n".join([*reasons, *unaligned_texts(texts)])
        """Notes below the texts, one per line."""
        height = (
            QFontMetricsF(sizes.small_font)
            .boundingRect(QRectF(0, 0, text_width, 1e6), WRAP_FLAGS, self.footnote)
            .height()
        )
        self.footnote_rect = QRectF(sizes.left, y, text_width, max(sizes.row_height, height))
        self.height = y + (self.footnote_rect.height() + sizes.margin if self.footnote else 0.0)

    def _contents(self, settings: Settings) -> Iterator[TextBlock]:
        for role in self._below.remaining_roles(SHOWN_ROLES):
            kind = _TAG_KINDS.get(role)
            is_edited_text = kind is not None and (kind is Kind.SOURCE) is (self.kind is Kind.SOURCE)
            tagged = kind is not None and is_edited_text and not self._below.are_main_content
            tracks = self.rows_in(self.view, kind) if kind is not None and tagged else []
            if not (self.tags_shown and self.view_mode.tag_rows) and self.view.corpus.text(role) is not None:
                tracks = []
            if self.view.corpus.text(role) is not None or (role is TextRole.MT and tracks):
                yield self._block(role, kind, tracks, settings)

    def _block(self, role: TextRole, kind: Kind | None, tracks: list[TagRow], settings: Settings) -> TextBlock:
        direction, font = text_direction(self.view.corpus, self.segment, role, settings), self.font(role)
        width = self.source_text_width if role is TextRole.SOURCE else self.text_width
        display_text = self._displayed_text(role, tracks)
        codes = positioned_codes(self.view.corpus, role, self.segment, display_text.text)
        below = self._space_below(len(tracks), named=False)
        layout = WordLayout(display_text, font, width, below=below, direction=direction, codes=codes)
        # the source of compared translations has no tags
        block = TextBlock(role, layout, None if self._below.are_main_content else kind, tag_rows=tracks)
        lines = len(layout.lines) if self.are_all_named else 1
        block.named_lines = range(0 if self.is_compact else lines)
        if tracks and not self.is_compact:
            self._set_named_lines(block, block.named_lines)
        return block

    def rows_in(self, view: View, kind: Kind) -> list[TagRow]:
        """Return the visible tag rows of the source if `kind` is `Kind.SOURCE`, otherwise those of the MT."""
        rows = tag_rows(view, kind, self.segment, self.system_order)
        return rows if self.visible_row_names is None else [row for row in rows if row.name in self.visible_row_names]

    def saved_height(self, thin_row_reduction: int) -> float:
        """Return the height in pixels that the layout saves if thin tag rows shrink by `thin_row_reduction` pixels."""
        unit = QFontMetricsF(self.metrics.small_font).height()
        saved = thin_row(unit)[1] - thin_row(unit, thin_row_reduction)[1]
        named = 0 if self.is_compact else 1
        return float(saved * sum((len(block.layout.lines) - named) * len(block.tag_rows) for block in self.blocks))

    def names_height(self) -> float:
        """Return the height that names below all lines need in addition to names below one line."""
        named, thin = (
            [self._space_below(len(block.tag_rows), named=named) for block in self.blocks] for named in (True, False)
        )
        lines = [len(block.layout.lines) - 1 for block in self.blocks]
        return sum((more - less) * count for more, less, count in zip(named, thin, lines, strict=True))

    def font(self, role: TextRole) -> QFont:
        """Return the font of a text."""
        if role is TextRole.SOURCE:
            return self.metrics.source_font
        return self.metrics.compact_font if self.is_compact and role is TextRole.MT else self.metrics.text_font

    def _space_below(self, rows: int, *, named: bool) -> float:
        """Return the height of `rows` tag rows below a line in pixels, including the space around the rows."""
        sizes = self.metrics
        if not rows:
            return 4.0
        return (
            rows * sizes.row_height + sizes.row_height * 0.6
            if named
            else rows * sizes.thin_row_spacing + sizes.row_height * 0.4
        )

    def _set_named_lines(self, block: TextBlock, lines: range) -> None:
        thin, named = (self._space_below(len(block.tag_rows), named=named) for named in (False, True))
        block.named_lines = lines
        block.layout.space_lines([named if line in lines else thin for line in range(len(block.layout.lines))])
        block.tag_rects.clear()

    def follow_cursor(self, index: int) -> bool:
        """Move the names of the tag rows to the line of word or gap `index`; return whether the line has changed.

        The height of the layout does not change. Names of tag rows in other texts are not moved.
        """
        block = self.block(self.kind)
        if self.is_compact or block is None or not block.tag_rows or not block.layout.lines:
            return False
        line = block.layout.gap(index)[1] if self.kind is Kind.GAPS else block.layout.line_of(index)
        if line in block.named_lines:
            return False
        self._set_named_lines(block, range(line, line + 1))
        return True

    def _displayed_text(self, role: TextRole, tracks: list[TagRow]) -> DisplayText:
        if self.view.corpus.text(role) is not None:
            return display_text(self.view.corpus, role, self.segment)
        # tags without their text are shown as numbered positions
        key = next(track.tags for track in tracks if track.tags is not None)
        count = len(self.view.segment_tags(key, self.segment))
        return DisplayText.of_tokens([str(index + 1) for index in range(count)])

    # --- queries

    def block(self, kind: Kind) -> TextBlock | None:
        """Return the block with the words or gaps of a kind; for `Kind.TRANSLATION`, the block of the post-edit.

        Return None if the layout does not contain the block.
        """
        if kind is Kind.TRANSLATION:
            return next((block for block in self.blocks if block.role is TextRole.POST_EDIT), None)
        tag_kind = Kind.SOURCE if kind is Kind.SOURCE else Kind.WORDS
        return next((block for block in self.blocks if block.kind is tag_kind), None)

    def position_count(self) -> int:
        """Return the number of words or gaps of the current kind; 0 if the layout does not contain the text."""
        block = self.block(self.kind)
        if block is None:
            return 0
        words = len(block.layout.tokens)
        if self.kind is not Kind.GAPS:
            return words
        return words + 1 - int(self.view.corpus.eos)

    def line_height(self) -> float:
        """Return the height of an MT line and all its tag rows in pixels; 0 if the layout does not contain the MT."""
        block = self.block(Kind.WORDS)
        if block is None or not block.layout.lines:
            return 0.0
        text = block.layout.lines[0].bottom - block.layout.lines[0].top
        return text + self._space_below(len(block.tag_rows), named=not self.is_compact) + self.metrics.margin / 2

    def rows_height(self, block: TextBlock, line: int) -> float:
        """Return the height in pixels of all tag rows below a line of text, including the space around the rows."""
        sizes, rows = self.metrics, len(block.tag_rows)
        return (
            sizes.row_height * (rows + 0.5)
            if line in block.named_lines
            else sizes.thin_row_spacing * rows + sizes.row_height * 0.3
        )

    def row_top(self, block: TextBlock, line: int, track: int) -> float:
        """Return the y coordinate of the top of tag row `track` below line `line`."""
        sizes = self.metrics
        offset = (
            sizes.row_height * (0.25 + track)
            if line in block.named_lines
            else sizes.row_height * 0.2 + track * sizes.thin_row_spacing
        )
        return block.top + block.layout.lines[line].bottom + offset

    def line_tops(self) -> list[float]:
        """Return the y coordinates of the tops of all lines of text."""
        return [block.top + line.top for block in self.blocks for line in block.layout.lines]

    def bars(self, block: TextBlock, row: int) -> list[list[QRectF]]:
        """Return the rectangles of the tags in a row: for each word, one tag rectangle per word rectangle."""
        if row not in block.tag_rects:
            left, sizes, layout = self.metrics.left, self.metrics, block.layout
            tops = [self.row_top(block, line, row) for line in range(len(layout.lines))]
            heights = [
                sizes.row_height if line in block.named_lines else sizes.thin_row_height
                for line in range(len(layout.lines))
            ]
            block.tag_rects[row] = [
                [
                    _inset_bar(QRectF(left + rect.left(), tops[line], rect.width(), heights[line]))
                    for rect, line in zip(rects, lines, strict=True)
                ]
                for rects, lines in zip(layout.rects, layout.rect_lines, strict=True)
            ]
        return block.tag_rects[row]

    def word_rects(self, block: TextBlock, word: int) -> list[QRectF]:
        """Return the rectangles of a word."""
        return [rect.translated(self.metrics.left, block.top) for rect in block.layout.rects_of(word)]

    def gap_tip(self, block: TextBlock, index: int) -> QPointF:
        """Return the tip of the marker of gap `index`, which is at the bottom of the line of text."""
        x, line = block.layout.gap(index)
        return QPointF(self.metrics.left + x, block.top + block.layout.lines[line].bottom)

    def position_rect(self, index: int) -> QRectF:
        """Return the rectangle of a gap, or the first rectangle of a word; empty if there is no such position."""
        block = self.block(self.kind)
        if block is None or index >= self.position_count():
            return QRectF()
        if self.kind is Kind.GAPS:
            tip, size = self.gap_tip(block, index), self.metrics.gap_mark_size
            height = QFontMetricsF(self.metrics.text_font).height()
            return QRectF(tip.x() - size * 0.7, tip.y() - height, size * 1.4, height)
        rects = self.word_rects(block, index)
        return rects[0] if rects else QRectF()

    def cursor_rect(self, index: int) -> QRectF:
        """Return the rectangle of the cursor around a word or gap; its margin does not overlap adjacent words."""
        rect, block = self.position_rect(index), self.block(self.kind)
        if rect.isEmpty() or block is None:
            return rect
        if self.kind is Kind.GAPS:
            return rect.adjusted(0, -2, 0, 2)
        return frame_around(rect, [*self._rects_at(block, index - 1), *self._rects_at(block, index + 1)])

    def _rects_at(self, block: TextBlock, word: int) -> list[QRectF]:
        return self.word_rects(block, word) if 0 <= word < len(block.layout.tokens) else []

    def position_at(self, point: QPointF) -> tuple[Kind, int] | None:
        """Return the kind and index of the word or gap at a point; None if there is none.

        Gaps are found only if the current kind is `Kind.GAPS`, and take precedence over words. Words of the post-edit
        have `Kind.TRANSLATION`, and are found only if the segment has a word alignment.
        """
        for block in self.blocks:
            local_point = point - block.origin(self.metrics.left)
            if block.role is TextRole.POST_EDIT and self.word_alignment is not None:
                word = block.layout.word_at(local_point)
                if word is not None:
                    return Kind.TRANSLATION, word
            if block.kind is None:
                continue
            if self.kind is Kind.GAPS and block.kind is Kind.WORDS:
                gap = block.layout.gap_at(local_point, self.metrics.gap_mark_size)
                if gap is not None and gap < self.position_count():
                    return Kind.GAPS, gap
            word = self._word_at(block, local_point)
            if word is not None:
                return block.kind, word
        return None

    def _word_at(self, block: TextBlock, inside: QPointF) -> int | None:
        word = block.layout.word_at(inside)
        if word is not None or not block.tag_rows:
            return word
        # the rows below a word belong to it
        for number, line in enumerate(block.layout.lines):
            if line.bottom < inside.y() <= line.bottom + self.rows_height(block, number):
                return block.layout.word_at(QPointF(inside.x(), (line.top + line.bottom) / 2))
        return None


def _inset_bar(bar: QRectF) -> QRectF:
    """Return the rectangle of a tag, inset by `TAG_MARGIN_PX` on both sides unless it is very narrow."""
    return bar.adjusted(TAG_MARGIN_PX, 0, -TAG_MARGIN_PX, 0) if bar.width() > 12 * TAG_MARGIN_PX else bar


def shading_row(view: View, segment: int, block: TextBlock) -> TagRow | None:
    """Return the tag row whose probabilities shade the words: the only row of a segment without reference tags.

    Return None if the segment has reference tags, if it does not have exactly one row, or if that row has no
    probabilities. The row of a reference layer whose annotator has not reviewed the segment is not counted.
    """
    if block.kind is not Kind.WORDS or view.reference_at(Kind.WORDS, segment) is not None:
        return None
    absent_reference = view.reference(Kind.WORDS)
    tracks = [track for track in block.tag_rows if absent_reference is None or track.tags != absent_reference]
    return tracks[0] if len(tracks) == 1 and tracks[0].probabilities is not None else None
