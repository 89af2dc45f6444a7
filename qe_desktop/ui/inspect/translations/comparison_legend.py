"""Legend of the comparison view; shows the description of the current word instead, if any."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized
from qe_desktop.levels.translations.diff_styles import DiffStyle, MarkSign, MarkStyle
from qe_desktop.ui.inspect.translations.comparison_painter import paint_sample
from qe_desktop.ui.theme import Theme, current
from qe_desktop.ui.widgets.inline_legend import SAMPLE_LETTERS, InlineLegend

SAMPLE_GAP = "a a"
"""Sample of a highlight between words."""


class ComparisonLegend(InlineLegend[MarkSign]):
    """Signs of a comparison method; replaced by the description of the current word."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._signs: tuple[MarkSign, ...] = ()
        self.description = ""

    @property
    def entries(self) -> tuple[MarkSign, ...]:
        """Signs of the legend."""
        return self._signs

    def show_marking(self, marking: DiffStyle) -> None:
        """Show the signs of another comparison method."""
        self._signs = marking.signs
        self.setAccessibleDescription(join_localized(", ", [sign.text for sign in marking.signs]))
        self.setToolTip(marking.about)
        self.updateGeometry()
        self.update()

    def tell(self, text: str) -> None:
        """Show the description of a word; "" shows the signs again."""
        if text != self.description:
            self.description = text
            self.update()

    def draw_sample(self, painter: QPainter, box: QRectF, entry: MarkSign, theme: Theme) -> None:
        """Draw the sample of a sign."""
        painter.setPen(theme.text)
        tick = entry.form is MarkStyle.TICK
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), SAMPLE_GAP if tick else SAMPLE_LETTERS)
        paint_sample(painter, box, entry.form, theme)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the signs or the description."""
        if not self.description:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        theme = current()
        painter.fillRect(self.rect(), theme.surface)
        painter.fillRect(0, 0, self.width(), 1, theme.border)
        room = QRectF(16, 0, self.width() - 32, self.height())
        painter.setPen(theme.text)
        text = QFontMetricsF(self.font()).elidedText(
            escape_label(self.description), Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), text)
        painter.end()
