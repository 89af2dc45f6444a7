"""Paints the texts of the list: one line each, BAD words underlined, shaped once and kept."""

from __future__ import annotations

from collections import OrderedDict

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from qe_desktop.ui.inspect.segment_model import LEFT, Index, SegmentColumn, SegmentModel
from qe_desktop.ui.inspect.words import WordLayout
from qe_desktop.ui.parts.flat_header import PADDING
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.theme import current

KEPT = 400
"""Shaped lines kept: a few screens of two texts each."""
WIDE = 1e6


class SegmentDelegate(QStyledItemDelegate):
    """Draws source and MT with their marks, and the other columns as plain text under their headers."""

    def __init__(self, settings: Settings, model: SegmentModel) -> None:
        super().__init__(model)
        self._settings = settings
        self._model = model
        self._layouts: OrderedDict[tuple[object, ...], tuple[WordLayout, bool]] = OrderedDict()
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
        layout, cut = self._layout(segment, column, view, room.width())
        theme = current()
        painter.save()
        painter.setClipRect(room)
        at = QPointF(room.left(), room.top() + (room.height() - layout.height) / 2)
        if layout.right_to_left:
            at.setX(room.right() - WIDE)
        tags = self._model.marked(segment, column) if self._settings.highlights else None
        style = Qt.PenStyle.DotLine if column is SegmentColumn.SOURCE else Qt.PenStyle.SolidLine
        for word in [] if tags is None else tags.nonzero()[0]:
            if word >= len(layout.rects) - int(cut):
                break
            for rect in layout.rects[word]:
                place = rect.translated(at)
                if not selected:
                    painter.fillRect(place, theme.bad_fill)
                ink = theme.on_accent if selected else theme.bad
                painter.setPen(QPen(ink, 1.6, style))
                painter.drawLine(QLineF(place.left(), place.bottom() - 1, place.right(), place.bottom() - 1))
        painter.setPen(theme.on_accent if selected else theme.text)
        layout.draw(painter, at)
        painter.restore()

    def _layout(
        self, segment: int, column: SegmentColumn, view: QStyleOptionViewItem, width: float
    ) -> tuple[WordLayout, bool]:
        settings = self._settings
        source = column is SegmentColumn.SOURCE
        direction = settings.source_direction if source else settings.mt_direction
        key = (segment, column, round(width), view.font.toString(), direction)
        found = self._layouts.get(key)
        if found is None:
            tokens, cut = fitting(self._model.tokens(segment, column), QFontMetricsF(view.font), width)
            found = WordLayout(tokens, view.font, WIDE, direction=direction), cut
            self._layouts[key] = found
            if len(self._layouts) > KEPT:
                self._layouts.popitem(last=False)
        else:
            self._layouts.move_to_end(key)
        return found


def fitting(tokens: list[str], metrics: QFontMetricsF, width: float) -> tuple[list[str], bool]:
    """As many whole tokens as fit, and “…” where more follow; says whether it was cut."""
    # measured by the longest text that could fit at all, so that a very long segment costs no more than a short one
    some = max(8, int(width / max(1.0, metrics.averageCharWidth() * 0.5)))
    kept: list[str] = []
    used = 0
    for token in tokens:
        used += len(token) + 1
        if used > some:
            break
        kept.append(token)
    cut = len(kept) < len(tokens)
    while kept and metrics.horizontalAdvance(" ".join(kept) + (" …" if cut else "")) > width:
        over = metrics.horizontalAdvance(" ".join(kept)) / max(1.0, width)
        kept = kept[: min(len(kept) - 1, max(1, int(len(kept) / over)))] if over > 1.2 else kept[:-1]
        cut = True
    return ([*kept, "…"], True) if cut else (kept, False)


def fitted(text: str, column: SegmentColumn, metrics: QFontMetrics, width: int) -> str:
    """What is shown of a text in so much room. Of who is ahead the end stays: it is the number that one looks for."""
    middle = column is SegmentColumn.AHEAD
    return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight, width)
