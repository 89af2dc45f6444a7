"""How the marks of translations are drawn: behind the words, and over them."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from qe_desktop.levels.translations.markings import Form
from qe_desktop.ui.theme import Theme

_STEPS = {Form.STEP_1: 1, Form.STEP_2: 2, Form.STEP_3: 3, Form.STEP_4: 4}
_LINES = {
    Form.DASHED: Qt.PenStyle.DashLine,
    Form.DOTTED: Qt.PenStyle.DotLine,
    Form.SOLID: Qt.PenStyle.SolidLine,
    Form.DOUBLE: Qt.PenStyle.SolidLine,
    Form.STRUCK: Qt.PenStyle.SolidLine,
}
SHADE = 0.13
"""How much of the full colour one step of a shade has."""
WAVE = 5.0
"""Pixels from one wave to the next but one."""


def draw_behind(painter: QPainter, rect: QRectF, form: Form, theme: Theme) -> None:
    """What stands behind words: the shades, the darker the longer what matches."""
    steps = _STEPS.get(form, 0)
    if steps:
        shade = QColor(theme.ok)
        shade.setAlphaF(SHADE * (steps - 0.4))
        painter.fillRect(rect.adjusted(-1, 1, 1, 0), shade)


def draw_over(painter: QPainter, rect: QRectF, form: Form, theme: Theme) -> None:
    """The lines under, around or through words."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if form in _STEPS:
        _draw_step(painter, rect, _STEPS[form], theme)
    elif form is Form.WAVED:
        painter.setPen(QPen(theme.miss, 1.6))
        painter.drawPath(_wave(rect.left(), rect.right(), rect.bottom() - 1))
    elif form is Form.FRAME:
        painter.setPen(QPen(theme.miss, 1.3, Qt.PenStyle.DotLine))
        painter.drawRoundedRect(rect.adjusted(-1, 2, 1, 0), 2, 2)
    elif form is Form.BRACKET:
        painter.setPen(QPen(theme.ok, 1.6))
        low, high = rect.bottom() + 1, rect.bottom() - rect.height() * 0.25
        left, right = rect.left() + 0.5, rect.right() - 0.5
        corners = [QPointF(left, high), QPointF(left, low), QPointF(right, low), QPointF(right, high)]
        painter.drawPolyline(QPolygonF(corners))
    elif form in _LINES:
        _draw_lines(painter, rect, form, theme)


def _draw_lines(painter: QPainter, rect: QRectF, form: Form, theme: Theme) -> None:
    ink = theme.bad if form is Form.STRUCK else theme.ok
    painter.setPen(QPen(ink, 1.3 if form is Form.DOUBLE else 2, _LINES[form]))
    below, through = rect.bottom() - 1, rect.top() + rect.height() * 0.56
    heights = {Form.DOUBLE: [below - 3, below], Form.STRUCK: [through]}.get(form, [below])
    painter.drawLines([QLineF(rect.left(), y, rect.right(), y) for y in heights])


def _draw_step(painter: QPainter, rect: QRectF, steps: int, theme: Theme) -> None:
    """One dot for each word of an n-gram of up to three, and a bar for four."""
    y = rect.bottom()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.ok)
    if steps == len(_STEPS):
        painter.drawRect(QRectF(rect.left(), y - 1.6, rect.width(), 3.2))
        return
    size, apart = 3.6, 6.0
    left = rect.center().x() - apart * (steps - 1) / 2
    for step in range(steps):
        painter.drawEllipse(QPointF(left + step * apart, y), size / 2, size / 2)


def _wave(left: float, right: float, y: float) -> QPainterPath:
    path = QPainterPath(QPointF(left, y))
    x, up = left, True
    while x < right:
        onwards = min(right, x + WAVE)
        path.quadTo(QPointF((x + onwards) / 2, y - 4 if up else y + 3), QPointF(onwards, y - 0.5))
        x, up = onwards, not up
    return path


def draw_between(painter: QPainter, tip: QPointF, size: float, theme: Theme) -> None:
    """The tick between two words where the other text has more: it points up from below the line."""
    half = size / 2
    triangle = QPolygonF([tip, QPointF(tip.x() - half, tip.y() + size), QPointF(tip.x() + half, tip.y() + size)])
    painter.setPen(QPen(theme.ok, 1.0))
    painter.setBrush(theme.ok)
    painter.drawPolygon(triangle)


def draw_sample(painter: QPainter, rect: QRectF, form: Form, theme: Theme) -> None:
    """A form as a legend shows it."""
    if form is Form.TICK:
        draw_between(painter, rect.center() + QPointF(0, rect.height() * 0.15), rect.height() * 0.45, theme)
        return
    draw_behind(painter, rect, form, theme)
    draw_over(painter, rect, form, theme)
