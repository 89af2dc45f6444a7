"""Tab of one question with its answer."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QWidget

from qe_desktop.answers.scale import ScaleAnswer
from qe_desktop.i18n.messages import tr
from qe_desktop.ui import icons
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.buttons import ThemedButton
from qe_desktop.ui.widgets.labels import scaled_font


class QuestionTab(ThemedButton):
    """Tab with the name of a question and its answer; underlined in the accent colour while selected."""

    def __init__(self, scale: ScaleAnswer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scale = scale
        self._answer = ""
        self.note = ""
        """Note on the answer."""
        self._lit = False

    def show_answer(self, answer: str, note: str, *, lit: bool) -> None:
        """Show the answer, a note on it, and whether the question is selected."""
        self._answer, self.note, self._lit = answer, note, lit
        question, shown = self.scale.title, answer or tr("not rated")
        if note:
            self.setAccessibleName(tr("{question}: {answer}, {note}", question=question, answer=shown, note=note))
        else:
            self.setAccessibleName(tr("{question}: {answer}", question=question, answer=shown))
        self.updateGeometry()
        self.update()

    def _parts(self) -> list[tuple[str, bool, str]]:
        """Return the texts with bold flag and colour token."""
        parts = [(self.scale.title, self._lit, "text" if self._lit else "muted")]
        parts += [(self._answer, True, "text")] if self._answer else []
        return parts + ([(f"({self.note})", False, "muted")] if self.note else [])

    def sizeHint(self) -> QSize:
        """Return the size of one line of text with the underline."""
        width = sum(
            QFontMetrics(scaled_font(1.0, bold=bold)).horizontalAdvance(text) + 8 for text, bold, _ in self._parts()
        )
        return QSize(width + self.fontMetrics().height() + 20, round(self.fontMetrics().height() * 1.8))

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw name, answer and underline."""
        line, x = self.fontMetrics().height(), 8
        self.draw_ground(painter, self.rect().toRectF().adjusted(1, 1, -1, -3))
        mark = QRect(x, 0, line, self.height() - 2)
        if self._answer:
            icons.paint_icon(painter, "ok", mark, colours.accent)
        else:
            painter.setPen(QPen(colours.muted, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(mark.toRectF().center(), line * 0.3, line * 0.3)
        x += line + 4
        for text, bold, token in self._parts():
            painter.setFont(scaled_font(1.0, bold=bold))
            painter.setPen(getattr(colours, token))
            painter.drawText(self.rect().adjusted(x, 0, 0, -2), int(Qt.AlignmentFlag.AlignVCenter), text)
            x += painter.fontMetrics().horizontalAdvance(text) + 8
        if self._lit:
            painter.fillRect(4, self.height() - 3, self.width() - 8, 3, colours.accent)
