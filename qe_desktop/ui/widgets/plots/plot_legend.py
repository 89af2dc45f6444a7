"""What is drawn how: a legend of colours, patterns, lines and dots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import LegendKey, MarkStyleName
from qe_desktop.ui import theme
from qe_desktop.ui.widgets.layouts import FlowLayout

GAP = 6
PATTERNS: dict[MarkStyleName, Qt.BrushStyle] = {
    "solid": Qt.BrushStyle.SolidPattern,
    "hatched": Qt.BrushStyle.BDiagPattern,
    "dotted": Qt.BrushStyle.Dense6Pattern,
}
LINES: dict[MarkStyleName, Qt.PenStyle] = {
    "line": Qt.PenStyle.SolidLine,
    "dashed": Qt.PenStyle.DashLine,
    "dashdot": Qt.PenStyle.DashDotLine,
    "dots": Qt.PenStyle.DotLine,
}
_ACCESSIBLE_NAMES: dict[MarkStyleName, str] = {
    "solid": tr("solid", "a bar"),
    "hatched": tr("hatched", "a bar"),
    "dotted": tr("dotted", "a bar"),
    "line": tr("line"),
    "dashed": tr("dashed line"),
    "dashdot": tr("dash-dotted line"),
    "dots": tr("dotted line"),
    "dot": tr("dot"),
    "ring": tr("ring"),
    "cross": tr("cross"),
}


def key_colour(key: LegendKey) -> QColor:
    """The colour in the theme in force."""
    return cast(QColor, getattr(theme.current(), key.token))


class PlotLegendSwatch(QWidget):
    """A sign of the plot and its name, which is elided if it does not fit."""

    def __init__(self, key: LegendKey, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = key
        self._name = escape_label(key.name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.themes.theme_changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """The piece and its name."""
        metrics = self.fontMetrics()
        return QSize(2 * metrics.height() + GAP + metrics.horizontalAdvance(self._name) + 2, metrics.height() + 2)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the piece, then its name."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line, mirrored = self.fontMetrics().height(), self.isRightToLeft()
        width = 2 * line - 4
        box = QRect(self.width() - width - 1 if mirrored else 0, 2, width, line - 3)
        draw_key_sample(painter, box, self._key)
        painter.setPen(theme.current().text)
        room = QRect(0 if mirrored else 2 * line - 4 + GAP, 0, self.width() - 2 * line + 4 - GAP, line + 2)
        shown = self.fontMetrics().elidedText(self._name, Qt.TextElideMode.ElideMiddle, room.width())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter, shown)
        painter.end()


def draw_key_sample(painter: QPainter, box: QRect, key: LegendKey) -> None:
    """Draw a piece of what a key stands for."""
    colour = key_colour(key)
    if key.mark in LINES:
        painter.setPen(QPen(colour, 2, LINES[key.mark]))
        painter.drawLine(box.left(), box.center().y(), box.right(), box.center().y())
    elif key.mark in PATTERNS:
        painter.setPen(colour)
        painter.setBrush(QBrush(colour, PATTERNS[key.mark]))
        painter.drawRect(box)
    elif key.mark == "cross":
        painter.setPen(QPen(colour, 1.5))
        middle, arm = box.center(), box.height() // 2
        painter.drawLine(middle.x() - arm, middle.y(), middle.x() + arm, middle.y())
        painter.drawLine(middle.x(), middle.y() - arm, middle.x(), middle.y() + arm)
    else:
        painter.setPen(QPen(colour, 2))
        painter.setBrush(colour if key.mark == "dot" else theme.current().surface)
        radius = max(3, box.height() // 2 - 2)
        painter.drawEllipse(box.center(), radius, radius)


class PlotLegend(QWidget):
    """All that is drawn, in as many lines as it needs; nothing where there is nothing to explain."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys: tuple[LegendKey, ...] = ()
        self._layout = FlowLayout(self, gap=14, line_gap=2)

    def show_keys(self, keys: Sequence[LegendKey]) -> None:
        """Explain these."""
        self.setVisible(bool(keys))
        if tuple(keys) == self._keys:
            return
        self._keys = tuple(keys)
        while (item := self._layout.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for key in keys:
            swatch = PlotLegendSwatch(key, self)
            self._layout.addWidget(swatch)
            swatch.show()
        self._fit()
        spoken = ", ".join(f"{_ACCESSIBLE_NAMES[key.mark]}: {escape_label(key.name)}" for key in keys)
        self.setAccessibleName(tr("Legend: {signs}", signs=spoken))

    def _fit(self) -> None:
        for swatch in self.findChildren(PlotLegendSwatch):
            swatch.setMaximumWidth(max(1, self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """No name is longer than a line."""
        super().resizeEvent(event)
        self._fit()
