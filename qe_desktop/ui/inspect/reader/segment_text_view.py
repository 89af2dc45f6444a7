"""View of a segment layout, and a separate pane that keeps the source, the first part of the layout, visible.

The view paints the layout, highlights hovered words and emits signals for mouse events. The pane forwards mouse events
to the view.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from qe_desktop.corpus import Kind, LayerKey, Tags, TextRole
from qe_desktop.ui.inspect.reader.overlay_scroll_area import ensure_rect_visible, scroll_to_whole_line
from qe_desktop.ui.inspect.reader.segment_descriptions import adjacent_codes, code_tooltip, tooltip_at
from qe_desktop.ui.inspect.reader.segment_layout import SegmentLayout
from qe_desktop.ui.inspect.reader.segment_painter import SegmentPainter
from qe_desktop.ui.theme import current, themes
from qe_desktop.ui.widgets.labels import plain_tooltip


class WordCursor:
    """Cursor position among `count` words or gaps, with the anchor of a selection."""

    def __init__(self) -> None:
        self.index = 0
        self.anchor = 0
        self.count = 0

    def reset(self, count: int) -> None:
        """Set the number of positions; move the cursor to the first position, and clear the selection."""
        self.count = count
        self.index = self.anchor = 0

    def move_to(self, index: int, *, extend: bool = False) -> bool:
        """Move the cursor; return False if `index` is out of range, or if neither cursor nor selection changes."""
        if not 0 <= index < self.count or (index == self.index and (extend or self.anchor == index)):
            return False
        self.index = index
        if not extend:
            self.anchor = index
        return True

    def selected(self) -> tuple[int, ...]:
        """Return the selected positions in ascending order, including the cursor."""
        first, high = sorted((self.anchor, self.index))
        return tuple(range(first, high + 1)) if self.count else ()

    def toggled_tags(self, tags: Tags) -> tuple[tuple[int, ...], int] | None:
        """Return the selected positions in `tags`, and the opposite of the tag at the cursor.

        Return None if the cursor position has no tag.
        """
        indices = tuple(index for index in self.selected() if index < len(tags))
        if not indices or self.index >= len(tags):
            return None
        return indices, 1 - int(tags[self.index])


class SegmentTextView(QWidget):
    """View of `page` with the cursor on an MT word, gap or source word; edited tags of layer `target` are marked."""

    position_clicked = Signal(int, bool)
    """Emitted when the user clicks or drags to a word or gap of the current kind.

    The arguments are the index of the word or gap, and whether to extend the selection to it.
    """
    double_clicked = Signal()
    """Emitted when the user double-clicks a word or gap of the current kind."""
    menu_requested = Signal(object, QPoint)
    """Emitted to request a context menu: `(Kind, index)` of the word or gap, or None, and the screen position."""

    def __init__(self) -> None:
        super().__init__()
        self.page: SegmentLayout | None = None
        self.target: LayerKey | None = None
        self._search_text = ""
        self.word_cursor = WordCursor()
        self.visible_top = 0.0
        """Y coordinate at which this view begins in the layout; the pinned pane shows the part above it."""
        self._source_pane: SourcePane | None = None
        self._hovered: tuple[Kind, int] | None = None
        self.setMouseTracking(True)
        themes.theme_changed.connect(self.refresh)

    def show_page(self, page: SegmentLayout | None, target: LayerKey | None) -> None:
        """Show the layout `page`, or nothing if `page` is None; mark the edited tags of layer `target`."""
        if self.page is not None and (page is None or page.segment != self.page.segment):
            # the tooltip explains a word of the previous segment
            QToolTip.hideText()
        self.page, self.target = page, target
        self._hovered = None
        self.visible_top = 0.0 if self._source_pane is None else pinned_height(page)
        if page is not None:
            self.setMinimumHeight(round(page.height - self.visible_top))
        self.refresh()

    def pin(self, pane: SourcePane) -> None:
        """Show the source in a separate pane, which does not scroll with the other texts."""
        self._source_pane = pane
        self.show_page(self.page, self.target)

    def refresh(self) -> None:
        """Repaint this view and the pinned pane."""
        self.update()
        if self._source_pane is not None:
            self._source_pane.update()

    def show_search_matches(self, text: str) -> None:
        """Draw frames around the matches of a search text."""
        if text != self._search_text:
            self._search_text = text
            self.refresh()

    def describe(self, position: tuple[Kind, int] | None = None) -> str:
        """Describe a position (default: the cursor) in parts separated by semicolons; empty in this base class."""
        return ""

    def explain_cursor(self) -> None:
        """Show the description of the cursor position in a tooltip."""
        if self.page is not None and self.word_cursor.count:
            index = self.word_cursor.index
            at = self._point_below(self.page, index)
            self._explain(at, (self.page.kind, index), adjacent_codes(self.page, index))

    def _point_below(self, page: SegmentLayout, index: int) -> QPoint:
        """Return the point on the screen below a word or gap, which may be in the pinned pane."""
        corner = page.position_rect(index).bottomLeft()
        if self._source_pane is not None and corner.y() < self.visible_top:
            return self._source_pane.mapToGlobal(corner.toPoint())
        return self.mapToGlobal((corner - QPointF(0, self.visible_top)).toPoint())

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the visible part."""
        painter = QPainter(self)
        painter.translate(0, -self.visible_top)
        self.paint_page(painter, QRectF(event.rect()).translated(0, self.visible_top))
        painter.end()

    def paint_page(self, painter: QPainter, visible: QRectF) -> None:
        """Paint the part of the layout within `visible`."""
        painter.fillRect(visible, current().surface)
        if self.page is not None:
            index, selected = self.word_cursor.index, self.word_cursor.selected()
            selected = selected if len(selected) > 1 else ()
            focused, highlighted = self.hasFocus(), self._highlighted_words()
            SegmentPainter(
                self.page, current(), index, selected, highlighted, focused, self.target, self._search_text
            ).paint(painter, visible)

    def _highlighted_words(self) -> dict[Kind, set[int]]:
        """Return the hovered word and the words aligned with it, by kind.

        If nothing is hovered, return only the words aligned with the word at the cursor. Gaps have no aligned words.
        """
        page = self.page
        if page is None:
            return {}
        kind, index = self._hovered or (page.kind, self.word_cursor.index)
        if kind is Kind.GAPS:
            return {}
        highlighted: dict[Kind, set[int]] = {kind: {index}} if self._hovered else {}
        alignments, alignment = page.view.corpus.alignments, page.word_alignment
        words = {index}
        if kind is Kind.TRANSLATION:
            words = highlighted[Kind.WORDS] = set() if alignment is None else alignment.mt_of(index)
        elif kind is Kind.SOURCE:
            words = set() if alignments is None else set(alignments.mt_of(page.segment, index))
            highlighted[Kind.WORDS] = words
        if alignments is not None and kind is not Kind.SOURCE:
            highlighted[Kind.SOURCE] = {
                source_word for word in words for source_word in alignments.source_of(page.segment, word)
            }
        if alignment is not None and kind is not Kind.TRANSLATION:
            highlighted[Kind.TRANSLATION] = alignment.post_edit_of(words)
        return highlighted

    def keep_in_view(self) -> None:
        """Scroll to the cursor and its tag rows; scroll the pinned pane to the first highlighted source word."""
        page = self.page
        if page is None:
            return
        rect = page.position_rect(self.word_cursor.index)
        if self._source_pane is not None and rect.top() < self.visible_top:
            self._source_pane.scroll_to_rect(rect)
            return
        block = page.block(page.kind)
        rows = (
            0.0 if block is None or not block.tag_rows else page.rows_height(block, min(block.named_lines, default=0))
        )
        visible = rect.adjusted(0, 0, 0, rows).translated(0, -self.visible_top)
        ensure_rect_visible(self, visible, (rect.height() + rows) / 2 + page.metrics.row_height)
        scroll_to_whole_line(
            self, [top - self.visible_top for top in page.line_tops() if top >= self.visible_top], visible
        )
        source = page.block(Kind.SOURCE)
        highlighted = sorted(self._highlighted_words().get(Kind.SOURCE, ()))
        if self._source_pane is not None and source is not None and highlighted:
            self._source_pane.scroll_to_rect((page.word_rects(source, highlighted[0]) or [QRectF()])[0])

    # --- mouse

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Highlight the hovered word; extend the selection while the left button is pressed."""
        self.hover(self._to_page(event.position()), event.buttons())

    def hover(self, point: QPointF, buttons: Qt.MouseButton) -> None:
        """Handle a mouse move to a point of the layout."""
        position = self._position_at(point)
        if buttons & Qt.MouseButton.LeftButton:
            self._emit_clicked(position, extend=True)
        if position != self._hovered:
            self._hovered = position
            self.refresh()

    def leaveEvent(self, event: QEvent) -> None:
        """Stop highlighting the hovered word."""
        self.leave()

    def leave(self) -> None:
        """Stop highlighting the hovered word."""
        self._hovered = None
        self.refresh()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Handle a mouse press; a click on a word always focuses the view, whatever its `focusPolicy`."""
        if self._position_at(self._to_page(event.position())) is not None:
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.press(self._to_page(event.position()), event)

    def press(self, point: QPointF, event: QMouseEvent) -> None:
        """Handle a mouse press at a point of the layout."""
        if event.button() == Qt.MouseButton.LeftButton:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._emit_clicked(self._position_at(point), extend=extend)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Handle a double click."""
        self.double_click(self._to_page(event.position()), event)

    def double_click(self, point: QPointF, event: QMouseEvent) -> None:
        """Handle a double click at a point of the layout."""
        if event.button() == Qt.MouseButton.LeftButton and self._is_current(self._position_at(point)):
            self.double_clicked.emit()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Request a context menu at the mouse position or, if requested by keyboard, at the cursor."""
        self.request_menu(self._to_page(QPointF(event.pos())), event)

    def request_menu(self, point: QPointF, event: QContextMenuEvent) -> None:
        """Request a context menu at a point of the layout or, if requested by keyboard, at the cursor."""
        position, at = self._position_at(point), event.globalPos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard and self.page is not None:
            position = (self.page.kind, self.word_cursor.index) if self.word_cursor.count else None
            if position is not None:
                at = self._point_below(self.page, position[1])
        self.menu_requested.emit(position, at)
        event.accept()

    def _emit_clicked(self, position: tuple[Kind, int] | None, *, extend: bool) -> None:
        if position is not None and self._is_current(position):
            self.position_clicked.emit(position[1], extend)

    def _is_current(self, position: tuple[Kind, int] | None) -> bool:
        return position is not None and self.page is not None and position[0] is self.page.kind

    def _to_page(self, point: QPointF) -> QPointF:
        return point + QPointF(0, self.visible_top)

    def _position_at(self, point: QPointF) -> tuple[Kind, int] | None:
        return self.page.position_at(point) if self.page is not None else None

    def event(self, event: QEvent) -> bool:
        """Show a tooltip for the word, inline code or label under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self.explain_at(event.globalPos(), self._to_page(QPointF(event.pos())))
            return True
        return super().event(event)

    def label_tooltip_at(self, point: QPointF) -> str:
        """Return the tooltip of the label at a point; empty if there is none."""
        return "" if self.page is None else tooltip_at(self.page, point)

    def explain_at(self, at: QPoint, point: QPointF) -> None:
        """Show a tooltip at `at`, in screen coordinates, that explains the inline code, word or label at `point`."""
        position, code = self._position_at(point), "" if self.page is None else code_tooltip(self.page, point)
        text = code or (self.label_tooltip_at(point) if position is None else "")
        if text:
            QToolTip.showText(at, plain_tooltip(text), self)
        else:
            self._explain(at, position)

    def _explain(self, at: QPoint, position: tuple[Kind, int] | None, more: Sequence[str] = ()) -> None:
        if position is None:
            QToolTip.hideText()
            return
        lines = [escape(part) for part in (*self.describe(position).split("; "), *more)]
        QToolTip.showText(at, "<p style='white-space:pre'>" + "<br>".join(lines) + "</p>", self, QRect())


class SourcePane(QWidget):
    """Pane that shows the top `reader.visible_top` pixels of a layout and forwards mouse events to the reader."""

    def __init__(self, reader: SegmentTextView) -> None:
        super().__init__()
        self._reader = reader
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return a size with the height of the pinned part; the width is ignored."""
        return QSize(200, round(self._reader.visible_top))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the pinned part."""
        painter = QPainter(self)
        self._reader.paint_page(painter, QRectF(event.rect()))
        painter.end()

    def scroll_to_rect(self, rect: QRectF) -> None:
        """Scroll to a rectangle of the layout."""
        if not rect.isEmpty():
            ensure_rect_visible(self, rect, rect.height())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Forward mouse moves to the reader."""
        self._reader.hover(event.position(), event.buttons())

    def leaveEvent(self, event: QEvent) -> None:
        """Forward leave events to the reader."""
        self._reader.leave()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Forward mouse presses to the reader."""
        self._reader.press(event.position(), event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Forward double clicks to the reader."""
        self._reader.double_click(event.position(), event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Forward requests for a context menu to the reader."""
        self._reader.request_menu(QPointF(event.pos()), event)

    def event(self, event: QEvent) -> bool:
        """Show a tooltip for the word, inline code or label under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            self._reader.explain_at(event.globalPos(), QPointF(event.pos()))
            return True
        return super().event(event)


def whole_lines_height(page: SegmentLayout, max_height: float) -> float:
    """Return the height in pixels of the whole source lines that fit into `max_height`, but at least of one line."""
    source = page.blocks[0]
    heights = [source.top + line.bottom + 2 for line in source.layout.lines]
    return max([heights[0], *(height for height in heights if height <= max_height)]) if heights else max_height


def pinned_height(page: SegmentLayout | None) -> float:
    """Return the height of the source, the topmost text, in pixels; 0 without a source or without other texts."""
    if page is None or len(page.blocks) < 2:
        return 0.0
    first = page.blocks[0]
    return page.blocks[1].top - page.metrics.margin * 0.5 if first.role is TextRole.SOURCE else 0.0
