"""Question row: the question at the start; question tabs, or a note on missing answers, at the end."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.ui.shell.appearance import scaled_pixels
from qe_desktop.ui.widgets.labels import Label
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
