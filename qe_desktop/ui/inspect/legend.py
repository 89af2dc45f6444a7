"""The legend under the reader: what each mark means that can be on screen, drawn by the code that draws the marks."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QWidget

from qe_desktop.formats.bilingual.codes import CodeKind
from qe_desktop.formats.bilingual.line_codes import LineCode
from qe_desktop.ui.inspect.code_signs import draw_chip
from qe_desktop.ui.inspect.marks import (
    Mark,
    Revised,
    draw_bar,
    draw_edited,
    draw_found,
    draw_probability,
    draw_revised,
    draw_tick,
    draw_word,
)
from qe_desktop.ui.inspect.signs import Entry, Sign
from qe_desktop.ui.parts.glossary import meaning
from qe_desktop.ui.parts.legend_line import LegendLine
from qe_desktop.ui.theme import Theme
from qe_desktop.wording import side_by_side

LETTERS = "ab"
"""What a mark of the text is shown on: no word, and the same in every language."""
STEPS = 8
"""Shades from P(BAD) 0 to 1."""
_BARS = {Sign.BAD: Mark.BAD, Sign.HIT: Mark.HIT, Sign.FALSE_ALARM: Mark.FALSE_ALARM, Sign.MISS: Mark.MISS}
_REVISED = {Sign.REPLACED: Revised.REPLACED, Sign.NEW: Revised.NEW, Sign.REMOVED: Revised.REMOVED}


class Legend(LegendLine[Entry]):
    """A sample of each mark and its name; what it means on hover."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[Entry, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """What is explained."""
        return self._entries

    def show_entries(self, entries: tuple[Entry, ...]) -> None:
        """Explain these."""
        if entries != self._entries:
            self._entries = entries
            said = [f"{entry.text}: {meaning(entry.term)}" for entry in entries]
            self.setAccessibleDescription(side_by_side(" ", said))
            self.updateGeometry()
            self.update()

    def explain(self, entry: Entry) -> str:
        """What the glossary says of a mark."""
        return meaning(entry.term)

    def draw_sample(self, painter: QPainter, box: QRectF, entry: Entry, theme: Theme) -> None:
        """The mark on letters, or its bar or tick."""
        sign = entry.sign
        if sign in _BARS:
            draw_bar(painter, box, _BARS[sign], theme)
        elif sign is Sign.GAP:
            tip = QPointF(box.center().x(), box.bottom() - box.height() * 0.1)
            draw_tick(painter, tip, box.height() * 0.5, Mark.BAD, theme)
        elif sign is Sign.CODE:
            draw_chip(painter, box, LineCode(CodeKind.OPEN, 1), painter.font(), theme)
        elif sign is Sign.PROBABILITY:
            _draw_scale(painter, box, entry.threshold, theme)
        else:
            _draw_on_letters(painter, box, entry, theme)


def _draw_on_letters(painter: QPainter, box: QRectF, entry: Entry, theme: Theme) -> None:
    sign = entry.sign
    if sign is Sign.CHECKED:
        _draw_wave(painter, box, theme)
        return
    if sign in (Sign.TAKEN_OUT, Sign.PUT_IN, Sign.DOUBT):
        _draw_in_target(painter, box, sign, theme)
        return
    if sign in (Sign.WORD, Sign.WORD_LIGHT):
        draw_word(painter, box, theme, dotted=entry.dotted, light=sign is Sign.WORD_LIGHT)
    painter.setPen(theme.text)
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip), LETTERS)
    if sign in _REVISED:
        draw_revised(painter, box, _REVISED[sign], theme)
    elif sign is Sign.EDITED:
        draw_edited(painter, box, theme)
    elif sign is Sign.FOUND:
        draw_found(painter, box, theme.accent)


def _draw_in_target(painter: QPainter, box: QRectF, sign: Sign, theme: Theme) -> None:
    """As the editor of texts draws them, whose letters have formats."""
    fill = {Sign.TAKEN_OUT: theme.bad_fill, Sign.PUT_IN: theme.ok_fill}.get(sign)
    if fill is not None:
        painter.fillRect(box, fill)
    ink = theme.bad if sign is Sign.TAKEN_OUT else theme.text
    painter.setPen(ink)
    painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip), LETTERS)
    style = Qt.PenStyle.DotLine if sign is Sign.DOUBT else Qt.PenStyle.SolidLine
    painter.setPen(QPen(theme.ok if sign is Sign.PUT_IN else theme.bad, 1.3, style))
    width = painter.fontMetrics().horizontalAdvance(LETTERS)
    y = box.top() + box.height() * 0.56 if sign is Sign.TAKEN_OUT else box.bottom() - 1
    painter.drawLine(QLineF(box.center().x() - width / 2, y, box.center().x() + width / 2, y))


def _draw_wave(painter: QPainter, box: QRectF, theme: Theme) -> None:
    """As the editor draws it, which takes it from a format."""
    form = QTextCharFormat()
    form.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
    form.setUnderlineColor(theme.warning)
    whole = QTextLayout.FormatRange()
    whole.start, whole.length, whole.format = 0, len(LETTERS), form
    layout = QTextLayout(LETTERS, painter.font())
    layout.setFormats([whole])
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    painter.setPen(theme.text)
    left = box.center().x() - line.naturalTextWidth() / 2
    layout.draw(painter, QPointF(left, box.center().y() - line.height() / 2))


def _draw_scale(painter: QPainter, box: QRectF, threshold: float | None, theme: Theme) -> None:
    """The shades from 0 to 1, with a line where BAD begins."""
    width = box.width() / STEPS
    for step in range(STEPS):
        # a shade is drawn a little wider than its place
        place = QRectF(box.left() + step * width + 1, box.top(), width - 2, box.height())
        draw_probability(painter, place, step / (STEPS - 1), theme)
    if threshold is not None:
        x = box.left() + threshold * box.width()
        painter.setPen(QPen(theme.text, 1.4))
        painter.drawLine(QLineF(x, box.top() - 1, x, box.bottom() + 2))
