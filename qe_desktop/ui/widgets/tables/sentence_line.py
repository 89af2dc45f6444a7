"""Line of constant height with a sentence about the current cell or item of a table, matrix or chart."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, hbox

HINT = tr("Select a value to see what it means.")
SCALE = 1.08
"""Size of the sentence relative to the text of the window."""
LINES = 2
"""Number of lines that are reserved for a sentence, so that nothing below it moves."""


class SentenceLine(QWidget):
    """Sentence preceded by the sign of a significance test, and a button that shows the segments behind a difference.

    `hint` is shown while nothing is selected.
    """

    requested = Signal()
    """Emitted when the segments behind the difference are requested."""

    def __init__(self, hint: str = HINT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hint = hint
        self.sign = Label(scale=SCALE)
        self.words = Label(hint, scale=SCALE, token="muted", narrow=True, selectable=True, ours=True)
        self.words.installEventFilter(self)
        self.segments = QPushButton(tr("Show the segments"))
        self.segments.setFlat(True)
        self.segments.setToolTip(plain_tooltip(tr("You can also press Enter in the matrix")))
        self.segments.clicked.connect(self.requested)
        self.segments.hide()
        self.sign.hide()
        hbox(self.sign, Stretched(self.words, 1), self.segments, on=self, gap=8)
        self._fit()

    def show_sentence(self, sentence: str, sign: str = "", *, segments: bool = False) -> None:
        """Show a sentence (the hint if empty) after its sign, if any; `segments`: whether the button is visible."""
        self.sign.setText(sign)
        self.sign.setVisible(bool(sign))
        self.words.setText(sentence or self._hint)
        self.words.set_token("text" if sentence else "muted")
        self.words.setToolTip(plain_tooltip(sentence) if sentence else "")
        self.segments.setVisible(segments)
        self._align()

    def set_hint(self, hint: str) -> None:
        """Set the text that is shown while nothing is selected."""
        is_shown = self.words.text() == self._hint
        self._hint = hint
        if is_shown:
            self.words.setText(hint)

    def _fit(self) -> None:
        self.setFixedHeight(self.words.fontMetrics().lineSpacing() * LINES + 4)
        self._align()

    def _align(self) -> None:
        """Show the beginning of a sentence that needs more lines; the whole sentence is its tooltip."""
        has_room = self.words.heightForWidth(self.words.width()) <= self.height()
        vertical = Qt.AlignmentFlag.AlignVCenter if has_room else Qt.AlignmentFlag.AlignTop
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeading | vertical)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Align the text for its new width."""
        if event.type() == QEvent.Type.Resize:
            self._align()
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        """Adapt the height when the text size changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._fit()
