"""The legend of translations side by side, and what the word means that the mouse or the cursor is on."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized
from qe_desktop.levels.translations.diff_styles import DiffStyle, MarkSign, MarkStyle
from qe_desktop.ui.inspect.translations.comparison_painter import paint_sample
from qe_desktop.ui.theme import Theme, current
from qe_desktop.ui.widgets.inline_legend import InlineLegend

SAMPLE_LETTERS = "ab"
"""What a mark is shown on: no word, and the same in every language."""
SAMPLE_GAP = "a a"
"""What a mark between words is shown on."""


class ComparisonLegend(InlineLegend[MarkSign]):
    """The signs of a marking; while a word is looked at, what it means stands in their place."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._signs: tuple[MarkSign, ...] = ()
        self.said = ""

    @property
    def entries(self) -> tuple[MarkSign, ...]:
        """The signs that are explained."""
        return self._signs

    def show_marking(self, marking: DiffStyle) -> None:
        """Explain the signs of another way of marking."""
        self._signs = marking.signs
        self.setAccessibleDescription(join_localized(", ", [sign.text for sign in marking.signs]))
        self.setToolTip(marking.about)
        self.updateGeometry()
        self.update()

    def tell(self, said: str) -> None:
        """Say what a word means; nothing brings the signs back."""
        if said != self.said:
            self.said = said
            self.update()

    def draw_sample(self, painter: QPainter, box: QRectF, entry: MarkSign, theme: Theme) -> None:
        """The sign on two letters, or between them."""
        painter.setPen(theme.text)
        tick = entry.form is MarkStyle.TICK
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), SAMPLE_GAP if tick else SAMPLE_LETTERS)
        paint_sample(painter, box, entry.form, theme)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the signs, or what is said."""
        if not self.said:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        theme = current()
        painter.fillRect(self.rect(), theme.surface)
        painter.fillRect(0, 0, self.width(), 1, theme.border)
        room = QRectF(16, 0, self.width() - 32, self.height())
        painter.setPen(theme.text)
        text = QFontMetricsF(self.font()).elidedText(escape_label(self.said), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), text)
        painter.end()
