"""Legend of the symbols and background colours of a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Set

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.significance import Correction, SignificanceLevel, sign_meanings
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.layouts import FlowLayout
from qe_desktop.ui.widgets.matrix.matrix_model import MatrixCell
from qe_desktop.ui.widgets.matrix.matrix_painter import cell_colour
from qe_desktop.ui.widgets.themed_widget import ArrangedMixin, LegendSwatch

_ACCESSIBLE_NAMES = {
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
        accessible_texts = [f"{_ACCESSIBLE_NAMES[level]}, {text}" for level, text in meanings.items()]
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
