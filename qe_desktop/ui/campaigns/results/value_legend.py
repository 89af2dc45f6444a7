"""Colours of the values of a scale, and their legend."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import theme
from qe_desktop.ui.widgets.layouts import clear_layout, hbox
from qe_desktop.ui.widgets.tabs import tab_size
from qe_desktop.ui.widgets.themed_widget import LegendSwatch


def value_colours(count: int) -> list[QColor]:
    """Return `count` diverging colours, from the theme's negative colour through grey to its positive colour.

    If `count` is 1, the only colour is the negative one.
    """
    colours = theme.current()
    # a grey that differs from the background of the chart
    neutral = theme.mix_colours(colours.border, colours.muted, 0.35)
    result = []
    for index in range(count):
        lean = 2 * index / max(1, count - 1) - 1
        end = colours.positive if lean >= 0 else colours.negative
        result.append(theme.mix_colours(neutral, end, 0.85 * abs(lean)))
    return result


class _ValueSwatch(LegendSwatch):
    """Colour sample and name of the value at `index`, one of `count` values."""

    token = "muted"

    def __init__(self, index: int, count: int, name: str) -> None:
        super().__init__(escape_label(name))
        self._index, self._count = index, count

    def sign_size(self) -> QSize:
        """Return the size of the colour sample, which is as high as a line of text."""
        line = self.fontMetrics().height()
        return QSize(round(line * 0.75), line)

    def draw_sign(self, painter: QPainter, box: QRect, colours: theme.Theme) -> None:
        """Draw the colour sample with a border."""
        side = box.width() - 1
        sample = QRect(box.left(), box.center().y() - side // 2, side, side)
        painter.setPen(colours.border)
        painter.setBrush(value_colours(self._count)[self._index])
        painter.drawRect(sample)


class ValueLegend(QWidget):
    """Legend that shows the values of a scale on one line, lowest value first."""

    def __init__(self) -> None:
        super().__init__()
        self.names: tuple[str, ...] = ()
        # the same direction as the bars
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._row = hbox(on=self, gap=8)

    def sizeHint(self) -> QSize:
        """Return the preferred size; the height is the height of a tab, because the legend is next to tabs."""
        return QSize(super().sizeHint().width(), tab_size("").height())

    def show_names(self, names: Sequence[str]) -> None:
        """Replace the names of the values."""
        if tuple(names) == self.names:
            return
        self.names = tuple(names)
        clear_layout(self._row)
        for index, name in enumerate(names):
            swatch = _ValueSwatch(index, len(names), name)
            self._row.addWidget(swatch)
            # hidden widgets have no size in a layout
            swatch.show()
        self.setAccessibleName(tr("Legend: {signs}", signs=", ".join(map(escape_label, names))))
