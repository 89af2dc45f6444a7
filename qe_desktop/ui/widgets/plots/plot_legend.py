"""Legend of the colours, patterns, lines and dots of a plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.chart_model import LegendKey, MarkStyleName
from qe_desktop.ui import theme
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import FlowLayout, clear_layout
from qe_desktop.ui.widgets.themed_widget import ArrangedMixin, LegendSwatch

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
    """Return the colour of a legend key in the current theme."""
    return cast(QColor, getattr(theme.current(), key.token))


class PlotLegendSwatch(LegendSwatch):
    """Entry of a plot legend: the name of a legend key, and a sample of its symbol."""

    def __init__(self, key: LegendKey, parent: QWidget | None = None) -> None:
        super().__init__(escape_label(key.name), parent)
        self._key = key

    def sign_size(self) -> QSize:
        """Return the size of the sample, nearly two line heights wide."""
        line = self.fontMetrics().height()
        return QSize(2 * line - 4, line + 2)

    def sizeHint(self) -> QSize:
        """Return the size of the sample and the name, including a margin."""
        return super().sizeHint() + QSize(6, 0)

    def draw_sign(self, painter: QPainter, box: QRect, colours: Theme) -> None:
        """Draw a sample of the symbol."""
        shift = -1 if self.isRightToLeft() else 0
        draw_key_sample(painter, box.adjusted(shift, 2, shift, -3), self._key)


def draw_key_sample(painter: QPainter, box: QRect, key: LegendKey) -> None:
    """Draw a sample of the symbol of a legend key."""
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


class PlotLegend(ArrangedMixin, QWidget):
    """Legend of a plot, wrapped into as many lines as it needs; hidden if it has neither keys nor a title."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys: tuple[LegendKey, ...] = ()
        self.title = Label(token="muted")
        """Label with the title of the legend, which states what the marks mean."""
        self.title.setParent(self)
        self.title.hide()
        self._layout = FlowLayout(self, gap=8, line_gap=2)

    def show_keys(self, keys: Sequence[LegendKey], title: str = "") -> None:
        """Replace the keys and the title of the legend; if both are empty, the legend is hidden."""
        self.setVisible(bool(keys or title))
        if (tuple(keys), title) == (self._keys, self.title.text()):
            return
        self._keys = tuple(keys)
        clear_layout(self._layout, excluded=self.title)
        self.title.setText(title)
        self.title.setVisible(bool(title))
        if title:
            self._layout.addWidget(self.title)
        for key in keys:
            swatch = PlotLegendSwatch(key, self)
            self._layout.addWidget(swatch)
            swatch.show()
        self._arrange()
        accessible_text = ", ".join(f"{_ACCESSIBLE_NAMES[key.mark]}: {escape_label(key.name)}" for key in keys)
        parts = [part for part in (title, accessible_text) if part]
        self.setAccessibleName(tr("Legend: {signs}", signs=join_localized("; ", parts)))

    def _arrange(self) -> None:
        """Limit the title and each legend entry to the width of the legend."""
        for swatch in (self.title, *self.findChildren(PlotLegendSwatch)):
            swatch.setMaximumWidth(max(1, self.width()))
