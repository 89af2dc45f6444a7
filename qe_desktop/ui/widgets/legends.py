"""Legends of tags, matrices and plots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from math import ceil
from typing import Generic, Protocol, TypeVar, cast

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QHelpEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLayout, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.levels.chart_model import LegendKey, MarkStyleName
from qe_desktop.significance import Correction, SignificanceLevel, sign_meanings
from qe_desktop.ui import theme
from qe_desktop.ui.theme import Theme, current, themes
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import FlowLayout, clear_layout
from qe_desktop.ui.widgets.matrix_model import MatrixCell
from qe_desktop.ui.widgets.matrix_painter import cell_colour
from qe_desktop.ui.widgets.themed_widget import ArrangedMixin, LegendSwatch


class LegendItem(Protocol):
    """Entry of a legend: any object with a label."""

    @property
    def label(self) -> str:
        """Label of the symbol, in one or two words."""


LegendItemT = TypeVar("LegendItemT", bound=LegendItem)


FIRST_LINE_HEIGHT, NEXT_LINE_HEIGHT = 1.7, 1.35
"""Heights of the first line and of each further line, as multiples of the font height."""
SAMPLE_LETTERS = "ab"
"""Letters on which the sample of a symbol is drawn."""
LEFT_MARGIN, ENTRY_SPACING, NEXT_ENTRY = 16.0, 14.0, 6.0
"""Space in pixels: `LEFT_MARGIN` before the first entry of a line, `ENTRY_SPACING` + `NEXT_ENTRY` between entries."""


@dataclass(frozen=True, slots=True)
class _EntryPosition(Generic[LegendItemT]):
    """Entry and its position: left edge and width in pixels, and line (0-based)."""

    entry: LegendItemT
    x: float
    line: int
    width: float


class InlineLegend(QWidget, Generic[LegendItemT]):
    """Legend of symbols; subclasses define the entries and draw a sample of each."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(tr("Legend"))
        themes.theme_changed.connect(self.update)

    @property
    def entries(self) -> Sequence[LegendItemT]:
        """Entries of the legend."""
        raise NotImplementedError

    def draw_sample(self, painter: QPainter, box: QRectF, entry: LegendItemT, theme: Theme) -> None:
        """Draw a sample of an entry into a box."""
        raise NotImplementedError

    def explain(self, entry: LegendItemT) -> str:
        """Return the meaning of an entry as a sentence, which is shown on hover; empty if the label is sufficient."""
        return ""

    def sizeHint(self) -> QSize:
        """Return the size of all entries on one line."""
        metrics = QFontMetricsF(self.font())
        width = ceil(LEFT_MARGIN + sum(self._width(entry, metrics) + NEXT_ENTRY for entry in self.entries))
        return QSize(width, self.heightForWidth(width))

    def heightForWidth(self, width: int) -> int:
        """Return the total height of the lines that the entries occupy at a width."""
        metrics = QFontMetricsF(self.font())
        lines = max((position.line for position in self._entry_positions(width)), default=0) + 1
        return round(metrics.height() * (FIRST_LINE_HEIGHT + (lines - 1) * NEXT_LINE_HEIGHT))

    def _sample_width(self, metrics: QFontMetricsF) -> float:
        return metrics.horizontalAdvance("0") * 3.5

    def _width(self, entry: LegendItemT, metrics: QFontMetricsF) -> float:
        return metrics.horizontalAdvance(entry.label) + self._sample_width(metrics) + 22

    def _entry_positions(self, width: float) -> list[_EntryPosition[LegendItemT]]:
        metrics = QFontMetricsF(self.font())
        positions, x, line = [], LEFT_MARGIN, 0
        for entry in self.entries:
            entry_width = self._width(entry, metrics)
            if x > LEFT_MARGIN and x + entry_width - ENTRY_SPACING > width:
                x, line = LEFT_MARGIN, line + 1
            positions.append(_EntryPosition(entry, x, line, entry_width - ENTRY_SPACING))
            x += entry_width + NEXT_ENTRY
        return positions

    def _rect(self, position: _EntryPosition[LegendItemT]) -> QRectF:
        height = QFontMetricsF(self.font()).height()
        return QRectF(position.x, height * position.line * NEXT_LINE_HEIGHT, position.width, height * FIRST_LINE_HEIGHT)

    def event(self, event: QEvent) -> bool:
        """Show the meaning of the symbol under the mouse pointer as a tooltip."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            meaning = self.meaning_at(QPointF(event.pos()))
            if meaning:
                QToolTip.showText(event.globalPos(), plain_tooltip(meaning), self)
                return True
        return super().event(event)

    def meaning_at(self, point: QPointF) -> str:
        """Return the meaning of the symbol at a point; empty if there is no symbol or no meaning."""
        return next(
            (
                self.explain(position.entry)
                for position in self._entry_positions(self.width())
                if self._rect(position).contains(point)
            ),
            "",
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the entries."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics, theme = QFontMetricsF(self.font()), current()
        painter.fillRect(self.rect(), theme.surface)
        painter.fillRect(0, 0, self.width(), 1, theme.border)
        width = self._sample_width(metrics)
        for position in self._entry_positions(self.width()):
            area = self._rect(position)
            box = QRectF(area.left(), area.top() + area.height() * 0.24, width, area.height() * 0.52)
            self.draw_sample(painter, box, position.entry, theme)
            painter.setPen(theme.muted)
            text_rect = QRectF(
                box.right() + 6, area.top(), metrics.horizontalAdvance(position.entry.label) + 2, area.height()
            )
            painter.drawText(
                text_rect, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), position.entry.label
            )
        painter.end()


_SIGN_NAMES = {
    SignificanceLevel.STRONG: tr("filled circle"),
    SignificanceLevel.WEAK: tr("half circle"),
    SignificanceLevel.NOT_SIGNIFICANT: tr("open circle"),
    SignificanceLevel.IDENTICAL: tr("equals sign"),
    SignificanceLevel.UNTESTED: tr("dash"),
}


LEGEND_GAP = 8
"""Space between adjacent legend entries, in pixels."""


class MatrixLegendSwatch(LegendSwatch):
    """Legend entry with a sample cell and the meaning of the symbol in the cell."""

    token = "muted"

    def __init__(self, cell: MatrixCell, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._cell = cell

    def sign_size(self) -> QSize:
        """Return the size of the sample cell: a square, slightly taller than a line of text."""
        side = round(self.fontMetrics().height() * 1.15)
        return QSize(side, side)

    def draw_sign(self, painter: QPainter, box: QRect, colours: Theme) -> None:
        """Draw the sample cell."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        background = cell_colour(self._cell)
        box = box.adjusted(0, 0, -1, -1)
        painter.fillRect(box, background)
        painter.setPen(colours.border)
        painter.drawRect(box)
        painter.setPen(colours.text_colour_on(background))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._cell.sign)


class MatrixLegend(ArrangedMixin, QWidget):
    """Legend of the symbols that occur in a matrix, and of the differences below its diagonal.

    The symbols of tested pairs come first, in order of decreasing significance. `other_levels` maps the levels of
    untested pairs to their meanings. If the legend does not fit on one line, meanings are shortened; if that is not
    enough, the legend is wrapped. If `stacked`, each symbol is on a separate line. `shaded` states whether the
    background of a cell shows the size of the difference.
    """

    def __init__(
        self, other_levels: Mapping[SignificanceLevel, str], *, stacked: bool = False, shaded: bool = False
    ) -> None:
        super().__init__()
        levels = (SignificanceLevel.STRONG, SignificanceLevel.WEAK, SignificanceLevel.NOT_SIGNIFICANT, *other_levels)
        self._signs = {level: MatrixLegendSwatch(MatrixCell("", level.sign, level=level), "") for level in levels}
        self._other_levels, self._stacked = other_levels, stacked
        self._texts: dict[SignificanceLevel, tuple[str, str]] = {}
        """Maps each level that occurs to two forms of its meaning: in full, and without the word “adjusted”."""
        self._difference_swatch = MatrixLegendSwatch(MatrixCell("", "+", scaled_value=float(shaded)), "")
        self._difference_swatch.setToolTip(
            plain_tooltip(tr("Below the diagonal: value of the column's system minus value of the row's system"))
        )
        layout: QLayout = QVBoxLayout(self) if stacked else FlowLayout(self, gap=LEGEND_GAP, line_gap=4)
        layout.setContentsMargins(0, 0, 0, 0)
        if stacked:
            layout.setSpacing(8)
        for swatch in (*self._signs.values(), self._difference_swatch):
            layout.addWidget(swatch)
        self.explain("none", 0.05, frozenset())

    def explain(
        self,
        correction: Correction,
        alpha: float,
        levels: Set[SignificanceLevel],
        difference_text: str = tr("column − row"),
    ) -> None:
        """Explain the symbols of the significance levels in `levels`, and the numbers below the diagonal."""
        texts = {**sign_meanings(alpha, correction), **self._other_levels}
        short = {**sign_meanings(alpha, "none"), **self._other_levels}
        meanings = {level: text for level, text in texts.items() if level in levels}
        self._texts = {level: (text, short[level]) for level, text in meanings.items()}
        for level, swatch in self._signs.items():
            swatch.setHidden(level not in meanings)
        self._difference_swatch.set_text(difference_text)
        self._arrange()
        accessible_texts = [f"{_SIGN_NAMES[level]}, {text}" for level, text in meanings.items()]
        accessible_texts.append(tr("below the diagonal, {difference}", difference=difference_text))
        self.setAccessibleName(tr("Legend: {signs}", signs="; ".join(accessible_texts)))

    def _arrange(self) -> None:
        """Show the meanings in full if the legend is stacked or fits on one line; otherwise, without “adjusted”."""
        for level, swatch in self._signs.items():
            swatch.set_text(self._texts.get(level, ("", ""))[0])
        shown = [*(self._signs[level] for level in self._texts), self._difference_swatch]
        width = sum(swatch.sizeHint().width() + LEGEND_GAP for swatch in shown) - LEGEND_GAP
        if width > self.width() and not self._stacked:
            for level, (_, short) in self._texts.items():
                self._signs[level].set_text(short)


class CorrelationLegend(QWidget):
    """Legend of the backgrounds of a matrix of correlations: sample cells with their values, from 1 to −1."""

    def __init__(self) -> None:
        super().__init__()
        layout = FlowLayout(self, gap=LEGEND_GAP, line_gap=4)
        layout.setContentsMargins(0, 0, 0, 0)
        values = {1.0: "1", 0.5: ".5", 0.0: "0", -0.5: "−.5", -1.0: "−1"}
        for value, text in values.items():
            layout.addWidget(MatrixLegendSwatch(MatrixCell("", "−" if value < 0 else "", scaled_value=value), text))
        self.setAccessibleName(tr("Legend: {signs}", signs=", ".join(values.values())))


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
_MARK_STYLE_NAMES: dict[MarkStyleName, str] = {
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
        accessible_text = ", ".join(f"{_MARK_STYLE_NAMES[key.mark]}: {escape_label(key.name)}" for key in keys)
        parts = [part for part in (title, accessible_text) if part]
        self.setAccessibleName(tr("Legend: {signs}", signs=join_localized("; ", parts)))

    def _arrange(self) -> None:
        """Limit the title and each legend entry to the width of the legend."""
        for swatch in (self.title, *self.findChildren(PlotLegendSwatch)):
            swatch.setMaximumWidth(max(1, self.width()))
