"""Legend of the marks in a segment, with samples drawn by the same code as the marks."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QTextLayout

from qe_desktop.formats.bilingual.inline_codes import CodeKind
from qe_desktop.formats.bilingual.plain_lines import LineCode
from qe_desktop.i18n.messages import join_localized
from qe_desktop.ui.inspect.legend_entries import LegendEntry, LegendSymbol
from qe_desktop.ui.inspect.reader.word_decorations import (
    EditType,
    draw_code,
    draw_edit_type,
    draw_edited,
    draw_probability,
    draw_search_match,
    issue_format,
)
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.glossary.terms import term_meaning
from qe_desktop.ui.widgets.legends import SAMPLE_LETTERS, InlineLegend
from qe_desktop.ui.widgets.tag_painter import TagOutcome, TagPainter

SHADE_COUNT = 8
"""Number of shades in the scale of P(BAD) from 0 to 1."""
_OUTCOMES = {
    LegendSymbol.BAD: TagOutcome.BAD,
    LegendSymbol.HIT: TagOutcome.HIT,
    LegendSymbol.FALSE_ALARM: TagOutcome.FALSE_ALARM,
    LegendSymbol.MISS: TagOutcome.MISS,
}
_GAP_OUTCOMES = {
    LegendSymbol.GAP: TagOutcome.BAD,
    LegendSymbol.GAP_LIGHT: TagOutcome.BAD,
    LegendSymbol.GAP_FALSE_ALARM: TagOutcome.FALSE_ALARM,
    LegendSymbol.GAP_MISS: TagOutcome.MISS,
}
_EDIT_TYPES = {
    LegendSymbol.SUBSTITUTED: EditType.SUBSTITUTED,
    LegendSymbol.INSERTED: EditType.INSERTED,
    LegendSymbol.DELETED: EditType.DELETED,
}


class TagLegend(InlineLegend[LegendEntry]):
    """Legend with a labelled sample of each mark; tooltips contain the glossary entries."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[LegendEntry, ...] = ()

    @property
    def entries(self) -> tuple[LegendEntry, ...]:
        """Entries of the legend."""
        return self._entries

    def show_entries(self, entries: tuple[LegendEntry, ...]) -> None:
        """Replace the entries, and update their description for screen readers."""
        if entries != self._entries:
            self._entries = entries
            descriptions = [
                f"{entry.label}: {term_meaning(entry.term)}" if entry.term else f"{entry.letter} {entry.label}"
                for entry in entries
            ]
            self.setAccessibleDescription(join_localized(" ", descriptions))
            self.updateGeometry()
            self.update()

    def explain(self, entry: LegendEntry) -> str:
        """Return the glossary entry for the term of `entry`; empty if `entry` has no term."""
        return term_meaning(entry.term) if entry.term else ""

    def draw_sample(self, painter: QPainter, box: QRectF, entry: LegendEntry, theme: Theme) -> None:
        """Draw the sample of an entry."""
        sign = entry.symbol
        if sign in _OUTCOMES:
            TagPainter(theme).paint_bar(painter, box, _OUTCOMES[sign])
        elif sign in _GAP_OUTCOMES:
            tip = QPointF(box.center().x(), box.bottom() - box.height() * 0.1)
            TagPainter(theme).paint_gap(
                painter, tip, box.height() * 0.5, _GAP_OUTCOMES[sign], partial=sign is LegendSymbol.GAP_LIGHT
            )
        elif sign is LegendSymbol.CODE:
            draw_code(painter, box, LineCode(CodeKind.OPEN, 1), painter.font(), theme)
        elif sign is LegendSymbol.STATUS:
            painter.setPen(theme.text)
            painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip), entry.letter)
        elif sign is LegendSymbol.PROBABILITY:
            _draw_scale(painter, box, entry.threshold, theme)
        else:
            _draw_on_letters(painter, box, entry, theme)


def _draw_on_letters(painter: QPainter, box: QRectF, entry: LegendEntry, theme: Theme) -> None:
    sign = entry.symbol
    if sign is LegendSymbol.CHECK_RESULT:
        _draw_wave(painter, box, theme)
        return
    if sign in (
        LegendSymbol.TEXT_REMOVED,
        LegendSymbol.TEXT_ADDED,
        LegendSymbol.TEXT_MOVED,
        LegendSymbol.PARTLY_FLAGGED,
    ):
        _draw_in_target(painter, box, sign, theme)
        return
    if sign is LegendSymbol.ALIGNED:
        painter.fillRect(box, theme.selection)
    elif sign in (LegendSymbol.WORD, LegendSymbol.WORD_LIGHT):
        partial = sign is LegendSymbol.WORD_LIGHT
        TagPainter(theme, dotted=entry.is_dotted).paint_word(painter, box, partial=partial)
    painter.setPen(theme.text)
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip), SAMPLE_LETTERS)
    if sign in _EDIT_TYPES:
        draw_edit_type(painter, box, _EDIT_TYPES[sign], theme)
    elif sign is LegendSymbol.EDITED:
        draw_edited(painter, box, theme)
    elif sign is LegendSymbol.SEARCH_MATCH:
        draw_search_match(painter, box, theme.accent)


def _draw_in_target(painter: QPainter, box: QRectF, sign: LegendSymbol, theme: Theme) -> None:
    """Draw the sample of a mark that the target panel shows as a character format."""
    fills = {
        LegendSymbol.TEXT_REMOVED: theme.bad_fill,
        LegendSymbol.TEXT_ADDED: theme.ok_fill,
        LegendSymbol.TEXT_MOVED: theme.miss_fill,
    }
    fill = fills.get(sign)
    if fill is not None:
        painter.fillRect(box, fill)
    colour = theme.bad if sign is LegendSymbol.TEXT_REMOVED else theme.text
    painter.setPen(colour)
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip), SAMPLE_LETTERS)
    width = painter.fontMetrics().horizontalAdvance(SAMPLE_LETTERS)
    word = QRectF(box.center().x() - width / 2, box.top(), width, box.height())
    if sign is LegendSymbol.PARTLY_FLAGGED:
        TagPainter(theme, 1.3, dotted=True, filled=False).paint_word(painter, word)
        return
    if sign is LegendSymbol.TEXT_MOVED:
        painter.setPen(QPen(theme.miss, 1.3, Qt.PenStyle.DashLine))
    else:
        painter.setPen(QPen(theme.ok if sign is LegendSymbol.TEXT_ADDED else theme.bad, 1.3))
    y = box.top() + box.height() * 0.56 if sign is LegendSymbol.TEXT_REMOVED else box.bottom() - 1
    painter.drawLine(QLineF(word.left(), y, word.right(), y))


def _draw_wave(painter: QPainter, box: QRectF, theme: Theme) -> None:
    """Draw the sample letters with a wavy underline, as in the target editor."""
    full_range = QTextLayout.FormatRange()
    full_range.start, full_range.length, full_range.format = 0, len(SAMPLE_LETTERS), issue_format(theme)
    layout = QTextLayout(SAMPLE_LETTERS, painter.font())
    layout.setFormats([full_range])
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    painter.setPen(theme.text)
    left = box.center().x() - line.naturalTextWidth() / 2
    layout.draw(painter, QPointF(left, box.center().y() - line.height() / 2))


def _draw_scale(painter: QPainter, box: QRectF, threshold: float | None, theme: Theme) -> None:
    """Draw the shades of P(BAD) from 0 to 1, with a line at the threshold, if any."""
    width = box.width() / SHADE_COUNT
    for step in range(SHADE_COUNT):
        # shades are drawn slightly wider than their rectangle
        rect = QRectF(box.left() + step * width + 1, box.top(), width - 2, box.height())
        draw_probability(painter, rect, step / (SHADE_COUNT - 1), theme)
    if threshold is not None:
        x = box.left() + threshold * box.width()
        painter.setPen(QPen(theme.text, 1.4))
        painter.drawLine(QLineF(x, box.top() - 1, x, box.bottom() + 2))
