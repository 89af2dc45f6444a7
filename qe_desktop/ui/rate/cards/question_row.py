"""Question row: the question at the start; question tabs, or a note on missing answers, at the end."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.answers.scale import ScaleAnswer
from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ui import icons
from qe_desktop.ui.shell.appearance import scaled_pixels
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.buttons import ThemedButton
from qe_desktop.ui.widgets.labels import Label, plain_tooltip, scaled_font
from qe_desktop.ui.widgets.layouts import BoxDirection, ResponsiveBoxLayout
from qe_desktop.ui.widgets.themed_widget import ArrangedMixin

HEIGHT_PX = 40
MIN_CHARS = 100
"""Minimum width of the row, in characters, at which the question and the trailing widget are side by side."""


class QuestionRow(ArrangedMixin, QWidget):
    """Row with a question followed by `trailing_widget`; if the row is narrow, the question is below the widget.

    The height fits the longest of `questions`, so that nothing moves when another question is shown.
    """

    def __init__(self, questions: Sequence[str], trailing_widget: QWidget) -> None:
        super().__init__()
        self._questions = questions
        self._end = trailing_widget
        self.label = Label(scale=1.1, bold=True, wraps=True)
        self._row = ResponsiveBoxLayout(self, MIN_CHARS, on=self, gap=16, narrow=BoxDirection.BottomToTop)
        self._row.addWidget(self.label, 1)
        self._row.addWidget(trailing_widget, 0, Qt.AlignmentFlag.AlignTrailing | Qt.AlignmentFlag.AlignVCenter)
        self._row.arranged.connect(self._arrange)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.show_question(questions[0])

    def show_question(self, question: str) -> None:
        """Show a question."""
        self.label.setText(question)

    def height_at(self, width: int) -> int:
        """Return the height in pixels that the row needs for the longest question if the row has the width `width`."""
        end = self._end.sizeHint()
        is_horizontal = self._row.direction() == BoxDirection.LeftToRight
        label_width = width - end.width() - self._row.spacing() if is_horizontal else width
        text = self.label.text()
        heights = []
        for question in self._questions:
            self.label.setText(question)
            heights.append(self.label.heightForWidth(max(1, label_width)))
        self.label.setText(text)
        needed = max(heights) if is_horizontal else max(heights) + self._row.spacing() + end.height()
        return max(scaled_pixels(HEIGHT_PX), needed)

    def _arrange(self) -> None:
        self.setFixedHeight(self.height_at(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Set the height for the new width, then lay out the contents again, because the height may have changed."""
        super().resizeEvent(event)
        self._row.setGeometry(self.rect())


NOTE_SIGN = "*"
"""Sign after an answer that has a note; the tooltip shows the note."""


def answer_text(scale: ScaleAnswer, value: float) -> str:
    """Return a value of a scale, followed by its label if it has one.

    >>> from qe_desktop.ratings.protocols import PROTOCOLS
    >>> answer_text(PROTOCOLS["adequacy"].scales[0], 4.0)
    '4 Most'
    """
    return f"{value:g} {scale.label(value)}".strip()


QUESTION_KEYS = tr("The up and down arrows select a question; the left arrow goes back to the previous item.")
"""Tooltip of a question whose answer has no note."""


class QuestionTab(ThemedButton):
    """Tab with the name and the answer of a question, underlined in the accent colour while it is selected."""

    def __init__(self, scale: ScaleAnswer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.scale = scale
        self._answer = ""
        self.note = ""
        """Note on the answer; empty if there is none."""
        self._is_highlighted = False

    def show_answer(self, answer: str, note: str, *, is_highlighted: bool) -> None:
        """Show an answer and a note on it; either may be empty. `is_highlighted` marks the question as selected."""
        self._answer, self.note, self._is_highlighted = answer, note, is_highlighted
        question, answer_text = self.scale.title, answer or tr("not rated")
        self.setToolTip(plain_tooltip(sentence_case(note) if note else QUESTION_KEYS))
        if note:
            self.setAccessibleName(tr("{question}: {answer}, {note}", question=question, answer=answer_text, note=note))
        else:
            self.setAccessibleName(tr("{question}: {answer}", question=question, answer=answer_text))
        self.updateGeometry()
        self.update()

    def _parts(self) -> list[tuple[str, bool, str]]:
        """Return the texts of the tab, each with a flag for bold type and the name of a theme colour."""
        parts = [(self.scale.title, self._is_highlighted, "text" if self._is_highlighted else "muted")]
        parts += [(self._answer, True, "text")] if self._answer else []
        return parts + ([(NOTE_SIGN, True, "warning")] if self.note else [])

    def sizeHint(self) -> QSize:
        """Return the size for the longest possible answer, so that tabs do not move when an item is rated."""
        bold = QFontMetrics(scaled_font(1.0, bold=True))
        answers = [answer_text(self.scale, value) for value in range(self.scale.min_value, self.scale.max_value + 1)]
        longest = max(map(bold.horizontalAdvance, answers), default=0)
        width = bold.horizontalAdvance(self.scale.title) + longest + bold.horizontalAdvance(NOTE_SIGN) + 3 * 8
        return QSize(width + self.fontMetrics().height() + 20, round(self.fontMetrics().height() * 1.8))

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the name, the answer and, if the question is selected, the underline."""
        line, x = self.fontMetrics().height(), 8
        self.draw_ground(painter, self.rect().toRectF().adjusted(1, 1, -1, -3))
        mark = self._rect_at(x, line)
        if self._answer:
            icons.paint_icon(painter, "ok", mark, colours.accent)
        else:
            painter.setPen(QPen(colours.accent if self._is_highlighted else colours.muted, 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(mark.toRectF().center(), line * 0.3, line * 0.3)
        x += line + 4
        for text, bold, token in self._parts():
            painter.setFont(scaled_font(1.0, bold=bold))
            painter.setPen(getattr(colours, token))
            width = painter.fontMetrics().horizontalAdvance(text) + 8
            flags = int(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter)
            painter.drawText(self._rect_at(x, width), flags, text)
            x += width
        if self._is_highlighted:
            under = self._rect_at(4, x - 4)
            painter.fillRect(under.left(), self.height() - 3, under.width(), 3, colours.accent)

    def _rect_at(self, x: int, width: int) -> QRect:
        """Return a rectangle `width` pixels wide, `x` pixels from the tab's left edge (right edge if mirrored)."""
        left = self.width() - x - width if self.isRightToLeft() else x
        return QRect(left, 0, width, self.height() - 2)
