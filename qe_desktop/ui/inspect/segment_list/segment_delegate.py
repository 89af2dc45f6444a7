"""Paints the texts of the list: one line each, BAD words underlined and found text framed, shaped once and kept."""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from qe_desktop.corpus.agreement import LIGHT, Marks
from qe_desktop.ui.inspect.excerpt import Excerpt, excerpt
from qe_desktop.ui.inspect.finding import spans_of
from qe_desktop.ui.inspect.marks import draw_found, word_pen
from qe_desktop.ui.inspect.segment_model import LEFT, Index, SegmentColumn, SegmentModel
from qe_desktop.ui.inspect.words import WordLayout
from qe_desktop.ui.parts.flat_header import PADDING
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.theme import current

KEPT = 400
"""Shaped lines kept: a few screens of two texts each."""
WIDE = 1e6
ROOM_AT_END = "\u00a0\u00a0"
"""What the mark of what is missing at the end stands under: nothing is seen there unless it is BAD."""


class SegmentDelegate(QStyledItemDelegate):
    """Draws source and MT with their marks, and the other columns as plain text under their headers."""

    def __init__(self, settings: Settings, model: SegmentModel) -> None:
        super().__init__(model)
        self._settings = settings
        self._model = model
        self._layouts: OrderedDict[tuple[object, ...], tuple[Excerpt, WordLayout]] = OrderedDict()
        model.modelReset.connect(self._layouts.clear)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one cell."""
        column = SegmentColumn(index.column())
        # the ground and the focus are the style's; the rest is drawn here, and the model not asked for it twice
        view = QStyleOptionViewItem(option)
        style = view.widget.style() if view.widget is not None else None
        if style is not None:
            style.drawControl(QStyle.ControlElement.CE_ItemViewItem, view, painter, view.widget)
        selected = bool(view.state & QStyle.StateFlag.State_Selected)
        if column not in (SegmentColumn.SOURCE, SegmentColumn.MT):
            self._plain(painter, view, index, selected=selected)
            return
        self._draw(painter, view, index.row(), column, selected=selected)

    def _plain(self, painter: QPainter, view: QStyleOptionViewItem, index: Index, *, selected: bool) -> None:
        room = view.rect.adjusted(PADDING, 0, -PADDING, 0)
        text = fitted(str(index.data() or ""), SegmentColumn(index.column()), view.fontMetrics, room.width())
        painter.setFont(view.font)
        painter.setPen(current().on_accent if selected else current().text)
        painter.drawText(room, int(index.data(Qt.ItemDataRole.TextAlignmentRole) or LEFT), text)

    def _draw(
        self, painter: QPainter, view: QStyleOptionViewItem, row: int, column: SegmentColumn, *, selected: bool
    ) -> None:
        segment = self._model.segment_at(row)
        room = QRectF(view.rect).adjusted(PADDING, 0, -PADDING, 0)
        marks = self._model.marked(segment, column) if self._settings.highlights else None
        part, layout = self._layout(segment, column, view, room.width(), self._wanted(segment, column, marks))
        theme = current()
        painter.save()
        painter.setClipRect(room)
        at = QPointF(room.left(), room.top() + (room.height() - layout.height) / 2)
        if layout.right_to_left:
            at.setX(room.right() - WIDE)
        ink = theme.on_accent if selected else theme.bad
        for word in [] if marks is None else marks.nonzero()[0].tolist():
            place = part.shown_at(word)
            light = int(marks[word]) == LIGHT if marks is not None else False
            for rect in layout.rects_of(place) if place is not None and place < len(layout.tokens) else []:
                area = rect.translated(at)
                if not selected and not light:
                    painter.fillRect(area, theme.bad_fill)
                painter.setPen(word_pen(ink, 1.6, dotted=column is SegmentColumn.SOURCE, light=light))
                painter.drawLine(QLineF(area.left(), area.bottom() - 1, area.right(), area.bottom() - 1))
        painter.setPen(theme.on_accent if selected else theme.text)
        layout.draw(painter, at)
        for start, end in spans_of(self._model.found, layout.text):
            for rect in layout.span(start, end):
                draw_found(painter, rect.translated(at), theme.on_accent if selected else theme.accent)
        painter.restore()

    def _wanted(self, segment: int, column: SegmentColumn, marks: Marks | None) -> int | None:
        """The word that should be seen however long the text is: what was searched for, else the first that is BAD."""
        if self._model.found:
            written = self._model.written(segment, column)
            places = spans_of(self._model.found, written.text)
            if places:
                # the word in which it begins, or the next one
                return next((word for word, (_, end) in enumerate(written.places) if places[0][0] < end), None)
        return None if marks is None else next(iter(marks.nonzero()[0].tolist()), None)

    def _layout(
        self, segment: int, column: SegmentColumn, view: QStyleOptionViewItem, width: float, wanted: int | None
    ) -> tuple[Excerpt, WordLayout]:
        direction = self._model.direction(column, self._settings)
        corrected = self._model.corrected(segment, column)
        key = (segment, column, round(width), view.font.toString(), direction, wanted, corrected)
        found = self._layouts.get(key)
        if found is None:
            part = excerpt(self._model.written(segment, column), wanted, QFontMetricsF(view.font), width)
            found = part, WordLayout(part.written, view.font, WIDE, direction=direction, end=ROOM_AT_END)
            self._layouts[key] = found
            if len(self._layouts) > KEPT:
                self._layouts.popitem(last=False)
        else:
            self._layouts.move_to_end(key)
        return found


def fitted(text: str, column: SegmentColumn, metrics: QFontMetrics, width: int) -> str:
    """What is shown of a text in so much room. Of who is ahead the end stays: it is the number that one looks for."""
    middle = column is SegmentColumn.AHEAD
    return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight, width)
